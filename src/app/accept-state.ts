import type { Refusal } from '../model/problem.ts';
import { acceptInputs } from '../plan/accept.ts';
import { makePlan } from '../plan/make-plan.ts';
import { unmatchedGlobs } from '../plan/select.ts';
import { matchesGlob } from '../util/match-glob.ts';
import { err, ok, type Result } from '../util/result.ts';
import { changeState } from './change-state.ts';
import type { Campaign } from './campaign.ts';
import { recordRun, type RunOptions } from './open-for-run.ts';
import { noMatch } from './plan-campaign.ts';
import type { Runtime } from './runtime.ts';

/** Takes the present inputs as done, sending nothing, and records renames with it; gives what was accepted. */
export function acceptState(
  runtime: Runtime,
  { graph, manifest, ...campaign }: Campaign,
  { globs, ...run }: Omit<RunOptions, 'command'> & { readonly globs: readonly string[] },
): Promise<Result<readonly string[], Refusal>> {
  const command = ['state accept', ...globs].join(' ');
  const change = { ...run, command, campaign: { ...campaign, graph, manifest } };
  return changeState(runtime, change, async ({ open, at }) => {
    const { state, recorder } = open;
    const [unmatched] = unmatchedGlobs(graph, state, globs);
    if (unmatched !== undefined) return err(noMatch(unmatched));
    const accepts = (address: string) => !globs.length || globs.some((glob) => matchesGlob(glob, address));
    const { outputs } = manifest;
    const now = runtime.clock.now();
    const { moves } = makePlan({ graph, state, outputs, replacements: 'hold', now });
    const events = acceptInputs(graph, state, { accepts, at });
    const all = [...moves.map(({ from, to }) => ({ type: 'moved' as const, at, from, to })), ...events];
    if (all.length) await recordRun(recorder, all, at);
    return ok(events.map(({ address }) => address));
  });
}
