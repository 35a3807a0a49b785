import stringWidth from 'string-width';
import type { Style } from './style.ts';
import { wrapText } from './text-columns.ts';

export interface Screen {
  readonly columns: number;
  readonly rows: number;
  readonly style: Style;
  readonly isUnicode: boolean;
}

export const LABEL_CELLS = 10;
/** A narrower terminal has room for words or for bars. */
export const NARROW = 60;

export function truncation({ isUnicode }: Screen) {
  return { truncationCharacter: isUnicode ? '…' : '~' };
}

/** What is said of a part; `paint` is put on after the lines are broken. */
export interface Note {
  readonly text: string;
  readonly paint?: Style['red'];
}

export function label(name: string): string {
  return `  ${name.padEnd(LABEL_CELLS)}`;
}

/** The notes behind a head; those that do not fit stand below, as far to the right as there is room for them. */
export function noteLines(
  head: string,
  notes: readonly Note[],
  { columns, between }: Pick<Screen, 'columns'> & { readonly between: string },
): string[] {
  const indent = columns < NARROW ? label('') : ' '.repeat(stringWidth(head));
  const lines = [{ text: head, cells: stringWidth(head) }];
  let gap = '';
  for (const { text, paint = String } of notes) {
    const last = lines.at(-1);
    if (last && last.cells + gap.length + text.length <= columns) {
      last.text += gap + paint(text);
      last.cells += gap.length + text.length;
    } else
      for (const piece of wrapText(text, { columns: columns - indent.length }))
        lines.push({ text: indent + paint(piece), cells: indent.length + piece.length });
    gap = between;
  }
  return lines.map(({ text }) => text.trimEnd());
}

/** A text behind a name, on at most three lines. */
export function textLines(
  name: string,
  text: string,
  { columns }: Screen,
  paint: Style['red'] = String,
): string[] {
  const [first = '', second = '', ...others] = wrapText(text, { columns: columns - label('').length });
  const more = [second, others.join(' ')].filter(Boolean);
  return [label(name) + paint(first), ...more.map((line) => label('') + paint(line))];
}
