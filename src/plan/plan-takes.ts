/** Plans takes that earlier runs requested: they were paid for, so they are fetched even if no longer named. */
import { type Address, takeAddress } from '../model/address.ts';
import type { Recheck, PlannedNode } from '../model/plan.ts';
import type { MediaState, RunState, TakeState } from '../model/run-state.ts';
import { olderTakePath, type OutputPaths } from '../model/output-path.ts';
import { takeNodes } from '../model/take-nodes.ts';
import type { PlanDraft } from './draft-plan.ts';
import { recheckOf } from './recheck.ts';
import { olderFiles, pathOf } from './take-files.ts';

interface Present {
  /** As it is once everything has its new name. */
  readonly state: RunState;
  /** Items that get another take. */
  readonly renewed: ReadonlySet<Address>;
  /** Takes that are rechecked before they are paid for again. */
  readonly rechecked: ReadonlySet<Address>;
  /** Requests that this plan deletes. */
  readonly removed: ReadonlySet<Address>;
}

export function planOpenTakes(
  draft: Pick<PlanDraft, 'outputs' | 'now' | 'sources' | 'isSelected'>,
  { state, renewed, rechecked, removed }: Present,
): PlannedNode[] {
  const { outputs, now, sources, isSelected } = draft;
  const selected = [...state.media.values()].filter(({ address }) => isSelected(address));
  return selected.flatMap((media) =>
    media.takes.flatMap((take, index) => {
      const { n, request, requestedAs, inputs, seen } = take;
      if (removed.has(request)) return [];
      const isPaidAgain = rechecked.size > 0 && rechecked.has(takeAddress(media.address, n));
      const again = recheckOf(state, take, { now, isPaidAgain });
      const isPolled = take.status === 'pending' || again !== undefined;
      if (!isPolled && (take.status !== 'done' || take.files)) return [];
      const source = sources.get(media.address);
      // If it is there after all, it is not paid for again and stays the newest.
      const superseded = index < media.takes.length - 1 || (renewed.has(media.address) && !isPaidAgain);
      return takeNodes({
        action: 'resume',
        reasons: [{ summary: whyOpen(state, take, again) }],
        ...(source === undefined ? {} : { source }),
        take: { post: media.post, item: media.item, take: n, request, requestedAs },
        ...(isPolled ? { poll: { inputs, seen, ...(again ? { again } : {}) } } : {}),
        download: outputs && filesOf(state, { media, take, superseded, outputs }),
      });
    }),
  );
}

interface OpenTake {
  readonly media: MediaState;
  readonly take: TakeState;
  readonly superseded: boolean;
  readonly outputs: OutputPaths;
}

/** A take that a newer one has replaced gets names beside the newer one's; any other take gets the plain name. */
function filesOf(state: RunState, { media, take, superseded, outputs }: OpenTake) {
  const path = pathOf(state, media, { take, outputs });
  return superseded
    ? { path: olderTakePath(path, take.n), older: [] }
    : { path, older: olderFiles(state, media, { beside: take.n, outputs }) };
}

function whyOpen(
  { requests }: RunState,
  { status, problem, request, requestedAt }: TakeState,
  again: Recheck | undefined,
): string {
  if (again) {
    const when = again.before === 'paying' ? ' before it is requested again' : '';
    return `rechecked${when}${problem ? `: ${problem.summary}` : ''}`;
  }
  const requested = requests.get(request)?.imported ? 'imported' : 'requested';
  return status === 'pending' ? `${requested} ${requestedAt}` : (problem?.summary ?? 'not downloaded yet');
}
