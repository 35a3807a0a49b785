import { inertText } from '../util/inert-text.ts';
import { displayWidth } from './display-width.ts';

/** Columns padded to their widest cell, two spaces between; empty without rows. */
export function tableText(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (!rows.length) return '';
  const table = [
    head.map((name) => name.toUpperCase()),
    ...rows.map((row) => row.map((cell) => inertText(cell))),
  ];
  const widths = head.map((_, column) => Math.max(...table.map((row) => displayWidth(row[column] ?? ''))));
  return table
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - displayWidth(cell)))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
