import { type Check, ok, wrong } from '../check.ts';
import { isEmbedded, type Context } from '../context.ts';

/** Where the key comes from, and whether it can be kept secret. */
export const apiKey: Check<Context> = {
  id: 'api_key',
  look(context) {
    if (isEmbedded(context)) return ok('any is taken');
    const { keySource, transport } = context;
    if (transport?.code === 'node-debug') return wrong(transport.exit, transport.summary, transport.detail);
    if (keySource.ok) return ok(`from ${keySource.value}`);
    const { exit, code, summary, detail } = keySource.error;
    return wrong(exit, code === 'no-api-key' ? 'there is none' : summary, detail);
  },
};
