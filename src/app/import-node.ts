/** Puts something that exists at the service under an address of the manifest; sends nothing that changes anything. */
import { type Address, requestAddress, requestsAddress, splitTake } from '../model/address.ts';
import { EXIT } from '../model/exit.ts';
import type { GraphObject } from '../model/graph.ts';
import { hasKey, storedAs } from '../model/kinds.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import type { RunState } from '../model/run-state.ts';
import type { StateEvent } from '../model/state-event.ts';
import { requestNumbers } from '../match/item-numbers.ts';
import { type MatchedState, matchState } from '../match/match-state.ts';
import { moveEvents } from '../match/moves.ts';
import type { Client } from '../service/client.ts';
import { isId, isSameId } from '../service/read-id.ts';
import { createKnownNames } from '../steps/known-names.ts';
import { LEARNED_MEDIA_PATH } from '../steps/media-lookup.ts';
import { err, ok, type Result } from '../util/result.ts';
import type { Campaign } from './campaign.ts';
import { changeState, type Consenting } from './change-state.ts';
import { readImportedProduct } from './import-product.ts';
import { readImportedRequest } from './import-request.ts';
import type { Runtime } from './runtime.ts';
import { withService } from './resolve-look-up.ts';

type ImportEvent = Extract<StateEvent, { type: 'imported' }>;

/** `isRead`: the service was asked for it. */
export interface ImportedNode {
  readonly event: ImportEvent;
  readonly isRead: boolean;
}

interface Importing extends Consenting {
  readonly address: Address;
  readonly id: string;
  /** Whether the service is asked, where it can be. */
  readonly look: 'look' | 'unverified';
}

export function importNode(
  runtime: Runtime,
  campaign: Campaign,
  { address, id, look, ...change }: Importing,
): Promise<Result<ImportedNode, Refusal>> {
  const flag = look === 'unverified' ? ' --unverified' : '';
  const command = `import ${address} ${id}${flag}`;
  return changeState(runtime, { ...change, campaign, command }, async ({ state }, at) => {
    const matched = matchState(campaign.graph, state, campaign.decisions.verdicts);
    const found = await find(runtime, campaign, { address, id, look, matched });
    if (!found.ok) return found;
    const event: ImportEvent = { type: 'imported', at, ...found.value };
    const taken = createKnownNames(matched.state).claim(event.address, event.result);
    if (taken) return err(inUse(`${taken.name} belongs to ${taken.owner} already.`));
    // What has another name in the manifest by now makes room for it.
    return ok({
      value: { event, isRead: look === 'look' },
      events: [...moveEvents(matched.moves, at), event],
    });
  });
}

type Found = Omit<ImportEvent, 'type' | 'at'>;

async function find(
  runtime: Runtime,
  campaign: Campaign,
  {
    address,
    id,
    look,
    matched,
  }: Pick<Importing, 'address' | 'id' | 'look'> & { readonly matched: MatchedState },
): Promise<Result<Found, Refusal>> {
  const { state } = matched;
  const place = placeOf(address, campaign, matched);
  if (!place.ok) return place;
  const wrong = whyNotId(id, campaign, state) ?? whyNotRead(place.value, look);
  if (wrong) return err(wrong);
  if (look === 'unverified') return ok({ address, inputs: {}, fingerprint: '', result: { id } });
  return withService(runtime, campaign, state, (client) =>
    readPlace(place.value, { runtime, campaign, state, id, client }),
  );
}

type Place =
  | { readonly type: 'object'; readonly object: GraphObject }
  | { readonly type: 'request'; readonly post: MatchedState['posts'][number]; readonly n: number };

/** What the address names in the manifest, if nothing of the state is there. */
function placeOf(address: Address, { graph }: Campaign, matched: MatchedState): Result<Place, Refusal> {
  if (storedAs(address) === 'request') return requestPlace(address, matched);
  if (!hasKey(address))
    return err(misuse(`${address} is neither a product, a concept nor a request (media-config/…).`));
  const object = graph.objects.get(address);
  if (!object)
    return err(
      misuse(`The manifest has no ${address}. Write it there first, under the key that it is to have.`),
    );
  if (object.external !== undefined)
    return err(
      misuse(
        `${address} has an \`id:\` in the manifest: it is used as it is, and never changed. To adopt it, take the id out.`,
      ),
    );
  const known = matched.state.objects.get(address);
  if (!known) return ok({ type: 'object', object });
  if (known.status === 'unknown' || (known.status === 'skipped' && !known.result))
    return err(inUse(`Whether ${address} was made is unknown: \`campaign resolve\` takes its id (--id).`));
  if (!known.result) return ok({ type: 'object', object });
  return err(inUse(`${address} is in the state already. \`campaign state rm\` forgets what is there.`));
}

function requestPlace(address: Address, { posts, state }: MatchedState): Result<Place, Refusal> {
  const { address: plain, take } = splitTake(address);
  const post = posts.find(({ post: { path } }) => requestsAddress(path) === plain);
  if (!post)
    return err(
      misuse(`The manifest has no post for ${plain}: name one as \`campaign plan\` does, with its instance.`),
    );
  const { path } = post.post;
  const unknown = [...state.requests.values()].find(
    ({ status, payload }) => payload.post === path && status === 'unknown',
  );
  if (unknown)
    return err(
      inUse(`Whether ${unknown.address} was made is unknown: \`campaign resolve\` takes its id (--id).`),
    );
  const next = requestNumbers(state)(path);
  const n = take ?? next;
  if (Number.isSafeInteger(n) && n >= next) return ok({ type: 'request', post, n });
  return err(inUse(`${address} is no number that is free: the next one is ${requestAddress(path, next)}.`));
}

function whyNotId(id: string, { manifest }: Campaign, { objects, requests }: RunState): Refusal | undefined {
  if (!isId(id))
    return misuse(`${id} is no id: those of the service have letters, digits, \`-\` and \`_\`, at most 128.`);
  const owner = [...objects.values(), ...requests.values()].find(
    ({ result }) => result && 'id' in result && isSameId(result.id, id),
  );
  if (owner) return inUse(`${id} is the id of ${owner.address}.`);
  const named = [
    ...manifest.products.map((product) => ({ ...product, kind: 'product' })),
    ...manifest.concepts.map((concept) => ({ ...concept, kind: 'concept' })),
  ].find((each) => each.id !== undefined && isSameId(each.id, id));
  return (
    named &&
    inUse(`${id} is the \`id:\` of ${named.kind}/${named.key} in the manifest, which is never changed.`)
  );
}

function whyNotRead(place: Place, look: Importing['look']): Refusal | undefined {
  if (place.type === 'request' && look === 'unverified')
    return misuse(
      'A request has posts, and they are found by ids that only the service has: leave out --unverified.',
    );
  if (place.type === 'object' && place.object.kind === 'concept' && look === 'look')
    return misuse(
      'The interface has no way to read a concept. With --unverified the id is taken as it is, and the next apply sends ' +
        'all of the concept as the manifest has it (PUT).',
    );
  return undefined;
}

interface Reading {
  readonly runtime: Runtime;
  readonly campaign: Campaign;
  readonly state: RunState;
  readonly id: string;
  readonly client: Client;
}

async function readPlace(
  place: Place,
  { runtime, campaign: { manifest }, state, id, client }: Reading,
): Promise<Result<Found, Refusal>> {
  if (place.type === 'object') {
    const { object } = place;
    if (object.kind !== 'product') throw new Error(`${object.address} cannot be read`);
    const found = await readImportedProduct(id, { product: object, state }, client);
    return found.ok ? ok({ address: object.address, ...found.value }) : found;
  }
  const { post, n } = place;
  const template = manifest.environment.gaps.mediaPath ?? state.learned.get(LEARNED_MEDIA_PATH);
  const asked = { post, n, state, template, locate: manifest.locate };
  const found = await readImportedRequest(id, asked, client);
  if (!found.ok) return found;
  const request = { ...found.value.request, manifest: await runtime.manifestVersion(manifest) };
  const address = requestAddress(post.post.path, n);
  return ok({ address, inputs: {}, fingerprint: '', request, result: found.value.result });
}

function misuse(detail: string): Refusal {
  return refusal(EXIT.usage, { code: 'not-importable', summary: 'This cannot be imported', detail });
}

function inUse(detail: string): Refusal {
  return refusal(EXIT.usage, { code: 'in-use', summary: 'It is in use already', detail });
}
