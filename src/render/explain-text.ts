import { addressesOf, mediaAddress, mediaOf, splitTake, takeAddress } from '../model/address.ts';
import { kindOf } from '../model/kinds.ts';
import type { Graph } from '../model/graph.ts';
import type { Plan } from '../model/plan.ts';
import { currentTake, type RunState } from '../model/run-state.ts';
import type { Locate } from '../model/source.ts';
import { nearest } from '../util/did-you-mean.ts';
import { inertText } from '../util/inert-text.ts';
import { deletedWith, whyItStays } from '../views/deletion-words.ts';
import { plannedAddress, plannedAt } from '../views/plan-summary.ts';
import { LEFT_ALONE } from '../views/plan-entries.ts';
import { reasonLines } from './reason-text.ts';
import { problemText } from '../views/cause-words.ts';
import type { Style } from './style.ts';

export interface Explained {
  readonly graph: Graph;
  readonly state: RunState;
  readonly plan: Plan;
}

/** Why one node is, or is not, in a plan: its action, what caused it, what exists, what it builds on. */
export function explainText(
  asked: string,
  { graph, state, plan }: Explained,
  { locate, style }: { locate: Locate; style: Style },
): string | undefined {
  const address = explainable(asked, { graph, state, plan });
  const node = plannedAt(address, plan);
  const held = plan.held.find((each) => each.address === address);
  const noted = [...plan.failed, ...plan.unknown].find((each) => each.address === address);
  const isHere = (to: string) => splitTake(to).address === address;
  const move = plan.moves.find(({ from, to }) => from === address || isHere(to));
  const known = existing(address, state, move && isHere(move.to) ? move.from : address);
  const isLeftAlone = plan.leftAlone.includes(address);
  if (!node && !held && !noted && !move && !known && !isLeftAlone && !graph.objects.has(address))
    return undefined;
  const source = node?.source ?? held?.source ?? noted?.source ?? graph.objects.get(address)?.source;
  const position = source === undefined ? undefined : locate(source);
  const causes = reasonLines(node?.reasons ?? held?.reasons ?? [], locate, style);
  const below = buildsOn(address, { graph, state, plan });
  const period = isLeftAlone ? undefined : settledPeriod(address, { graph, state });
  const goesWith = deletedWith(address, plan);
  const why = plan.deletions && whyItStays(address, plan.deletions);
  const standing = isLeftAlone
    ? why === undefined
      ? LEFT_ALONE
      : `stays: ${why}`
    : period
      ? `settled: ${period} is not planned any more`
      : 'nothing to do';
  const deleted = goesWith && `deleted with ${goesWith.address}`;
  const action =
    deleted ??
    node?.action ??
    (held ? `${held.heldBy ? 'held up' : 'left as it is'} (needs --yes)` : standing);
  const lines = [
    `${style.bold(address)}  ${action}`,
    ...(position ? [`  written at ${inertText(position.file)}:${position.line}`] : []),
    ...(causes.length ? ['  because:', ...causes.map((line) => `    ${line}`)] : []),
    ...(move ? [`  moved: ${move.from} → ${move.to}`] : []),
    ...(noted?.problem ? [`  ${problemText(noted.problem)}`] : []),
    `  exists: ${inertText(known ?? 'nothing yet')}`,
    ...(below.length ? ['  builds on:', ...below.map((each) => `    ${upstream(each, plan)}`)] : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** The period of a post for which nothing is planned any more. */
function settledPeriod(
  address: string,
  { graph, state }: Pick<Explained, 'graph' | 'state'>,
): string | undefined {
  const media = state.media.get(splitTake(mediaOf(address)).address);
  return graph.posts.some(({ path }) => path === media?.post) ? undefined : media?.period;
}

/** What a node depends on, also where the plan has nothing to do for it. */
export function buildsOn(address: string, { graph, state, plan }: Explained): readonly string[] {
  const node = plannedAt(address, plan);
  if (node) return node.dependsOn;
  const object = graph.objects.get(address);
  if (object) return object.dependsOn;
  const request = state.requests.get(address)?.payload;
  if (request) {
    const products = request.items.flatMap(({ payload }) => payload.assets.map(({ product }) => product));
    return [...new Set(addressesOf([request.concept, ...products]))];
  }
  const media = state.media.get(address);
  const take = media && currentTake(media);
  return take ? [take.request] : [];
}

function existing(address: string, state: RunState, before: string): string | undefined {
  const node = state.objects.get(before) ?? state.requests.get(address);
  if (node) {
    const id = node.result && 'id' in node.result ? ` ${node.result.id}` : '';
    return `${node.status}${id}, since ${node.at}`;
  }
  const { address: item, take: n } = splitTake(before);
  const media = state.media.get(item);
  const take = n === undefined ? media && currentTake(media) : media?.takes.find((each) => each.n === n);
  if (!media || !take) return undefined;
  const files = take.files?.map(({ path }) => path).join(', ');
  // The number of a take does not say how many takes there are: `state rm` and requests that were refused leave gaps.
  const kept = media.takes.length > 1 ? `, the newest of ${media.takes.length}` : '';
  return `take ${take.n}${kept}, ${take.status}, requested ${take.requestedAt}${files ? `, ${files}` : ''}`;
}

function upstream(address: string, plan: Plan): string {
  const planned = plan.nodes.find((node) => node.address === address);
  return `${address}  ${planned ? planned.action : 'unchanged'}`;
}

/** A download is explained by its post, and a take that needs nothing by its item. */
function explainable(asked: string, { state, plan }: Explained): string {
  const address = mediaOf(asked);
  if (plan.nodes.some((node) => node.address === address)) return address;
  const { address: plain } = splitTake(address);
  return state.media.has(plain) ? plain : address;
}

export function nearestAddress(asked: string, explained: Explained): string | undefined {
  const kind = kindOf(asked);
  const alike = knownAddresses(explained).filter((address) => address !== asked && kindOf(address) === kind);
  const name = asked.split('/').at(-1);
  return nearest(asked, alike) ?? alike.find((address) => address.split('/').at(-1) === name);
}

function knownAddresses({ graph, state, plan }: Explained): string[] {
  const media = [...state.media.values()].flatMap(({ address, takes }) => [
    address,
    ...takes.map(({ n }) => takeAddress(address, n)),
  ]);
  const planned = plan.nodes.flatMap((node) => [node.address, plannedAddress(node)]);
  const items = graph.posts.flatMap(({ path, items: all }) =>
    all.flatMap(({ key }) => (key ? [mediaAddress(path, key)] : [])),
  );
  return [
    ...new Set([
      ...graph.objects.keys(),
      ...items,
      ...state.objects.keys(),
      ...state.requests.keys(),
      ...media,
      ...planned,
    ]),
  ];
}
