import { adoptState, rebindState } from '../app/bind-state.ts';
import type { Campaign } from '../app/campaign.ts';
import { acceptNodes, forgetNodes } from '../app/change-nodes.ts';
import type { Change } from '../app/change-state.ts';
import { newState } from '../app/new-state.ts';
import { readState, stateRefusal } from '../app/read-state.ts';
import { resealState } from '../app/reseal-state.ts';
import type { Runtime } from '../app/runtime.ts';
import { consentOf } from '../cli/confirm.ts';
import type { ChangeOptions } from '../cli/options.ts';
import { diagnosticJson } from '../cli/output.ts';
import { loadFor, type Session } from '../cli/session.ts';
import { lastWord, targetOf } from '../cli/target.ts';
import { commandText } from '../model/command-text.ts';
import { EXIT, type ExitCode } from '../model/exit.ts';
import type { Refusal } from '../model/problem.ts';
import type { OpenState } from '../store/store.ts';
import type { Result } from '../util/result.ts';

type Options = Pick<Change, 'consent' | 'lockTimeoutMs'>;

interface Changing<T> {
  readonly change: (runtime: Runtime, campaign: Campaign, options: Options) => Promise<Result<T, Refusal>>;
  /** `state` is the name of the state, `tick` what begins a line about something done. */
  readonly show: (
    value: T,
    names: { state: string; tick: string; target: string },
  ) => { json: object; text: string };
}

async function changing<T>(
  session: Session<ChangeOptions>,
  file: string | undefined,
  { change, show }: Changing<T>,
): Promise<ExitCode | Refusal> {
  const { options, output, runtime } = session;
  const campaign = await loadFor(session, file);
  if (!campaign.ok) return campaign.error;
  const consenting = { consent: consentOf(session), lockTimeoutMs: options.lockTimeout };
  const changed = await change(runtime, campaign.value, consenting);
  if (!changed.ok) return changed.error;
  const { store, target } = campaign.value;
  const { json, text } = show(changed.value, {
    state: store.name,
    tick: output.style.green('✓'),
    target,
  });
  output.answer(json, text);
  return EXIT.ok;
}

export function stateAccept(session: Session<ChangeOptions>): Promise<ExitCode | Refusal> {
  const { file, rest: globs } = targetOf(session.args);
  return changing(session, file, {
    change: (runtime, campaign, options) => acceptNodes(runtime, campaign, { globs, ...options }),
    show(accepted, { tick }) {
      const lines = accepted.map((address) => `${tick} ${address} accepted\n`);
      const nothing = 'Nothing to accept: what exists is what the manifest asks for.\n';
      return { json: { accepted }, text: lines.join('') || nothing };
    },
  });
}

export async function stateRm(session: Session<ChangeOptions>): Promise<ExitCode | Refusal> {
  const { file, rest: globs } = targetOf(session.args);
  if (!globs.length) session.misuse('error: name the nodes to forget, e.g. product/tote');
  return changing(session, file, {
    change: (runtime, campaign, options) => forgetNodes(runtime, campaign, { globs, ...options }),
    show: (forgotten, { tick }) => ({
      json: { forgotten },
      text: forgotten.map((address) => `${tick} ${address} forgotten\n`).join(''),
    }),
  });
}

export function stateNew(session: Session<ChangeOptions>): Promise<ExitCode | Refusal> {
  return changing(session, session.args[0], {
    change: newState,
    show: (lineage, { state, tick }) => ({
      json: { state, lineage: lineage ?? null },
      text:
        lineage === undefined
          ? `There never was a state at ${state}: the first apply begins it.\n`
          : `${tick} ${state} starts anew.\n`,
    }),
  });
}

export function stateAdopt(session: Session<ChangeOptions>): Promise<ExitCode | Refusal> {
  const { file: manifest, word: file } = lastWord(session.args);
  return changing(session, manifest, {
    change: (runtime, campaign, options) => adoptState(runtime, campaign, { file, ...options }),
    show: ({ from, known, place }, { state, tick }) => ({
      json: { state, adopted: from, known },
      text: `${tick} ${from} is now ${state}, the state of ${place}.\n`,
    }),
  });
}

export function stateRebind(session: Session<ChangeOptions>): Promise<ExitCode | Refusal> {
  return changing(session, session.args[0], {
    change: rebindState,
    show({ type, known, place }, { state, tick }) {
      const isRebound = type === 'rebound';
      const words = {
        'no-state': `Nothing to rebind: there is no state at ${state}.`,
        'as-before': `Nothing to rebind: ${state} is the state of ${place}.`,
        rebound: `${tick} ${state} is now the state of ${place}.`,
      };
      return {
        json: { state, rebound: isRebound, ...(isRebound ? { known } : {}) },
        text: `${words[type]}\n`,
      };
    },
  });
}

interface CheckOptions extends ChangeOptions {
  readonly reseal?: true;
}

/** Reads every line; 76 names the first one that does not hold. `--reseal` after an edit by hand. */
export function stateCheck(session: Session<CheckOptions>): Promise<ExitCode | Refusal> {
  const file = session.args[0];
  if (!session.options.reseal) return check(session, file);
  return changing(session, file, {
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

async function check(session: Session, file: string | undefined): Promise<ExitCode | Refusal> {
  const { output } = session;
  const campaign = await loadFor(session, file);
  if (!campaign.ok) return campaign.error;
  const { name: state } = campaign.value.store;
  const opened = await readState(campaign.value);
  const { diverged } = opened.ok ? opened.value : {};
  const refused = opened.ok ? diverged && stateRefusal(diverged, campaign.value) : opened.error;
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
