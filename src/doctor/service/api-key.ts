import { type Check, ok, wrong } from '../check.ts';
import { isEmbedded, type Context } from '../context.ts';

export const apiKey: Check<Context> = {
  id: 'api_key',
  look(context) {
    if (isEmbedded(context)) return ok('any is taken');
    const { keySource } = context;
    if (keySource.ok) return ok(`from ${keySource.value}`);
    return wrong(keySource.error.exit, 'there is none', keySource.error.detail);
  },
};
