import { type Check, ok, wrong } from '../check.ts';
import type { Context } from '../context.ts';

export const proxy: Check<Context> = {
  id: 'proxy',
  look({ proxy: url, transport }) {
    if (transport?.code === 'invalid-proxy')
      return wrong(transport.exit, transport.summary, transport.detail);
    // The URL may hold a password: only the host is shown.
    return ok(url ? `requests go through ${url.host}` : 'none on the way');
  },
};
