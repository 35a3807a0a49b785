import { readWritable } from '../app/read-state.ts';
import { diagnosticJson } from '../cli/output.ts';
import { type CommandEnd, loadFor, type Session } from '../cli/session.ts';
import { EXIT } from '../model/exit.ts';
import type { OpenState } from '../store/store.ts';

/** Reads every line; 76 names the first one that does not hold. */
export async function stateCheck(session: Session): CommandEnd {
  const { args, output } = session;
  const campaign = await loadFor(session, args[0]);
  if (!campaign.ok) return campaign.error;
  const { name: state } = campaign.value.store;
  const opened = await readWritable(campaign.value);
  if (!opened.ok) {
    if (output.mode !== 'json') return opened.error;
    output.json({ valid: false, state, diagnostics: opened.error.problems.map(diagnosticJson) });
    return opened.error.exit;
  }
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
