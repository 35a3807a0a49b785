import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Check, ok, warning, wrong } from '../check.ts';
import type { Context } from '../context.ts';

/**
 * Which certificates are trusted. Node reads these variables only when it starts, and ignores a file that it cannot
 * use.
 */
export const certificates: Check<Context> = {
  id: 'certificates',
  async look({ env, transport }) {
    if (transport?.code === 'insecure-tls') return wrong(transport.exit, transport.summary, transport.detail);
    const file = env['NODE_EXTRA_CA_CERTS'];
    if (!file) return ok('those that come with Node count');
    const count = await countCertificates(file);
    if (count) return ok(`those that come with Node count, and ${count} in ${file} (NODE_EXTRA_CA_CERTS)`);
    return warning(
      `NODE_EXTRA_CA_CERTS names ${file}, which ${count === 0 ? 'holds no certificate' : 'cannot be read'}`,
      'Name a file of certificates in PEM form (-----BEGIN CERTIFICATE-----), with its absolute path.',
    );
  },
};

/** The number of certificates in a PEM file; undefined where it cannot be read. */
async function countCertificates(file: string): Promise<number | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  const blocks = text?.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
  return text === undefined ? undefined : (blocks ?? []).filter(isCertificate).length;
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined;
  } catch {
    return false;
  }
}
