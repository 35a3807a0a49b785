import { inertText } from '../util/inert-text.ts';

/** Columns padded to their widest cell, two spaces between; nothing for no rows. */
export function tableText(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (!rows.length) return '';
  const table = [
    head.map((name) => name.toUpperCase()),
    ...rows.map((row) => row.map((cell) => inertText(cell))),
  ];
  const widths = head.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
