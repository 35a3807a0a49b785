import { readState, stateRefusal } from '../app/read-state.ts';
import { resealState } from '../app/reseal-state.ts';
import { consentOf } from '../cli/confirm.ts';
import type { ChangeOptions } from '../cli/options.ts';
import { diagnosticJson } from '../cli/output.ts';
import { loadFor, type Session } from '../cli/session.ts';
import { DEFAULT } from '../cli/target.ts';
import type { Campaign } from '../app/campaign.ts';
import { commandText } from '../model/command-text.ts';
import { EXIT, type ExitCode } from '../model/exit.ts';
import type { Refusal } from '../model/problem.ts';
import type { OpenState } from '../store/store.ts';

export interface CheckOptions extends ChangeOptions {
  readonly reseal?: true;
}

/** `campaign state check`: reads every line; 76 names the first one that does not hold. `--reseal` after an edit by hand. */
export async function stateCheck(session: Session<CheckOptions>): Promise<ExitCode | Refusal> {
  const { args, options } = session;
  const loaded = await loadFor(session, args[0] ?? DEFAULT);
  if (!loaded.ok) return loaded.error;
  return options.reseal ? reseal(loaded.value, session) : check(loaded.value, session);
}

async function check(campaign: Campaign, { output }: Session): Promise<ExitCode | Refusal> {
  const { name: state } = campaign.store;
  const opened = await readState(campaign);
  const { diverged } = opened.ok ? opened.value : {};
  const refused = opened.ok ? diverged && stateRefusal(diverged, campaign) : opened.error;
  if (refused && output.mode === 'json')
    output.json({ valid: false, state, diagnostics: refused.problems.map(diagnosticJson) });
  if (refused) return output.mode === 'json' ? refused.exit : refused;
  if (!opened.ok) return opened.error;
  const { header, seq, known: nodes, runs, warnings } = opened.value;
  for (const warning of warnings) output.progress(`  ! ${warning}\n`);
  const lineage = header?.lineage ?? null;
  const records = header ? seq - header.seq : 0;
  const document = { valid: true, state, lineage, seq, records, nodes, runs: runs.length };
  output.answer(document, `${state}: ${checkedText(opened.value, records)}\n`);
  return EXIT.ok;
}

function checkedText({ header, known, runs }: OpenState, records: number): string {
  if (!header) return 'there is no state yet.';
  const compacted = header.seq > 0 ? `, compacted after record ${header.seq}` : '';
  return `every line holds. Records: ${records}${compacted}; nodes: ${known}; runs: ${runs.length}.`;
}

async function reseal(campaign: Campaign, session: Session<CheckOptions>): Promise<ExitCode | Refusal> {
  const { options, output, runtime } = session;
  const { name: state } = campaign.store;
  const change = { consent: consentOf(session), lockTimeoutMs: options.lockTimeout };
  const resealed = await resealState(runtime, campaign, change);
  if (!resealed.ok) return resealed.error;
  const { edits, kept } = resealed.value;
  const rebind = commandText('state rebind', campaign.target);
  const text =
    kept === undefined
      ? `${state}: every line holds; there is nothing to reseal.\n`
      : `${output.style.green('✓')} Resealed. As it was, it is kept as ${kept}.\n` +
        `  Other machines that knew it refuse it now: run \`${rebind}\` there, once.\n`;
  output.answer({ state, edits, kept: kept ?? null }, text);
  return EXIT.ok;
}
