import type { Refusal } from '../model/problem.ts';
import { acceptInputs } from '../plan/accept.ts';
import { matchState } from '../plan/match-state.ts';
import { moveEvents } from '../plan/move-steps.ts';
import { unmatchedGlobs } from '../plan/select.ts';
import { matchesGlob } from '../util/match-glob.ts';
import { err, ok, type Result } from '../util/result.ts';
import { changeState } from './change-state.ts';
import type { Campaign } from './campaign.ts';
import { recordRun, type LogRun } from './open-for-run.ts';
import { noMatch } from './plan-campaign.ts';
import type { Runtime } from './runtime.ts';

/** Records the present inputs of everything that exists, and renames; sends nothing. Gives the accepted addresses. */
export function acceptState(
  runtime: Runtime,
  { graph, manifest, ...campaign }: Campaign,
  { globs, ...run }: Omit<LogRun, 'command'> & { readonly globs: readonly string[] },
): Promise<Result<readonly string[], Refusal>> {
  const command = ['state accept', ...globs].join(' ');
  const change = { ...run, command, campaign: { ...campaign, graph, manifest } };
  return changeState(runtime, change, async ({ open, at }) => {
    const { state, recorder } = open;
    const matched = matchState(graph, state);
    const [unmatched] = unmatchedGlobs(graph, matched, globs);
    if (unmatched !== undefined) return err(noMatch(unmatched));
    const accepts = (address: string) => !globs.length || globs.some((glob) => matchesGlob(glob, address));
    const events = acceptInputs(graph, matched, { accepts, at });
    const all = [...moveEvents(matched.moves, at), ...events];
    if (all.length) await recordRun(recorder, all, at);
    return ok(events.map(({ address }) => address));
  });
}
