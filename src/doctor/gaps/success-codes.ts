import { type Check, ok } from '../check.ts';
import type { Context } from '../context.ts';

export const successCodes: Check<Context> = {
  id: 'success_codes',
  async look(context) {
    const { observed } = await context.ask();
    const seen = [...new Set(observed.map(({ status }) => status).filter((status) => status < 300))];
    return ok(`any 2xx is a success${seen.length ? `; seen: ${seen.join(', ')}` : ''}`);
  },
};
