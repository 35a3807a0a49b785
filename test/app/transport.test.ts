import { unreadNoProxy } from '../../src/util/no-proxy.ts';
import { afterEach, expect, it, vi } from 'vitest';
import { readProxies } from '../../src/app/transport.ts';

const VARIABLES = ['https_proxy', 'http_proxy', 'all_proxy', 'no_proxy'];
afterEach(() => vi.unstubAllEnvs());

/** The proxy for a URL where the environment holds nothing but these variables. */
async function proxyFor(url: string, env: Record<string, string>): Promise<string | undefined> {
  for (const name of VARIABLES) {
    vi.stubEnv(name, undefined);
    vi.stubEnv(name.toUpperCase(), undefined);
  }
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const proxies = await readProxies(process.env);
  return proxies?.proxyFor(new URL(url))?.href;
}

const URL_ABROAD = 'https://visuals.example.com/api';

it.each([
  [{ HTTPS_PROXY: 'http://proxy.example.com:3128' }, 'http://proxy.example.com:3128/'],
  [{ https_proxy: 'https://proxy.example.com' }, 'https://proxy.example.com/'],
  [{ ALL_PROXY: 'http://all.example.com:1' }, 'http://all.example.com:1/'],
  [
    { all_proxy: 'http://all.example.com:1', HTTPS_PROXY: 'http://own.example.com:1' },
    'http://own.example.com:1/',
  ],
  [{ HTTPS_PROXY: 'proxy.example.com:3128' }, 'http://proxy.example.com:3128/'],
  [{ HTTPS_PROXY: 'cook:p%40ss@proxy.example.com:3128' }, 'http://cook:p%40ss@proxy.example.com:3128/'],
  [{ HTTP_PROXY: 'http://proxy.example.com:3128' }, undefined],
  [{ HTTPS_PROXY: 'http://p.example.com', NO_PROXY: 'visuals.example.com' }, undefined],
  [{ HTTPS_PROXY: 'http://p.example.com', no_proxy: 'other.org, .example.com' }, undefined],
  [{ HTTPS_PROXY: 'http://p.example.com', NO_PROXY: '*' }, undefined],
  [{ HTTPS_PROXY: 'http://p.example.com', NO_PROXY: 'visuals.example.com:8443' }, 'http://p.example.com/'],
  [{}, undefined],
])('%j', async (env, expected) => {
  expect(await proxyFor(URL_ABROAD, env as Record<string, string>)).toBe(expected);
});

it('its password and its header are secrets', async () => {
  await proxyFor(URL_ABROAD, { HTTPS_PROXY: 'http://cook:p%40ss@proxy.example.com:3128' });
  const proxies = await readProxies(process.env);
  expect(proxies?.secrets).toEqual(['p@ss', Buffer.from('cook:p@ss').toString('base64')]);
});

it.each([
  ['https://10.1.2.3/api', '10.0.0.0/8', false],
  ['https://10.1.2.3:8443/api', 'example.com, 10.1.0.0/16', false],
  ['https://11.1.2.3/api', '10.0.0.0/8', true],
  ['https://10.1.2.3/api', '10.0.0.0/33', true],
  ['https://[fd12::7]/api', 'fd00::/8', false],
  ['https://[fd12::7]/api', 'fd12::7', false],
  ['https://[fe80::7]/api', 'fd00::/8', true],
  ['https://10.example.com/api', '10.0.0.0/8', true],
])('a host in a network of NO_PROXY is reached directly: %s with %s', async (url, no_proxy, isProxied) => {
  const proxy = await proxyFor(url, { HTTPS_PROXY: 'http://p.example.com', no_proxy });
  expect(proxy !== undefined).toBe(isProxied);
});

it('what cannot be read in NO_PROXY is told', () => {
  const NO_PROXY = 'a.example.com,10.0.0.0/8 10.0.0.0/33,https://b.example.com/';
  expect(unreadNoProxy({ NO_PROXY })).toEqual(['10.0.0.0/33', 'https://b.example.com/']);
});
