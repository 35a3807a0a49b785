/** Plans takes that earlier runs requested: they were paid for, so they are fetched even if no longer named. */
import { type Address, takeAddress } from '../model/address.ts';
import type { Recheck, PlannedNode } from '../model/plan.ts';
import type { SourceRef } from '../model/source.ts';
import type { MediaState, RunState, TakeState } from '../model/run-state.ts';
import { olderTakePath, type OutputTemplate } from '../model/output-path.ts';
import { takeNodes } from '../model/take-nodes.ts';
import type { PlanDraft } from './draft-plan.ts';
import { recheckOf } from './recheck.ts';
import { olderFiles, pathOf } from './take-files.ts';

interface Present {
  /** As it is once everything has its new name. */
  readonly state: RunState;
  /** Items that get another take. */
  readonly renewed: ReadonlySet<Address>;
  /** Takes that are looked for once more before they are paid for again. */
  readonly rechecked: ReadonlySet<Address>;
}

/** Polls and downloads that are still open. */
export function planOpenTakes(draft: PlanDraft, { state, renewed, rechecked }: Present): PlannedNode[] {
  const { outputs, now, sources } = draft;
  const selected = [...state.media.values()].filter(({ address }) => draft.isSelected(address));
  return selected.flatMap((media) =>
    media.takes.flatMap((take, index) => {
      const isPaidAgain = rechecked.has(takeAddress(media.address, take.n));
      // If it is there after all, it is not paid for again and stays the newest.
      const superseded = index < media.takes.length - 1 || (renewed.has(media.address) && !isPaidAgain);
      const again = recheckOf(state, take, { now, isPaidAgain });
      return openNodes(state, {
        media,
        take,
        again,
        superseded,
        outputs,
        source: sources.get(media.address),
      });
    }),
  );
}

interface OpenTake {
  readonly media: MediaState;
  readonly take: TakeState;
  readonly again: Recheck | undefined;
  readonly superseded: boolean;
  readonly outputs: OutputTemplate | false;
  readonly source: SourceRef | undefined;
}

function openNodes(state: RunState, open: OpenTake): PlannedNode[] {
  const { media, take, again, outputs, source } = open;
  const polled = take.status === 'pending' || again !== undefined;
  if (!polled && (take.status !== 'done' || take.files)) return [];
  return takeNodes({
    action: 'resume',
    reasons: [{ summary: whyOpen(take, again) }],
    ...(source === undefined ? {} : { source }),
    take: {
      post: media.post,
      item: media.item,
      take: take.n,
      request: take.request,
      requestedAs: take.requestedAs,
    },
    ...(polled ? { poll: { inputs: take.inputs, seen: take.seen, ...(again ? { again } : {}) } } : {}),
    download: outputs && filesOf(state, open, outputs),
  });
}

/** A take that a newer one has replaced gets names beside the newer one's; any other take gets the plain name. */
function filesOf(state: RunState, { media, take, superseded }: OpenTake, outputs: OutputTemplate) {
  const path = pathOf(state, media, { take, outputs });
  return superseded
    ? { path: olderTakePath(path, take.n), older: [] }
    : { path, older: olderFiles(state, media, { beside: take.n, outputs }) };
}

function whyOpen({ status, problem, requestedAt }: TakeState, again: Recheck | undefined): string {
  if (again) {
    const when = again.before === 'paying' ? 'before it is paid for again' : 'once more';
    return `looked for ${when}${problem ? `: ${problem.summary}` : ''}`;
  }
  return status === 'pending' ? `requested ${requestedAt}` : (problem?.summary ?? 'not downloaded yet');
}
