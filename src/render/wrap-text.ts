import { displayWidth } from './display-width.ts';

/** The beginning of the first line and of the others, and the number of cells in a line. */
interface Wrapping {
  readonly columns: number;
  readonly first?: string;
  readonly others?: string;
}

/** Breaks lines between words; a word that is longer than a line stays whole. */
export function wrapText(text: string, { columns, first = '', others = '' }: Wrapping): string[] {
  const lines: string[] = [];
  let indent = first;
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line ? `${line} ${word}` : word;
    if (line && displayWidth(indent + longer) > columns) {
      lines.push(indent + line);
      indent = others;
      line = word;
    } else line = longer;
  }
  return [...lines, indent + line];
}
