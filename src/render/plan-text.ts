import { type Address, splitTake } from '../model/address.ts';
import { kindHas } from '../model/kinds.ts';
import {
  type Action,
  type Deletions,
  isDeletion,
  type Move,
  type Noted,
  type Plan,
  type PlannedNode,
  type Reason,
} from '../model/plan.ts';
import type { Locate } from '../model/source.ts';
import { count, nonZero } from '../util/count.ts';
import { inertText } from '../util/inert-text.ts';
import { isJsonObject, textOf } from '../util/json.ts';
import { costText, limitTexts, whyOverBudget } from '../views/budget-words.ts';
import { decideCommand } from './failure-text.ts';
import {
  countGone,
  countNoted,
  rechecksOf,
  pendingPosts,
  plannedAddress,
  sendsChanges,
  summarise,
} from '../views/plan-summary.ts';
import { placeText, reasonLines } from './reason-text.ts';
import type { Style } from './style.ts';

const SYMBOLS = {
  create: ['  +', 'green'],
  update: ['  ~', 'yellow'],
  replace: ['-/+', 'magenta'],
  delete: ['  -', 'red'],
  move: ['  >', 'cyan'],
  resume: ['  …', 'cyan'],
  blocked: ['  !', 'cyan'],
} as const satisfies Record<Action, [string, keyof Style]>;

/** The campaign of a plan: finds lines of its manifest, and names it on the command line. */
export interface PlannedCampaign {
  readonly locate: Locate;
  readonly target: string;
}

export const LEFT_ALONE = 'left alone: the manifest no longer names it';

/** A symbol and an address on each line, causes below, the sum at the end. */
export function planText(plan: Plan, campaign: PlannedCampaign, style: Style): string {
  const nodes = plan.nodes.filter((node) => !kindHas(node, 'stored', 'files'));
  const moved = ({ from, to }: Move) => `  ${style.cyan(SYMBOLS.move[0])} ${inertText(`${from} → ${to}`)}`;
  const planned = [
    ...plan.moves.map(moved),
    ...nodes.map((node) => nodeEntry(node, campaign.locate, style)),
    ...plan.fileMoves.map(moved),
    ...plan.kept.map(({ address, why, reasons }) => {
      const words = why === 'never' ? 'kept: regenerate: never' : 'kept: approved';
      const head = `  ${style.green('  ✓')} ${address}  ${style.green(words)}`;
      return head + causesBelow(reasons, campaign.locate, style);
    }),
  ];
  const beyond = plan.beyondBudget.map(
    (address) =>
      `  ${style.yellow(SYMBOLS.blocked[0])} ${address} ${style.yellow('does not fit the budget')}`,
  );
  const leftAlone = leftAloneEntries(plan).map(([address, why]) => `  ${style.dim(`  ${address} ${why}`)}`);
  const entries = linesOf(planned) + linesOf(beyond) + openText(plan, campaign, style) + linesOf(leftAlone);
  return `${entries ? `${entries}\n` : ''}${planLine(plan, style)}\n`;
}

/** What the manifest no longer names, and what becomes of it. */
export function leftAloneEntries({
  leftAlone,
  deletions,
}: Plan): (readonly [address: string, why: string])[] {
  const stays = new Map(deletions?.stays.map(({ address, why }) => [address, `stays: ${why}`]));
  const withheld = deletions?.withheld ?? [];
  const listed = new Set(withheld.flatMap(({ address, payload }) => [address, ...payload.posts.map(itemOf)]));
  return leftAlone.flatMap((address) =>
    listed.has(address) ? [] : [[address, stays.get(address) ?? LEFT_ALONE]],
  );
}

function itemOf(take: Address): Address {
  return splitTake(take).address;
}

/** As `planText`, of a plan that only polls and downloads. */
export function waitText(plan: Plan, campaign: PlannedCampaign, style: Style): string {
  const polls = plan.nodes.filter((node) => kindHas(node, 'stored', 'take'));
  const entries =
    linesOf(polls.map((node) => nodeEntry(node, campaign.locate, style))) + openText(plan, campaign, style);
  const open = openWords(plan).join(', ');
  const idle = open ? `Nothing is pending; ${open}.` : style.green('Nothing is pending.');
  return `${entries ? `${entries}\n` : ''}${plan.nodes.isEmpty ? idle : `${style.bold('Wait:')} ${open}.`}\n`;
}

/** A plan for `--quiet`: what needs a decision, and the sum unless nothing changes. */
export function quietPlanText(plan: Plan, campaign: PlannedCampaign, style: Style): string {
  const sum = changes(plan) || openWords(plan).length ? `${planLine(plan, style)}\n` : '';
  return openText(plan, campaign, style) + sum;
}

/** What no later run resolves by itself. */
export function openText(plan: Plan, { locate, target }: PlannedCampaign, style: Style): string {
  const held = style.yellow('left as it is: replacing a finished post needs --yes');
  const excess = plan.beyondBudget.length ? undefined : whyOverBudget(plan);
  const advice = 'apply requests none of them; with --within-budget it requests what fits';
  return linesOf([
    ...(excess === undefined ? [] : [`  ${style.red(`! over budget: ${inertText(excess)}`)}; ${advice}`]),
    ...plan.held.map(({ address, reasons }) => {
      const head = `  ${style.magenta(SYMBOLS.replace[0])} ${address}  ${held}`;
      return head + causesBelow(reasons, locate, style);
    }),
    ...withheldEntries(plan, style),
    ...plan.failed.map((noted) => notedEntry(noted.isGone ? 'is gone' : 'failed', noted, { locate, style })),
    ...plan.unknown.map((noted) => {
      const way = `\n        decide: ${decideCommand(noted.address, target)}`;
      return `${notedEntry('unknown', noted, { locate, style })}${style.dim(way)}`;
    }),
  ]);
}

const WHY_WITHHELD: Readonly<Record<NonNullable<Deletions['because']>, string>> = {
  unasked: 'left as it is: deleting needs --yes',
  'too-many': 'left as it is: these are more than --max-deletes allows',
  'most-products-gone': 'left as it is: most known products are gone',
};

function withheldEntries({ deletions }: Plan, style: Style): string[] {
  if (!deletions?.because) return [];
  const why = style.yellow(WHY_WITHHELD[deletions.because]);
  return deletions.withheld.map(({ address }) => `  ${style.red(SYMBOLS.delete[0])} ${address}  ${why}`);
}

function linesOf(entries: readonly string[]): string {
  return entries.map((entry) => `${entry}\n`).join('');
}

/** `Plan: …`, or `No changes.` when nothing is to be sent and nothing is open. */
export function planLine(plan: Plan, style: Style): string {
  if (!changes(plan)) {
    const open = openWords(plan);
    return open.length ? `No changes; ${open.join(', ')}.` : style.green('No changes.');
  }
  const { create, update, replace, delete: deleted, move } = summarise(plan);
  const moves = move ? `, ${move} to move` : '';
  const posts = [
    [count(plan.newPosts, 'new post'), ...costWords(plan)].join(', '),
    ...(plan.cost ? limitTexts(plan.cost) : []),
  ].join('; ');
  const left = plan.held.length === 1 ? 'it is' : 'they are';
  const rest = [
    ...nonZero([[plan.held.length, `finished left as ${left}`]]),
    ...nonZero([[plan.deletions?.withheld.length ?? 0, 'not deleted']]),
    openPosts(plan, 0).join(', '),
    ...nonZero([
      [plan.beyondBudget.length, 'over budget'],
      [plan.notSelected, 'not selected'],
    ]),
  ];
  const sentences = rest.flatMap((words) => (words ? [` ${words}.`] : []));
  return `${style.bold('Plan:')} ${create} to create, ${update} to update, ${replace} to replace, ${deleted} to delete${moves}. ${posts}.${sentences.join('')}`;
}

function costWords({ newPosts, cost }: Plan): string[] {
  const text = newPosts && cost ? costText(cost) : undefined;
  return text === undefined ? [] : [text];
}

function changes(plan: Plan): boolean {
  const { moves, fileMoves, held, deletions } = plan;
  const lists = [moves, fileMoves, held, deletions?.withheld ?? []];
  return sendsChanges(plan) || lists.some(({ length }) => length > 0);
}

function openWords(plan: Plan): string[] {
  return [
    ...openPosts(plan, downloadsAlone(plan)),
    ...nonZero([
      [plan.beyondBudget.length, 'over budget'],
      [plan.notSelected, 'not selected'],
    ]),
  ];
}

function downloadsAlone(plan: Plan): number {
  const downloads = plan.nodes.filter((node) => kindHas(node, 'stored', 'files')).length;
  return Math.max(0, downloads - pendingPosts(plan) - rechecksOf(plan).length - blockedPosts(plan));
}

function blockedPosts({ nodes }: Plan): number {
  return nodes.filter((node) => kindHas(node, 'stored', 'take') && node.action === 'blocked').length;
}

function openPosts(plan: Plan, downloads: number): string[] {
  return nonZero([
    [pendingPosts(plan), 'pending'],
    [downloads, 'to download'],
    [countNoted(plan.failed) - countGone(plan), 'failed'],
    [countGone(plan), 'gone'],
    [rechecksOf(plan).length, 'to recheck'],
    [countNoted(plan.unknown), 'unknown'],
    [blockedPosts(plan), 'blocked'],
  ]);
}

function nodeEntry(node: PlannedNode, locate: Locate, style: Style): string {
  const [symbol, colour] = SYMBOLS[node.action];
  // A request is not counted, but its posts are: it is listed above them without a symbol.
  const sign = kindHas(node, 'counted', 'never') ? '   ' : style[colour](symbol);
  const head = `  ${sign} ${plannedAddress(node)}${style.dim(about(node))}`;
  const reasons = node.reasons.filter(({ summary, field }) => field !== undefined || summary !== 'new');
  return head + causesBelow(reasons, locate, style);
}

function causesBelow(reasons: readonly Reason[], locate: Locate, style: Style): string {
  return reasonLines(reasons, locate, style)
    .map((line) => `\n        ${line}`)
    .join('');
}

function about(node: PlannedNode): string {
  if (isDeletion(node))
    return node.payload.posts.length ? `  with ${count(node.payload.posts.length, 'post')}` : '';
  if (kindHas(node, 'localFiles', 'reads'))
    return `  ${inertText(node.payload.file)}, ${megabytes(node.payload.bytes)}`;
  if (kindHas(node, 'stored', 'request'))
    return `  one request, ${count(node.payload.numberOfPosts, 'post')}`;
  if (!kindHas(node, 'stored', 'take') || node.action !== 'create') return '';
  const { post_type: type, metadata } = node.inputs ?? {};
  const ratio = isJsonObject(metadata) ? textOf(metadata['aspect_ratio']) : '';
  return `  ${inertText(`${textOf(type)} ${ratio}`)}`;
}

function notedEntry(
  what: 'failed' | 'is gone' | 'unknown',
  { address, problem, evidence, source }: Noted,
  { locate, style }: { locate: Locate; style: Style },
): string {
  const cause = problem ?? evidence;
  const detail = cause ? `: ${inertText([cause.summary, cause.detail].filter(Boolean).join('. '))}` : '';
  const place = style.dim(placeText(source, locate));
  return `  ${style.red(SYMBOLS.blocked[0])} ${address} ${style.red(what)}${detail}${place}`;
}

function megabytes(bytes: number): string {
  return bytes < 1e5 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
