import { LineCounter } from 'yaml';

/** The lines of a text, computed when the first place is asked for; offsets and columns are in UTF-16 units. */
export interface TextLines {
  /** Line and column of an offset, from 1. */
  at(offset: number): { line: number; column: number };
  /** Offset of the end of a line, its line break not counted. */
  end(line: number): number;
  text(line: number): string;
}

export function createTextLines(text: string): TextLines {
  let found: LineCounter | undefined;
  const counter = () => (found ??= countLines(text));
  const startOf = (line: number) => counter().lineStarts[line - 1];
  const end = (line: number) => (startOf(line + 1) ?? text.length + 1) - 1;
  return {
    at(offset) {
      const { line, col } = counter().linePos(offset);
      return { line, column: col };
    },
    end,
    text: (line) => text.slice(startOf(line), end(line)).replace(/\r$/, ''),
  };
}

function countLines(text: string): LineCounter {
  const counter = new LineCounter();
  counter.addNewLine(0);
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) counter.addNewLine(at + 1);
  return counter;
}
