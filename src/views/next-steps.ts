/** What somebody does next about a campaign: the commands, ready to be pasted, with what each pays for. */
import { mediaOf } from '../model/address.ts';
import { commandText } from '../model/command-text.ts';
import { kindHas } from '../model/kinds.ts';
import type { Plan } from '../model/plan.ts';
import { count } from '../util/count.ts';
import { costText, whyOverBudget } from './budget-words.ts';
import type { Coverage } from './coverage.ts';
import { heldUpWords } from './held-words.ts';
import { countGone, leftPosts, sendsChanges, summarise } from './plan-summary.ts';

export interface NextStep {
  readonly command: string;
  /** In words, after the command: `requests 8 posts, 1.40 EUR`. */
  readonly does: string;
  /** How many posts it pays for at most. */
  readonly posts: number;
  /** What these cost; null where not all of them have a price. */
  readonly cost: number | null;
}

/** What a command would do. */
export interface Prospect {
  readonly plan: Plan;
  /** With `--within-budget`, where the plan does not fit. */
  readonly fitting?: Plan | undefined;
}

/** What each command would do; absent where there is nothing for it to do. */
export interface Prospects {
  /** `apply`, without consent to pay again for finished posts. */
  readonly apply: Prospect;
  readonly yes?: Prospect | undefined;
  readonly retry?: Prospect | undefined;
  readonly recreate?: Prospect | undefined;
  /** Absent unless one has begun and has left something: then nothing is made anew before it has ended. */
  readonly destroy?: Destroying | undefined;
}

export interface Destroying {
  readonly plan: Plan;
  /** For this command, which has a `--files` of its own. */
  readonly target: string;
  readonly flags: string;
}

type Open = Pick<Coverage, 'outdated' | 'files_missing' | 'approved' | 'rejected' | 'undecided'>;

export const NOTHING_OPEN: Open = { outdated: 0, files_missing: 0, approved: 0, rejected: 0, undecided: 0 };

/**
 * `at`: the flag with which its periods are those of another day; empty where they are the present ones. `only`: the flags
 * that say what of the campaign it is about; empty where that is all of it.
 */
export interface Naming {
  /** Whether the service, or the emulator's ledger, can tell anything of an unknown create (`resolve --find`). */
  readonly canAsk: boolean;
  readonly target: string;
  readonly at: string;
  readonly only: string;
}

type Step = NextStep | false | undefined;

export function nextSteps(prospects: Prospects, open: Open, naming: Naming): NextStep[] {
  const { apply, destroy } = prospects;
  const { target, at, only, canAsk } = naming;
  const creates = apply.plan.unknown.length;
  const fetched = countFetched(apply.plan);
  const first: Step[] = [
    creates > 0 &&
      (canAsk
        ? free(`asks what became of ${count(creates, 'unknown create')}`, 'resolve', target, '--all --find')
        : free(
            `shows what to look for of ${count(creates, 'unknown create')}, and takes what you found`,
            'resolve',
            target,
            '--all',
          )),
    fetched > 0 && free(`polls and downloads ${count(fetched, 'requested post')}`, 'wait', target, at, only),
  ];
  const deletions = destroy?.plan.nodes.listed.length ?? 0;
  const rest = destroy
    ? [
        deletions + creates + fetched > 0 &&
          free(
            `deletes what is left${deletions ? `: ${count(deletions, 'deletion')}` : ' then'}`,
            'destroy',
            destroy.target,
            destroy.flags,
          ),
      ]
    : makingSteps(prospects, open, naming);
  return [...first, ...rest].filter((step) => step !== undefined && step !== false);
}

function free(does: string, verb: string, ...words: readonly string[]): NextStep {
  return { command: commandText(verb, ...words), does: `${does}; pays nothing`, posts: 0, cost: 0 };
}

function makingSteps(
  { apply, yes, retry, recreate }: Prospects,
  open: Open,
  { target, at, only }: Naming,
): Step[] {
  const { newPosts } = apply.plan;
  const paying = (prospect: Prospect, does: string, flags = '') =>
    payingStep(prospect, { does, command: (more) => commandText('apply', target, at, only, flags, more) });
  const isMore = (prospect: Prospect | undefined): prospect is Prospect =>
    prospect !== undefined && prospect.plan.newPosts > newPosts;
  const keepable = apply.plan.held.filter(({ isKeepable }) => isKeepable).length;
  return [
    sendsChanges(apply.plan) &&
      (paying(apply, newWords(apply.plan)) ??
        free(
          `says what does not fit the budget: it would be ${whyOverBudget(apply.plan)}`,
          'plan',
          target,
          at,
          only,
        )),
    isMore(yes) && paying(yes, consentWords(apply.plan, open.outdated), '--yes'),
    isMore(yes) &&
      keepable > 0 &&
      only === '' &&
      free(`keeps ${count(keepable, 'edited post')} as made`, 'state accept', target),
    isMore(retry) &&
      paying(
        retry,
        `rechecks ${count(retry.plan.newPosts - newPosts, 'failed post')}, then requests at most ${count(retry.plan.newPosts, 'post')}`,
        '--retry-failed',
      ),
    recreate &&
      paying(
        recreate,
        `looks again for what is gone (${countGone(apply.plan)}), then requests at most ${count(recreate.plan.newPosts, 'post')}`,
        '--recreate-missing',
      ),
    open.files_missing > 0 &&
      free(
        `brings the missing files of ${count(open.files_missing, 'post')} again`,
        'outputs',
        target,
        '--fetch',
      ),
    open.approved + open.rejected > 0 &&
      open.undecided > 0 &&
      free(`walks through ${count(open.undecided, 'undecided post')}`, 'decide', target),
  ];
}

/** Undefined where nothing of it fits the budget. */
function payingStep(
  { plan, fitting }: Prospect,
  { does, command }: { readonly does: string; readonly command: (flags: string) => string },
): NextStep | undefined {
  const { newPosts, cost } = plan;
  if (newPosts === 0) return { command: command(''), does, posts: 0, cost: 0 };
  const excess = whyOverBudget(plan);
  if (excess === undefined)
    return {
      command: command(''),
      does: `${does}${priceOf(plan)}`,
      posts: newPosts,
      cost: cost?.amount ?? null,
    };
  const posts = fitting?.newPosts ?? 0;
  if (posts === 0) return undefined;
  return {
    command: command('--within-budget'),
    does: `requests ${posts} of ${count(newPosts, 'post')}${fitting ? priceOf(fitting) : ''}; all of them would be ${excess}`,
    posts,
    cost: fitting?.cost?.amount ?? null,
  };
}

function priceOf({ cost }: Plan): string {
  const price = cost && costText(cost);
  return price === undefined ? '' : `, ${price}`;
}

function newWords(plan: Plan): string {
  if (plan.newPosts) return `requests ${count(plan.newPosts, 'post')}`;
  const { create, update, replace } = summarise(plan);
  return `sends ${count(create + update + replace, 'change')}, requests no post`;
}

/** What consent pays for: what is new, what was edited, and what is held up. */
function consentWords(plan: Plan, outdated: number): string {
  const heldUp = plan.held.length - leftPosts(plan);
  const parts = [
    ...(plan.newPosts ? [count(plan.newPosts, 'post')] : []),
    ...(outdated ? [`${count(outdated, 'edited post')} again`] : []),
    ...(heldUp ? [heldUpWords(heldUp)] : []),
  ];
  return `requests ${[parts.slice(0, -1).join(', '), ...parts.slice(-1)].filter((part) => part).join(', and ')}`;
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
