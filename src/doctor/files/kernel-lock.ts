import { EXIT } from '../../model/exit.ts';
import { type Check, ok, wrong } from '../check.ts';
import type { Context } from '../context.ts';

/** Whether the lock would keep a second run out. */
export const kernelLock: Check<Context> = {
  id: 'kernel_lock',
  needs: ['state_folder'],
  async look({ store }) {
    const held = await store.excludesOthers().catch((error: Error) => error);
    if (held === true) return ok('keeps a second run out');
    const why = held === false ? 'does not keep a second run out' : `cannot be used: ${held.message}`;
    return wrong(
      EXIT.cannotWrite,
      why,
      'Keep the state on a local disk (--state): two runs at once would pay twice.',
    );
  },
};
