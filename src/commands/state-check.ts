import { randomUUID } from 'node:crypto';
import { commandText } from '../model/command-text.ts';
import { EXIT, type ExitCode } from '../model/exit.ts';
import type { RunState } from '../model/run-state.ts';
import { listState } from '../views/list-state.ts';
import { type Edit, stateInFile } from '../store/state-in-file.ts';
import { realClock } from '../util/clock.ts';
import type { ChangeOptions } from '../app/change-state.ts';
import { type Agreed, withConsent } from '../cli/confirm.ts';
import { type Campaign, loadCampaign } from '../app/load-campaign.ts';
import { runStarted } from '../app/open-for-run.ts';
import type { Refusal } from '../model/problem.ts';
import { createOutput, diagnosticJson, type Output, refuse } from '../cli/output.ts';
import { readState, stateRefusal } from '../app/read-state.ts';
import { runFinished } from '../app/record-run.ts';
import { NO_NODES } from '../app/run-end.ts';

export interface CheckOptions extends ChangeOptions {
  readonly reseal?: true;
}

/** `campaign state check`: reads every line; 76 names the first one that does not hold. `--reseal` after an edit by hand. */
export async function stateCheck(file: string, options: CheckOptions): Promise<ExitCode> {
  const output = createOutput(options);
  const loaded = await loadCampaign(file, options, { need: 'environment', output });
  if (!loaded.ok) return refuse(loaded.error, output);
  const campaign = loaded.value;
  if (!options.reseal) return checked(campaign, output);
  return withConsent(options, output, (agreed) => resealed(campaign, { options, output, agreed }));
}

async function checked(campaign: Campaign, output: Output): Promise<ExitCode> {
  const { name: stateFile } = campaign.store;
  const opened = await readState(campaign);
  if (!opened.ok) return invalid(stateFile, opened.error, output);
  const { header, seq, known, runs, diverged, warnings } = opened.value;
  if (diverged) return invalid(stateFile, stateRefusal(diverged, campaign), output);
  for (const warning of warnings) output.progress(`  ! ${warning}\n`);
  const records = header ? seq - header.seq : 0;
  if (output.mode === 'json') {
    const lineage = header?.lineage ?? null;
    output.json({ valid: true, state: stateFile, lineage, seq, records, nodes: known, runs: runs.length });
  } else if (!header) output.result(`${stateFile}: there is no state yet.\n`);
  else {
    const compacted = header.seq > 0 ? `, compacted after record ${header.seq}` : '';
    output.result(
      `${stateFile}: every line holds. Records: ${records}${compacted}; nodes: ${known}; runs: ${runs.length}.\n`,
    );
  }
  return EXIT.ok;
}

function invalid(stateFile: string, { exit, problems }: Refusal, output: Output): ExitCode {
  if (output.mode === 'json')
    output.json({ valid: false, state: stateFile, diagnostics: problems.map(diagnosticJson) });
  else output.problems(problems);
  return exit;
}

async function resealed(
  campaign: Campaign,
  { options, output, agreed }: { options: CheckOptions; output: Output; agreed: Agreed },
): Promise<ExitCode> {
  const { manifest, store, target } = campaign;
  const { name: stateFile } = store;
  const command = 'state check --reseal';
  const file = stateInFile(store);
  if (!file.ok) return refuse(stateRefusal(file.error, campaign), output);
  const at = new Date().toISOString();
  let isDeclined = false;
  const done = await file.value.reseal({
    command: `campaign ${command}`,
    lockTimeoutMs: options.lockTimeout,
    clock: realClock,
    runId: randomUUID().slice(0, 8),
    events: [runStarted(command, manifest.file, at), runFinished({ exit: EXIT.ok, counts: NO_NODES }, at)],
    agree({ edits, state, version }) {
      const shown = `${stateFile}\n${edits.map(editText).join('')}${nodesText(state)}\n`;
      const what =
        'What was taken out may exist at the service and would be paid for again; what was put in is taken for true.';
      isDeclined = !agreed({ shown, what, question: 'Take the state as it stands?' }, version);
      return !isDeclined;
    },
  });
  if (!done.ok) return refuse(stateRefusal(done.error, campaign), output);
  if (isDeclined) return EXIT.refused;
  const { edits, kept } = done.value;
  if (output.mode === 'json') output.json({ state: stateFile, edits, kept: kept ?? null });
  else if (kept === undefined) output.result(`${stateFile}: every line holds; there is nothing to reseal.\n`);
  else {
    const rebind = commandText('state rebind', target);
    output.result(
      `${output.style.green('✓')} Resealed. As it was, it is kept as ${kept}.\n` +
        `  Other machines that knew it refuse it now: run \`${rebind}\` there, once.\n`,
    );
  }
  return EXIT.ok;
}

function editText(edit: Edit): string {
  const at = `  line ${edit.line}`;
  switch (edit.type) {
    case 'changed':
      return `${at}: ${edit.about} was changed or put in\n`;
    case 'misplaced':
      return `${at}: ${edit.about} stands here a second time, or in another place\n`;
    case 'missing':
      return edit.from === edit.to
        ? `${at}: record ${edit.from} before it is gone\n`
        : `${at}: records ${edit.from} to ${edit.to} before it are gone\n`;
    case 'left-out':
      return `${at}: empty or unfinished, left out\n`;
    case 'cut':
      return edit.from === edit.to
        ? `  record ${edit.from} at the end is gone\n`
        : `  records ${edit.from} to ${edit.to} at the end are gone\n`;
    case 'other-log':
      return `${at}: this is another log than the one that was here last, or a copy that went its own way\n`;
  }
}

/** `The state then knows 9 nodes: 8 done, 1 unknown.` */
function nodesText(state: RunState): string {
  const rows = listState(state);
  const counts = new Map<string, number>();
  for (const { status } of rows) counts.set(status, (counts.get(status) ?? 0) + 1);
  const parts = [...counts].map(([status, count]) => `${count} ${status}`);
  return `The state then knows ${rows.length} nodes${parts.length ? `: ${parts.join(', ')}` : ''}.`;
}
