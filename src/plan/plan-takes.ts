/** Takes that earlier runs requested: they were paid, so they go on being polled and downloaded, named or not. */
import { type Address, downloadAddress, takeAddress } from '../model/address.ts';
import type { PlannedNode, Reason } from '../model/plan.ts';
import type { SourceRef } from '../model/source.ts';
import type { MediaState, RunState, TakeState } from '../model/run-state.ts';
import { olderTakePath, type OutputTemplate } from '../model/output-path.ts';
import { olderFiles, pathOf } from './take-files.ts';

interface OpenOptions {
  readonly isSelected: (media: Address) => boolean;
  /** Whether this plan requests another take of an item. */
  readonly isRenewed: (media: Address) => boolean;
  /** Where the manifest asks for an item, if it still does. */
  readonly sourceOf: (media: Address) => SourceRef | undefined;
}

/** Polls and downloads that are still open. */
export function planOpenTakes(
  state: RunState,
  outputs: OutputTemplate | false,
  { isSelected, isRenewed, sourceOf }: OpenOptions,
): PlannedNode[] {
  const selected = [...state.media.values()].filter(({ address }) => isSelected(address));
  return selected.flatMap((media) =>
    media.takes.flatMap((take, index) => {
      const superseded = index < media.takes.length - 1 || isRenewed(media.address);
      return openNodes(state, { media, take, superseded, outputs, source: sourceOf(media.address) });
    }),
  );
}

interface OpenTake {
  readonly media: MediaState;
  readonly take: TakeState;
  readonly superseded: boolean;
  readonly outputs: OutputTemplate | false;
  readonly source: SourceRef | undefined;
}

/** A source is a member of its node only where there is one. */
export function sourceMember(source: SourceRef | undefined): { source?: SourceRef } {
  return source === undefined ? {} : { source };
}

function openNodes(state: RunState, { media, take, superseded, outputs, source }: OpenTake): PlannedNode[] {
  const pending = take.status === 'pending';
  if (!pending && (take.status !== 'done' || take.files)) return [];
  const address = takeAddress(media.address, take.n);
  const reasons: Reason[] = [
    { summary: pending ? `requested ${take.requestedAt}` : (take.problem?.summary ?? 'not downloaded yet') },
  ];
  const payload = {
    post: media.post,
    item: media.item,
    take: take.n,
    request: take.request,
    requestedAs: take.requestedAs,
  };
  const common = {
    action: 'resume' as const,
    reasons,
    fingerprint: take.fingerprint,
    ...sourceMember(source),
  };
  const nodes: PlannedNode[] = [];
  if (pending) {
    nodes.push({
      ...common,
      address,
      kind: 'media',
      dependsOn: [take.request],
      inputs: take.inputs,
      payload,
      seen: take.seen,
    });
  }
  if (outputs) {
    const path = pathOf(state, media, { take, outputs });
    const older = superseded ? [] : olderFiles(state, media, { beside: take.n, outputs });
    nodes.push({
      ...common,
      address: downloadAddress(address),
      kind: 'download',
      dependsOn: [address, take.request],
      inputs: {},
      payload: { ...payload, path: superseded ? olderTakePath(path, take.n) : path, older },
    });
  }
  return nodes;
}
