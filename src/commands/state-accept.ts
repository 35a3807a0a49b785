import { EXIT, type ExitCode } from '../model/exit.ts';
import { acceptInputs } from '../plan/accept.ts';
import { makePlan } from '../plan/make-plan.ts';
import { unmatchedGlobs } from '../plan/select.ts';
import { matchesGlob } from '../util/match-glob.ts';
import { loadCampaign } from './load-campaign.ts';
import { openForRun } from './open-for-run.ts';
import type { SharedOptions } from './options.ts';
import { noMatch } from './plan-campaign.ts';
import { createOutput, type Refusal } from './output.ts';

/** `campaign state accept`: takes the present inputs as done, sending nothing; renames are recorded with it. */
export async function stateAccept(
  { file, globs }: { file: string; globs: readonly string[] },
  options: SharedOptions & { readonly lockTimeout: number },
): Promise<ExitCode> {
  const output = createOutput(options);
  const refuse = ({ exit, diagnostics }: Refusal) => {
    output.diagnostics(diagnostics);
    return exit;
  };
  const loaded = await loadCampaign(file, options, { need: 'environment', output });
  if (!loaded.ok) return refuse(loaded.error);
  const { graph, manifest } = loaded.value;
  const opened = await openForRun(loaded.value, {
    command: 'state accept',
    lockTimeoutMs: options.lockTimeout,
  });
  if (!opened.ok) return refuse(opened.error);
  const open = opened.value;
  try {
    const [unmatched] = unmatchedGlobs(graph, open.state, globs);
    if (unmatched !== undefined) return refuse(noMatch(unmatched));
    const at = new Date().toISOString();
    const accepts = (address: string) => !globs.length || globs.some((glob) => matchesGlob(glob, address));
    const { moves } = makePlan({ graph, state: open.state, outputs: manifest.outputs, replacements: 'hold' });
    const events = acceptInputs(graph, open.state, { accepts, at });
    await open.recorder.append([
      ...moves.map(({ from, to }) => ({ type: 'moved' as const, at, from, to })),
      ...events,
    ]);
    const addresses = events.map(({ address }) => address);
    if (output.mode === 'json') output.json({ accepted: addresses });
    else if (addresses.length) {
      output.result(addresses.map((address) => `${output.style.green('✓')} ${address} accepted\n`).join(''));
    } else output.result('Nothing to accept: what exists is what the manifest asks for.\n');
    return EXIT.ok;
  } finally {
    await open.close();
  }
}
