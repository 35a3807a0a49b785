/** Many entries of a plan in one line: where they are, how many, what they cost, why, and what they are called. */
import { commandText } from '../model/command-text.ts';
import type { NodeKind } from '../model/kinds.ts';
import { amountOf } from '../model/money.ts';
import { count } from '../util/count.ts';
import { inertText } from '../util/inert-text.ts';
import { amountText } from '../views/budget-words.ts';
import { type GroupCause, kindsOf } from '../views/plan-causes.ts';
import type { PlanGroup } from '../views/plan-groups.ts';
import { isExact } from '../views/plan-outline.ts';
import {
  megabytes,
  notedDetail,
  type PlannedCampaign,
  SYMBOLS,
  WHY_HELD,
  WHY_KEPT,
  WHY_WITHHELD,
} from './plan-entry-text.ts';
import { reasonLines } from './reason-text.ts';
import { createStyle, type Style } from './style.ts';

const PLAIN = createStyle({}, 'never');
const SHOWN_NAMES = 3;

export function groupText(group: PlanGroup, campaign: PlannedCampaign, style: Style): string {
  const { sign } = group;
  const [symbol, colour] = SYMBOLS[sign];
  const facts = [whereText(group), ...whatWords(group), ...costWords(group, campaign)].join(', ');
  const way = sign === 'unknown' ? style.dim(`\n        decide: ${decideText(campaign.target)}`) : '';
  const text = inert(facts + whyText(group, campaign) + namesText(group));
  return `  ${style[colour](symbol)} ${sign === 'left-alone' ? style.dim(text) : text}${way}`;
}

/** Nothing is cut: names of what is paid again may be many. */
function inert(text: string): string {
  return inertText(text, Number.POSITIVE_INFINITY);
}

/** `media/grid (79 instances): 158 posts`, of several post plans only the numbers, and what is alone by its name. */
function whereText(group: PlanGroup): string {
  const { plans, entries, names, kind, sign } = group;
  const [name] = names;
  if (entries === 1 && name !== undefined && sign !== 'request') return name;
  const [plan, posts] = [...plans][0] ?? [];
  if (plans.size !== 1 || plan === undefined || !posts) return amountWords(group);
  return `${kind === 'media-config' ? 'media-config' : 'media'}/${placeText(plan, posts)}: ${amountWords(group)}`;
}

/** `grid (79 instances)` */
function placeText(plan: string, { instances }: { readonly instances: ReadonlySet<string> }): string {
  return instances.size ? `${plan} (${count(instances.size, 'instance')})` : plan;
}

const NOUNS: Readonly<Record<NodeKind, string>> = {
  upload: 'upload',
  product: 'product',
  concept: 'concept',
  'media-config': 'request',
  media: 'post',
  download: 'download',
};

function amountWords({ kind, entries, plans, goesAlong, sign, paid }: PlanGroup): string {
  const words = count(entries, sign === 'rename-file' ? 'file' : kind === undefined ? 'entry' : NOUNS[kind]);
  if (sign === 'request') return `${words}, ${count(paid, 'post')}`;
  const along = goesAlong ? ` with ${count(goesAlong, 'post')}` : '';
  return `${words}${along}${plans.size > 1 ? ` of ${count(plans.size, 'post plan')}` : ''}`;
}

function whatWords({ types, bytes, sign, entries, paid }: PlanGroup): string[] {
  const surplus = sign === 'request' || !types.size ? 0 : paid - entries;
  return [
    ...types,
    ...(bytes ? [megabytes(bytes)] : []),
    ...(surplus > 0 ? [`and ${surplus} more that number_of_posts asks for`] : []),
  ];
}

/** Nothing where no price is known, and nothing for what is not paid. */
function costWords({ cost, paid }: PlanGroup, { currency, isPriced }: PlannedCampaign): string[] {
  if (!paid || !isPriced) return [];
  return [cost === undefined ? 'not all of them with a price' : amountText(amountOf(cost), currency)];
}

function whyText({ sign, first, causes, entries }: PlanGroup, campaign: PlannedCampaign): string {
  const { why = '', noted } = first;
  const because = becauseText(causes, campaign);
  const many = (words: string) =>
    entries === 1 ? words : words.replace('left as it is', 'left as they are');
  switch (sign) {
    case 'kept':
      return `${because}, ${WHY_KEPT[why] ?? why}`;
    case 'beyond-budget':
      return ', beyond the budget';
    case 'held':
    case 'held-up':
      return `${because}, ${WHY_HELD[sign]?.[entries === 1 ? 0 : 1] ?? ''}`;
    case 'withheld':
      return `${because}, ${many(WHY_WITHHELD[why] ?? why)}`;
    case 'left-alone':
      return ` ${entries === 1 ? why : why.replace('no longer names it', 'no longer names them')}`;
    case 'gone':
    case 'failed':
    case 'unknown':
      return ` ${sign}${causes ? notedDetail(noted) : ', for several causes'}`;
    case 'resume':
      return ', requested earlier';
    case 'create':
    case 'again':
    case 'update':
    case 'replace':
    case 'delete':
    case 'move':
    case 'rename-file':
    case 'recheck':
    case 'blocked':
    case 'request':
      return because;
  }
}

function becauseText(causes: PlanGroup['causes'], campaign: PlannedCampaign): string {
  if (!causes) return ', for several causes';
  const [first] = causes;
  if (!first) return '';
  const texts = causes.map((cause) => causeText(cause, campaign)).join('; ');
  return first.type === 'text' ? `, ${texts}` : `, because ${texts}`;
}

function causeText(cause: GroupCause, { locate }: PlannedCampaign): string {
  if (cause.type === 'text') return cause.text;
  if (cause.type === 'field')
    return cause.reason ? reasonLines([cause.reason], locate, PLAIN).join(' ') : `${cause.field} changed`;
  const { addresses, fields } = cause;
  const [address] = addresses;
  const what = addresses.size === 1 ? address : count(addresses.size, kindsOf(addresses));
  return `${what} changed: ${fields}`;
}

/** Where something is paid again or deleted, all post plans are named, and posts that are alone in theirs. */
function namesText(group: PlanGroup): string {
  const { plans, names, entries, sign } = group;
  if (sign === 'request' || entries === 1 || (plans.size === 1 && sign !== 'move')) return '';
  if (plans.size && isExact(group)) {
    const all = [...plans].map(([plan, posts]) =>
      posts.entries === 1 ? posts.first : `${placeText(plan, posts)} ${posts.entries}`,
    );
    return `: ${all.join(', ')}`;
  }
  const shown = names.slice(0, isExact(group) ? names.length : sign === 'move' ? 1 : SHOWN_NAMES);
  const more = entries - shown.length;
  return `: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function decideText(target: string): string {
  const all = commandText('resolve', target, '--all');
  return `\`${all}\` shows what is known of each and asks; \`campaign resolve\` also takes an address or a glob`;
}
