import type { Range } from './locate.ts';

export interface TableRow {
  /** The text of each column, without space at its ends. */
  readonly cells: readonly string[];
  /** In its file. */
  readonly pointer: string;
}

export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly TableRow[];
  /** Pointer of a cell, by the pointer of its row and the number of its column. */
  readonly cellOf: (row: string, column: number) => string;
  /** Pointer of the name of a column. */
  readonly header: (column: number) => string;
  readonly rangeOf: (pointer: string) => Range;
}

export interface TableMistake {
  readonly detail: string;
  readonly range: Range;
}

/** The text of a cell: git writes the same table with other line ends on Windows, and that is no new text. */
export function cellText(written: string): string {
  return written.replaceAll(/\r\n?/g, '\n').trim();
}
