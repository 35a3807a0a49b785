import { X509Certificate } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { EXIT } from '../../model/exit.ts';
import { attempt } from '../../util/attempt.ts';
import { codeWords, connectionAdvice, isMisconfiguration } from '../../util/code-words.ts';
import { unreadNoProxy } from '../../util/no-proxy.ts';
import { type Check, ok, refusal, unknown, type CheckResult, warning, wrong } from '../check.ts';
import { type Context, isEmbedded } from '../context.ts';
import { isBroken } from '../run-checks.ts';

export const proxy: Check<Context> = {
  id: 'proxy',
  look({ proxy: url, transport, env }) {
    if (transport?.code === 'invalid-proxy') return refusal(transport);
    const unread = url ? unreadNoProxy(env) : [];
    if (url && unread.length > 0)
      return warning(
        `requests go through ${url.host}, and NO_PROXY has what cannot be read: ${unread.join(', ')}`,
        'Write hosts (.example.com), addresses or networks (10.0.0.0/8) there, with commas between them.',
      );
    // The URL may hold a password: only the host is shown.
    return ok(url ? `requests go through ${url.host}` : 'none on the way');
  },
};

export const connection: Check<Context> = {
  id: 'connection',
  needs: ['proxy'],
  async look(context) {
    if (isEmbedded(context)) {
      // The emulator's data are for one process at a time.
      if (isBroken(context.found, 'lock'))
        return wrong(EXIT.locked, 'the emulator is used by another run', 'See lock.');
      const cannotWrite = 'the emulator cannot keep its data beside the state';
      if (isBroken(context.found, 'state_folder'))
        return wrong(EXIT.cannotWrite, cannotWrite, 'See state_folder.');
      return ok('inside campaign');
    }
    const { connected, target } = await context.reach();
    const { to, comma } = reachedOf(context);
    if (!connected.ok) return failed(connected.error, `no connection to ${target}${comma}`, to);
    return ok(`${target}${comma && `${comma},`} answers at ${connected.value}`);
  },
};

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
    const { to, comma } = reachedOf(context);
    if (!verified.ok) return failed(verified.error, `no TLS with ${target}${comma}`, to);
    const until = new Date(verified.value).toISOString().slice(0, 10);
    const days = Math.floor((verified.value - context.now()) / DAY_MS);
    const whose = context.proxy ? 'of the proxy ' : '';
    if (days >= ENDS_SOON_DAYS) return ok(`certificate ${whose}verified, valid until ${until}`);
    return warning(`the certificate of ${target} ends on ${until}`, 'It must be renewed there before.');
  },
};

/** What is reached first; a proxy is named as such. */
function reachedOf({ proxy: url }: Context) {
  return url ? ({ to: 'proxy', comma: ', the proxy' } as const) : ({ to: 'service', comma: '' } as const);
}

/** `code`: of the system or library error, where there is one. */
export function failed(code: string | undefined, what: string, to?: 'service' | 'proxy'): CheckResult {
  const exit = isMisconfiguration(code) ? EXIT.configuration : EXIT.unavailable;
  return wrong(exit, code === undefined ? what : `${what}: ${codeWords(code)}`, connectionAdvice(code, to));
}

/** Node reads these variables only when it starts, and ignores a file that it cannot use. */
export const certificates: Check<Context> = {
  id: 'certificates',
  async look({ env, transport, tlsFiles, manifest, now }) {
    if (transport?.code === 'insecure-tls') return refusal(transport);
    if (!tlsFiles.ok) return refusal(tlsFiles.error);
    const { cert: shown, ca } = manifest.environment.gaps.tls ?? {};
    const text = tlsFiles.value?.cert;
    const end = text === undefined ? Number.POSITIVE_INFINITY : Date.parse(new X509Certificate(text).validTo);
    if (end < now()) {
      const ended = `the client certificate in ${shown} has ended on ${new Date(end).toISOString().slice(0, 10)}`;
      return wrong(EXIT.configuration, ended, 'Put a new one there (service.tls.cert, service.tls.key).');
    }
    const client = shown === undefined ? '' : `; the service is shown that in ${shown}`;
    if (ca !== undefined) return ok(`only authorities in ${ca} count (service.tls.ca)${client}`);
    const file = env['NODE_EXTRA_CA_CERTS'];
    if (!file) return ok(`those that come with Node count${client}`);
    const count = await countCertificates(file);
    if (count)
      return ok(`those that come with Node count, and ${count} in ${file} (NODE_EXTRA_CA_CERTS)${client}`);
    const what = count === 0 ? 'holds no certificate' : 'is no file that can be read';
    return warning(
      `NODE_EXTRA_CA_CERTS names ${file}, which ${what}`,
      'Name a file of certificates in PEM form (-----BEGIN CERTIFICATE-----), with its absolute path.',
    );
  },
};

/** The number of certificates in a PEM file; undefined where it cannot be read. Node has emptied a pipe when it started. */
async function countCertificates(file: string): Promise<number | undefined> {
  const stats = await stat(file).catch(() => undefined);
  const text = stats?.isFile() ? await readFile(file, 'utf8').catch(() => undefined) : undefined;
  const blocks = text?.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return text === undefined ? text : blocks.filter((pem) => attempt(() => new X509Certificate(pem))).length;
}
