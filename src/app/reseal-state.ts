import { EXIT } from '../model/exit.ts';
import { NO_NODES } from '../model/node-counts.ts';
import type { Refusal } from '../model/problem.ts';
import type { RunState } from '../model/run-state.ts';
import { type Edit, type Resealed, stateInFile } from '../store/store.ts';
import { err, type Result } from '../util/result.ts';
import { listState } from '../views/list-state.ts';
import { type Consenting, NOT_AGREED, withConsent } from './change-state.ts';
import type { Campaign } from './campaign.ts';
import { runStarted } from './open-for-run.ts';
import { stateRefusal } from './read-state.ts';
import { runFinished } from './run-end.ts';
import { type Runtime, timestamp } from './runtime.ts';

const COMMAND = 'state check --reseal';

/** Computes all checksums anew after an edit by hand, if somebody agrees to what the edit leads to. */
export async function resealState(
  runtime: Runtime,
  campaign: Campaign,
  { consent, lockTimeoutMs }: Consenting,
): Promise<Result<Resealed, Refusal>> {
  const file = stateInFile(campaign.store);
  if (!file.ok) return err(stateRefusal(file.error, campaign));
  return withConsent(consent, async (agreed) => {
    let isDeclined = false;
    const done = await file.value.reseal({
      command: `campaign ${COMMAND}`,
      lockTimeoutMs,
      clock: runtime.clock,
      runId: runtime.newId().slice(0, 8),
      events: [
        runStarted(runtime, campaign, COMMAND),
        runFinished({ exit: EXIT.ok, counts: NO_NODES }, timestamp(runtime)),
      ],
      agree({ edits, state, version }) {
        const shown = `${campaign.store.name}\n${edits.map(editText).join('')}${nodesText(state)}\n`;
        const what =
          'What was taken out may exist at the service and would be made again; what was put in is taken for true.';
        isDeclined = !agreed({ shown, what, question: 'Take the state as it stands?' }, version);
        return !isDeclined;
      },
    });
    if (!done.ok) return err(stateRefusal(done.error, campaign));
    return isDeclined ? err(NOT_AGREED) : done;
  });
}

function editText(edit: Edit): string {
  const at = `  line ${edit.line}`;
  switch (edit.type) {
    case 'changed':
      return `${at}: ${edit.about} was changed or put in\n`;
    case 'misplaced':
      return `${at}: ${edit.about} stands here a second time, or in another place\n`;
    case 'missing':
      return `${at}: ${recordsText(edit, 'before it')} gone\n`;
    case 'left-out':
      return `${at}: empty or unfinished, left out\n`;
    case 'cut':
      return `  ${recordsText(edit, 'at the end')} gone\n`;
    case 'other-log':
      return `${at}: this is another log than the one that was here last, or a copy that went its own way\n`;
  }
}

function recordsText({ from, to }: { from: number; to: number }, where: string): string {
  return from === to ? `record ${from} ${where} is` : `records ${from} to ${to} ${where} are`;
}

function nodesText(state: RunState): string {
  const rows = listState(state);
  const counts = new Map<string, number>();
  for (const { status } of rows) counts.set(status, (counts.get(status) ?? 0) + 1);
  const parts = [...counts].map(([status, count]) => `${count} ${status}`);
  return `The state then knows ${rows.length} nodes${parts.length ? `: ${parts.join(', ')}` : ''}.`;
}
