import stringWidth from 'string-width';

/** Narrower terminals break lines themselves. */
const NARROWEST = 40;

/**
 * Breaks lines that are wider than a terminal between words, below their own beginning, and cuts nothing. Without a
 * terminal (`undefined`), lines stay as they are.
 */
export function fitLines(text: string, columns: number | undefined): string {
  if (columns === undefined || columns < NARROWEST) return text;
  return text
    .split('\n')
    .map((line) => (line.length > columns && stringWidth(line) > columns ? broken(line, columns) : line))
    .join('\n');
}

function broken(line: string, columns: number): string {
  const depth = /^ */.exec(line)?.[0].length ?? 0;
  const indent = ' '.repeat(Math.min(depth + 4, columns / 2));
  let text = '';
  let width = 0;
  for (const word of line.split(/(?<= )(?=[^ ])/)) {
    const cells = stringWidth(word);
    if (width > indent.length && width + stringWidth(word.trimEnd()) > columns) {
      text = `${text.trimEnd()}\n${indent}`;
      width = indent.length;
    }
    text += word;
    width += cells;
  }
  return text;
}
