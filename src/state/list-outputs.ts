import { downloadAddress, takeAddress, type Address } from '../model/address.ts';
import { isJsonObject, type JsonObject, textOf } from '../util/json.ts';
import type { MediaState, RunState, TakeState } from '../model/run-state.ts';

/** One finished file with all that made it. */
export interface OutputRow {
  readonly address: Address;
  readonly post: string;
  readonly item: string;
  readonly products: readonly string[];
  readonly concept: string;
  readonly post_type: string;
  readonly aspect_ratio: string;
  readonly take: number;
  /** Whether it is the newest take of its item. */
  readonly current: boolean;
  /** Relative to the manifest's folder. */
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly content_type: string;
  readonly media_id: string;
  readonly media_config_id: string;
  readonly fingerprint: string;
  readonly requested_at: string;
  readonly generated_at: string;
}

/** Every downloaded file of a state, in the order of the addresses, takes and files. */
export function listOutputs(state: RunState): OutputRow[] {
  const media = [...state.media.values()].sort((a, b) => (a.address < b.address ? -1 : 1));
  return media.flatMap((medium) =>
    medium.takes.flatMap((take) => rowsOf(state, medium, { take, current: take === medium.takes.at(-1) })),
  );
}

function rowsOf(
  state: RunState,
  media: MediaState,
  { take, current }: { take: TakeState; current: boolean },
): OutputRow[] {
  const request = state.requests.get(take.request);
  const item = request?.payload.items.find(({ item: name }) => name === take.requestedAs)?.payload;
  const made = request?.result?.items[take.requestedAs];
  const named = (ref: { address: string } | { id: string }) => ('address' in ref ? ref.address : ref.id);
  return (take.files ?? []).map((file) => ({
    address: downloadAddress(current ? media.address : takeAddress(media.address, take.n)),
    post: media.post,
    item: media.item,
    products: [...new Set((item?.assets ?? []).map(({ product }) => named(product)))],
    concept: request ? named(request.payload.concept) : '',
    post_type: item?.post_type ?? textOf(made?.['post_type']),
    aspect_ratio: item?.metadata.aspect_ratio ?? ratioOf(made),
    take: take.n,
    current,
    path: file.path,
    sha256: file.sha256,
    bytes: file.bytes,
    content_type: file.contentType,
    media_id: take.result?.id ?? '',
    media_config_id: request?.result?.id ?? '',
    fingerprint: take.fingerprint,
    requested_at: take.requestedAt,
    generated_at: take.settledAt ?? '',
  }));
}

/** Of an item that the service made unasked. */
function ratioOf(made: JsonObject | undefined): string {
  const metadata = made?.['metadata'];
  return isJsonObject(metadata) ? textOf(metadata['aspect_ratio']) : '';
}
