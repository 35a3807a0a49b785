/** Takes that earlier runs requested: they were paid, so they go on being polled and downloaded, named or not. */
import { type Address, downloadAddress, takeAddress } from '../model/address.ts';
import type { FileMove, PlannedNode, Reason } from '../model/plan.ts';
import type { MediaState, RunState, TakeState } from '../model/run-state.ts';
import { textOf } from '../util/json.ts';
import { fileNames, olderTakePath, type OutputTemplate, outputPath } from '../model/output-path.ts';

interface OpenOptions {
  readonly isSelected: (media: Address) => boolean;
  /** Whether this plan requests another take of an item. */
  readonly isRenewed: (media: Address) => boolean;
}

/** Polls and downloads that are still open. */
export function planOpenTakes(
  state: RunState,
  outputs: OutputTemplate | false,
  { isSelected, isRenewed }: OpenOptions,
): PlannedNode[] {
  const selected = [...state.media.values()].filter(({ address }) => isSelected(address));
  return selected.flatMap((media) =>
    media.takes.flatMap((take, index) => {
      const superseded = index < media.takes.length - 1 || isRenewed(media.address);
      return openNodes(state, { media, take, superseded, outputs });
    }),
  );
}

interface OpenTake {
  readonly media: MediaState;
  readonly take: TakeState;
  readonly superseded: boolean;
  readonly outputs: OutputTemplate | false;
}

function openNodes(state: RunState, { media, take, superseded, outputs }: OpenTake): PlannedNode[] {
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
  const common = { action: 'resume' as const, reasons, fingerprint: take.fingerprint };
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
    const older = superseded
      ? []
      : media.takes.flatMap(({ n, files }) => (files && n !== take.n ? [{ take: n, files }] : []));
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

/** Files that have another name now: the post was renamed, the template changed, or a newer take came. */
export function planFileMoves(state: RunState, outputs: OutputTemplate | false): FileMove[] {
  if (!outputs) return [];
  return [...state.media.values()].flatMap((media) => {
    const newest = media.takes.findLast(({ files }) => files);
    return media.takes.flatMap((take) => {
      if (!take.files) return [];
      const path = pathOf(state, media, { take, outputs });
      const names = fileNames(take === newest ? path : olderTakePath(path, take.n), take.files);
      const address = downloadAddress(takeAddress(media.address, take.n));
      return take.files.flatMap((file, index) => {
        const to = names[index] ?? file.path;
        return to === file.path ? [] : [{ address, from: file.path, to }];
      });
    });
  });
}

function pathOf(
  state: RunState,
  media: MediaState,
  { take, outputs }: { take: TakeState; outputs: OutputTemplate },
): string {
  const made = state.requests.get(take.request)?.result?.items[take.requestedAs];
  const postType = textOf(take.inputs['post_type'] ?? made?.['post_type']);
  return outputPath(outputs, { post: media.post, item: media.item, postType, take: take.n });
}
