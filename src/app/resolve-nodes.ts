/** Decides about all open nodes that match, in one commit. */
import { type Address, downloadAddress } from '../model/address.ts';
import { EXIT } from '../model/exit.ts';
import { type LookFor, refusal, type Refusal } from '../model/problem.ts';
import { currentTake, type RunState } from '../model/run-state.ts';
import { count, nonZero } from '../util/count.ts';
import { matchesGlob } from '../util/match-glob.ts';
import { err, ok, type Result } from '../util/result.ts';
import { lookFor, shownWords } from '../views/look-for.ts';
import { whyTooEarly } from './answer-may-come.ts';
import type { Campaign } from './campaign.ts';
import { changeState, type Confirmation, type Consenting } from './change-state.ts';
import { findCreated } from './find-created.ts';
import { type Decided, findOpen, type OpenNode } from './resolve-node.ts';
import type { Runtime } from './runtime.ts';

/** `find`: as far as the interface can tell; `ids` are those that somebody has seen at the service. */
export type Wish =
  | { readonly type: 'not-created' }
  | { readonly type: 'skipped' }
  | { readonly type: 'find'; readonly ids: readonly string[] };

/** A node that stays unknown. */
export interface LeftNode {
  readonly address: Address;
  readonly why: string;
  readonly look_for: LookFor | undefined;
}

export interface DecidedNodes {
  readonly decided: readonly Decided[];
  readonly left: readonly LeftNode[];
  /** Matching posts that are being generated: only their own address gives them up. */
  readonly pending: number;
}

interface Resolving extends Consenting {
  /** Over addresses; `*` is everything that is open. */
  readonly glob: string;
  readonly wish: Wish;
}

export function resolveNodes(
  runtime: Runtime,
  campaign: Campaign,
  { glob, wish, ...consenting }: Resolving,
): Promise<Result<DecidedNodes, Refusal>> {
  const words = { 'not-created': '--not-created', skipped: '--skip', find: '--find' };
  const command = `resolve ${glob === EVERYTHING ? '--all' : glob} ${words[wish.type]}`;
  return changeState(runtime, { campaign, command, ...consenting }, async ({ state }, at) => {
    const { nodes, pending } = matching(state, glob, wish);
    if (!nodes.length && !pending && glob !== EVERYTHING) return err(noOpenMatch(glob, wish));
    const named = wish.type === 'not-created' ? nodes.map(({ address }) => address) : [];
    const early = whyTooEarly(named, { ...campaign, state, at });
    if (early) return err(early);
    const made =
      wish.type === 'find'
        ? await findAll(runtime, campaign, { nodes, ids: wish.ids, state, at })
        : ok({
            decided: nodes.map((node) => ({
              event: { type: 'resolved' as const, at, address: node.address, decision: wish.type },
              isSeen: true,
              was: node.status,
            })),
            left: [],
          });
    if (!made.ok) return made;
    const { decided, left } = made.value;
    return ok({
      value: { decided, left, pending },
      ...(decided.length ? { events: decided.map(({ event }) => event) } : {}),
      ...(wish.type !== 'find' && nodes.length > 1
        ? { question: questionOf(nodes, wish, { state, graph: campaign.graph }) }
        : {}),
    });
  });
}

export const EVERYTHING = '*';

async function findAll(
  runtime: Runtime,
  campaign: Campaign,
  {
    nodes,
    ids,
    state,
    at,
  }: { nodes: readonly OpenNode[]; ids: readonly string[]; state: RunState; at: string },
): Promise<Result<Omit<DecidedNodes, 'pending'>, Refusal>> {
  const addresses = nodes.map(({ address }) => address);
  const found = await findCreated(runtime, campaign, { state, addresses, ids });
  if (!found.ok) return found;
  const decided: Decided[] = [];
  const left: LeftNode[] = [];
  for (const [address, finding] of found.value) {
    const event = { type: 'resolved' as const, at, address };
    if (finding.type === 'left')
      left.push({ address, why: finding.why, look_for: lookFor(address, { graph: campaign.graph, state }) });
    else {
      const end =
        finding.type === 'created'
          ? { decision: finding.type, result: finding.result }
          : { decision: finding.type };
      decided.push({ event: { ...event, ...end }, isSeen: true, isFound: true, was: 'unknown' });
    }
  }
  return ok({ decided, left });
}

/** With --skip also what has failed; what is being generated may be finished in the next minute. */
function matching(state: RunState, glob: string, wish: Wish): { nodes: OpenNode[]; pending: number } {
  const isMeant = (address: Address) => matchesGlob(glob, address);
  const open = (addresses: readonly Address[]) =>
    addresses.filter(isMeant).flatMap((address) => {
      const found = findOpen(state, address);
      return found.ok ? [found.value] : [];
    });
  const { objects, requests, media } = state;
  const creates = [...objects.values(), ...requests.values()];
  const unknown = creates.flatMap(({ address, status }) => (status === 'unknown' ? address : []));
  if (wish.type !== 'skipped') return { nodes: open(unknown), pending: 0 };
  const refused = [...objects.values()].filter(({ status, result }) => status === 'failed' && !result);
  const posts = [...media.values()].flatMap((medium) => ({
    address: medium.address,
    take: currentTake(medium),
  }));
  const failed = posts.flatMap(({ address, take }) => {
    if (take?.status === 'failed' || take?.status === 'lost') return address;
    return take?.status === 'done' && !take.files && take.problem ? downloadAddress(address) : [];
  });
  const pending = posts.filter(({ address, take }) => take?.status === 'pending' && isMeant(address)).length;
  return { nodes: open([...unknown, ...refused.map(({ address }) => address), ...failed]), pending };
}

const SHOWN = 10;

function questionOf(
  nodes: readonly OpenNode[],
  wish: Wish,
  known: Parameters<typeof lookFor>[1],
): Confirmation {
  const { requests } = known.state;
  const named = nodes.slice(0, SHOWN).map(({ address }) => {
    const sought = requests.has(address) ? lookFor(address, known) : undefined;
    const shows = sought && shownWords(sought);
    return shows ? `${address} (${shows})` : address;
  });
  const more = nodes.length > SHOWN ? ` and ${nodes.length - SHOWN} more` : '';
  const list = `${named.join(', ')}${more}`;
  if (wish.type === 'skipped') {
    const what = `This gives up ${count(nodes.length, 'node')}: ${list}. No run requests or fetches them any more, though they may have been made.`;
    return { what, question: 'Give them up?' };
  }
  const asked = nodes.flatMap(({ address }) => requests.get(address)?.payload.numberOfPosts ?? []);
  const posts = asked.reduce((sum, each) => sum + each, 0);
  const objects = nodes.length - asked.length;
  const counts = nonZero([
    [objects, objects === 1 ? 'product or concept' : 'products and concepts'],
    [asked.length, `${asked.length === 1 ? 'request' : 'requests'} of ${count(posts, 'post')}`],
  ]);
  const what = `This records as not created ${counts.join(' and ')}: ${list}. The next apply sends them again; what does exist is made twice.`;
  return { what, question: 'Record it?' };
}

function noOpenMatch(glob: string, wish: Wish): Refusal {
  const what = wish.type === 'skipped' ? 'that is unknown or has failed' : 'that is unknown';
  const hint = glob.startsWith('media/')
    ? ' Posts wait for their request: name that, as media-config/….'
    : '';
  const detail = `${glob} matches nothing ${what}.${hint} \`campaign status\` lists what is open.`;
  return refusal(EXIT.usage, { code: 'nothing-to-resolve', summary: 'Nothing to resolve', detail });
}
