/** The files of `service.tls`: a client certificate, and authorities of one's own. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Environment } from '../manifest/manifest.ts';
import { EMULATOR } from '../model/emulator.ts';
import { EXIT } from '../model/exit.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import type { TlsFiles } from '../service/connections.ts';
import { errorCode } from '../service/error-code.ts';
import { attempt } from '../util/attempt.ts';
import { codeWords } from '../util/code-words.ts';
import { err, ok, type Result } from '../util/result.ts';

type Name = keyof TlsFiles;

/** Their texts, once they are known to fit; nothing where the manifest names none. */
export async function readTlsFiles({
  baseUrl,
  gaps: { tls: paths = {} },
}: Pick<Environment, 'baseUrl' | 'gaps'>): Promise<Result<TlsFiles | undefined, Refusal>> {
  if (baseUrl === EMULATOR || Object.keys(paths).length === 0) return ok(undefined);
  const texts: { [name in Name]?: string } = {};
  for (const name of ['cert', 'key', 'ca'] as const) {
    const file = paths[name];
    if (file === undefined) continue;
    try {
      texts[name] = await readFile(file, 'utf8');
    } catch (error) {
      return unusable(name, `${file} cannot be read (${codeWords(errorCode(error) ?? 'EIO')}).`);
    }
    if (!IS_USABLE[name](texts[name])) return unusable(name, `${file} holds no ${WHAT[name]}.`);
  }
  const { cert, key } = texts;
  if (cert === undefined || key === undefined) return ok(texts);
  const isPair = new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  return isPair
    ? ok(texts)
    : unusable('key', `${paths.key} is not the key of the certificate in ${paths.cert}.`);
}

const isCertificate = (text: string) => attempt(() => new X509Certificate(text)) !== undefined;

const IS_USABLE: Readonly<Record<Name, (text: string) => boolean>> = {
  cert: isCertificate,
  key: (text) => attempt(() => createPrivateKey(text)) !== undefined,
  ca: isCertificate,
};

const WHAT: Readonly<Record<Name, string>> = {
  cert: 'certificate in PEM form (-----BEGIN CERTIFICATE-----)',
  key: 'private key in PEM form that can be read without a password',
  ca: 'certificate in PEM form (-----BEGIN CERTIFICATE-----)',
};

function unusable(name: Name, why: string): Result<never, Refusal> {
  const detail = `${why} Paths are relative to the manifest.`;
  const summary = `service.tls.${name} cannot be used`;
  return err(refusal(EXIT.configuration, { code: 'invalid-tls', summary, detail }));
}
