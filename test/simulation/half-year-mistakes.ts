/** Mistakes that campaign could make, each of which the checks of half a year have to notice. */
import { changeState } from '../../src/app/change-state.ts';
import { knownThings } from '../../src/app/read-back.ts';
import { readOnce, readsOf } from '../../src/app/refresh-campaign.ts';
import { eventsOf } from '../../src/app/refresh-findings.ts';
import { withService } from '../../src/app/resolve-look-up.ts';
import { productKey } from '../../src/model/address.ts';
import type { Graph } from '../../src/model/graph.ts';
import { hasKey, kindOf } from '../../src/model/kinds.ts';
import { type Deletion, isDeletion, type Plan, PlannedNodes } from '../../src/model/plan.ts';
import type { RequestState, RunState } from '../../src/model/run-state.ts';
import type { Step } from '../../src/model/step.ts';
import { firstName } from '../support/crash-check.ts';
import { AGREED, type UseCase } from '../support/crash-command.ts';
import { planGraph } from '../support/play-plan.ts';
import { ok } from '../../src/util/result.ts';
import type { Mistake } from './half-year.ts';

type Planning = (graph: Graph, state: RunState, now: number) => Plan;

const planned: Planning = (graph, state, now) =>
  planGraph(graph, state, { now, prune: { maxDeletes: undefined } });

/** A plan that also deletes these, unless most products are gone. */
function deletingToo(
  which: (graph: Graph, state: RunState) => readonly { address: string; id: string }[],
  base = planned,
): Planning {
  return (graph, state, now) => {
    const plan = base(graph, state, now);
    const products = [...graph.objects.keys()].filter((address) => productKey(address) !== undefined);
    if (products.length < 2) return plan;
    const known = new Set(plan.nodes.listed.map(({ address }) => address));
    const more = which(graph, state).filter(({ address }) => !known.has(address));
    const nodes = more.map(({ address, id }): Deletion => {
      const kind = kindOf(address) as Deletion['kind'];
      return { address, kind, action: 'delete', reasons: [], dependsOn: [], payload: { id, posts: [] } };
    });
    return { ...plan, nodes: new PlannedNodes([...plan.nodes.listed, ...nodes]) };
  };
}

/** Finished ones: others would be polled in the same run. */
function requestsWhere({ requests, media }: RunState, test: (request: RequestState) => boolean) {
  const takes = [...media.values()].flatMap((medium) => medium.takes);
  const open = new Set(takes.flatMap(({ request, status }) => (status === 'done' ? [] : [request])));
  return [...requests.values()]
    .filter((request) => !open.has(request.address) && test(request))
    .flatMap(({ address, result }) => (result ? [{ address, id: result.id }] : []));
}

function withoutUnknown({ objects, requests, media, ...state }: RunState): RunState {
  const isKnown = ({ status }: { readonly status: string }) => status !== 'unknown';
  const known = <T extends { readonly status: string }>(all: ReadonlyMap<string, T>) =>
    new Map([...all].filter(([, one]) => isKnown(one)));
  const taken = [...media].filter(([, { takes }]) => takes.every(isKnown));
  return { ...state, objects: known(objects), requests: known(requests), media: new Map(taken) };
}

function believing(step: Step): Step {
  return {
    async run(job, signal, answered) {
      const facts = await step.run(job, signal, answered);
      const isDenied = isDeletion(job.node) && facts.came === 'unclear';
      return isDenied ? { came: 'result', sent: 'yes', result: {} } : facts;
    },
  };
}

/** It reads everything once, and takes each 404 for the truth. */
const rashly: UseCase = (runtime, campaign) =>
  changeState(runtime, { ...AGREED, campaign, command: 'refresh' }, async ({ state }, at) => {
    const things = knownThings(state);
    const read = await withService(runtime, campaign, state, (client) =>
      readOnce(things, readsOf(runtime, campaign, { state, client }), runtime),
    );
    return read.ok ? ok({ value: undefined, events: eventsOf(read.value, state, at) }) : read;
  });

export const MISTAKES: readonly (readonly [what: string, mistake: Mistake, notices: RegExp])[] = [
  [
    'takes a disk that is not mounted for a decision',
    { apply: (graph, state, now) => planGraph(graph, state, { now, prune: { maxDeletes: 1000 } }) },
    /: P: .* was deleted, and /,
  ],
  [
    'deletes what the manifest does not name although a request needs it',
    {
      apply: deletingToo((graph, { objects }) => {
        const named = new Set([...graph.objects.keys()].map(firstName));
        return [...objects.values()].flatMap(({ address, result }) =>
          result && 'id' in result && hasKey(address) && !named.has(firstName(address))
            ? [{ address, id: result.id }]
            : [],
        );
      }),
    },
    /: P: .* was deleted, and the request .* needs it/,
  ],
  [
    'deletes the present take of a post that was edited',
    {
      apply: deletingToo(
        (graph, state) => {
          const wanted = new Set(graph.posts.flatMap(({ items }) => items.map((item) => item.fingerprint)));
          return requestsWhere(
            state,
            ({ payload: { items, period } }) =>
              period === undefined && items.some(({ fingerprint }) => !wanted.has(fingerprint)),
          );
        },
        (graph, state, now) =>
          planGraph(graph, state, { now, replacements: 'hold', prune: { maxDeletes: undefined } }),
      ),
    },
    /: (?:R: the result of .* is lost|P: .* is wanted)$/,
  ],
  [
    'deletes posts of settled periods',
    {
      apply: deletingToo((graph, state) => {
        const present = new Set(graph.posts.map(({ period }) => period?.name));
        return requestsWhere(
          state,
          ({ payload: { period } }) => period !== undefined && !present.has(period),
        );
      }),
    },
    /: (?:P: .* of a settled period was deleted|R: )/,
  ],
  [
    'takes any 404 for a proof that something is deleted',
    {
      steps: (steps) => ({
        ...steps,
        product: believing(steps.product),
        concept: believing(steps.concept),
        'media-config': believing(steps['media-config']),
      }),
    },
    /: L: .* is in no state/,
  ],
  [
    'requests again what nobody knows anything of',
    { apply: (graph, state, now) => planned(graph, withoutUnknown(state), now) },
    /: D: .* was (?:made|requested) twice/,
  ],
  [
    'believes one 404 when it refreshes',
    { refresh: rashly },
    /: F: .* counts as gone, and nobody has deleted it/,
  ],
  ['submits in a wait', { wait: planned }, /: W: a wait sent a /],
];
