/** What the oracle and the world know of the program: one place where its names stand. */
import { emptyState, fold } from '../../../src/log/fold.ts';
import type { FoldState } from '../../../src/log/fold-state.ts';
import { type Address, addressesOf, splitTake } from '../../../src/model/address.ts';
import type { Graph, GraphItem } from '../../../src/model/graph.ts';
import type { Plan } from '../../../src/model/plan.ts';
import type { MediaState } from '../../../src/model/run-state.ts';
import type { StateEvent } from '../../../src/model/state-event.ts';
import type { Verdict, Verdicts } from '../../../src/model/verdict.ts';
import { draftPlan } from '../../../src/plan/draft-plan.ts';
import { finishPlan } from '../../../src/plan/make-plan.ts';
import { type CampaignWords, graphOf, OUTPUTS } from '../../support/campaign.ts';
import { type Ends, eventsOf } from '../../support/play-plan.ts';

export interface Night {
  readonly words: CampaignWords;
  readonly state: FoldState;
  readonly now: number;
  readonly verdicts?: Verdicts;
  readonly only?: readonly string[];
  /** Whether files lie in a folder that says which products they show. */
  readonly isByProduct?: boolean;
}

const BY_PRODUCT = {
  dir: 'out',
  name: 'of-{product}/{post}/{instance}/{item}-{post_type}',
  names: { matrix: {}, keys: {} },
};

/** An item of the manifest, and the post that it is, after all moves. */
export interface Wanted {
  readonly address: Address;
  readonly item: GraphItem;
  readonly concept: Address | undefined;
  readonly period: string | undefined;
  readonly known: MediaState | undefined;
  readonly isSelected: boolean;
}

export interface Seen {
  readonly graph: Graph;
  readonly before: FoldState;
  readonly wanted: readonly Wanted[];
  /** All posts after the moves. */
  readonly media: readonly MediaState[];
  readonly verdicts: Verdicts;
  readonly isPart: boolean;
  /** Without consent, and with it. */
  readonly held: Plan;
  readonly made: Plan;
  /** What they request, by the addresses of posts. */
  readonly bought: { readonly held: ReadonlySet<Address>; readonly made: ReadonlySet<Address> };
  /** What is asked about, and for posts that are bought as new what holds them up. */
  readonly asked: ReadonlyMap<Address, readonly Address[] | undefined>;
}

export function look({ words, state, now, verdicts = new Map(), only = [], isByProduct }: Night): Seen {
  const graph = graphOf(words);
  const selection = { only, exclude: [] };
  const draft = draftPlan({
    graph,
    state,
    outputs: isByProduct ? BY_PRODUCT : OUTPUTS,
    now,
    verdicts,
    selection,
  });
  const { matched } = draft;
  const [held, made] = [finishPlan(draft, 'hold'), finishPlan(draft, 'make')];
  return {
    graph,
    before: state,
    wanted: matched.posts.flatMap(({ post, items }) =>
      items.map(({ address, item, known }) => ({
        address,
        item,
        concept: addressesOf([post.concept])[0],
        period: post.period?.name,
        known,
        isSelected: draft.isSelected(address),
      })),
    ),
    media: [...matched.state.media.values()],
    verdicts,
    isPart: only.length > 0,
    held,
    made,
    bought: { held: boughtBy(held), made: boughtBy(made) },
    asked: new Map(held.held.map((each) => [each.address, each.heldBy])),
  };
}

function boughtBy(plan: Plan): ReadonlySet<Address> {
  const media = plan.nodes.filter(
    ({ kind, action }) => kind === 'media' && (action === 'create' || action === 'replace'),
  );
  return new Set(media.map(({ address }) => splitTake(address).address));
}

export function isLetGo(node: { readonly letGo?: true } | undefined): boolean {
  return node?.letGo === true;
}

/** All that an apply appends which ends as `ends` says; one that leaves something unasked ends with 5, and lets go of nothing. */
export function played(seen: Seen, plan: Plan, ends: Ends = {}): readonly StateEvent[] {
  const events = eventsOf(plan, seen.before, ends);
  return events.filter((event) => event.type !== 'let-go' || !plan.held.length || !event.addresses.length);
}

/** The state after further events; the one before stays as it was. */
export function folded(events: readonly StateEvent[], before: FoldState = emptyState()): FoldState {
  const state: FoldState = {
    objects: new Map(before.objects),
    requests: new Map(before.requests),
    media: new Map(before.media),
    learned: new Map(before.learned),
    gone: new Set(before.gone),
    spending: { ...before.spending, open: new Set(before.spending.open) },
    before: new Map(before.before),
  };
  return events.reduce((now, event) => fold(now, event), state);
}

/** The products that each take shows, by its request and its name there; renamed ones by what they are called now. */
export function productsShown(log: readonly StateEvent[]): ReadonlyMap<string, readonly Address[]> {
  const shown = new Map<string, readonly Address[]>();
  for (const event of log) {
    if (event.type === 'intent' && 'request' in event)
      for (const { item, payload } of event.request?.items ?? [])
        shown.set(`${event.address} ${item}`, addressesOf(payload.assets.map(({ product }) => product)));
    if (event.type !== 'moved') continue;
    const moves = new Map(event.moves.map(({ from, to }) => [from, to]));
    for (const [take, all] of shown)
      if (all.some((each) => moves.has(each)))
        shown.set(
          take,
          all.map((each) => moves.get(each) ?? each),
        );
  }
  return shown;
}

export function verdictsOf(verdicts: Readonly<Record<string, Verdict['verdict']>>): Verdicts {
  return new Map(
    Object.entries(verdicts).map(([id, verdict], line) => [
      id,
      { verdict, source: `decisions.yaml/${line}` },
    ]),
  );
}
