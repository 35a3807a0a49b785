import type { PlanCost } from '../model/plan-cost.ts';
import { count, nonZero } from '../util/count.ts';
import { inertText } from '../util/inert-text.ts';
import { limitTexts } from '../views/budget-words.ts';
import { type Coverage, type PostCounts, sumOf } from '../views/coverage.ts';
import { openFailures, groupFailures } from '../views/failure-groups.ts';
import type { NodeRow } from '../views/list-nodes.ts';
import { notesOf } from '../views/count-words.ts';
import type { NextStep } from '../views/next-steps.ts';
import type { SettledPeriod } from '../views/settled.ts';
import type { FailedCampaign } from './failure-text.ts';
import { causeLines, type StatusRoom } from './status-causes.ts';
import { wrapText } from './text-columns.ts';

export interface ShownStatus {
  readonly coverage: Coverage;
  readonly settled?: readonly SettledPeriod[];
  readonly cost?: PlanCost | undefined;
  readonly running?: string | undefined;
  readonly next?: readonly NextStep[];
  readonly nodes?: readonly NodeRow[] | undefined;
  /** The present period of each post plan with `every`. */
  readonly periods?: Readonly<Record<string, string>> | undefined;
}

/** Post plans, what stands out, the sum, what to do next. Where there is no room for all, the rest is counted. */
export function statusLines(status: ShownStatus, campaign: FailedCampaign, room: StatusRoom): string[] {
  const { coverage } = status;
  const ends = [...sumLines(status, room), ...nextLines(status.next ?? [], room)];
  const groups = groupFailures(openFailures(coverage));
  const left = Math.max(4, room.lines - ends.length - (groups.length ? 2 : 1));
  const rows = planRows(status, { ...room, lines: Math.max(left - groups.length, Math.ceil(left / 2)) });
  const causes = causeLines(groups, campaign, { ...room, lines: left - rows.length });
  return [rows, causes, ends]
    .filter(({ length }) => length > 0)
    .flatMap((part, index) => (index ? ['', ...part] : part));
}

type Counted = PostCounts & { readonly name: string };

/** Where not all have room, those of which something is open are shown, and of these first what is paid again. */
function planRows(status: ShownStatus, room: StatusRoom): string[] {
  const { coverage, periods = {}, nodes } = status;
  const plans = coverage.post_plans.map(({ post_plan: key, ...counts }): Counted => {
    const period = periods[key];
    return { name: period === undefined ? key : `${key}/${period}`, ...counts };
  });
  const texts = plans.map((plan) => planRow(plan, plans, room));
  const height = texts.reduce((sum, lines) => sum + lines.length, 0);
  if (nodes) return withNodes(coverage, nodes, texts);
  if (height <= room.lines) return texts.flat();
  const shown = new Set<number>();
  let left = room.lines - 1 - NOTES_MOST;
  for (const place of [...plans.keys()].sort((a, b) => rankOf(plans[a]) - rankOf(plans[b]) || a - b)) {
    left -= texts[place]?.length ?? 0;
    if (left < 0) break;
    shown.add(place);
  }
  const rest = plans.filter((_, place) => !shown.has(place));
  const { items, done } = sumOf(rest);
  const more = `and ${count(rest.length, 'more post plan')}, ${done}/${items}`;
  return [
    ...texts.flatMap((lines, place) => (shown.has(place) ? lines : [])),
    ...noted('…', more, { notes: notesOf(sumOf(rest)), columns: room.columns }),
  ];
}

/** So many lines may the counts of what has no room take. */
const NOTES_MOST = 2;

function rankOf(plan: PostCounts | undefined): number {
  if (!plan) return 9;
  const { outdated, rejected, failed, unknown, pending } = plan;
  const ranks = [outdated + rejected, failed + unknown, pending, isWhole(plan) ? 0 : 1];
  const rank = ranks.findIndex((number) => number > 0);
  return rank < 0 ? ranks.length : rank;
}

function isWhole({ done, given_up, items, outdated, rejected }: PostCounts): boolean {
  return done + given_up >= items && outdated + rejected === 0;
}

/** `  ✗ grid  70/79  3 out of date, 1 failed` */
function planRow(plan: Counted, all: readonly Counted[], room: StatusRoom): string[] {
  const { style, columns } = room;
  const mark = isWhole(plan)
    ? style.green('✓')
    : plan.failed + plan.unknown > 0
      ? style.red('✗')
      : style.yellow('…');
  const cells = Math.min(widest(all.map(({ name }) => name)), Math.max(8, columns - 24));
  const numbers = `${plan.done}/${plan.items}`;
  return noted(mark, `${fitted(plan.name, cells)}  ${numbers}`, { notes: notesOf(plan), columns });
}

function fitted(name: string, cells: number): string {
  return name.length <= cells ? name.padEnd(cells) : `${name.slice(0, cells - 1)}…`;
}

function widest(names: readonly string[]): number {
  return names.reduce((most, name) => Math.max(most, name.length), 4);
}

/** Notes that do not fit the line stand below it. */
function noted(
  mark: string,
  head: string,
  { notes, columns }: { readonly notes: readonly string[]; readonly columns: number },
): string[] {
  const line = `  ${mark} ${head}`;
  const words = notes.join(', ');
  if (!words) return [line];
  if (4 + head.length + 2 + words.length <= columns) return [`${line}  ${words}`];
  return [line, ...wrapNotes(notes, { columns, first: '      ', others: '      ' })];
}

/** A number and what it counts stay on one line. */
function wrapNotes(notes: readonly string[], room: Parameters<typeof wrapText>[1]): string[] {
  const whole = notes.map((note) => note.replaceAll(' ', '\u00A0')).join(', ');
  return wrapText(whole, room).map((line) => line.replaceAll('\u00A0', ' '));
}

const WORDS: Readonly<Partial<Record<NodeRow['status'], string>>> = {
  given_up: 'given up',
  outdated: 'out of date',
  missing: 'to make',
  unneeded: 'not needed',
};

/** Each post below its post plan; what they build on stands above all of them. */
function withNodes(
  { post_plans: plans }: Coverage,
  nodes: readonly NodeRow[],
  rows: readonly (readonly string[])[],
): string[] {
  const below = new Map(plans.map(({ post_plan: key }) => [key, [] as string[]]));
  const above: string[] = [];
  for (const { address, post, status } of nodes) {
    const lines = post === undefined ? above : below.get(post.split('/', 1)[0] ?? '');
    lines?.push(`${post === undefined ? '  ' : '      '}${address}  ${WORDS[status] ?? status}`);
  }
  const posts = plans.flatMap(({ post_plan: key }, place) => [
    ...(rows[place] ?? []),
    ...(below.get(key) ?? []),
  ]);
  return above.length ? [...above, '', ...posts] : posts;
}

function sumLines(status: ShownStatus, { columns }: StatusRoom): string[] {
  const { coverage, settled = [], cost, running } = status;
  const spent = cost ? limitTexts(cost) : [];
  const parts = [
    `${coverage.done} of ${coverage.posts} posts done`,
    ...nonZero([
      [coverage.outdated, 'out of date'],
      [coverage.kept, 'kept as made'],
      [coverage.approved, 'approved'],
      [coverage.rejected, 'rejected'],
      [coverage.approved + coverage.rejected && coverage.undecided, 'undecided'],
      [coverage.pending - coverage.to_download, 'pending'],
      [coverage.to_download, 'to download'],
      [coverage.failed, 'failed'],
      [coverage.unknown, 'unknown'],
      [coverage.given_up, 'given up'],
      [coverage.blocked, 'blocked'],
      [coverage.missing - coverage.blocked, 'to request'],
      [coverage.files_missing, 'without files here'],
    ]),
  ];
  const periods = settled.slice(0, SETTLED_MOST).map(settledLine);
  const more = settled.length - periods.length;
  const sentences = [
    ...periods,
    ...(more ? [`… and ${count(more, 'more settled period')} with something open.`] : []),
    ...(spent.length ? [`Budget: ${spent.join('; ')}.`] : []),
    ...(running === undefined ? [] : [`At work now: ${inertText(running)}.`]),
  ];
  return [
    ...wrapNotes([...parts.slice(0, -1), `${parts.at(-1)}.`], { columns, others: '  ' }),
    ...sentences.flatMap((line) => wrapText(line, { columns, others: '  ' })),
  ];
}

const SETTLED_MOST = 6;

/** A period that is over, in which something is open. */
function settledLine({ post, period, pending, failed }: SettledPeriod): string {
  const open = nonZero([
    [pending, 'pending'],
    [failed, 'failed'],
  ]);
  return `Settled: ${post} ${period}: ${open.join(', ')}.`;
}

/** Commands stand by themselves, so that they can be copied. */
export function nextLines(
  steps: readonly Pick<NextStep, 'command' | 'does'>[],
  { columns, style }: Pick<StatusRoom, 'columns' | 'style'>,
): string[] {
  if (!steps.length) return [];
  const cells = widest(steps.map(({ command }) => command));
  const fits = steps.every(({ does }) => cells + does.length + 4 <= columns);
  const lines = steps.flatMap(({ command, does }) =>
    fits
      ? [`  ${style.bold(command.padEnd(cells))}  ${does}`]
      : [`  ${style.bold(command)}`, ...wrapText(does, { columns, first: '      ', others: '      ' })],
  );
  return ['', 'Next:', ...lines];
}
