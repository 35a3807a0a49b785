import { type Check, ok, unknown, warning } from '../check.ts';
import { isEmbedded, type Context } from '../context.ts';
import { noTls } from './connection-words.ts';

const DAY_MS = 86_400_000;
/** Certificates are renewed weeks before they end, so fewer days than this are worth a warning. */
const ENDS_SOON_DAYS = 14;

export const tls: Check<Context> = {
  id: 'tls',
  needs: ['certificates', 'connection'],
  async look(context) {
    if (isEmbedded(context)) return ok('not used inside campaign');
    if (context.manifest.environment.baseUrl.startsWith('http:')) return ok('not used on this machine');
    const { verified, target } = await context.reach();
    if (!verified) return unknown('comes with the first request, through the proxy');
    if (!verified.ok) return noTls(verified.error, target);
    const until = new Date(verified.value).toISOString().slice(0, 10);
    const days = Math.floor((verified.value - context.now()) / DAY_MS);
    if (days >= ENDS_SOON_DAYS) return ok(`certificate verified, valid until ${until}`);
    return warning(`the certificate of ${target} ends on ${until}`, 'It must be renewed there before.');
  },
};
