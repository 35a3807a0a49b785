/** The paths of the files of takes, also when their post, the template or the newest take changes. */
import { withEvents } from '../log/with-events.ts';
import { downloadAddress, mediaOf, splitTake, takeAddress } from '../model/address.ts';
import { fileNames, olderTakePath, type OutputPaths } from '../model/output-path.ts';
import { type OutputValues, shownBy } from '../model/output-values.ts';
import type { DownloadPayload } from '../model/payload.ts';
import type { FileMove } from '../model/plan.ts';
import { createdItem } from '../model/result.ts';
import type { MediaState, RunState, TakeState } from '../model/run-state.ts';
import { postTypeOf } from '../model/post-type.ts';
import type { StateEvent } from '../model/state-event.ts';
import { groupBy } from '../util/group-by.ts';

/** `isOwn`: whether campaign may have a file at a path; what is elsewhere keeps its name. */
export function planFileMoves(
  state: RunState,
  outputs: OutputPaths | false,
  isOwn: (path: string) => boolean = () => true,
): FileMove[] {
  if (!outputs) return [];
  return [...state.media.values()].flatMap((media) => {
    const newest = media.takes.findLast(({ files }) => files);
    return media.takes.flatMap((take) => {
      if (!take.files) return [];
      const values = valuesOf(state, media, { take, outputs });
      // Whoever removed its post plan did not ask for another name.
      if (!outputs.isKnown(values)) return [];
      const path = outputs(values);
      const names = fileNames(take === newest ? path : olderTakePath(path, take.n), take.files);
      const address = downloadAddress(takeAddress(media.address, take.n));
      return take.files.flatMap((file, index) => {
        const to = names[index] ?? file.path;
        const isMoved = to !== file.path && isOwn(file.path) && isOwn(to);
        return isMoved ? [{ address, from: file.path, to }] : [];
      });
    });
  });
}

export function applyFileMoves(state: RunState, moves: readonly FileMove[]): RunState {
  const renamed = [...groupBy(moves, ({ address }) => address)].flatMap(
    ([address, renames]): StateEvent[] => {
      const { address: item, take: n } = splitTake(mediaOf(address));
      const take = state.media.get(item)?.takes.find((each) => each.n === n);
      if (!take?.files) return [];
      const target = new Map(renames.map(({ from, to }) => [from, to]));
      const files = take.files.map((file) => ({ ...file, path: target.get(file.path) ?? file.path }));
      return [{ type: 'downloaded', at: '', address, result: { media: take.result?.id ?? '', files } }];
    },
  );
  return withEvents(state, renamed);
}

export function olderFiles(
  state: RunState,
  media: MediaState | undefined,
  { beside, outputs }: { beside: number; outputs: OutputPaths },
): DownloadPayload['older'] {
  return (media?.takes ?? []).flatMap((take) => {
    if (!media || !take.files || take.n === beside) return [];
    const path = olderTakePath(pathOf(state, media, { take, outputs }), take.n);
    return [{ take: take.n, path, files: take.files }];
  });
}

/** Path of a take's files without extension, as long as the take is the newest. */
export function pathOf(
  state: RunState,
  media: MediaState,
  { take, outputs }: { take: TakeState; outputs: OutputPaths },
): string {
  return outputs(valuesOf(state, media, { take, outputs }));
}

function valuesOf(
  state: RunState,
  media: MediaState,
  { take, outputs }: { take: TakeState; outputs: OutputPaths },
): OutputValues {
  const request = state.requests.get(take.request);
  const made = request?.result && createdItem(request.result, take.requestedAs);
  const postType = postTypeOf(take.inputs['post_type'] ?? made?.['post_type']);
  const shown = () => {
    // A product or concept may have another key since. An edited post is still called after what this take shows.
    const wanted = outputs.wanted.get(media.address);
    if (wanted?.fingerprint === take.fingerprint) return wanted;
    const asked = request?.payload.items.find(({ item }) => item === take.requestedAs);
    return request && asked && shownBy(request.payload.concept, asked.payload);
  };
  return { post: media.post, item: media.item, postType, take: take.n, shown };
}
