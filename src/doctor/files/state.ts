import { type Check, ok, wrong } from '../check.ts';
import type { Context } from '../context.ts';

/** The log is read and checked line by line; nothing is repaired. */
export const state: Check<Context> = {
  id: 'state',
  look({ opened, store: { name }, emulatorDataGone: gone }) {
    if (!opened.ok) return wrong(opened.error.exit, opened.error.summary, opened.error.detail);
    const { header, known, runs, warnings } = opened.value;
    const [first] = warnings;
    if (gone) return wrong(gone.exit, gone.summary, gone.detail);
    // The summary says what to do.
    if (first !== undefined) return { status: 'warning', summary: first };
    if (!header) return ok(`${name}: none yet, the first apply makes it`);
    const last = runs.at(-1);
    const when = last ? `, last run ${last.startedAt.slice(0, 16).replace('T', ' ')} UTC` : '';
    return ok(`${name}: intact, ${known} known nodes${when}`);
  },
};
