import { readFile, stat } from 'node:fs/promises';
import { type Document, parseDocument } from 'yaml';
import { checkNodes } from './check-nodes.ts';
import type { SourceFile } from './locate.ts';
import type { Problems } from './problems.ts';
import { createTextLines } from './text-lines.ts';

/** 100,000 items in the longest form are about 20 MB of text; more is not a manifest. */
const LARGEST_BYTES = 32 * 1024 * 1024;

/** How often anchors may multiply; a bomb of nested aliases needs far more. */
const MOST_ALIASES = 10_000;

/** What reading adds to, besides its own result. */
export interface Reading {
  readonly problems: Problems;
  readonly files: Map<string, SourceFile>;
}

/** The value that a YAML file holds; undefined when it has none that could be looked at further. */
export async function readYaml(
  file: { path: string; shownAs: string; ref: string },
  { problems, files }: Reading,
): Promise<unknown> {
  const source = `${file.ref}#`;
  const text = await readText(file.path);
  if (typeof text !== 'string') {
    problems.add({ code: text.code, detail: `${file.shownAs}: ${text.detail}`, source });
    return undefined;
  }
  const document = parseDocument(text, { uniqueKeys: false, prettyErrors: false, logLevel: 'error' });
  files.set(file.ref, {
    shownAs: file.shownAs,
    text,
    lines: createTextLines(text),
    document,
    members: new WeakMap(),
  });
  const [syntax] = document.errors;
  if (syntax) {
    problems.add({ code: 'yaml-syntax', detail: `${wording(syntax)}.`, source, range: syntax.pos });
    return undefined;
  }
  for (const { message, pos } of document.warnings) {
    problems.add({ code: 'yaml-syntax', detail: `${message}.`, source, range: pos });
  }
  return checkNodes({ document, text, source, problems })
    ? toValue({ document, source, problems })
    : undefined;
}

async function readText(path: string) {
  try {
    const { size } = await stat(path);
    if (size > LARGEST_BYTES) {
      return {
        code: 'too-large',
        detail: 'A manifest has at most 32 MB. Use a matrix instead of a list.',
      } as const;
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
  } catch (error) {
    if (error instanceof TypeError)
      return { code: 'not-utf8', detail: 'Save the file in the encoding UTF-8.' } as const;
    return { code: 'cannot-read', detail: reasonOf(error) } as const;
  }
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return 'There is no such file.';
  if (code === 'EISDIR') return 'This is a folder, not a file.';
  return `The system says: ${error instanceof Error ? error.message : String(error)}.`;
}

function wording({ code, message }: { code: string; message: string }): string {
  if (code === 'MULTIPLE_DOCS')
    return 'One file holds one document; put the second one into a file of its own';
  if (code === 'RESOURCE_EXHAUSTION') return 'Lists or maps are nested too deeply';
  return message;
}

function toValue(input: { document: Document; source: string; problems: Problems }): unknown {
  try {
    return input.document.toJS({ maxAliasCount: MOST_ALIASES });
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    const detail = 'Aliases multiply beyond every measure; write fewer of them.';
    input.problems.add({ code: 'yaml-syntax', detail, source: input.source });
    return undefined;
  }
}
