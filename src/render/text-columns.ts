import { inertText } from '../util/inert-text.ts';

/** East Asian characters and emoji, which terminals draw two cells wide; not the halfwidth forms. */
const WIDE =
  /[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}\u3000-\u303E\uFF01-\uFF60\uFFE0-\uFFE6\p{Emoji_Presentation}]/u;
const HALFWIDTH = /[\uFF61-\uFFDC]/;
/** Accents and other marks that are drawn onto the preceding character. */
const MARK = /\p{M}/u;

/** Cells that a text takes on a terminal; it holds no control characters. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    if (MARK.test(character)) continue;
    width += WIDE.test(character) && !HALFWIDTH.test(character) ? 2 : 1;
  }
  return width;
}

/** Columns padded to their widest cell, two spaces between; empty without rows. */
export function tableText(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (!rows.length) return '';
  const table = [
    head.map((name) => name.toUpperCase()),
    ...rows.map((row) => row.map((cell) => inertText(cell))),
  ];
  const widths = head.map((_, column) => Math.max(...table.map((row) => displayWidth(row[column] ?? ''))));
  const lines = table.map((row) => {
    const cells = row.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - displayWidth(cell)));
    return `${cells.join('  ').trimEnd()}\n`;
  });
  return lines.join('');
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
