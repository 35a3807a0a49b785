import cliTruncate from 'cli-truncate';
import stringWidth from 'string-width';
import { inertText } from '../util/inert-text.ts';

/** Cells that a text takes on a terminal. */
export const displayWidth = stringWidth;

/** In a narrower terminal, lines are broken by the terminal itself. */
const NARROWEST = 40;
/** A column is not cut below this, unless it is empty or shorter. */
const SHORTEST = 8;
const GAP = 2;

/** Their ends say what is meant, so they are cut in the middle, and last. */
const ENDS_COUNT: ReadonlySet<string> = new Set(['address', 'path']);

/**
 * Columns padded to their widest cell, two spaces between; empty without rows. `columns`: the width of a terminal, into
 * which a table is cut; where not even the addresses fit, each row is a paragraph. Without it, everything is whole.
 */
export function tableText(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  columns = Number.POSITIVE_INFINITY,
): string {
  if (!rows.length) return '';
  const table = [
    head.map((name) => name.toUpperCase()),
    ...rows.map((row) => row.map((cell) => inertText(cell))),
  ];
  const wanted = head.map((_, column) =>
    table.reduce((widest, row) => Math.max(widest, displayWidth(row[column] ?? '')), 0),
  );
  const room = Math.max(columns, NARROWEST);
  const widths = fitWidths(wanted, head, room - GAP * (head.length - 1));
  const address = head.indexOf('address');
  if ((widths[address] ?? 0) < (wanted[address] ?? 0)) return paragraphs(head, table.slice(1), room);
  const lines = table.map((row) => {
    const cells = row.map((cell, column) => {
      const width = widths[column] ?? 0;
      const position = ENDS_COUNT.has(head[column] ?? '') ? 'middle' : 'end';
      const cut = displayWidth(cell) > width ? cliTruncate(cell, width, { position }) : cell;
      return cut + ' '.repeat(Math.max(0, width - displayWidth(cut)));
    });
    return `${cells.join('  ').trimEnd()}\n`;
  });
  return lines.join('');
}

/** The first cell of each row, and below it the others with their names; a word that is longer than a line stays whole. */
function paragraphs(head: readonly string[], rows: readonly (readonly string[])[], columns: number): string {
  const lines = rows.flatMap(([first = '', ...cells]) => {
    const named = cells.flatMap((cell, index) => (cell ? [`${head[index + 1]} ${cell}`] : []));
    const whole = named.map((part) => part.replaceAll(' ', '\u00A0')).join(', ');
    const below = wrapText(whole, { columns, first: '    ', others: '    ' });
    return [first, ...below.map((line) => line.replaceAll('\u00A0', ' '))];
  });
  return lines.map((line) => `${line}\n`).join('');
}

/** The widest column gives first, cell by cell; addresses give once no other column can. */
function fitWidths(wanted: readonly number[], head: readonly string[], room: number): readonly number[] {
  const widths = [...wanted];
  const isKept = (column: number) => head[column] === 'address';
  const columns = [...widths.keys()];
  for (const candidates of [columns.filter((column) => !isKept(column)), columns.filter(isKept)]) {
    let excess = widths.reduce((sum, width) => sum + width, 0) - room;
    while (excess > 0) {
      const widest = candidates.toSorted((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0))[0];
      const width = widest === undefined ? 0 : (widths[widest] ?? 0);
      if (widest === undefined || width <= SHORTEST) break;
      widths[widest] = width - 1;
      excess -= 1;
    }
  }
  return widths;
}

/**
 * Breaks lines of `columns` cells between words; a word that is longer than a line stays whole. `first` and `others` are
 * what lines begin with; a text with colours needs a `widthOf` that passes over them.
 */
export function wrapText(
  text: string,
  {
    columns,
    first = '',
    others = '',
    widthOf = displayWidth,
  }: { columns: number; first?: string; others?: string; widthOf?: (text: string) => number },
): string[] {
  const lines: string[] = [];
  let indent = first;
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line ? `${line} ${word}` : word;
    if (line && widthOf(indent + longer) > columns) {
      lines.push((indent + line).trimEnd());
      indent = others;
      line = word;
    } else line = longer;
  }
  return [...lines, indent + line];
}
