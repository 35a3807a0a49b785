/**
 * Plans what was requested and is not there yet, from the state alone: pending posts, files to download, and rechecks of
 * posts that failed. It needs no product, no concept and no item of the manifest.
 */
import { takeAddress } from '../model/address.ts';
import { type OutputTemplate, outputPaths } from '../model/output-path.ts';
import type { Noted, Plan } from '../model/plan.ts';
import { currentTake, type MediaState, type RunState } from '../model/run-state.ts';
import { unknownIn } from './draft-plan.ts';
import { resumingPlan } from './plan-resuming.ts';
import { planOpenTakes } from './plan-takes.ts';
import { recheckOf } from './recheck.ts';
import { isNamed, type Selection } from './select.ts';

export interface WaitInput {
  readonly state: RunState;
  readonly outputs: OutputTemplate | false;
  /** When the run begins, in epoch milliseconds. */
  readonly now: number;
  readonly selection: Selection;
  /** The post plans of the manifest by their keys, each with its present period, if it has `every`. */
  readonly present: ReadonlyMap<string, string | undefined>;
}

export function planWaiting({ state, outputs, now, selection, present }: WaitInput): Plan {
  const { only, exclude } = selection;
  const isSelected = (address: string) =>
    (!only.length || isNamed(address, only)) && !isNamed(address, exclude);
  const draft = { outputs: outputs && outputPaths(outputs), now, sources: NO_SOURCES, isSelected };
  const nodes = planOpenTakes(draft, { state, renewed: NONE, rechecked: NONE, removed: NONE });
  const media = [...state.media.values()];
  const failed = media
    .filter((each) => isSelected(each.address) && isPresent(each, present))
    .flatMap((each) => failureOf(each, state, now));
  const notSelected = media.filter(({ address }) => !isSelected(address)).length;
  return resumingPlan(nodes, { failed, unknown: unknownIn(state, isSelected, NO_SOURCES), notSelected });
}

const NONE: ReadonlySet<string> = new Set();
const NO_SOURCES: ReadonlyMap<string, string> = new Map();

/** A post whose plan is gone, or whose period is over, is fetched if it comes; that it failed is nobody's concern any more. */
function isPresent({ post, period, surplus }: MediaState, present: WaitInput['present']): boolean {
  const plan = post.split('/', 1)[0] ?? post;
  return !surplus && present.has(plan) && (period === undefined || present.get(plan) === period);
}

function failureOf(media: MediaState, state: RunState, now: number): Noted[] {
  const take = currentTake(media);
  if (take?.status !== 'failed' && take?.status !== 'lost') return [];
  const { address } = media;
  const again = recheckOf(state, take, { now, isPaidAgain: false });
  // Whoever has left it for so long knows of it, and an item may have been taken out of the manifest since.
  return again ? [{ address, counts: 1, problem: take.problem, recheck: takeAddress(address, take.n) }] : [];
}
