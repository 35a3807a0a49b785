import { readWritable } from '../app/read-state.ts';
import { resealState } from '../app/reseal-state.ts';
import { changeOne } from '../cli/change-one.ts';
import type { ChangeOptions } from '../cli/options.ts';
import { diagnosticJson } from '../cli/output.ts';
import { type CommandEnd, loadFor, type Session } from '../cli/session.ts';
import { commandText } from '../model/command-text.ts';
import { EXIT } from '../model/exit.ts';
import type { OpenState } from '../store/store.ts';

interface CheckOptions extends ChangeOptions {
  readonly reseal?: true;
}

/** Reads every line; 76 names the first one that does not hold. `--reseal` after an edit by hand. */
export function stateCheck(session: Session<CheckOptions>): CommandEnd {
  const file = session.args[0];
  if (!session.options.reseal) return check(session, file);
  return changeOne(session, file, {
    change: resealState,
    show({ edits, kept }, { state, tick, target }) {
      const rebind = commandText('state rebind', target);
      const text =
        kept === undefined
          ? `${state}: every line holds; there is nothing to reseal.\n`
          : `${tick} Resealed. As it was, it is kept as ${kept}.\n` +
            `  Other machines that knew it refuse it now: run \`${rebind}\` there, once.\n`;
      return { json: { state, edits, kept: kept ?? null }, text };
    },
  });
}

async function check(session: Session, file: string | undefined): CommandEnd {
  const { output } = session;
  const campaign = await loadFor(session, file);
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
