import { displayWidth } from './display-width.ts';

/** How lines are broken: what the first and the other lines begin with, and how many cells a line has. */
interface Wrapping {
  readonly columns: number;
  readonly first?: string;
  readonly others?: string;
}

/** Lines that are broken between words; a word that is longer than a line stays whole. */
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
