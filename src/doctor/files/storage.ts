import { type Check, ok, refusal } from '../check.ts';
import type { Context } from '../context.ts';

/** Only where one is named. */
export const storage: Check<Context> = {
  id: 'storage',
  async look({ tryStorage }) {
    const tried = await tryStorage();
    return tried.ok ? ok(`${tried.value} can be written to and read`) : refusal(tried.error);
  },
};
