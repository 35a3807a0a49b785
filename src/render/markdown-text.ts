import { inertText } from '../util/inert-text.ts';

/**
 * Text of others as code: in it no code host looks for mentions, references, links, HTML, formulas or emoji, as they do in
 * escaped text (a mention with a backslash before it still notifies somebody). A `|` would end the cell of a table,
 * whatever stands around it, so it stands between two pieces of code.
 */
export function codeText(text: string, maxLength?: number): string {
  const inert = inertText(text, maxLength);
  return inert
    .split(/(\|+)/)
    .map((piece) => (piece.startsWith('|') ? '&#124;'.repeat(piece.length) : span(piece)))
    .join('');
}

/** The fence is longer than every run of backticks inside. */
function span(text: string): string {
  if (!text.trim()) return text;
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const gap = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${fence}${gap}${text}${gap}${fence}`;
}

/** A part of a text that is shown as far as there is room: the frame always, the rows from the first one on. */
export interface Block {
  readonly title: string;
  /** Which block gets room before others; those that are last may be left out as a whole. */
  readonly rank: (typeof RANKS)[number];
  /** What the title of folded rows says. */
  readonly folded: 'all' | 'after ten';
  /** Above the rows of a table; absent for a list. */
  readonly tableHead?: string;
  readonly rows: readonly string[];
  /** How many there are; `rows` may be fewer. */
  readonly total: number;
  /** What `total` counts: `more posts`. */
  readonly noun: string;
}

const VISIBLE = 10;
const RANKS = ['first', 'normal', 'last'] as const;

/**
 * As many rows of each block as fit into `room` characters together. What is first takes what it needs; of the others,
 * short ones are whole before long ones get more.
 */
export function blocksText(blocks: readonly Block[], room: number): { text: string; isCut: boolean } {
  const byRank = RANKS.flatMap((rank) => blocks.filter((block) => block.rank === rank));
  const rowsOf = new Map<Block, number>();
  let left = room - LAST_SENTENCE;
  for (const block of byRank) {
    const frame = blockText(block, [], 'reserve').length;
    if (frame > left) break;
    rowsOf.set(block, 0);
    left -= frame;
  }
  const framed = byRank.filter((block) => rowsOf.has(block));
  const isFirst = ({ rank }: Block) => rank === 'first';
  const bySize = framed
    .filter((block) => !isFirst(block))
    .map((block) => ({ block, length: lengthOf(block.rows) }))
    .toSorted((a, b) => a.length - b.length);
  const turns = [...framed.filter(isFirst), ...bySize.map(({ block }) => block)];
  for (const [index, block] of turns.entries()) {
    const share = isFirst(block) ? left : Math.floor(left / (turns.length - index));
    const fitting = fittingRows(block.rows, share);
    rowsOf.set(block, fitting.count);
    left -= fitting.length;
  }
  const texts = blocks.flatMap((block) => {
    const rows = rowsOf.get(block);
    return rows === undefined ? [] : [blockText(block, block.rows.slice(0, rows), 'exact')];
  });
  const missing = blocks.filter((block) => !rowsOf.has(block));
  if (missing.length) {
    const entries = missing.reduce((sum, { total }) => sum + total, 0);
    texts.push(`\n… and ${missing.length} more lists with ${entries} entries.\n`);
  }
  const isCut = missing.length > 0 || framed.some((block) => (rowsOf.get(block) ?? 0) < block.total);
  return { text: texts.join(''), isCut };
}

const LAST_SENTENCE = 80;

function fittingRows(rows: readonly string[], room: number): { count: number; length: number } {
  let length = 0;
  const first = rows.findIndex((row) => {
    if (length + row.length + 1 > room) return true;
    length += row.length + 1;
    return false;
  });
  return { count: first < 0 ? rows.length : first, length };
}

function lengthOf(rows: readonly string[]): number {
  return rows.reduce((sum, row) => sum + row.length + 1, 0);
}

/** With blank lines around all that is Markdown: without them it would be taken as a part of the HTML. */
function blockText(
  { title, folded, tableHead, rows: all, total, noun }: Block,
  rows: readonly string[],
  how: 'exact' | 'reserve',
): string {
  const isReserved = how === 'reserve';
  const visible = folded === 'after ten' && (isReserved || all.length > VISIBLE + 2) ? VISIBLE : rows.length;
  const listed = (some: readonly string[]) =>
    some.length || isReserved ? `${tableHead ?? ''}${some.map((row) => `${row}\n`).join('')}\n` : '';
  const hidden = rows.slice(visible);
  const isFolded = folded === 'after ten' && (hidden.length > 0 || isReserved);
  const more = isFolded
    ? `<details><summary>${hidden.length || total} ${noun}</summary>\n\n${listed(hidden)}</details>\n\n`
    : '';
  const left = total - rows.length;
  const rest = left ? `… and ${left} ${noun}.\n\n` : '';
  if (folded === 'all') return `\n<details><summary>${title}</summary>\n\n${listed(rows)}${rest}</details>\n`;
  const text = `\n#### ${title}\n\n${listed(rows.slice(0, visible))}${more}${rest}`;
  return `${text.trimEnd()}\n`;
}
