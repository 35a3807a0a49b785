/** Plans as one comment on a pull request: posts and cost, what is paid twice, then what is asked for by post plan. */
import type { Locate } from '../model/source.ts';
import { commandText } from '../model/command-text.ts';
import { count, nonZero } from '../util/count.ts';
import { areFree, costText, limitTexts, requestedText, whyOverBudget } from '../views/budget-words.ts';
import type { ListName, PlanReview, PostGroup } from '../views/plan-review.ts';
import { type Block, blocksText, codeText } from './markdown-text.ts';
import { listRows, postsTable } from './review-rows.ts';

/** The longest comment that code hosts take is 65,536 characters. */
export const LONGEST_COMMENT = 65_000;

export interface ReviewedPlan {
  readonly name: string;
  readonly environment: string;
  /** Names it on the command line. */
  readonly target: string;
  /** The period that each post plan with `every` is planned for. */
  readonly periods?: Readonly<Record<string, string>> | undefined;
  readonly review: PlanReview;
  readonly locate: Locate;
}

/** A manifest that has no plan, and why in a few words. */
export interface Unplanned {
  readonly manifest: string;
  readonly outcome: string;
}

interface Comment {
  /** By its first line, which readers do not see, a bot finds the comment that an earlier run left. */
  readonly marker: string;
  readonly plans: readonly ReviewedPlan[];
  readonly unplanned?: readonly Unplanned[];
}

export function planMarkdown({ marker, plans, unplanned = [] }: Comment): string {
  const head = `<!-- campaign-plan: ${marker.replace(/[^\w ./:@+-]|-(?=->?)/g, '_')} -->\n`;
  const [only] = plans;
  if (plans.length + unplanned.length === 1 && only)
    return head + planSection(only, LONGEST_COMMENT - head.length);
  const top = head + totalText(plans, unplanned);
  const busy = plans.filter(({ review }) => isBusy(review));
  const idle = plans.length - busy.length;
  const end = idle ? `\n${count(idle, 'other campaign')} without changes.\n` : '';
  let text = top;
  for (const [index, plan] of busy.entries()) {
    const left = LONGEST_COMMENT - text.length - end.length - LAST_SENTENCE;
    const section = planSection(plan, Math.floor(left / (busy.length - index)));
    if (section.length > left)
      return `${text}\n… and ${busy.length - index} more campaigns with changes.\n${end}`;
    text += `\n${section}`;
  }
  return text + end;
}

const LAST_SENTENCE = 100;
const MOST_UNPLANNED = 50;

function totalText(plans: readonly ReviewedPlan[], unplanned: readonly Unplanned[]): string {
  const again = plans.reduce((sum, { review }) => sum + review.again.posts, 0);
  const all = plans.map(({ review }) => review.plan);
  const broken = unplanned
    .slice(0, MOST_UNPLANNED)
    .map(({ manifest, outcome }) => `- ${codeText(manifest)} has no plan: ${outcome}\n`);
  const more = unplanned.length - MOST_UNPLANNED;
  if (more > 0) broken.push(`- … and ${more} more without a plan\n`);
  return [
    `### ${count(plans.length + unplanned.length, 'campaign')}: ${requestedText(all)}\n\n`,
    `${againSentence({ posts: again, isFree: areFree(all) })}\n`,
    ...(broken.length ? ['\n', ...broken] : []),
  ].join('');
}

/** What belongs to one plan; not longer than `room`, unless that is too little for its first lines. */
function planSection(plan: ReviewedPlan, room: number): string {
  const { review, target } = plan;
  const head = headOf(plan);
  const command = codeText(commandText('plan', target, '--json'));
  const note = `\nThis comment holds at most 65,000 characters: ${command} lists all of it.\n`;
  const { text, isCut } = blocksText(blocksOf(review, plan.locate), room - head.length - note.length);
  return head + text + (isCut ? note : '');
}

function headOf({ name, environment, periods = {}, review }: ReviewedPlan): string {
  const { plan, again, retried, heldUp } = review;
  const excess = whyOverBudget(plan);
  const limits = plan.cost ? limitTexts(plan.cost) : [];
  const present = Object.entries(periods).map(([post, period]) => `${codeText(post)} ${codeText(period)}`);
  const counts = countsOf(review).join(', ');
  const sum = isChange(review) ? counts : ['No changes', counts].filter(Boolean).join('; ');
  const lines = [
    `### ${codeText(name)} → ${codeText(environment)}: ${requestedText([plan])}`,
    ...(heldUp
      ? [
          `**${mayBeEarlier(heldUp)}, and \`apply\` asks before it requests ${heldUp === 1 ? 'it' : 'them'}.**`,
        ]
      : []),
    againSentence({
      posts: again.posts,
      cost: review.plan.cost && again.amount !== undefined ? moneyText(review, again) : undefined,
      isFree: plan.isFree,
    }),
    ...(retried ? [`${posts(retried)} requested again after a failure, and may have been made before.`] : []),
    ...(excess === undefined ? [] : [`**Over budget:** ${codeText(excess)}`]),
    ...[sum, ...limits].flatMap((words) => (words ? [sentence(words)] : [])),
    ...(present.length ? [`Periods: ${present.slice(0, VISIBLE_PERIODS).join(', ')}.`] : []),
  ];
  return `${lines.join('\n\n')}\n`;
}

const VISIBLE_PERIODS = 20;

function sentence(words: string): string {
  return `${capitalised(words)}.`;
}

function capitalised(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** Always there, so that nobody has to conclude it from what is missing. */
function againSentence({ posts: number, cost, isFree }: Again): string {
  if (number === 0) return `Nothing is ${twiceWords(isFree)}.`;
  const price = cost === undefined ? '' : `, ${cost}`;
  return `**${capitalised(twiceWords(isFree))}: ${count(number, 'finished post')} would be requested again${price}.**`;
}

interface Again {
  readonly posts: number;
  readonly cost?: string | undefined;
  readonly isFree: boolean;
}

function twiceWords(isFree: boolean): string {
  return isFree ? 'made twice' : 'paid twice';
}

function mayBeEarlier(number: number): string {
  return number === 1 ? '1 new post may be an earlier one' : `${number} new posts may be earlier ones`;
}

function posts(number: number): string {
  return number === 1 ? '1 post is' : `${number} posts are`;
}

function moneyText({ plan: { cost } }: PlanReview, { amount = null }: PostGroup): string | undefined {
  return cost && costText({ ...cost, amount });
}

function isBusy(review: PlanReview): boolean {
  return isChange(review) || countsOf(review).length > 0;
}

function isChange({ plan, lists }: PlanReview): boolean {
  const changes = ['made', 'changed', 'moved', 'deleted', 'withheld', 'held', 'heldUp'] as const;
  return plan.newPosts > 0 || changes.some((name) => lists[name].total > 0);
}

const COUNTED = {
  made: 'to make besides posts',
  changed: 'to update',
  moved: 'to move',
  deleted: 'to delete',
  withheld: 'not deleted',
  held: 'finished left as they are',
  heldUp: 'held up',
  waiting: 'waiting',
  failed: 'failed',
  gone: 'gone',
  rechecked: 'to recheck',
  unknown: 'unknown',
  beyond: 'over budget',
} as const satisfies Partial<Record<ListName, string>>;

function countsOf({ lists }: PlanReview): string[] {
  return nonZero(Object.entries(COUNTED).map(([name, word]) => [lists[name as ListName].total, word]));
}

const OPEN: readonly (readonly [ListName, string])[] = [
  ['deleted', 'Deleted at the service'],
  ['unknown', 'Unknown: `campaign resolve` decides'],
  ['gone', 'Gone at the service'],
  ['failed', 'Failed'],
  ['held', 'Finished posts that are left as they are'],
  ['heldUp', 'Held up: new posts that may be earlier ones'],
  ['withheld', 'Not deleted'],
  ['beyond', 'Does not fit the budget'],
];

const FOLDED: readonly (readonly [ListName, string])[] = [
  ['changed', 'to update'],
  ['made', 'to make besides posts'],
  ['moved', 'to move'],
  ['kept', 'kept, whatever changed'],
  ['waiting', 'waiting'],
  ['rechecked', 'failed before, to recheck'],
  ['orphaned', 'left alone: the manifest no longer names them'],
];

function blocksOf(review: PlanReview, locate: Locate): Block[] {
  const { again, plans, lists } = review;
  const listBlock = (name: ListName, title: string, folded: Block['folded']) => {
    const { total, entries } = lists[name];
    const rows = listRows(entries, locate);
    return total ? [{ title, rank: 'normal' as const, folded, rows, total, noun: 'more' }] : [];
  };
  const againTitle = `${capitalised(twiceWords(review.plan.isFree))}: ${titleOf(again, 'finished post', review)}`;
  return [
    ...(again.posts ? [postsBlock(againTitle, again, { locate, rank: 'first' })] : []),
    ...OPEN.flatMap(([name, title]) => listBlock(name, title, 'after ten')),
    ...plans.map((group) => {
      const title = `${codeText(group.post)}: ${titleOf(group, 'new post', review)}`;
      return postsBlock(title, group, { locate, rank: 'last' });
    }),
    ...FOLDED.flatMap(([name, words]) => listBlock(name, `${lists[name].total} ${words}`, 'all')),
  ];
}

function titleOf(group: PostGroup, noun: string, review: PlanReview): string {
  const cost = moneyText(review, group);
  return `${count(group.posts, noun)}${cost === undefined ? '' : `, ${cost}`}`;
}

function postsBlock(
  title: string,
  group: PostGroup,
  { locate, rank }: { readonly locate: Locate; readonly rank: Block['rank'] },
): Block {
  const table = postsTable(group.rows, locate);
  return { title, rank, folded: 'after ten', ...table, total: group.items, noun: 'more posts' };
}
