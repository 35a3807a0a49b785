/** Plans takes that earlier runs requested: they were paid for, so they are fetched even if no longer named. */
import { type Address, takeAddress } from '../model/address.ts';
import type { LookAgain, PlannedNode } from '../model/plan.ts';
import type { SourceRef } from '../model/source.ts';
import type { MediaState, RunState, TakeState } from '../model/run-state.ts';
import { olderTakePath, type OutputTemplate } from '../model/output-path.ts';
import { takeNodes } from '../model/take-nodes.ts';
import { lookAgain } from './look-again.ts';
import { olderFiles, pathOf } from './take-files.ts';

interface OpenOptions {
  readonly isSelected: (media: Address) => boolean;
  /** Whether this plan requests another take of an item. */
  readonly isRenewed: (media: Address) => boolean;
  /** Whether a request of this plan waits for the recheck of a take. */
  readonly isPaidAgain: (take: Address) => boolean;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Where the manifest asks for an item, if it does. */
  readonly sourceOf: (media: Address) => SourceRef | undefined;
}

export function planOpenTakes(
  state: RunState,
  outputs: OutputTemplate | false,
  { isSelected, isRenewed, isPaidAgain, now, sourceOf }: OpenOptions,
): PlannedNode[] {
  const selected = [...state.media.values()].filter(({ address }) => isSelected(address));
  return selected.flatMap((media) =>
    media.takes.flatMap((take, index) => {
      const paid = isPaidAgain(takeAddress(media.address, take.n));
      // If it is there after all, it is not paid for again and stays the newest.
      const superseded = index < media.takes.length - 1 || (isRenewed(media.address) && !paid);
      const again = lookAgain(state, take, { now, isPaidAgain: paid });
      const source = sourceOf(media.address);
      return openNodes(state, { media, take, again, superseded, outputs, source });
    }),
  );
}

interface OpenTake {
  readonly media: MediaState;
  readonly take: TakeState;
  readonly again: LookAgain | undefined;
  readonly superseded: boolean;
  readonly outputs: OutputTemplate | false;
  readonly source: SourceRef | undefined;
}

export function sourceMember(source: SourceRef | undefined): { source?: SourceRef } {
  return source === undefined ? {} : { source };
}

function openNodes(state: RunState, open: OpenTake): PlannedNode[] {
  const { media, take, again, outputs, source } = open;
  const polled = take.status === 'pending' || again !== undefined;
  if (!polled && (take.status !== 'done' || take.files)) return [];
  return takeNodes({
    action: 'resume',
    reasons: [{ summary: whyOpen(take, again) }],
    ...sourceMember(source),
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

function whyOpen({ status, problem, requestedAt }: TakeState, again: LookAgain | undefined): string {
  if (again) {
    const when = again.before === 'paying' ? 'before it is paid for again' : 'once more';
    return `looked for ${when}${problem ? `: ${problem.summary}` : ''}`;
  }
  return status === 'pending' ? `requested ${requestedAt}` : (problem?.summary ?? 'not downloaded yet');
}
