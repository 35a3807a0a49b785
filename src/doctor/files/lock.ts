import { EXIT } from '../../model/exit.ts';
import { type Check, ok, wrong } from '../check.ts';
import type { Context } from '../context.ts';

export const lock: Check<Context> = {
  id: 'lock',
  async look({ store }) {
    const holder = await store.holder();
    if (holder === undefined) return ok('free');
    return wrong(
      EXIT.locked,
      `held by ${holder}`,
      'Wait until it has ended, or let the next run wait: --lock-timeout 10m.',
    );
  },
};
