import type { Environment } from '../manifest/manifest.ts';
import { EMULATOR } from '../model/emulator.ts';
import { EXIT } from '../model/exit.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import type { ProxyFor } from '../service/connections.ts';
import { proxyAuthorization } from '../service/proxy-authorization.ts';
import { isInNoProxy } from '../util/no-proxy.ts';
import type { ProcessVariables } from './runtime.ts';

/** Parts of Node that print what passes through them. */
const TELLING = ['http', 'https', 'http2', 'net', 'tls', 'stream', 'undici', 'fetch', 'websocket'];

/** The sets in NODE_DEBUG (`http,net`, with `*` for any letters) that would print a token. */
function debugSets(written = ''): string[] {
  return written
    .split(',')
    .map((set) => set.trim())
    .filter((set) => {
      const pattern = set.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
      return TELLING.some((name) => new RegExp(`^${pattern}$`, 'i').test(name));
    });
}

/** Settings in the environment that make a trusted connection impossible; checked before the first request. */
export function checkTransport(
  { baseUrl }: Pick<Environment, 'baseUrl'>,
  env: ProcessVariables,
): Refusal | undefined {
  if (baseUrl === EMULATOR) return undefined;
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') {
    return refusal(EXIT.configuration, {
      code: 'insecure-tls',
      summary: 'NODE_TLS_REJECT_UNAUTHORIZED=0 is refused',
      detail:
        'It would send the API key to whoever answers. Unset it; to trust an authority of your own, set ' +
        "NODE_EXTRA_CA_CERTS to the file of its certificate (PEM) in campaign's environment.",
    });
  }
  const told = debugSets(env['NODE_DEBUG']);
  if (told.length > 0) {
    return refusal(EXIT.configuration, {
      code: 'node-debug',
      summary: `NODE_DEBUG=${told.join(',')} is refused`,
      detail:
        'With it Node prints every request with its headers, so the token too. Unset it; `--trace FILE` writes down ' +
        'every request and answer without secrets.',
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

/** HTTP_PROXY is for plain http, which goes to this machine only and never through a proxy. */
const VARIABLES = ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'];

function proxySettings(env: ProcessVariables): { name: string; value: string }[] {
  return VARIABLES.flatMap((name) => {
    const value = env[name];
    return value ? [{ name, value }] : [];
  });
}

function isProxyUrl(value: string): boolean {
  try {
    const url = proxyUrl(value);
    proxyAuthorization(url);
    return (url.protocol === 'http:' || url.protocol === 'https:') && url.hostname !== '';
  } catch {
    return false;
  }
}

/** How a client uses the environment's proxies: which one for a URL, and what must stay out of errors and traces. */
export async function readProxies(
  env: ProcessVariables,
): Promise<{ proxyFor: ProxyFor; secrets: string[] } | undefined> {
  const values = proxySettings(env).map(({ value }) => value);
  if (values.length === 0) return undefined;
  const { getProxyForUrl } = await import('proxy-from-env');
  return {
    proxyFor(url) {
      if (isInNoProxy(url.hostname, env)) return undefined;
      const found = getProxyForUrl(url.href);
      // The library adds the scheme of the URL to a value without one; here it has to be the scheme of the proxy.
      const written = values.find((value) => value === found || `${url.protocol}//${value}` === found);
      return written === undefined ? undefined : proxyUrl(written);
    },
    secrets: values.flatMap((value) => {
      const url = proxyUrl(value);
      const basic = proxyAuthorization(url)?.replace(/^Basic /, '');
      return [decodeURIComponent(url.password), ...(basic === undefined ? [] : [basic])];
    }),
  };
}

function proxyUrl(value: string): URL {
  return new URL(value.includes('://') ? value : `http://${value}`);
}
