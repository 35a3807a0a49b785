import type { UnverifiedFile } from '../model/run-event.ts';
import { groupBy } from '../util/group-by.ts';
import { inertText } from '../util/inert-text.ts';

const SHOWN = 5;

/** A line for each reason, with its files; `outputs --json` has them all. */
export function unverifiedLines(files: readonly UnverifiedFile[]): string[] {
  const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  return [...groupBy(sorted, ({ why }) => why)].map(([why, alike]) => {
    const named = alike.slice(0, SHOWN).map(({ path }) => path);
    const more = alike.length > SHOWN ? ` and ${alike.length - SHOWN} more` : '';
    const are = alike.length === 1 ? 'is' : 'are';
    const text = `${named.join(', ')}${more} ${are} kept unverified: ${why}. Two fetches gave the same bytes; look before you use them.`;
    return inertText(text);
  });
}
