/** The lines of a text, computed when the first place is asked for; offsets and columns are in UTF-16 units. */
export interface TextLines {
  /** Line and column of an offset, from 1. */
  at(offset: number): { line: number; column: number };
  /** Offset of the end of a line, its line break not counted. */
  end(line: number): number;
  /** A line without its end. */
  text(line: number): string;
}

export function createTextLines(text: string): TextLines {
  let found: number[] | undefined;
  const starts = () => (found ??= lineStarts(text));
  return {
    at(offset) {
      const line = lastNotAfter(starts(), offset);
      return { line: line + 1, column: offset - (starts()[line] ?? 0) + 1 };
    },
    end: (line) => (starts()[line] ?? text.length + 1) - 1,
    text(line) {
      return text.slice(starts()[line - 1], this.end(line)).replace(/\r$/, '');
    },
  };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** Index of the last of the sorted numbers that is at most `value`. */
function lastNotAfter(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((sorted[middle] ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
