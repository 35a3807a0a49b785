/**
 * Which post plan most posts of another one went over to, as far as that is sure. Two plans that exchange their keys are both
 * known and both named; what changed in the same edit would be looked for in the wrong one of them.
 */
import { type Address, postPlanOf } from '../model/address.ts';
import type { Move } from '../model/plan.ts';
import type { MediaState, RunState } from '../model/run-state.ts';
import type { Draft } from './claim-items.ts';

interface Matched {
  readonly drafts: readonly Draft[];
  readonly moves: readonly Move[];
}

/** Gives the path that a post of the state has under the key that its plan has now; most runs never ask. */
export function plansBecame(state: RunState, matched: Matched): (medium: MediaState) => string {
  let became: ReadonlyMap<string, string> | undefined;
  return ({ post }) => {
    const from = postPlanOf(post);
    became ??= countVotes(state, matched);
    return (became.get(from) ?? from) + post.slice(from.length);
  };
}

function countVotes({ media }: RunState, { drafts, moves }: Matched): ReadonlyMap<string, string> {
  const open = new Set<Address>(
    drafts.flatMap(({ rest }) => [...rest.values()].map(({ address }) => address)),
  );
  const paths = new Set(drafts.map(({ post }) => post.path));
  const moved = new Map(moves.map(({ from, to }) => [from, to.split('/')[1] ?? '']));
  const votes = new Map<string, Map<string, number>>();
  for (const { address, post } of media.values()) {
    const from = postPlanOf(post);
    const stays = paths.has(post) && !open.has(address) ? from : undefined;
    const to = moved.get(address) ?? stays;
    if (to === undefined) continue;
    const counts = votes.get(from) ?? new Map<string, number>();
    votes.set(from, counts.set(to, (counts.get(to) ?? 0) + 1));
  }
  return new Map([...votes].map(([from, counts]) => [from, mostOf(counts, from)]));
}

/** The one with more votes than each other one; else the plan itself. */
function mostOf(counts: ReadonlyMap<string, number>, itself: string): string {
  const [first, second] = [...counts].toSorted(([, a], [, b]) => b - a);
  return first && first[1] > (second?.[1] ?? 0) ? first[0] : itself;
}
