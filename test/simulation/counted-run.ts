/**
 * A run as everything tells it that counts: plan in text and JSON, the live block, the summary, the events, the state.
 * What they should say is counted here anew, from the addresses that the JSON names and from the events.
 */
import type { Graph } from '../../src/model/graph.ts';
import type { Plan } from '../../src/model/plan.ts';
import type { NodeCounts, RunEvent } from '../../src/model/run-event.ts';
import type { RunState } from '../../src/model/run-state.ts';
import { NO_VERDICTS } from '../../src/model/verdict.ts';
import { planJson } from '../../src/render/plan-json.ts';
import { planText } from '../../src/render/plan-text.ts';
import { countsText } from '../../src/render/run-words.ts';
import { statusLines } from '../../src/render/status-text.ts';
import { coverageOf } from '../../src/views/coverage.ts';
import { createLiveRun } from '../../src/views/live-run.ts';
import { planNumbers } from '../../src/views/plan-summary.ts';
import type { LeftOver, RunSums } from '../../src/views/run-counts.ts';
import { PLAIN } from '../support/plain-style.ts';
import { planGraph } from '../support/play-plan.ts';

type Finished = Extract<RunEvent, { type: 'node-finished' }>;
type Numbers = Readonly<Record<string, number>>;

export interface CountedRun {
  readonly plan: Plan;
  readonly events: readonly RunEvent[];
  /** What the summary and `run-finished` say; absent where the process died. */
  readonly sums: RunSums | undefined;
  readonly graph: Graph;
  /** All of the campaign was planned as it is written. */
  readonly isWhole: boolean;
  readonly before: RunState;
  readonly after: RunState;
}

/** What does not agree, in words. */
export function disagreements(run: CountedRun): string[] {
  return [...ofPlan(run), ...(run.sums ? [...ofEnd(run, run.sums), ...ofNext(run, run.sums)] : [])];
}

const whole = (what: string, said: Numbers, counted: Numbers): string[] =>
  Object.keys(counted).flatMap((name) =>
    said[name] === counted[name] ? [] : [`${what}: ${name} is ${said[name]}, and should be ${counted[name]}`],
  );

const kindOf = (address: string) => address.split('/')[0];

function planned(plan: Plan) {
  const json = planJson(plan, () => undefined);
  const changes = [...json.changes] as { address: string; action: string }[];
  return { ...json, changes };
}

function ofPlan({ plan, events }: CountedRun): string[] {
  const json = planned(plan);
  const number = (action: string) => json.changes.filter((change) => change.action === action).length;
  const requested = json.requests.reduce((sum, { posts }) => sum + posts, 0);
  // Posts that `number_of_posts` asks for besides the items have no address yet.
  const surplus = requested - json.requests.reduce((sum, { items }) => sum + items.length, 0);
  const counted = {
    create: number('create') + surplus,
    update: number('update'),
    replace: number('replace'),
    delete: number('delete'),
    move: number('move'),
  };
  const newPosts = { new_posts: requested };
  const event = events.find(({ type }) => type === 'planned') as Extract<RunEvent, { type: 'planned' }>;
  const blocked = json.changes.filter(
    ({ address, action }) => action === 'blocked' && kindOf(address) === 'media',
  );
  const posts = requested + json.pending + json.looked_for.length + blocked.length;
  return [
    ...whole('plan in JSON', { ...json.summary, new_posts: json.new_posts }, { ...counted, ...newPosts }),
    ...whole('plan in text', textNumbers(plan), { ...counted, ...newPosts }),
    ...(event ? whole('planned', event as unknown as Numbers, { ...counted, ...newPosts }) : []),
    ...whole('live block', { posts: blockOf(plan, []).posts.all }, { posts }),
  ];
}

/** `Plan: 12 to create, …`; a plan without changes says none of its zeros. */
function textNumbers(plan: Plan): Numbers {
  const text = planText(plan, { campaign: { locate: () => undefined, target: '' }, style: PLAIN });
  const line = text.split('\n').findLast((each) => /^(Plan:|No changes)/.test(each)) ?? '';
  const of = (words: string) => Number(new RegExp(`(\\d+) ${words}`).exec(line)?.[1] ?? 0);
  const actions = ['create', 'update', 'replace', 'delete', 'move'];
  return {
    ...Object.fromEntries(actions.map((action) => [action, of(`to ${action}`)])),
    new_posts: of('(?:new posts?|posts? to (?:pay|request))'),
    pending: of('pending'),
    to_download: of('to download'),
  };
}

function blockOf(plan: Plan, events: readonly RunEvent[]) {
  const run = createLiveRun(plan, { mediaInFlight: 200 }, 0);
  for (const event of events) run.take(event, 1);
  return run.at(1);
}

/** Posts that the service made besides the items of a request of this run; only the state knows those that did not start. */
function surplusOf({ plan, before, after }: CountedRun) {
  const known = new Set(Array.from(plan.nodes, ({ address }) => address));
  return [...after.media.values()].flatMap(({ address: item, takes }) =>
    takes.flatMap(({ n, request }) => {
      const address = `${item}@${n}`;
      if (known.has(address) || before.requests.get(request)?.status === 'done') return [];
      if (!known.has(request)) return [];
      return (['media', 'download'] as const).map((kind) => ({
        address: address.replace(/^media/, kind),
        action: 'create' as const,
        kind,
      }));
    }),
  );
}

/** The counts by the ends of nodes: objects and deletions by their own, posts by their own, their request's or their file's. */
function countedAnew(run: CountedRun) {
  const { plan, events } = run;
  const ends = new Map(
    events.flatMap((event) => (event.type === 'node-finished' ? [[event.address, event] as const] : [])),
  );
  const endOf = (address: string): Finished['end'] | undefined => ends.get(address)?.end;
  const sums: Record<string, number> = {};
  const add = (name: string, number = 1) => void (sums[name] = (sums[name] ?? 0) + number);
  const isBack = (address: string | undefined) =>
    address !== undefined && ['done', 'pending'].includes(endOf(address) ?? '');
  for (const { counts, recheck } of plan.failed) if (!isBack(recheck)) add('failed', counts);
  for (const { counts } of plan.unknown) add('unknown', counts);
  for (const node of [...plan.nodes, ...surplusOf(run)]) {
    const { address, action, kind } = node;
    const own = endOf(address);
    if (kind === 'download' || (kind === 'media-config' && action !== 'delete')) {
      if (kind === 'download' && own === 'failed') add('failed');
      continue;
    }
    const again = kind === 'media' && action !== 'delete' && 'again' in node && node.again;
    if (again && !isBack(address)) continue;
    if (endOf(address.replace(/^media\//, 'download/')) === 'failed' && kind === 'media') continue;
    const request = address.replace(/^media\/(.*)\/[^/]*(@\d+)$/, 'media-config/$1$2');
    const end = kind === 'media' && own === 'blocked' ? (endOf(request) ?? own) : own;
    const word: Record<string, string | undefined> = {
      done:
        own === 'blocked'
          ? 'blocked'
          : ({ update: 'updated', replace: 'replaced', delete: 'deleted' }[action as string] ?? 'created'),
      failed: 'failed',
      rejected: 'failed',
      lost: 'failed',
      unknown: 'unknown',
      blocked: 'blocked',
      pending: own === 'blocked' ? 'blocked' : 'pending',
      'put-off': own === 'blocked' ? 'blocked' : 'pending',
      unchanged: own === 'blocked' ? 'blocked' : undefined,
    };
    const counted = action === 'blocked' ? 'blocked' : end === undefined ? 'pending' : word[end];
    if (counted) add(counted);
  }
  const files = events.flatMap((event) => (event.type === 'node-finished' ? (event.files ?? []) : []));
  return { sums, files: files.length };
}

function ofEnd(run: CountedRun, { counts, left }: RunSums): string[] {
  const { plan, events, before, after } = run;
  const { sums, files } = countedAnew(run);
  const names = ['created', 'updated', 'replaced', 'deleted', 'failed', 'blocked', 'unknown', 'pending'];
  const counted = {
    ...Object.fromEntries(names.map((name) => [name, sums[name] ?? 0])),
    moved: plan.moves.length,
    downloaded: files,
  };
  const block = blockOf(plan, events);
  const objects = (end: readonly string[]) =>
    events.filter(
      (event) =>
        event.type === 'node-finished' &&
        ['upload', 'product', 'concept'].includes(event.kind) &&
        end.includes(event.end),
    ).length;
  const noted = (all: Plan['failed']) => all.reduce((sum, each) => sum + each.counts, 0);
  const rechecked = plan.nodes.filter(
    (node) => node.kind === 'media' && 'again' in node && node.again !== undefined,
  );
  const text = summaryNumbers(counts, left);
  const history = summaryNumbers(counts);
  return [
    ...whole('summary in JSON', counts, counted),
    ...whole('summary in text', text, { ...counted, ...left, unchanged: counts.unchanged }),
    ...whole('history', history, { ...counted, pending: 0, left: sums['pending'] ?? 0 }),
    ...whole(
      'what is left',
      { ...left },
      { pending: (sums['pending'] ?? 0) - left.to_request - left.put_off },
    ),
    ...(rechecked.length
      ? []
      : whole(
          'last frame',
          {
            failed:
              block.posts.failed + block.files.failed + objects(['failed', 'rejected']) + noted(plan.failed),
            unknown: block.posts.unknown + objects(['unknown']) + noted(plan.unknown),
            blocked: block.posts.blocked + objects(['blocked']),
            files: block.files.done,
          },
          { failed: counts.failed, unknown: counts.unknown, blocked: counts.blocked, files },
        )),
    ...whole('state', stateNumbers(after, before), {
      // What is deleted is no more in the state.
      ...(counts.deleted ? {} : { generated: generatedIn(events) }),
      unknown: counts.unknown,
    }),
  ];
}

/** How the next plan and the status find what the run has left. */
function ofNext({ plan, after, graph, isWhole }: CountedRun, { counts, left }: RunSums): string[] {
  const next = planGraph(graph, after);
  const numbers = planNumbers(next);
  const text = textNumbers(next);
  const coverage = coverageOf(graph, after, { plan: next, verdicts: NO_VERDICTS });
  const room = { columns: 1_000, lines: 1_000, style: PLAIN };
  const [sum = ''] = statusLines({ coverage }, { target: '', quote: () => undefined }, room).slice(-1);
  const ofStatus = (words: string) => Number(new RegExp(`(\\d+) ${words}`).exec(sum)?.[1] ?? 0);
  const requested = next.nodes.filter(
    ({ kind, action }) => kind === 'media' && (action === 'create' || action === 'replace'),
  ).length;
  const surplus = next.newPosts - requested;
  const { missing, blocked, outdated, rejected } = coverage;
  // Posts of which the files failed are downloaded again, and everything else that failed may be made again.
  const isPlain =
    isWhole && counts.failed + counts.blocked + counts.unknown === 0 && !plan.beyondBudget.length;
  return [
    ...whole('the next plan', numbers, { pending: left.pending, new_posts: requested + surplus }),
    ...whole('the next plan in text', text, { pending: numbers.pending, to_download: numbers.to_download }),
    ...whole('status', { to_request: missing - blocked + outdated + rejected }, { to_request: requested }),
    ...whole('status in text', { to_request: ofStatus('to request') }, { to_request: missing - blocked }),
    ...(isPlain
      ? whole('what is left', { ...left }, { to_request: requested, to_download: numbers.to_download })
      : []),
  ];
}

function summaryNumbers(counts: NodeCounts, left?: LeftOver): Numbers {
  const text = countsText(counts, left);
  const of = (words: string) => Number(new RegExp(`(\\d+) ${words}`).exec(text)?.[1] ?? 0);
  const names = Object.keys(counts).filter((name) => name !== 'downloaded');
  return {
    ...Object.fromEntries(names.map((name) => [name, of(name)])),
    downloaded: of('files? downloaded'),
    to_request: of('to request'),
    to_download: of('to download'),
    put_off: of('put off'),
    over_budget: of('over budget'),
    left: of('left to another run'),
  };
}

/** What the state has now and did not have before the run. */
function stateNumbers(after: RunState, before: RunState): Numbers {
  const generated = ({ media }: RunState) =>
    [...media.values()].reduce(
      (sum, { takes }) => sum + takes.filter(({ status }) => status === 'done').length,
      0,
    );
  const unknown =
    [...after.objects.values()].filter(({ status }) => status === 'unknown').length +
    [...after.requests.values()].reduce(
      (sum, { status, payload }) => sum + (status === 'unknown' ? payload.items.length : 0),
      0,
    );
  return { generated: generated(after) - generated(before), unknown };
}

/** Posts that were generated in this run, those whose files did not come included. */
function generatedIn(events: readonly RunEvent[]): number {
  return events.filter(
    (event) => event.type === 'node-finished' && event.kind === 'media' && event.end === 'done',
  ).length;
}
