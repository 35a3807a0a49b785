import { EXIT } from '../../model/exit.ts';
import { type Check, ok, wrong } from '../check.ts';
import { isEmbedded, type Context } from '../context.ts';
import { isBroken } from '../run-checks.ts';
import { noConnection } from './connection-words.ts';

export const connection: Check<Context> = {
  id: 'connection',
  needs: ['proxy'],
  async look(context) {
    if (isEmbedded(context)) {
      // The emulator's records are for one process at a time.
      if (isBroken(context.found, 'lock'))
        return wrong(EXIT.locked, 'the emulator is used by another run', 'See lock.');
      if (isBroken(context.found, 'state_folder'))
        return wrong(
          EXIT.cannotWrite,
          'the emulator cannot keep its records beside the state',
          'See state_folder.',
        );
      return ok('inside campaign');
    }
    const { connected, target } = await context.reach();
    if (!connected.ok) return noConnection(connected.error, target);
    return ok(`${target}${context.proxy ? ', the proxy,' : ''} answers at ${connected.value}`);
  },
};
