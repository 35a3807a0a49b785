/** What the embedded emulator made for an unknown create: its ledger has everything, so what is not in it was not made. */
import type { LedgerEntry } from '../emulator/storage/ledger.ts';
import { type Address, uploadAddress } from '../model/address.ts';
import { kindOf } from '../model/kinds.ts';
import type { ObjectRef, RequestPayload } from '../model/payload.ts';
import type { RunState } from '../model/run-state.ts';
import { canonicalJson } from '../util/canonical-json.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject, textOf } from '../util/json.ts';
import { conceptIdOf, sentName } from '../views/look-for.ts';
import type { Campaign } from './campaign.ts';

type Place = Pick<Campaign, 'emulatorData' | 'graph'>;

/** The id of the first create of this content since the request was sent that no other node has; for each address. */
export async function madeByEmulator(
  { emulatorData, graph }: Place,
  addresses: readonly Address[],
  { state, isTaken }: { readonly state: RunState; readonly isTaken: (id: string) => boolean },
): Promise<ReadonlyMap<Address, string>> {
  const { readLedger } = await import('../emulator/storage/ledger.ts');
  const free = readLedger(emulatorData).filter(({ action, id }) => action === 'create' && !isTaken(id));
  const given = new Set<string>();
  const made = new Map<Address, string>();
  for (const address of addresses) {
    const asked = askedBy(address, { graph, state });
    const entry = free.find((each) => !given.has(each.id) && asked(each));
    if (!entry) continue;
    given.add(entry.id);
    made.set(address, entry.id);
  }
  return made;
}

type Known = Pick<Campaign, 'graph'> & { readonly state: RunState };

/** Whether an entry of the ledger is what this node sent. Intents and entries are dated by one clock. */
function askedBy(address: Address, known: Known): (entry: LedgerEntry) => boolean {
  const { state } = known;
  const request = state.requests.get(address);
  const sentAt = request ? (request.requestedAt ?? request.at) : (state.objects.get(address)?.at ?? '');
  const sent = canonicalJson(request ? requestWords(request.payload, state) : objectWords(address, known));
  const read = request ? requestIn : objectIn;
  const kind = kindOf(address);
  return (entry) =>
    entry.kind === kind &&
    entry.at >= sentAt &&
    isJsonObject(entry.request) &&
    canonicalJson(read(entry.request)) === sent;
}

function objectWords(address: Address, known: Known): Json {
  const { objects } = known.state;
  const { description = '', images, ref_images } = objects.get(address)?.inputs ?? {};
  const pictures = isJsonArray(images) ? images : isJsonArray(ref_images) ? ref_images : [];
  const urls = pictures.map((picture) => {
    const upload = objects.get(uploadAddress(textOf(picture)))?.result;
    return upload && 'url' in upload ? (upload.url ?? null) : picture;
  });
  return [sentName(address, known), description, urls];
}

function objectIn({ name = '', description = '', media_urls, ref_images }: JsonObject): Json {
  const list = isJsonArray(media_urls) ? media_urls : isJsonArray(ref_images) ? ref_images : [];
  return [name, description ?? '', list.map((each) => (isJsonObject(each) ? (each['url'] ?? null) : null))];
}

function requestWords({ concept, items }: RequestPayload, state: RunState): Json {
  const idOf = (ref: ObjectRef) => conceptIdOf(ref, state) ?? '';
  const asked = items.map(({ payload: { post_type, metadata, descriptions, assets } }) => [
    post_type,
    metadata.aspect_ratio,
    [...descriptions],
    assets.map(({ product }) => idOf(product)),
  ]);
  return [idOf(concept), asked];
}

function requestIn({ content_pillar: concept = '', items }: JsonObject): Json {
  const list = isJsonArray(items) ? items.filter(isJsonObject) : [];
  const asked = list.map(({ post_type = '', metadata, descriptions, assets }) => [
    post_type,
    isJsonObject(metadata) ? (metadata['aspect_ratio'] ?? '') : '',
    membersOf(descriptions, 'description'),
    membersOf(assets, 'product_id'),
  ]);
  return [concept, asked];
}

function membersOf(list: Json | undefined, name: string): Json[] {
  return isJsonArray(list) ? list.map((each) => (isJsonObject(each) ? (each[name] ?? '') : '')) : [];
}
