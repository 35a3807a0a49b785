import type { Environment } from '../manifest/manifest.ts';
import { EXIT } from '../model/exit.ts';
import { type Refusal, refusal } from './output.ts';
import { isProxyUrl, proxySettings } from './proxy.ts';

/** What in the process's environment makes a trusted connection impossible; checked before the first request. */
export function checkTransport({ baseUrl }: Environment, env: NodeJS.ProcessEnv): Refusal | undefined {
  if (baseUrl === 'emulator') return undefined;
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') {
    return refusal(EXIT.configuration, {
      code: 'insecure-tls',
      summary: 'NODE_TLS_REJECT_UNAUTHORIZED=0 is refused',
      detail:
        'It would send the API key to whoever answers. Unset it; to trust an authority of your own, set ' +
        "NODE_EXTRA_CA_CERTS to the file of its certificate (PEM) in campaign's environment.",
    });
  }
  const wrong = proxySettings(env).find(({ value }) => !isProxyUrl(value));
  if (!wrong) return undefined;
  // Its value may hold a password.
  return refusal(EXIT.configuration, {
    code: 'invalid-proxy',
    summary: `${wrong.name} is no address of an HTTP proxy`,
    detail:
      'Write http://host:port or https://host:port, before it user:password@ where the proxy asks for them ' +
      '(percent-encoded). SOCKS proxies are not supported.',
  });
}
