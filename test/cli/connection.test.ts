import { describe, expect, it } from 'vitest';
import { type ConnectProxy, startConnectProxy } from '../support/connect-proxy.ts';
import { type HeldService, startHeldService } from '../support/held-service.ts';
import { startTlsFront, TEST_AUTHORITY, TEST_HOST, type TestCertificate } from '../support/tls-front.ts';
import { CONFIG, creates, FILE, makeObjects, makeUpstream, medium, POLL } from './held-answers.ts';
import { API_KEY, campaignFolder, PNG, SINGLE, STATE, untilTestEnds } from './small-campaign.ts';

const APPLY = ['apply', 'm.yaml', '--no-color'];
const TRUSTED = { NODE_EXTRA_CA_CERTS: TEST_AUTHORITY };
const KEY = { CAMPAIGN_API_KEY: API_KEY };

/** A service behind TLS, and a campaign that goes to `localhost` for it. */
async function behindTls(certificate: TestCertificate = 'service') {
  const service = await untilTestEnds(startHeldService());
  const front = await untilTestEnds(startTlsFront(service, { certificate }));
  const campaign = await campaignFolder(SINGLE);
  const env = { ...KEY, CAMPAIGN_BASE_URL: `https://localhost:${front.port}` };
  return { service, front, campaign, env };
}

/** The same, but under a name that only a proxy can lead to. */
async function behindProxy() {
  const { service, front, campaign } = await behindTls();
  const proxy = await untilTestEnds(startConnectProxy({ port: front.port }));
  const env = { ...KEY, ...TRUSTED, CAMPAIGN_BASE_URL: `https://${TEST_HOST}`, HTTPS_PROXY: urlOf(proxy) };
  return { service, campaign, proxy, env };
}

const urlOf = (proxy: ConnectProxy) => `http://cook:canary-pass@127.0.0.1:${proxy.port}`;

/** Answers everything of the single item, its file from `origin`. */
async function answerAll(service: HeldService, origin: string): Promise<void> {
  await makeObjects(service);
  (await service.next('POST /media-config/')).respond(201, CONFIG);
  (await service.next(POLL)).respond(200, medium('success', { media_info: `${origin}/files/1.png` }));
  (await service.next(FILE)).respondRaw(200, PNG, { 'content-type': 'image/png' });
}

describe('TLS', () => {
  it('is trusted with NODE_EXTRA_CA_CERTS; each create has a handshake of its own, the rest share theirs', async () => {
    const { service, front, campaign, env } = await behindTls();
    const run = campaign.run(APPLY, { ...env, ...TRUSTED });
    await answerAll(service, env.CAMPAIGN_BASE_URL);
    expect(await run).toMatchObject({ code: 0 });
    expect(creates(service)).toHaveLength(3);
    expect(front.handshakes).toBeLessThan(service.seen.length);
  });

  it.each([
    ['service', {}, 'the certificate was signed by an authority that is not known here'],
    ['self-signed', {}, 'the certificate is self-signed, DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['expired', TRUSTED, 'the certificate has expired, CERT_HAS_EXPIRED'],
    ['other-host', TRUSTED, 'the certificate is for another host, ERR_TLS_CERT_ALTNAME_INVALID'],
  ] as const)(
    'a certificate that cannot be trusted ends the run at once: %s',
    async (certificate, more, words) => {
      const { service, front, campaign, env } = await behindTls(certificate);
      const { code, stdout, stderr } = await campaign.run(APPLY, { ...env, ...more });
      expect(code).toBe(78);
      expect(stderr).toContain(
        'There is no trusted connection to the service: POST /get_auth_token: not sent, no trusted connection ' +
          `(${words}`,
      );
      expect(stdout).toContain('certificates (NODE_EXTRA_CA_CERTS, service.tls)');
      expect(service.seen).toEqual([]);
      expect(front.handshakes).toBeLessThanOrEqual(1);
    },
  );

  it('NODE_TLS_REJECT_UNAUTHORIZED=0 is refused before the first request', async () => {
    const { service, campaign, env } = await behindTls();
    const { code, stderr } = await campaign.run(APPLY, { ...env, NODE_TLS_REJECT_UNAUTHORIZED: '0' });
    expect(code).toBe(78);
    expect(stderr).toBe(
      'error: NODE_TLS_REJECT_UNAUTHORIZED=0 is refused [insecure-tls]\n' +
        '  It would send the API key to whoever answers. Unset it; to trust an authority of your own, set ' +
        "NODE_EXTRA_CA_CERTS to the file of its certificate (PEM) in campaign's environment.\n\n",
    );
    expect(service.seen).toEqual([]);
    expect(await campaign.files()).not.toContain(STATE);
  });

  it('a create that is cut after the handshake is unknown', async () => {
    const { service, campaign, env } = await behindTls();
    const run = campaign.run(APPLY, { ...env, ...TRUSTED });
    await makeUpstream(service);
    (await service.next('POST /products/')).reset();
    expect(await run).toMatchObject({ code: 4 });
    expect(creates(service)).toEqual(['POST /concepts/', 'POST /products/']);
  });
});

it('a token endpoint with a hiccup is waited for in the same run, whatever waits for the token', async () => {
  const service = await untilTestEnds(startHeldService({ holdTokenRoute: true }));
  const campaign = await campaignFolder(SINGLE);
  const run = campaign.run(APPLY, { ...KEY, CAMPAIGN_BASE_URL: service.url });
  for (let n = 0; n < 4; n += 1) {
    const call = await service.next('POST /get_auth_token');
    if (n % 2 === 0) call.reset();
    else call.respondRaw(503, '<title>Service Unavailable</title>', { 'content-type': 'text/html' });
  }
  const data = { access_token: 'token-1', token_type: 'Bearer', expires_at: 3600 };
  (await service.next('POST /get_auth_token')).respond(200, { status: 'success', message: 'ok', data });
  await answerAll(service, service.url);
  expect(await run).toMatchObject({ code: 0 });
});

describe('a proxy', () => {
  it('of no use is none of the embedded emulator', async () => {
    const campaign = await campaignFolder(SINGLE);
    const ended = await campaign.run(['apply', 'm.yaml', '--env', 'emulator'], { HTTPS_PROXY: '::bad' });
    expect(ended).toMatchObject({ code: 0, stderr: expect.not.stringContaining('bug') as string });
  });

  it('may speak TLS itself: its certificate is for its own name', async () => {
    const { service, front, campaign } = await behindTls();
    const proxy = await untilTestEnds(startConnectProxy({ port: front.port }, { secure: true }));
    const urls = {
      CAMPAIGN_BASE_URL: `https://${TEST_HOST}`,
      HTTPS_PROXY: `https://localhost:${proxy.port}`,
    };
    const run = campaign.run(APPLY, { ...KEY, ...TRUSTED, ...urls });
    await answerAll(service, urls.CAMPAIGN_BASE_URL);
    expect(await run).toMatchObject({ code: 0 });
    expect(proxy.asked[0]?.target).toBe(`${TEST_HOST}:443`);
  });

  it('that refuses to lead to the service ends the run at once, in its words', async () => {
    const campaign = await campaignFolder(SINGLE);
    const proxy = await untilTestEnds(startConnectProxy({ status: 403, page: '<title>Not allowed</title>' }));
    const env = { ...KEY, CAMPAIGN_BASE_URL: `https://${TEST_HOST}`, HTTPS_PROXY: urlOf(proxy) };
    const { code, stderr } = await campaign.run(APPLY, env);
    expect(code).toBe(78);
    expect(stderr).toContain(`the proxy 127.0.0.1:${proxy.port} answered 403 No (Not allowed)`);
    expect(proxy.asked).toHaveLength(1);
  });

  it('leads to the service, with its credentials', async () => {
    const { service, campaign, proxy, env } = await behindProxy();
    const run = campaign.run([...APPLY, '--trace', 'run.har', '--log-level', 'debug'], env);
    await answerAll(service, env.CAMPAIGN_BASE_URL);
    const { code, stdout, stderr } = await run;
    expect(code).toBe(0);
    const authorization = `Basic ${Buffer.from('cook:canary-pass').toString('base64')}`;
    expect(new Set(proxy.asked.map((call) => JSON.stringify(call)))).toEqual(
      new Set([JSON.stringify({ target: `${TEST_HOST}:443`, authorization })]),
    );
    const said = [stdout, stderr, await campaign.read('run.har')].join('\n');
    expect(said).not.toContain('canary');
    expect(said).not.toContain(authorization);
  });

  it('a create that is cut inside the tunnel is unknown', async () => {
    const { service, campaign, env } = await behindProxy();
    const run = campaign.run(APPLY, env);
    await makeUpstream(service);
    (await service.next('POST /products/')).reset();
    expect(await run).toMatchObject({ code: 4 });
  });

  it('that wants other credentials ends the run, and is named without them', async () => {
    const campaign = await campaignFolder(SINGLE);
    const proxy = await untilTestEnds(startConnectProxy({ status: 407 }));
    const env = { ...KEY, CAMPAIGN_BASE_URL: `https://${TEST_HOST}`, https_proxy: urlOf(proxy) };
    const { code, stdout, stderr } = await campaign.run(APPLY, env);
    expect(code).toBe(78);
    expect(stderr).toContain(
      `(the proxy 127.0.0.1:${proxy.port} answered 407 No (no), it wants other credentials`,
    );
    expect(stdout + stderr).not.toContain('canary');
  });

  it.each(['socks5://cook:canary-pass@127.0.0.1:1080', 'http://', 'http://cook:canary%zz@127.0.0.1'])(
    'of another kind is refused before the first request: %s',
    async (url) => {
      const campaign = await campaignFolder(SINGLE);
      const env = { ...KEY, CAMPAIGN_BASE_URL: `https://${TEST_HOST}`, ALL_PROXY: url };
      const { code, stderr } = await campaign.run(APPLY, env);
      expect(code).toBe(78);
      expect(stderr).toBe(
        'error: ALL_PROXY is no address of an HTTP proxy [invalid-proxy]\n' +
          '  Write http://host:port or https://host:port, before it user:password@ where the proxy asks for them ' +
          '(percent-encoded). SOCKS proxies are not supported.\n\n',
      );
    },
  );
});

it('plain http goes to this machine only, whoever names the address', async () => {
  const campaign = await campaignFolder(SINGLE);
  const env = { ...KEY, CAMPAIGN_BASE_URL: 'http://visuals.example.com/api' };
  const { code, stderr } = await campaign.run(APPLY, env);
  expect(code).toBe(78);
  expect(stderr).toContain('Over http everyone on the way could read the API key.');
});
