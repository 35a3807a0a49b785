/**
 * Finds what unknown creates made. The interface lists nothing, so only these ids can be tried: those that somebody gives,
 * those in what is kept of the answer to the create, and those of media at a path that needs nothing but what was sent. What
 * has an id is read back and compared. The embedded emulator has a ledger, which knows everything.
 */
import { type Address, productKey } from '../model/address.ts';
import { EMULATOR } from '../model/emulator.ts';
import type { Refusal } from '../model/problem.ts';
import type { ConceptResult, ProductResult, RequestResult } from '../model/result.ts';
import type { ObjectState, RequestState, RunState } from '../model/run-state.ts';
import type { Client } from '../service/client.ts';
import { fillMediaPath, MEDIA_PATHS } from '../service/media-path.ts';
import { isId, isSameId } from '../service/read-id.ts';
import { groupBy } from '../util/group-by.ts';
import { idKey } from '../util/id-key.ts';
import { ok, type Result } from '../util/result.ts';
import { conceptIdOf } from '../views/look-for.ts';
import type { Campaign } from './campaign.ts';
import { confirmId, type Reader } from './confirm-id.ts';
import { madeByEmulator } from './emulator-ledger.ts';
import { mediaTemplate, withService } from './resolve-look-up.ts';
import type { Runtime } from './runtime.ts';

export type Finding =
  | { readonly type: 'created'; readonly result: ProductResult | ConceptResult | RequestResult }
  /** Only the emulator's ledger can tell. */
  | { readonly type: 'not-created' }
  /** It stays unknown: why, in words. */
  | { readonly type: 'left'; readonly why: string };

export type Findings = ReadonlyMap<Address, Finding>;

interface Seeking {
  readonly state: RunState;
  /** Unknown creates. */
  readonly addresses: readonly Address[];
  /** Ids that somebody has seen at the service. */
  readonly ids: readonly string[];
}

export function findCreated(
  runtime: Runtime,
  campaign: Campaign,
  seeking: Seeking,
): Promise<Result<Findings, Refusal>> {
  const { state, ids } = seeking;
  const isEmulator = isEmulated(campaign);
  const template = mediaTemplate(campaign, state);
  const contenders = contendersIn(state);
  if (!ids.length && !canAsk(campaign, state))
    return Promise.resolve(ok(decideAll(seeking, { tries: [], template })));
  return withService(runtime, campaign, state, async (client) => {
    const reader = askingOnce(client);
    const known = { state, graph: campaign.graph, template };
    if (isEmulator && ids.length === 0)
      return ok(await findInLedger(campaign, seeking, { ...known, reader }));
    const tries: Try[] = [];
    for (const node of contenders) {
      const said = idsSaid(node).map((id) => ({ id, isOwn: true }));
      const others = [...ids, ...(await idsAtPath(node, known, client))].map((id) => ({ id, isOwn: false }));
      for (const { id, isOwn } of [...said, ...others]) {
        if (!isId(id) || isTaken(id, state)) continue;
        const { address } = node;
        tries.push({ id, isOwn, address, seen: await confirmId(id, { ...known, address }, reader) });
      }
    }
    return ok(decideAll(seeking, { tries, template }));
  });
}

/** Whether anything can be asked about what is unknown, without an id that somebody has seen. */
export function canAsk(campaign: Campaign, state: RunState): boolean {
  const known = { state, template: mediaTemplate(campaign, state) };
  return isEmulated(campaign) || contendersIn(state).some((node) => hasTrace(node, known));
}

function isEmulated({ manifest }: Campaign): boolean {
  return manifest.environment.baseUrl === EMULATOR;
}

/** One id that was held against one unknown create; `isOwn`: the answer to this very create named it. */
interface Try {
  readonly address: Address;
  readonly id: string;
  readonly isOwn: boolean;
  readonly seen: Awaited<ReturnType<typeof confirmId>>;
}

type Node = ObjectState | RequestState;

/** What may have made something without our knowing its id: unknown creates, and those that were given up. */
function contendersIn({ objects, requests }: RunState): Node[] {
  const isOpen = ({ status, result, ...node }: Node) =>
    status === 'unknown' || (status === 'skipped' && !result && !('problem' in node));
  // A concept cannot be read.
  const products = [...objects.values()].filter(({ address }) => productKey(address) !== undefined);
  return [...products, ...requests.values()].filter(isOpen);
}

type Known = { readonly state: RunState; readonly template: string | undefined };

function hasTrace(node: Node, { state, template }: Known): boolean {
  return idsSaid(node).length > 0 || placesOf(node, { state, template }).length > 0;
}

/** Ids in what is kept of an answer, which may be cut, and may name other things as well. */
function idsSaid({ evidence }: Node): string[] {
  const text = evidence?.detail ?? '';
  const members = text.matchAll(/"id"\s*:\s*(?:"([\w-]+)"|(\d+)(?=[\s,}]))|was given the id ([\w-]+),/g);
  return [...new Set([...members].flatMap(([, text, number, told]) => text ?? number ?? told ?? []))];
}

/** Where media of a request are that did not tell its ids; mostly nowhere, as paths have ids that only its answer has. */
function placesOf(node: Node, { state, template }: Known): readonly (readonly [string, string])[] {
  if (!('payload' in node) || template === undefined) return [];
  const { concept, items } = node.payload;
  const id = conceptIdOf(concept, state);
  return items.flatMap(({ payload }) => {
    const place = fillMediaPath(template, { config: {}, item: payload, concept: { id } });
    return place ? [place] : [];
  });
}

async function idsAtPath(node: Node, known: Known, client: Client): Promise<string[]> {
  const ids = new Set<string>();
  for (const [objectId, id] of placesOf(node, known)) {
    const answer = await client.getMedia(objectId, id);
    const isForgotten = answer.ok && known.state.gone.has(answer.value.id);
    if (answer.ok && !isForgotten) ids.add(answer.value.generate_config);
  }
  return [...ids];
}

function isTaken(id: string, { objects, requests }: RunState): boolean {
  return [...objects.values(), ...requests.values()].some(
    ({ result }) => result && 'id' in result && isSameId(result.id ?? '', id),
  );
}

function askingOnce(client: Client): Reader {
  const remembered = <T>(ask: (id: string) => T) => {
    const answers = new Map<string, T>();
    return (id: string) => {
      const answer = answers.get(id) ?? ask(id);
      answers.set(id, answer);
      return answer;
    };
  };
  return {
    redact: client.redact,
    getProduct: remembered((id) => client.getProduct(id)),
    getMediaConfig: remembered((id) => client.getMediaConfig(id)),
  };
}

interface Tried {
  readonly tries: readonly Try[];
  readonly template: string | undefined;
}

/** What is known for the decision about one create; `fitting`: all tries whose id may be it, by id. */
interface Evidence {
  readonly own: readonly Try[];
  readonly fitting: ReadonlyMap<string, readonly Try[]>;
  readonly template: string | undefined;
  readonly state: RunState;
}

function decideAll({ addresses, state }: Seeking, { tries, template }: Tried): Findings {
  const byAddress = groupBy(tries, ({ address }) => address);
  const fitting = groupBy(
    tries.filter(({ seen }) => seen.ok),
    ({ id }) => idKey(id),
  );
  return new Map(
    addresses.map((address) => {
      const own = byAddress.get(address) ?? [];
      return [address, decide(address, { own, fitting, template, state })];
    }),
  );
}

/** An id counts where only the answer to this create named it, or where it fits nothing else. */
function decide(address: Address, { own, fitting, template, state }: Evidence): Finding {
  const all = own.flatMap(({ id, isOwn, seen }) => (seen.ok ? [{ id, isOwn, result: seen.value }] : []));
  const named = all.filter(({ isOwn }) => isOwn);
  const [one, ...others] = named.length ? named : all;
  if (!one) return { type: 'left', why: whyNone(own) ?? whyUnasked(address, { template, state }) };
  const another = others.find(({ id }) => !isSameId(id, one.id));
  if (another)
    return left(`${one.id} and ${another.id} may both be it: look at the service, and give one with --id`);
  const rival = fitting
    .get(idKey(one.id))
    ?.find((each) => each.address !== address && (each.isOwn || !one.isOwn));
  if (rival)
    return left(
      `${one.id} may be ${rival.address} as well: look at the service, and give it to one with --id`,
    );
  return { type: 'created', result: one.result };
}

function left(why: string): Finding {
  return { type: 'left', why };
}

function whyNone(tries: readonly Try[]): string | undefined {
  const [first] = tries;
  if (!first || first.seen.ok) return undefined;
  return tries.length === 1
    ? `${first.id} is not it: ${first.seen.error}`
    : `none of the ${tries.length} ids that were tried is it (${first.id}: ${first.seen.error})`;
}

function whyUnasked(
  address: Address,
  { template, state }: { template: string | undefined; state: RunState },
): string {
  if (!state.requests.has(address) && productKey(address) === undefined)
    return 'no request of the interface reads a concept, so nobody can be asked';
  const lists = 'no id came with an answer, and the interface has no lists';
  if (!state.requests.has(address)) return `${lists}, so nothing can be asked`;
  const path = template ?? MEDIA_PATHS[0];
  return placesOf(state.requests.get(address) as RequestState, { state, template }).length
    ? `${lists}; at ${path} there is no post that names another request than those known`
    : `${lists}; the path of its posts (${path}) has ids that only the answer had, so nothing can be asked`;
}

/** The ledger knows every create, so what it does not have was not made. */
async function findInLedger(
  campaign: Campaign,
  { addresses, state }: Seeking,
  { reader, ...known }: Omit<Parameters<typeof confirmId>[1], 'address'> & { readonly reader: Reader },
): Promise<Findings> {
  const made = await madeByEmulator(campaign, addresses, { state, isTaken: (id) => isTaken(id, state) });
  const findings = new Map<Address, Finding>();
  for (const address of addresses) findings.set(address, await fromLedger(made.get(address), address));
  return findings;

  async function fromLedger(id: string | undefined, address: Address): Promise<Finding> {
    if (id === undefined) return { type: 'not-created' };
    const isConcept = !state.requests.has(address) && productKey(address) === undefined;
    if (isConcept) return { type: 'created', result: { id } };
    const seen = await confirmId(id, { ...known, address }, reader);
    return seen.ok ? { type: 'created', result: seen.value } : left(`${id}: ${seen.error}`);
  }
}
