/** What spreadsheets write into cells in the place of what was meant. */

/** A spreadsheet exports these in its own language: `#REF!` is `#BEZUG!` in German, `#N/A` is `#NV`, and `#N/D` in Italian. */
const FAILED_FORMULA = /^(?:#(?:\p{L}\/\p{L}!?|NV|GETTING_DATA|[¡¿]?[\p{Lu}/0]+[!?])|Err:\d{3})$/u;

/** Why nobody would have written this text by hand; undefined for any other. */
export function whatSpreadsheetsDo(text: string): string | undefined {
  if (FAILED_FORMULA.test(text))
    return `"${text}" is what a spreadsheet shows where a formula failed. Correct the formula, and export the table again.`;
  if (/^#{3,}$/.test(text))
    return `"${text}" is what a spreadsheet shows where a column is too narrow. Widen the column, and export the table again.`;
  if (/^[+-]?\d+(?:[.,]\d+)?e[+-]\d+$|^[+-]?\d+[.,]\d+e\d+$/i.test(text))
    return `"${text}" is how a spreadsheet shortens a long number, so digits are lost. Give the column the format "text" in the spreadsheet, enter the number again, and export the table again.`;
  return undefined;
}
