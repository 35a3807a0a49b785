/** What one run did, from its records in the log. A log that was compacted since has its summary only. */
import type { LogRecord } from '../log/log-record.ts';
import { mediaOf, postPlanOf, splitMedia, splitTake } from '../model/address.ts';
import { kindOf } from '../model/kinds.ts';
import { amountOf, moneyOf } from '../model/money.ts';
import type { Problem } from '../model/problem.ts';
import type { Decision } from '../model/run-summary.ts';
import type { StateEvent } from '../model/state-event.ts';
import { causeKey } from './failure-groups.ts';

/** Posts of one post plan. A take that failed and was finished in the same run counts as finished. */
export interface PlanShare {
  readonly plan: string;
  readonly requested: number;
  readonly finished: number;
  readonly failed: number;
  readonly files: number;
}

export interface RunCause {
  readonly problem: Problem;
  readonly addresses: readonly string[];
}

export interface RunDetail {
  /** In the order in which the run first did something for them. */
  readonly plans: readonly PlanShare[];
  /** By the prices of that time; absent where no request had one. */
  readonly cost: number | undefined;
  /** Creates that were sent again because the service had not taken them. */
  readonly retried: number;
  readonly causes: readonly RunCause[];
  /** Creates of which the run did not learn whether they were carried out. */
  readonly unknown: readonly string[];
  readonly decided: readonly Decision[];
  /** False where only the summary of the run is kept. */
  readonly hasRecords: boolean;
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

interface Found {
  /** What the run sent, by address; the cost is in the currency of the manifest. */
  readonly sent: Map<string, { readonly plan: string; readonly posts: number; readonly cost?: number }>;
  /** Takes by address: the last that was said of them. */
  readonly takes: Map<string, 'finished' | 'failed'>;
  readonly files: Map<string, number>;
  readonly open: Set<string>;
  readonly problems: Map<string, Problem>;
  readonly decided: Decision[];
  retried: number;
}

/** Collects the records of the runs whose ids begin with `prefix`. */
export function createRunDetails(prefix: string) {
  const runs = new Map<string, Found>();
  return {
    visit({ run, event }: LogRecord): void {
      if (!run.startsWith(prefix) || event.type === 'kept') return;
      const found = runs.get(run) ?? nothingYet();
      runs.set(run, found);
      note(found, event);
    },
    of: (run: string): RunDetail => detailOf(runs.get(run)),
  };
}

function nothingYet(): Found {
  return {
    sent: new Map(),
    takes: new Map(),
    files: new Map(),
    open: new Set(),
    problems: new Map(),
    decided: [],
    retried: 0,
  };
}

/** Ends by which something is right that may have gone wrong before in the same run. */
const RIGHT: ReadonlySet<StateEvent['type']> = new Set([
  'intent',
  'created',
  'uploaded',
  'updated',
  'generated',
  'downloaded',
  'deleted',
]);

function note(found: Found, event: StateEvent): void {
  if (!('address' in event)) return;
  const { address, type } = event;
  const { sent, takes, files, open, problems, decided } = found;
  if (RIGHT.has(type)) problems.delete(address);
  if ('problem' in event && event.problem) problems.set(address, event.problem);
  if (type === 'intent') return noteIntent(found, event);
  if (type !== 'unknown') open.delete(address);
  if (type === 'rejected' || type === 'not-sent' || type === 'throttled') sent.delete(address);
  if (type === 'generated') takes.set(address, 'finished');
  if (type === 'generation-failed' || type === 'lost') takes.set(address, 'failed');
  if (type === 'downloaded') files.set(address, event.result.files.length);
  if (type === 'resolved') decided.push({ decision: event.decision, address });
  if (type === 'accepted' || type === 'forgotten') decided.push({ decision: type, address });
}

function noteIntent(
  found: Found,
  { address, attempt, request }: Extract<StateEvent, { type: 'intent' }>,
): void {
  found.open.add(address);
  if (attempt > 1) found.retried += 1;
  if (!request) return;
  const { post, numberOfPosts: posts, cost } = request;
  found.sent.set(address, { plan: postPlanOf(post), posts, ...(cost !== undefined && { cost }) });
}

function detailOf(found: Found | undefined): RunDetail {
  const { sent, takes, files, open, problems, decided, retried } = found ?? nothingYet();
  const plans = new Map<string, Mutable<PlanShare>>();
  const share = (plan: string) => {
    const known = plans.get(plan) ?? { plan, requested: 0, finished: 0, failed: 0, files: 0 };
    plans.set(plan, known);
    return known;
  };
  for (const { plan, posts } of sent.values()) share(plan).requested += posts;
  for (const [address, end] of takes) share(planOf(address))[end] += 1;
  for (const [address, number] of files) share(planOf(address)).files += number;
  const costs = [...sent.values()].flatMap(({ cost }) => (cost === undefined ? [] : [moneyOf(cost)]));
  return {
    plans: [...plans.values()],
    cost: costs.length ? amountOf(costs.reduce((sum, cost) => sum + cost, 0n)) : undefined,
    retried,
    causes: causesOf(problems),
    unknown: [...open],
    decided,
    hasRecords: found !== undefined,
  };
}

function planOf(address: string): string {
  const media = mediaOf(address);
  return kindOf(media) === 'media' ? postPlanOf(splitMedia(splitTake(media).address).post) : media;
}

function causesOf(problems: ReadonlyMap<string, Problem>): RunCause[] {
  const causes = new Map<string, { problem: Problem; addresses: string[] }>();
  for (const [address, problem] of problems) {
    const key = causeKey(problem, address);
    const cause = causes.get(key) ?? { problem, addresses: [] };
    causes.set(key, cause);
    cause.addresses.push(address);
  }
  return [...causes.values()].toSorted((a, b) => b.addresses.length - a.addresses.length);
}
