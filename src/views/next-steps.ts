/** What somebody does next about a campaign: the commands, ready to be pasted, with what each pays for. */
import { mediaOf } from '../model/address.ts';
import { commandText } from '../model/command-text.ts';
import { kindHas } from '../model/kinds.ts';
import type { Plan } from '../model/plan.ts';
import { count } from '../util/count.ts';
import { costText, whyOverBudget } from './budget-words.ts';
import type { Coverage } from './coverage.ts';
import { countGone, sendsChanges, summarise } from './plan-summary.ts';

export interface NextStep {
  readonly command: string;
  /** In words, after the command: `requests 8 posts, 1.40 EUR`. */
  readonly does: string;
  /** How many posts it pays for at most. */
  readonly posts: number;
  /** What these cost; null where not all of them have a price. */
  readonly cost: number | null;
}

/** What each command would do; absent where there is nothing for it to do. */
export interface Prospects {
  /** `apply`, without consent to pay again for finished posts. */
  readonly apply: Plan;
  readonly yes?: Plan | undefined;
  readonly retry?: Plan | undefined;
  readonly recreate?: Plan | undefined;
}

type Open = Pick<Coverage, 'outdated' | 'files_missing' | 'approved' | 'rejected' | 'undecided'>;

/** `at`: the flag with which its periods are those of another day; empty where they are the present ones. */
export interface Naming {
  readonly target: string;
  readonly at: string;
}

export function nextSteps(prospects: Prospects, open: Open, { target, at }: Naming): NextStep[] {
  const { apply, yes, retry, recreate } = prospects;
  const free = (does: string, verb: string, flags = ''): NextStep => ({
    command: commandText(verb, target, flags),
    does: `${does}; pays nothing`,
    posts: 0,
    cost: 0,
  });
  const paying = (plan: Plan, does: string, flags = ''): NextStep =>
    payingStep(plan, { does, command: (more) => commandText('apply', target, at, flags, more) });
  const isMore = (plan: Plan | undefined): plan is Plan =>
    plan !== undefined && plan.newPosts > apply.newPosts;
  const creates = apply.unknown.length;
  const fetched = countFetched(apply);
  const edited = count(open.outdated, 'edited post');
  const steps: (NextStep | false | undefined)[] = [
    creates > 0 && free(`asks what became of ${count(creates, 'unknown create')}`, 'resolve', '--all --find'),
    fetched > 0 && free(`polls and downloads ${count(fetched, 'requested post')}`, 'wait', at),
    sendsChanges(apply) && paying(apply, newWords(apply)),
    isMore(yes) && paying(yes, editedWords(apply, edited), '--yes'),
    isMore(yes) && free(`keeps ${edited} as made`, 'state accept'),
    isMore(retry) &&
      paying(
        retry,
        `rechecks ${count(retry.newPosts - apply.newPosts, 'failed post')}, then requests at most ${count(retry.newPosts, 'post')}`,
        '--retry-failed',
      ),
    recreate &&
      paying(
        recreate,
        `looks again for what is gone (${countGone(apply)}), then requests at most ${count(recreate.newPosts, 'post')}`,
        '--recreate-missing',
      ),
    open.files_missing > 0 &&
      free(`brings the missing files of ${count(open.files_missing, 'post')} again`, 'outputs', '--fetch'),
    open.approved + open.rejected > 0 &&
      open.undecided > 0 &&
      free(`walks through ${count(open.undecided, 'undecided post')}`, 'decide'),
  ];
  return steps.filter((step) => step !== undefined && step !== false);
}

/** Where a plan exceeds the budget, `apply` requests nothing of it. */
function payingStep(
  plan: Plan,
  { does, command }: { readonly does: string; readonly command: (flags: string) => string },
): NextStep {
  const { newPosts: posts, cost } = plan;
  if (posts === 0) return { command: command(''), does, posts, cost: 0 };
  const amount = cost?.amount ?? null;
  const price = cost && costText(cost);
  const excess = whyOverBudget(plan);
  const words = price === undefined ? does : `${does}, ${price}`;
  if (excess !== undefined)
    return {
      command: command('--within-budget'),
      does: `requests what fits the budget; ${words}, would be ${excess}`,
      posts,
      cost: amount,
    };
  return { command: command(''), does: words, posts, cost: amount };
}

function newWords(plan: Plan): string {
  if (plan.newPosts) return `requests ${count(plan.newPosts, 'post')}`;
  const { create, update, replace } = summarise(plan);
  return `sends ${count(create + update + replace, 'change')}, requests no post`;
}

function editedWords({ newPosts }: Plan, edited: string): string {
  return newPosts ? `requests ${count(newPosts, 'post')}, and ${edited} again` : `requests ${edited} again`;
}

/** Posts of earlier runs that are polled or downloaded; rechecks of failed ones are not counted. */
function countFetched({ nodes }: Plan): number {
  const fetched = new Set<string>();
  const rechecked = new Set<string>();
  for (const node of nodes.listed) {
    if (node.action !== 'resume') continue;
    if (kindHas(node, 'stored', 'take')) (node.again ? rechecked : fetched).add(node.address);
    else if (kindHas(node, 'stored', 'files') && !rechecked.has(mediaOf(node.address)))
      fetched.add(mediaOf(node.address));
  }
  return fetched.size;
}
