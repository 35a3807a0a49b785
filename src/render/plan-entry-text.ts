/** One line of a plan, with its causes below. */
import { kindHas } from '../model/kinds.ts';
import { isDeletion, type PlannedNode, type Reason } from '../model/plan.ts';
import { GENERATION_FAILED } from '../model/problem.ts';
import type { Locate } from '../model/source.ts';
import { count } from '../util/count.ts';
import { inertText } from '../util/inert-text.ts';
import { isJsonObject, textOf } from '../util/json.ts';
import { decideCommand } from '../views/failure-groups.ts';
import { toldReasons } from '../views/plan-causes.ts';
import type { PlanEntry, Sign } from '../views/plan-entries.ts';
import type { PlanRow } from '../views/plan-rows.ts';
import { placeText, reasonLines } from './reason-text.ts';
import { causeText } from '../views/cause-words.ts';
import type { Style } from './style.ts';

/** The campaign of a plan: finds lines of its manifest, and names it on the command line. */
export interface PlannedCampaign {
  readonly locate: Locate;
  readonly target: string;
  /** The command that shows a plan with every line. */
  readonly everyLine?: string;
  /** Of its budget. */
  readonly currency?: string | undefined;
  readonly isPriced?: boolean;
}

type Alike = Extract<PlanRow, { type: 'alike' }>;

export const SYMBOLS = {
  create: ['  +', 'green'],
  again: ['  +', 'green'],
  update: ['  ~', 'yellow'],
  replace: ['-/+', 'magenta'],
  held: ['-/+', 'magenta'],
  'held-up': ['  +', 'green'],
  delete: ['  -', 'red'],
  withheld: ['  -', 'red'],
  move: ['  >', 'cyan'],
  'rename-file': ['  >', 'cyan'],
  resume: ['  …', 'cyan'],
  recheck: ['  …', 'cyan'],
  blocked: ['  !', 'cyan'],
  'beyond-budget': ['  !', 'yellow'],
  kept: ['  ✓', 'green'],
  gone: ['  !', 'red'],
  failed: ['  !', 'red'],
  unknown: ['  !', 'red'],
  // A request is not counted, but its posts are: it is listed above them without a symbol.
  request: ['   ', 'dim'],
  'left-alone': ['   ', 'dim'],
} as const satisfies Record<Sign, [string, keyof Style]>;

export const WHY_WITHHELD: Readonly<Record<string, string>> = {
  unasked: 'left as it is: deleting needs --yes',
  'too-many': 'left as it is: these are more than --max-deletes allows',
  'most-products-gone': 'left as it is: most known products are gone',
};

/** What needs consent, by its sign: of one post, and of several. */
export const WHY_HELD: Readonly<Partial<Record<Sign, readonly [one: string, many: string]>>> = {
  held: [
    'left as it is: replacing a finished post needs --yes',
    'left as they are: replacing finished posts needs --yes',
  ],
  'held-up': [
    'held up: requesting it as a new post needs --yes',
    'held up: requesting them as new posts needs --yes',
  ],
};

export const WHY_KEPT: Readonly<Record<string, string>> = {
  approved: 'kept: approved',
  never: 'kept: regenerate: never',
};

export function entryText(entry: PlanEntry, campaign: PlannedCampaign, style: Style): string {
  const [why] = WHY_HELD[entry.sign] ?? [];
  const left = why === undefined ? '' : `  ${style.yellow(why)}`;
  const causes = causesBelow(toldReasons(entry.reasons), campaign.locate, style);
  return `${lineText(entry, campaign, style)}${left}${causes}`;
}

/** Each in its line, and below all of them the causes that they share. */
export function alikeText({ first, entries }: Alike, campaign: PlannedCampaign, style: Style): string {
  const lines = entries.map((entry) => lineText(entry, campaign, style));
  const [, why] = WHY_HELD[first.sign] ?? [];
  const left = why === undefined ? '' : ` ${style.yellow(`${why.replace(/: (.*)/, ' ($1)')},`)}`;
  const these = `${style.dim(`these ${entries.length}`)}${left}`;
  return `${lines.join('\n')}\n        ${these} ${style.dim('because:')}${causesBelow(sharedReasons(first, entries), campaign.locate, style, '  ')}`;
}

/** One cause may be in another field of each: the product that changed is the first of one post, and the second of another. */
function sharedReasons({ reasons }: PlanEntry, entries: readonly PlanEntry[]): readonly Reason[] {
  return toldReasons(reasons).map((reason, index) => {
    const { field, ...others } = reason;
    const isOne = entries.every((entry) => toldReasons(entry.reasons)[index]?.field === field);
    return isOne ? reason : others;
  });
}

function lineText(entry: PlanEntry, campaign: PlannedCampaign, style: Style): string {
  const { sign, address, node, why = '' } = entry;
  const [symbol, colour] = SYMBOLS[sign];
  const head = `  ${style[colour](symbol)} `;
  switch (sign) {
    case 'move':
    case 'rename-file':
      return `${head}${inertText(`${entry.from} → ${address}`)}`;
    case 'kept':
      return `${head}${address}  ${style.green(WHY_KEPT[why] ?? why)}`;
    case 'beyond-budget':
      return `${head}${address} ${style.yellow('does not fit the budget')}`;
    case 'held':
    case 'held-up':
      return `${head}${address}`;
    case 'withheld':
      return `${head}${address}  ${style.yellow(WHY_WITHHELD[why] ?? why)}`;
    case 'left-alone':
      return `  ${style.dim(`  ${address} ${why}`)}`;
    case 'gone':
    case 'failed':
    case 'unknown':
      return head + notedText(entry, campaign, style);
    case 'create':
    case 'again':
    case 'update':
    case 'replace':
    case 'delete':
    case 'resume':
    case 'recheck':
    case 'blocked':
    case 'request':
      return `${head}${node ? nodeText(node, address, style) : address}`;
  }
}

function nodeText(node: PlannedNode, address: string, style: Style): string {
  // People know photos by their paths.
  if (kindHas(node, 'localFiles', 'reads')) {
    const { file, bytes } = node.payload;
    return `${inertText(file)}${style.dim(`  ${address}, ${megabytes(bytes)}`)}`;
  }
  return `${address}${style.dim(about(node))}`;
}

function about(node: PlannedNode): string {
  if (isDeletion(node))
    return node.payload.posts.length ? `  with ${count(node.payload.posts.length, 'post')}` : '';
  if (kindHas(node, 'stored', 'request'))
    return `  one request, ${count(node.payload.numberOfPosts, 'post')}`;
  if (!kindHas(node, 'stored', 'take') || node.action !== 'create') return '';
  const { post_type: type, metadata } = node.inputs ?? {};
  const ratio = isJsonObject(metadata) ? textOf(metadata['aspect_ratio']) : '';
  return `  ${inertText(`${textOf(type)} ${ratio}`)}`;
}

function causesBelow(reasons: readonly Reason[], locate: Locate, style: Style, indent = ''): string {
  return reasonLines(reasons, locate, style)
    .map((line) => `\n        ${indent}${line}`)
    .join('');
}

function notedText(
  { sign, address, noted }: PlanEntry,
  { locate, target }: PlannedCampaign,
  style: Style,
): string {
  const place = style.dim(placeText(noted?.source, locate));
  const way = sign === 'unknown' ? style.dim(`\n        decide: ${decideCommand(address, target)}`) : '';
  return `${address} ${style.red(sign === 'gone' ? 'is gone' : sign)}${notedDetail(noted)}${place}${way}`;
}

export function notedDetail(noted: PlanEntry['noted']): string {
  const cause = noted?.problem ?? noted?.evidence;
  if (!cause) return '';
  if (cause.summary === GENERATION_FAILED) return `: ${causeText(cause)}`;
  return `: ${inertText([cause.summary, cause.detail].filter(Boolean).join('. '))}`;
}

export function megabytes(bytes: number): string {
  return bytes < 1e5 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
