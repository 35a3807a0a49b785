import { type Check, ok, unknown, warning } from '../check.ts';
import type { Context } from '../context.ts';

/** Much longer than an answer takes, and shorter than the life of any token. */
const TOLERATED_MS = 60_000;

/** Compares this machine's clock with the Date header of an answer. */
export const clock: Check<Context> = {
  id: 'clock',
  needs: ['connection', 'token'],
  async look(context) {
    const { observed } = await context.ask();
    const dated = observed.find(({ date }) => date !== undefined);
    if (dated?.date === undefined) return unknown('the answers of the service have no Date header');
    const ahead = dated.arrivedAt - dated.date;
    if (Math.abs(ahead) < TOLERATED_MS) return ok('agrees with the service');
    const minutes = Math.round(Math.abs(ahead) / 60_000);
    return warning(
      `this machine is ${minutes} min ${ahead > 0 ? 'ahead of' : 'behind'} the service`,
      'Requests do not depend on it, but the times in state, log and reports are wrong: set the clock (NTP).',
    );
  },
};
