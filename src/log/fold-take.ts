/** Media: one item of a post, with a take for every request that made it. Downloads are facts about a take. */
import { type Address, mediaAddress, mediaOf, splitTake, takeAddress } from '../model/address.ts';
import type { MediaState, TakeState } from '../model/run-state.ts';
import type { DownloadEvent, MediaEvent, StateEvent } from '../model/state-event.ts';
import { type FoldState, markGone } from './fold-state.ts';

export function foldTake(state: FoldState, event: MediaEvent): void {
  // Only what the manifest names is accepted.
  if (event.type === 'accepted')
    foldLetGo(state, { addresses: [], again: [splitTake(event.address).address] });
  changeTake(state, event.address, (take) =>
    BECAME.has(event.type) && !isAnswered(state, take) ? take : (changed(take, event) ?? take),
  );
}

/** What became of a post, as the service told it. */
const BECAME: ReadonlySet<MediaEvent['type']> = new Set([
  'seen',
  'generated',
  'generation-failed',
  'failed',
  'lost',
]);

/**
 * A log that came back older may lack the answer to a request, of whose posts a run has kept what became of them. It does
 * not count: without the ids of the answer nothing can be asked of them, and once it is known, they are asked for again.
 */
function isAnswered({ requests }: FoldState, take: TakeState): boolean {
  return requests.get(take.request)?.result !== undefined;
}

function changed(take: TakeState, event: MediaEvent): TakeState | undefined {
  switch (event.type) {
    case 'seen': {
      // It had failed or was lost, was rechecked, and is being generated after all.
      const isBack = take.status === 'failed' || take.status === 'lost';
      return isBack ? { ...withoutProblem(take), status: 'pending', seen: true } : { ...take, seen: true };
    }
    case 'generated': {
      const { result, at: settledAt } = event;
      return { ...withoutProblem(take), status: 'done', seen: true, result, settledAt };
    }
    case 'generation-failed':
    case 'failed':
      return { ...take, status: 'failed', problem: event.problem, settledAt: event.at };
    case 'lost':
      return { ...take, status: 'lost', problem: event.problem, settledAt: event.at };
    case 'accepted':
      return { ...take, inputs: event.inputs, fingerprint: event.fingerprint };
    case 'resolved':
      return event.decision === 'skipped' ? { ...withoutProblem(take), status: 'skipped' } : undefined;
    case 'refreshed':
      return markGone(take, event);
  }
}

/** Records a download in the take whose files it is; a failure leaves the take as it is. */
export function foldDownload(state: FoldState, event: DownloadEvent): void {
  const address = mediaOf(event.address);
  changeTake(state, address, (take) => {
    if (event.type === 'downloaded') {
      if (!isAnswered(state, take)) return take;
      // Files that only got other names were downloaded before.
      const downloadedAt = take.files?.length ? take.downloadedAt : undefined;
      return { ...withoutProblem(take), files: event.result.files, downloadedAt: downloadedAt ?? event.at };
    }
    // Given up: nothing is downloaded any more, and nothing is missing.
    if (event.type === 'resolved' && event.decision === 'skipped')
      return { ...withoutProblem(take), files: [] };
    return event.type === 'failed' ? { ...take, problem: event.problem } : take;
  });
  if (event.type !== 'downloaded') return;
  // Older takes whose files were renamed for these.
  for (const { take: n, files } of event.result.renamed ?? []) {
    changeTake(state, takeAddress(splitTake(address).address, n), (take) => ({ ...take, files }));
  }
}

/** What the manifest names no more holds nothing up any more; what is requested, accepted or named again does. */
export function foldLetGo({ media, objects }: FoldState, { addresses, again }: LetGo): void {
  for (const address of addresses) {
    const [item, object] = [media.get(address), objects.get(address)];
    if (item) media.set(address, { ...item, letGo: true });
    if (object) objects.set(address, { ...object, letGo: true });
  }
  for (const address of again) {
    const [item, object] = [media.get(address), objects.get(address)];
    if (item) media.set(address, held(item));
    if (object) objects.set(address, held(object));
  }
}

type LetGo = Pick<Extract<StateEvent, { type: 'let-go' }>, 'addresses' | 'again'>;

function held<Node extends { readonly letGo?: true }>(known: Node): Omit<Node, 'letGo'> {
  const { letGo: _, ...rest } = known;
  return rest;
}

/** Adds a take to an item, which may be new. The newest take is the last, also where an older one is decided later. */
export function addTake(
  state: FoldState,
  item: Pick<MediaState, 'post' | 'item' | 'surplus' | 'period'>,
  take: TakeState,
): void {
  const address = mediaAddress(item.post, item.item);
  const media: MediaState = held(state.media.get(address) ?? { ...item, address, takes: [] });
  const newer = media.takes.findIndex(({ n }) => n > take.n);
  const at = newer < 0 ? media.takes.length : newer;
  state.media.set(address, { ...media, takes: media.takes.toSpliced(at, 0, take) });
}

/** `undefined` removes a take; an item without takes is removed. */
export function mapTakes(
  state: FoldState,
  media: MediaState,
  change: (take: TakeState) => TakeState | undefined,
): void {
  const changed = media.takes.map(change);
  // A list that a filter made has room for 17: 130 bytes a post.
  const takes = isWhole(changed) ? changed : changed.filter((take) => take !== undefined);
  if (takes.length > 0) state.media.set(media.address, { ...media, takes });
  else state.media.delete(media.address);
}

function isWhole<T>(list: readonly (T | undefined)[]): list is readonly T[] {
  return !list.includes(undefined);
}

/** For `mapTakes`: the id of a post that is forgotten is kept, because verdicts may name it. */
export function forgetTake({ gone }: FoldState, { result }: TakeState): undefined {
  if (result) gone.add(result.id);
}

function changeTake(state: FoldState, address: Address, change: (take: TakeState) => TakeState): void {
  const { address: item, take: n } = splitTake(address);
  const media = state.media.get(item);
  if (media) mapTakes(state, media, (take) => (take.n === n ? change(take) : take));
}

export function withoutProblem(take: TakeState): TakeState {
  if (!take.problem) return take;
  const { problem: _, ...rest } = take;
  return rest;
}
