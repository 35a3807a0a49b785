import type { RunSummary } from '../model/run-summary.ts';
import { countsText, durationText } from './run-words.ts';
import { tableText } from './table-text.ts';

const HEAD = ['when', 'who', 'command', 'changed', 'ended', 'took'];

/** The runs of a state, oldest first; `running`: somebody holds the lock, so the last one may be under way. */
export function historyText(runs: readonly RunSummary[], running: boolean): string {
  if (!runs.length) return 'No run has changed this state yet.\n';
  return tableText(
    HEAD,
    runs.map((run, index) => rowOf(run, running && index === runs.length - 1)),
  );
}

function rowOf({ command, startedAt, by = '', ci, end }: RunSummary, isRunning: boolean): string[] {
  const when = startedAt.replace('T', ' ').replace(/\.\d+Z$/, 'Z');
  const who = ci === undefined ? by : `${by} (${ci})`;
  if (!end) return [when, who, command, '', isRunning ? 'running' : 'killed: no end', ''];
  const { nodes, outcome, exitCode, at } = end;
  const { unchanged: _, ...changed } = nodes;
  const changes = Object.values(changed).some(Boolean) ? countsText({ ...nodes, unchanged: 0 }) : '';
  const ended = exitCode === 0 ? outcome : `${outcome} (${exitCode})`;
  return [when, who, command, changes, ended, durationText(Date.parse(at) - Date.parse(startedAt))];
}
