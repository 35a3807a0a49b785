import type { Decision, RunSummary } from '../model/run-summary.ts';
import { durationText } from '../util/duration.ts';
import { inertText } from '../util/inert-text.ts';
import { countsText } from './run-words.ts';
import { wrapText } from './text-columns.ts';

/** The width that every mail has. */
const COLUMNS = 80;
const NARROWEST = 40;
const INDENT = '    ';

/** The runs of a state, oldest first. `running`: the lock is held, so the last run may be under way. */
export function historyText(runs: readonly RunSummary[], running: boolean, columns = COLUMNS): string {
  if (!runs.length) return 'No run has changed this state yet.\n';
  return runs
    .map((run, index) => entryOf(run, running && index === runs.length - 1, Math.max(columns, NARROWEST)))
    .join('');
}

function entryOf(
  { run, command, startedAt, by, ci, end, decided }: RunSummary,
  isRunning: boolean,
  columns: number,
): string {
  const when = startedAt.replace('T', ' ').replace(/\.\d+Z$/, 'Z');
  const who = ci === undefined ? by : `${by} (${ci})`;
  const changed = [...(end ? changesOf(end) : []), ...(decided ? [decidedText(decided)] : [])].join(', ');
  const ended = end ? endOf(end, startedAt) : [isRunning ? 'running' : 'killed: no end'];
  const head = [run, when, ...ended, who].filter(Boolean).join('  ');
  const body = changed ? `${command}: ${changed}` : command;
  const lines = [
    ...wrapText(inertText(head), { columns, others: INDENT }),
    ...wrapText(inertText(body), { columns, first: INDENT, others: INDENT + INDENT }),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

type End = NonNullable<RunSummary['end']>;

function endOf({ at, outcome, exitCode }: End, startedAt: string): string[] {
  const ended = exitCode === 0 ? outcome : `${outcome} (${exitCode})`;
  return [ended, durationText(Date.parse(at) - Date.parse(startedAt))];
}

function changesOf({ nodes }: End): string[] {
  const changed = { ...nodes, unchanged: 0 };
  return Object.values(changed).some(Boolean) ? [countsText(changed)] : [];
}

/** `product/tote not created, media/hero/1@2 given up and 4 more`. */
function decidedText({ count, first }: NonNullable<RunSummary['decided']>): string {
  const named = first.map(decisionText);
  const more = count - first.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

export function decisionText({ decision, address }: Decision): string {
  return [address, WORDS[decision]].filter(Boolean).join(' ');
}

const WORDS: Readonly<Record<Decision['decision'], string>> = {
  created: 'created',
  'not-created': 'not created',
  skipped: 'given up',
  accepted: 'accepted',
  forgotten: 'forgotten',
  rebound: 'rebound',
  retired: 'retired',
};

/** A run without an end has the outcome null: it was killed, or is still under way. */
export function historyJson(runs: readonly RunSummary[]): object[] {
  return runs.map(({ run, command, version, manifest, startedAt, by, ci, end, decided }) => ({
    run,
    command,
    started_at: startedAt,
    ended_at: end?.at ?? null,
    by,
    ci: ci ?? null,
    version,
    manifest,
    outcome: end?.outcome ?? null,
    exit_code: end?.exitCode ?? null,
    nodes: end?.nodes ?? null,
    decided: decided ?? null,
  }));
}
