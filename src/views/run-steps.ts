/** What comes next after a run: the commands, ready to be pasted, with what each pays for. */
import { commandText } from '../model/command-text.ts';
import type { Failure } from '../model/failure.ts';
import { kindHas, storedAs } from '../model/kinds.ts';
import { amountOf, moneyOf } from '../model/money.ts';
import type { Plan } from '../model/plan.ts';
import type { NodeCounts } from '../model/run-event.ts';
import { count, nonZero } from '../util/count.ts';
import { textOf } from '../util/json.ts';
import { amountText } from './budget-words.ts';
import { openEntries } from './plan-entries.ts';

const MOST_STEPS = 5;
const FREE = '; pays nothing';

export interface RunStep {
  readonly command: string;
  /** In words, after the command: `polls and downloads 8 requested posts; pays nothing`. */
  readonly does: string;
}

export interface RunLeft {
  readonly plan: Pick<Plan, 'nodes' | 'cost' | 'failed' | 'beyondBudget' | 'newPosts'>;
  readonly counts: Pick<NodeCounts, 'blocked'>;
  readonly failures: readonly Failure[];
  /** Failures of earlier runs that are still there. */
  readonly earlier: readonly Failure[];
  /** Posts that are being generated. */
  readonly pending: number;
  /** What this run tried and left to another one. */
  readonly putOff: number;
  /** Finished posts that await consent, where that is not said elsewhere: `4 posts, 1.40 EUR`. */
  readonly held?: string | undefined;
  /** What this run has requested; absent where nothing has a price. */
  readonly cost?: number | undefined;
}

/** How the command line names the campaign, its day, and what of it the run was about. */
export interface RunNaming {
  readonly target: string;
  readonly at: string;
  readonly only: string;
}

export function runSteps(left: RunLeft, { target, at, only }: RunNaming): RunStep[] {
  const { plan, pending } = left;
  const { unknown, files, failed, gone } = sorted(left);
  const apply = (flag = '') => commandText('apply', target, at, only, flag);
  const again = againWords(left);
  const fetched = pending + files;
  const isAlone = again === '' && left.counts.blocked === 0;
  const priced = (posts: readonly Failure[], flag: string) => {
    if (!Object.keys(plan.cost?.prices ?? {}).length) return '';
    const cost = isAlone ? costOf(posts, plan) : undefined;
    const asked = commandText('plan', target, at, only, flag);
    return cost === undefined ? `; \`${asked}\` says what that costs` : `, at most ${cost}`;
  };
  const steps: (RunStep | false)[] = [
    unknown > 0 && {
      command: commandText('resolve', target, '--all --find'),
      does: `asks what became of ${count(unknown, 'unknown create')}${FREE}`,
    },
    fetched > 0 && {
      command: commandText('wait', target, at),
      does: `polls and downloads ${count(fetched, 'requested post')}${FREE}`,
    },
    again !== '' && { command: apply(), does: `${again}${restWords(left)}` },
    failed.length > 0 && {
      command: apply('--retry-failed'),
      does: `rechecks ${count(failed.length, 'failed post')}, and requests again what is not there${priced(failed, '--retry-failed')}`,
    },
    gone.length > 0 && {
      command: apply('--recreate-missing'),
      does: `looks again for ${count(gone.length, 'post')} that the service has no more, and requests what is not there${priced(gone, '--recreate-missing')}`,
    },
    left.held !== undefined && {
      command: apply('--yes'),
      does: `requests finished posts again that were edited, too: ${left.held}`,
    },
    plan.beyondBudget.length > 0 &&
      plan.newPosts === 0 && {
        command: apply('--within-budget'),
        does: `requests as many of ${count(plan.beyondBudget.length, 'post')} as fit the budget`,
      },
  ];
  return steps.filter((step) => step !== false).slice(0, MOST_STEPS);
}

function sorted({ plan, failures, earlier }: RunLeft) {
  const all = [...failures, ...earlier];
  const missing = new Set(plan.failed.filter(({ isGone }) => isGone).map(({ address }) => address));
  const takes = all.filter(({ address, end }) => storedAs(address) === 'take' && TRIED.has(end));
  const isGone = ({ address, end }: Failure) => end === 'gone' || missing.has(address);
  return {
    unknown: all.filter(({ end }) => end === 'unknown').length,
    files: failures.filter(({ address }) => storedAs(address) === 'files').length,
    failed: takes.filter((each) => !isGone(each)),
    gone: takes.filter(isGone),
  };
}

const TRIED: ReadonlySet<Failure['end']> = new Set(['failed', 'lost', 'gone']);

/** What the next run does by itself. */
function againWords({ failures, counts, putOff }: RunLeft): string {
  const refused = failures.filter(
    ({ address, end }) =>
      end === 'rejected' ||
      (end === 'failed' && storedAs(address) !== 'take' && storedAs(address) !== 'files'),
  ).length;
  if (refused + putOff === 0) return '';
  const parts = nonZero([
    [refused, 'refused'],
    [putOff, 'put off'],
    [counts.blocked, 'blocked'],
  ]);
  return `tries again what was left: ${parts.join(', ')}`;
}

/** What the plan would have paid, and the run did not. */
function restWords({ plan, cost }: RunLeft): string {
  const amount = plan.cost?.amount;
  if (amount === undefined || amount === null || cost === undefined) return '';
  const rest = amountOf(moneyOf(amount) - moneyOf(cost));
  return rest > 0 ? `, at most ${amountText(rest, plan.cost?.currency)}` : FREE;
}

/** Of posts that are requested one by one; of others only another plan knows what is requested with them. */
function costOf(posts: readonly Failure[], { nodes, cost }: RunLeft['plan']): string | undefined {
  const { prices = {}, currency } = cost ?? {};
  const wanted = new Set<string>(posts.map(({ address }) => address));
  let amount = 0n;
  for (const node of nodes) {
    if (!kindHas(node, 'stored', 'take') || !wanted.has(node.address)) continue;
    const { node: request } = nodes.placed(node.payload.request) ?? {};
    const price = prices[textOf(node.inputs?.['post_type'])];
    if (price === undefined || (request && 'whole' in request && request.whole)) break;
    amount += moneyOf(price);
    wanted.delete(node.address);
  }
  return wanted.size ? undefined : amountText(amountOf(amount), currency);
}

/** What consent to the finished posts that were left would pay for: `4 posts, 1.40 EUR`. */
export function heldText(plan: Plan): string {
  let posts = 0;
  let amount: bigint | undefined = 0n;
  for (const { sign, paid, cost } of openEntries(plan)) {
    if (sign !== 'held') continue;
    posts += paid;
    amount = amount === undefined || cost === undefined ? undefined : amount + cost;
  }
  const { prices = {}, currency } = plan.cost ?? {};
  const isPriced = Object.keys(prices).length > 0 && amount !== undefined;
  return `${count(posts, 'post')}${isPriced ? `, ${amountText(amountOf(amount ?? 0n), currency)}` : ''}`;
}
