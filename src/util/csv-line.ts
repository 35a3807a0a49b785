/** Spreadsheets take a cell that begins like this for a formula, also where it is quoted. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * A line of CSV as RFC 4180 has it. A cell that a spreadsheet would run as a formula begins with `'`, which makes it a text
 * there.
 */
export function csvLine(cells: readonly (string | number | boolean | null)[]): string {
  const texts = cells.map((cell) => {
    const text = String(cell ?? '');
    const inert = FORMULA.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
  });
  return `${texts.join(',')}\r\n`;
}
