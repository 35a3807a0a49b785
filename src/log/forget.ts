import { mediaOf, splitTake, type Address } from '../model/address.ts';
import { storedAs } from '../model/kinds.ts';
import type { FoldState } from './fold-state.ts';
import { mapTakes } from './fold-take.ts';

/**
 * Removes a node from a state. A medium or a download without `@n` is removed with all its takes, a request with the
 * posts that it made. The number of a request stays taken, so that one address never means two requests.
 */
export function forget(state: FoldState, address: Address): void {
  state.objects.delete(address);
  state.before.delete(address);
  forgetRequest(state, address);
  const isDownload = storedAs(address) === 'files';
  const { address: item, take: n } = splitTake(mediaOf(address));
  const media = state.media.get(item);
  if (!media) return;
  mapTakes(state, media, (take) => {
    if (n !== undefined && take.n !== n) return take;
    const { files: _, ...rest } = take;
    return isDownload ? rest : undefined;
  });
}

function forgetRequest(state: FoldState, address: Address): void {
  const request = state.requests.get(address);
  if (!request) return;
  for (const media of state.media.values())
    mapTakes(state, media, (take) => (take.request === address ? undefined : take));
  const { payload, at } = request;
  state.requests.set(address, { address, payload, at, status: 'skipped' });
}
