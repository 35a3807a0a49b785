/** The file of decisions (schemas/decisions.schema.json) as text: `campaign apply` reads what is written here. */
import { parseDocument } from 'yaml';
import { jsonText } from '../util/inert-json.ts';
import { err, ok, type Result } from '../util/result.ts';
import type { Decision, Decisions } from './decide.ts';

const HEAD = `# What was decided about finished posts, newest last. \`campaign approve\`, \`reject\` and \`decide\` write it, and you may.
version: 1
`;

const PARTS = ['post', 'media', 'verdict', 'note', 'by', 'at'] as const;

/**
 * What the file had stays in its place, so that git shows only what was decided. Strings are written as JSON does: YAML reads
 * exactly them back, whatever is in them.
 */
export function decisionsText({ all, written }: Pick<Decisions, 'all' | 'written'>): string {
  const kept = [...written].flatMap(([key, one]) => (all.get(key) === one ? [one] : []));
  const added = [...all].flatMap(([key, one]) => (written.get(key) === one ? [] : [one]));
  const lines = [...kept, ...added].map((one) => {
    const parts = PARTS.flatMap((part) => {
      const text = one[part];
      return text === undefined ? [] : [`${part}: ${isPlain(part) ? text : jsonText(text)}`];
    });
    return `  - { ${parts.join(', ')} }\n`;
  });
  return lines.length ? `${HEAD}decisions:\n${lines.join('')}` : `${HEAD}decisions: []\n`;
}

function isPlain(part: (typeof PARTS)[number]): boolean {
  return part === 'verdict';
}

/** The decisions in a text, or one sentence that says what is wrong with it. */
export function readDecisionsText(text: string): Result<Decision[], string> {
  const document = parseDocument(text);
  const [mistake] = document.errors;
  if (mistake) return err(`This is no YAML: ${mistake.message.split('\n', 1)[0] ?? ''}`);
  let value: unknown;
  try {
    value = document.toJS();
  } catch (error) {
    return err(`This file cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
  }
  if (!isRecord(value) || value['version'] !== 1 || !Array.isArray(value['decisions']))
    return err('This is no file of decisions: it begins with `version: 1` and has a list `decisions:`.');
  const decisions: Decision[] = [];
  for (const [index, each] of value['decisions'].entries()) {
    if (!isDecision(each))
      return err(
        `Entry ${index + 1} is no decision: it needs \`post\`, \`media\` and \`verdict: approved\` or \`rejected\`, and all its values are text.`,
      );
    decisions.push(each);
  }
  return ok(decisions);
}

function isDecision(value: unknown): value is Decision {
  if (!isRecord(value)) return false;
  const { post, media, verdict } = value as Partial<Record<string, unknown>>;
  if (!post || !media || (verdict !== 'approved' && verdict !== 'rejected')) return false;
  const names: readonly string[] = PARTS;
  return Object.entries(value).every(([name, part]) => names.includes(name) && typeof part === 'string');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
