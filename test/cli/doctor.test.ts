import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { CAMPAIGN_CHECKS, MACHINE_CHECKS } from '../../src/doctor/checks.ts';
import { startBareService } from '../support/bare-service.ts';
import { startHeldService } from '../support/held-service.ts';
import { startConnectProxy } from '../support/connect-proxy.ts';
import { startTlsFront, TEST_AUTHORITY, TEST_HOST } from '../support/tls-front.ts';
import { checksOf, maskedText, withoutProgress } from './doctor-run.ts';
import { failure, ID, makeRequest, medium, POLL, success } from './held-answers.ts';
import { API_KEY, campaignFolder, SINGLE, SMALL, untilTestEnds } from './small-campaign.ts';

const DOCTOR = ['doctor', 'm.yaml'];
const TOKEN = 'POST /get_auth_token';
const ANY_PRODUCT = expect.stringMatching(/^GET \/products\/[0-9a-f-]{36}\/$/) as unknown;
const ANY_MEDIUM = expect.stringMatching(/^GET \/media\/[0-9a-f-]{36}\/[0-9a-f-]{36}\/$/) as unknown;

/** The same with a product that exists there. */
const KNOWN = SINGLE.replace('tote: {', `tote: { id: ${ID.product},`);
const ALL_CHECKS = [MACHINE_CHECKS, ...CAMPAIGN_CHECKS]
  .flatMap(({ checks }) => checks.map(({ id }) => id))
  .concat('manifest')
  .sort();

/** The emulator with a switch that is not the default one and reads that fail. */
const SICK = `description: Reads of products fail.
switches: { expires_at: lifetime }
orders:
  - { on: "GET /products/{id}/", do: { fault: status, status: 503 } }
`;

/** A port on which nothing listens. */
async function deadPort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}`;
}

const MACHINE = `Machine
  ok  node          Node <version>

Campaign
  ok  manifest      m.yaml is valid: 1 product, 1 concept, 2 posts

`;

function files(environment: string): string {
  const isEmulator = environment === 'emulator';
  return `Files
  ok  state_folder  ${isEmulator ? '.campaign' : '.'} can be written to
  ok  state         ${isEmulator ? '.campaign/' : ''}small.${environment}.state.jsonl: none yet, the first apply makes it
  ok  lock          free
  ok  kernel_lock   keeps a second run out
  ok  file_system   local
  ok  output_folder out/small/${environment} can be written to
  ok  disk_space    <n> GB free
  ok  git_ignore    .campaign/ keeps itself out of git

`;
}

describe('doctor', () => {
  it('looks at everything, on the emulator', async () => {
    const campaign = await campaignFolder(SMALL);
    const end = await campaign.run([...DOCTOR, '--env', 'emulator']);
    expect(maskedText(end)).toBe(`${MACHINE}${files('emulator')}Service
  ok  environment   emulator (--env)
  ok  base_url      the embedded emulator
  ok  proxy         none on the way
  ok  certificates  those that come with Node count
  ok  connection    inside campaign
  ok  tls           not used inside campaign
  ok  api_key       any is taken
  ok  token         the key gets one
  ok  access        the token is accepted; what does not exist gets 404
  ok  clock         agrees with the service

What the interface leaves open
  -   media_path    not seen before the first post (service.media_path)
  -   statuses      not seen before the first poll (service.statuses)
  -   upload_url    not seen before the first upload (service.upload_url)
  ok  expires_at    read as epoch seconds: the token lives 60 min
  -   form          schema; not seen before the first request (service.form)
  -   media_urls    not seen before the first download (service.media_urls)
  ok  success_codes any 2xx is a success; seen: 200
  ok  nothing_done  400–406, 410, 411, 413–415, 422, 429 and 431
  ok  on_unknown    a person decides; none is open
  -   items         not seen before the first request
  -   concept_read  not seen before the first request

24 ok, 7 unknown.
`);
    expect([end.code, withoutProgress(end)]).toEqual([0, '']);
  });

  it('says what to do about a dead server, and leaves nothing behind', async () => {
    const url = await deadPort();
    const campaign = await campaignFolder(SMALL, { url });
    const end = await campaign.run(DOCTOR);
    expect(maskedText(end, { url })).toBe(`${MACHINE}${files('default')}Service
  ok  environment   default (CAMPAIGN_BASE_URL)
  ok  base_url      http://<host> (CAMPAIGN_BASE_URL), plain http on this machine
  ok  proxy         none on the way
  ok  certificates  those that come with Node count
  x   connection    no connection to <host>: connection refused, ECONNREFUSED
                  → Check host and port of the base URL. Is the service running?
  -   tls           not checked, see connection
  ok  api_key       from CAMPAIGN_API_KEY
  -   token         not checked, see connection
  -   access        not checked, see connection
  -   clock         not checked, see connection

What the interface leaves open
  -   media_path    not seen before the first post (service.media_path)
  -   statuses      not seen before the first poll (service.statuses)
  -   upload_url    not seen before the first upload (service.upload_url)
  -   expires_at    not checked, see connection
  -   form          schema; not seen before the first request (service.form)
  -   media_urls    not seen before the first download (service.media_urls)
  ok  success_codes any 2xx is a success
  ok  nothing_done  400–406, 410, 411, 413–415, 422, 429 and 431
  ok  on_unknown    a person decides; none is open
  -   items         not seen before the first request
  -   concept_read  not seen before the first request

18 ok, 1 error, 12 unknown.
`);
    expect([end.code, withoutProgress(end)]).toEqual([69, '']);
    expect(await campaign.files()).toEqual([
      '.campaign/.gitignore',
      '.campaign/stat-cache.json',
      'm.yaml',
      'tote.png',
    ]);
  });

  it('says nothing with --quiet when all is well, else only what is wrong', async () => {
    const service = await untilTestEnds(startBareService());
    const campaign = await campaignFolder(SMALL, service);
    expect(await campaign.run([...DOCTOR, '--quiet'])).toMatchObject({ code: 0, stdout: '', stderr: '' });
    const url = await deadPort();
    const end = await campaign.run([...DOCTOR, '--quiet'], { CAMPAIGN_BASE_URL: url });
    expect(maskedText(end, { url })).toBe(
      '  x   connection    no connection to <host>: connection refused, ECONNREFUSED\n' +
        '                  → Check host and port of the base URL. Is the service running?\n',
    );
  });
});

describe('doctor sends', () => {
  it('a token and ids that nobody has where the state knows nothing', async () => {
    const service = await untilTestEnds(startBareService());
    const campaign = await campaignFolder(SINGLE, service);
    expect((await campaign.run(DOCTOR)).code).toBe(0);
    expect(service.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      TOKEN,
      ANY_PRODUCT,
      ANY_MEDIUM,
    ]);
    expect(service.created).toEqual({ uploads: [], products: [], concepts: [], configs: [] });
  });

  it('reads of what the state knows, and shows how the service answers', async () => {
    const service = await untilTestEnds(
      startBareService({ mediaPath: 'item-config', expiresAt: 'lifetime', mediaInfo: 'plain' }),
    );
    const campaign = await campaignFolder(SINGLE, service);
    expect((await campaign.run(['apply', 'm.yaml'])).code).toBe(0);
    const { length } = service.requests;
    const before = await campaign.read('small.default.state.jsonl');

    const end = await campaign.run([...DOCTOR, '--json']);
    const [product, config] = [service.created.products[0]?.id, service.created.configs[0]];
    const item = config?.items[0]?.id;
    expect(service.requests.slice(length).map(({ method, path }) => `${method} ${path}`)).toEqual([
      TOKEN,
      `GET /products/${product}/`,
      `GET /media-config/${config?.id}/`,
      `GET /media/${item}/${config?.id}/`,
    ]);
    const checks = checksOf(end);
    const summaries = [
      'media_path',
      'statuses',
      'upload_url',
      'expires_at',
      'form',
      'media_urls',
      'items',
      'concept_read',
    ].map((check) => [check, checks.get(check)?.status, checks.get(check)?.summary]);
    expect(summaries).toEqual([
      ['media_path', 'ok', '/media/{item.id}/{config.id}/ gives media/hero/kitchen@1 (learned)'],
      ['statuses', 'ok', '"success" means done'],
      [
        'upload_url',
        'ok',
        expect.stringMatching(
          /^found, upload\/[0-9a-f]{16} is http:\/\/127\.0\.0\.1:\d+\/v1\/api\/uploads\/1$/,
        ),
      ],
      ['expires_at', 'ok', 'read as a lifetime in seconds: the token lives 60 min'],
      ['form', 'ok', 'schema, media-config/hero@1 was accepted'],
      ['media_urls', 'ok', 'media_info holds 1 file'],
      ['items', 'ok', 'media-config/hero@1 came back with as many as were sent (1)'],
      ['concept_read', 'ok', 'only inside a media configuration; media-config/hero@1 names its concept'],
    ]);
    expect(end.code).toBe(0);
    expect(await campaign.read('small.default.state.jsonl')).toBe(before);
  });

  it('the paths in turn for a post that was not found yet, and tells an unknown state', async () => {
    const service = await untilTestEnds(startHeldService());
    const campaign = await campaignFolder(SINGLE, service);
    const apply = campaign.run(['apply', 'm.yaml', '--no-wait']);
    await makeRequest(service);
    expect((await apply).code).toBe(3);
    const { length } = service.seen;

    const run = campaign.run([...DOCTOR, '--json']);
    (await service.next(`GET /products/${ID.product}/`)).respond(200, success({ id: ID.product }));
    const config = { id: ID.config, items: [{ id: ID.item }, { id: ID.media }] };
    (await service.next(`GET /media-config/${ID.config}/`)).respond(200, success(config));
    (await service.next(POLL)).respond(404, failure('Not found'));
    (await service.next(`GET /media/${ID.concept}/${ID.item}/`)).respond(200, medium('baking'));
    const end = await run;
    expect(service.seen.slice(length)).toEqual([
      TOKEN,
      `GET /products/${ID.product}/`,
      `GET /media-config/${ID.config}/`,
      POLL,
      `GET /media/${ID.concept}/${ID.item}/`,
    ]);
    const checks = checksOf(end);
    expect(checks.get('media_path')).toMatchObject({
      status: 'ok',
      summary: '/media/{concept.id}/{item.id}/ gives media/hero/kitchen@1',
    });
    expect(checks.get('statuses')).toMatchObject({
      status: 'warning',
      summary: '"baking" is taken for pending',
    });
    expect(checks.get('items')).toMatchObject({
      status: 'warning',
      summary: 'media-config/hero@1: 1 item sent, 2 came back',
    });
    expect(checks.get('concept_read')).toMatchObject({ status: 'unknown' });
    expect(end.code).toBe(0);
  });
});

describe('doctor tells', () => {
  const held = async (options: Parameters<typeof startHeldService>[0] = {}) => {
    const service = await untilTestEnds(startHeldService(options));
    return { service, campaign: await campaignFolder(SINGLE, service) };
  };
  const HTML = { 'content-type': 'text/html; charset=utf-8' };

  it.for([
    ['HTML', 200, 78, 'POST /get_auth_token is answered with text/html that holds no token'],
    ['no such route', 404, 78, 'there is no token endpoint, POST /get_auth_token gets 404'],
    [
      'a redirect',
      302,
      78,
      'POST /get_auth_token gets 302: it redirects to /elsewhere, where no key is sent',
    ],
    ['a refusal', 401, 77, 'the service refuses the key (401): no such key'],
    ['a failure', 503, 69, 'the service fails, POST /get_auth_token gets 503: no such key'],
    ['a brake', 429, 69, 'the service asks to slow down, POST /get_auth_token gets 429: no such key'],
  ] as const)('%s at the token route', async ([, status, code, summary]) => {
    const { service, campaign } = await held({ holdTokenRoute: true });
    const run = campaign.run([...DOCTOR, '--json']);
    const call = await service.next(TOKEN);
    expect(JSON.parse(call.body)).toEqual({ api_key: API_KEY });
    if (status === 200) call.respondRaw(200, '<h1>Sign in</h1>', HTML);
    else call.respond(status, failure('no such key'), { location: '/elsewhere' });
    const end = await run;
    const checks = checksOf(end);
    expect(checks.get('token')).toMatchObject({ status: 'error', summary });
    expect(checks.get('token')?.action).toMatch(/\.$/);
    expect(checks.get('access')).toMatchObject({ status: 'unknown', summary: 'not checked, see token' });
    expect(service.seen).toEqual([TOKEN]);
    expect(end.code).toBe(code);
    expect(end.stdout + end.stderr).not.toContain(API_KEY);
  });

  it('a server that connects and does not answer, in the end', async () => {
    const { service, campaign } = await held({ holdTokenRoute: true });
    const run = campaign.start(DOCTOR);
    await service.next(TOKEN);
    await run.seen(/… checking token/);
    const end = await run.end;
    expect(
      maskedText(end, service),
    ).toContain(`  x   token         no answer from <host>: timed out, ETIMEDOUT
                  → Check the network (VPN, firewall, HTTPS_PROXY) and the base URL. Is the service well?
`);
    expect(end.code).toBe(69);
    expect(service.seen).toEqual([TOKEN]);
  });

  it('a token that is not taken', async () => {
    const service = await untilTestEnds(startHeldService());
    const campaign = await campaignFolder(KNOWN, service);
    const run = campaign.run([...DOCTOR, '--json']);
    const read = `GET /products/${ID.product}/`;
    (await service.next(read)).respond(401, failure('Unauthorized'));
    (await service.next(read)).respond(401, failure('Unauthorized'));
    const end = await run;
    expect(checksOf(end).get('access')).toMatchObject({
      status: 'error',
      summary: 'the service gives a token, but does not take it (401)',
    });
    expect(service.seen).toEqual([TOKEN, read, TOKEN, read]);
    expect(end.code).toBe(77);
  });

  it('a clock that is wrong and a token without an end', async () => {
    const service = await untilTestEnds(startHeldService({ holdTokenRoute: true }));
    const campaign = await campaignFolder(KNOWN, service);
    const run = campaign.run([...DOCTOR, '--json']);
    const date = new Date(Date.now() - 2 * 3_600_000).toUTCString();
    const answer = success({ access_token: 'token-1' });
    (await service.next(TOKEN)).respond(200, answer, { date });
    (await service.next(`GET /products/${ID.product}/`)).respond(429, failure('slower'));
    const checks = checksOf(await run);
    expect(checks.get('clock')).toMatchObject({
      status: 'warning',
      summary: 'this machine is 120 min ahead of the service',
    });
    expect(checks.get('expires_at')).toMatchObject({ status: 'warning', summary: 'it is missing' });
  });

  it('a product that is not there any more', async () => {
    const service = await untilTestEnds(startBareService());
    const campaign = await campaignFolder(KNOWN, service);
    const end = await campaign.run([...DOCTOR, '--json']);
    expect(checksOf(end).get('access')).toMatchObject({
      status: 'warning',
      summary: 'the token is accepted, but product/tote is not there (404)',
    });
    expect(end.code).toBe(0);
  });

  it.for([
    ['certificates that are not checked', { NODE_TLS_REJECT_UNAUTHORIZED: '0' }, 'certificates', 78],
    ['a proxy that is none', { HTTPS_PROXY: 'socks5://127.0.0.1' }, 'proxy', 78],
    ['a missing key', { CAMPAIGN_API_KEY: '' }, 'api_key', 78],
    ['no environment', { CAMPAIGN_BASE_URL: '' }, 'environment', 78],
    ['plain http', { CAMPAIGN_BASE_URL: 'http://visuals.example.com' }, 'environment', 78],
    ['a wrong environment', { CAMPAIGN_ENV: 'prod' }, 'environment', 78],
    ['a wrong manifest', { CAMPAIGN_STATE: '' }, 'manifest', 65],
    ['a state that is none', { CAMPAIGN_STATE: 'folder' }, 'state', 76],
    ['a state folder that is none', { CAMPAIGN_STATE: 'nowhere/s.jsonl' }, 'manifest', 64],
    ['an output folder that is a file', { CAMPAIGN_STATE: '' }, 'output_folder', 74],
  ] as const)('%s', async ([name, env, check, code]) => {
    const service = await untilTestEnds(startBareService());
    const edits: Record<string, string> = {
      'a wrong manifest': 'pots: {}\n',
      'an output folder that is a file': 'outputs: { dir: m.yaml/x }\n',
    };
    const campaign = await campaignFolder(SINGLE + (edits[name] ?? ''), service);
    await campaign.write('folder/file', '');
    const end = await campaign.run([...DOCTOR, '--json'], env);
    const found = checksOf(end);
    const wrong = [...found.values()].filter(({ status }) => status === 'error');
    expect(wrong.map((line) => line.check)).toEqual([check]);
    expect(wrong[0]?.action).toMatch(/\.$/);
    expect([...found.keys()].sort()).toEqual(ALL_CHECKS);
    expect([end.code, end.stdout.includes(API_KEY)]).toEqual([code, false]);
  });

  it.for([
    ['service', 'ok', 0, /^certificate verified, valid until \d{4}-\d\d-\d\d$/],
    [
      'self-signed',
      'error',
      78,
      /^no TLS with 127\.0\.0\.1:\d+: the certificate is self-signed, DEPTH_ZERO_SELF_SIGNED_CERT$/,
    ],
    ['expired', 'error', 78, /^no TLS with .*: the certificate has expired, CERT_HAS_EXPIRED$/],
    [
      'other-host',
      'error',
      78,
      /^no TLS with .*: the certificate is for another host, ERR_TLS_CERT_ALTNAME_INVALID$/,
    ],
  ] as const)('what the certificate is worth: %s', async ([certificate, status, code, summary]) => {
    const service = await untilTestEnds(startBareService());
    const front = await untilTestEnds(startTlsFront(service, { certificate }));
    const campaign = await campaignFolder(SINGLE, service);
    const end = await campaign.run([...DOCTOR, '--json'], {
      CAMPAIGN_BASE_URL: `https://127.0.0.1:${front.port}/v1/api`,
      NODE_EXTRA_CA_CERTS: TEST_AUTHORITY,
    });
    const checks = checksOf(end);
    expect(checks.get('tls')).toMatchObject({ status, summary: expect.stringMatching(summary) as unknown });
    expect(checks.get('certificates')).toMatchObject({
      status: 'ok',
      summary: `those that come with Node count, and 1 in ${TEST_AUTHORITY} (NODE_EXTRA_CA_CERTS)`,
    });
    expect(service.requests.length > 0).toBe(status === 'ok');
    expect(end.code).toBe(code);
  });

  it('a proxy on the way, without its password', async () => {
    const service = await untilTestEnds(startBareService());
    const front = await untilTestEnds(startTlsFront(service));
    const proxy = await untilTestEnds(startConnectProxy({ port: front.port }));
    const campaign = await campaignFolder(SINGLE, service);
    const env = {
      CAMPAIGN_BASE_URL: `https://${TEST_HOST}/v1/api`,
      HTTPS_PROXY: `http://me:canary-word@127.0.0.1:${proxy.port}`,
      NODE_EXTRA_CA_CERTS: TEST_AUTHORITY,
    };
    const end = await campaign.run([...DOCTOR, '--json'], env);
    const checks = checksOf(end);
    expect(['proxy', 'connection', 'tls', 'token'].map((check) => checks.get(check)?.summary)).toEqual([
      `requests go through 127.0.0.1:${proxy.port}`,
      `127.0.0.1:${proxy.port}, the proxy, answers at 127.0.0.1`,
      'comes with the first request, through the proxy',
      'the key gets one',
    ]);
    expect([end.code, end.stdout.includes('canary-word')]).toEqual([0, false]);

    const refusing = await untilTestEnds(startConnectProxy({ status: 407 }));
    const HTTPS_PROXY = `http://me:canary-word@127.0.0.1:${refusing.port}`;
    const refused = await campaign.run([...DOCTOR, '--json'], { ...env, HTTPS_PROXY });
    expect(checksOf(refused).get('token')).toMatchObject({
      status: 'error',
      action: 'Correct user and password in HTTPS_PROXY (percent-encoded).',
    });
    expect([refused.code, refused.stdout.includes('canary-word')]).toEqual([78, false]);
  });

  it('a proxy that cannot be used: the advice is about the proxy', async () => {
    const service = await untilTestEnds(startBareService());
    const campaign = await campaignFolder(SINGLE, service);
    const look = async (HTTPS_PROXY: string) => {
      const env = { CAMPAIGN_BASE_URL: `https://${TEST_HOST}/v1/api`, NODE_EXTRA_CA_CERTS: TEST_AUTHORITY };
      const end = await campaign.run([...DOCTOR, '--json'], { ...env, HTTPS_PROXY });
      return { code: end.code, ...[...checksOf(end).values()].find(({ status }) => status === 'error') };
    };
    const plain = await untilTestEnds(startConnectProxy({ port: 1 }));
    expect(await look(`https://127.0.0.1:${plain.port}`)).toMatchObject({
      code: 78,
      check: 'tls',
      summary: `no TLS with 127.0.0.1:${plain.port}, the proxy: it does not speak TLS: is it an http address?, ERR_SSL_WRONG_VERSION_NUMBER`,
      action: 'Check scheme and port of the address in HTTPS_PROXY.',
    });
    expect(await look('http://127.0.0.1:1')).toMatchObject({
      code: 69,
      check: 'connection',
      summary: 'no connection to 127.0.0.1:1, the proxy: connection refused, ECONNREFUSED',
      action: 'Check host and port of the address in HTTPS_PROXY. Is the proxy running?',
    });
  });

  it('what a sick service would look like, on the emulator', async () => {
    const campaign = await campaignFolder(SINGLE);
    await campaign.write('sick.yaml', SICK);
    const args = [...DOCTOR, '--env', 'emulator', '--profile', 'sick.yaml', '--trace', 'trace.har', '--json'];
    const end = await campaign.run(args);
    const checks = checksOf(end);
    expect(['token', 'expires_at', 'access'].map((check) => checks.get(check)?.summary)).toEqual([
      'the key gets one',
      'read as a lifetime in seconds: the token lives 60 min',
      'reading a product that does not exist gets 503',
    ]);
    expect(end.code).toBe(0);
    const { log } = JSON.parse(await campaign.read('trace.har')) as {
      log: { entries: { request: object }[] };
    };
    expect(log.entries.map(({ request }) => request)).toMatchObject([
      { method: 'POST' },
      { method: 'GET' },
      { method: 'GET' },
    ]);
    expect(
      await campaign.run([...DOCTOR, '--profile', 'sick.yaml'], { CAMPAIGN_BASE_URL: 'http://127.0.0.1:9' }),
    ).toMatchObject({ code: 64 });
  });

  it('who holds the lock', async () => {
    const { service, campaign } = await held();
    const apply = campaign.start(['apply', 'm.yaml']);
    await service.next('POST /upload-media/');
    const url = await deadPort();
    const end = await campaign.run([...DOCTOR, '--json'], { CAMPAIGN_BASE_URL: url });
    expect(checksOf(end).get('lock')).toMatchObject({
      status: 'error',
      summary: expect.stringContaining(
        `held by \`campaign apply\`, process ${apply.process.pid} on `,
      ) as unknown,
    });
    apply.process.kill('SIGKILL');
    await apply.end;
    const after = await campaign.run([...DOCTOR, '--json'], { CAMPAIGN_BASE_URL: url });
    expect(checksOf(after).get('lock')).toMatchObject({ status: 'ok', summary: 'free' });
  });

  it('a damaged state, and asks all the same', async () => {
    const service = await untilTestEnds(startBareService());
    const campaign = await campaignFolder(SINGLE, service);
    await campaign.run(['apply', 'm.yaml']);
    const state = await campaign.read('small.default.state.jsonl');
    await campaign.write('small.default.state.jsonl', state.replace('"learned"', '"leaned"'));
    const end = await campaign.run([...DOCTOR, '--json']);
    expect(checksOf(end).get('state')).toMatchObject({ status: 'error', summary: 'The state is damaged' });
    expect(checksOf(end).get('access')).toMatchObject({ status: 'ok' });
    expect(end.code).toBe(76);
  });
});

it.each([
  [302, '', { location: 'https://login.example.com/sso' }, 'redirects to https://login.example.com/sso'],
  [403, '<title>Blocked by rule 7</title>', { server: 'shield' }, '(shield, 403): Blocked by rule 7'],
])(
  'a read that something before the service answers with %i is no access',
  async (status, page, headers, said) => {
    const service = await untilTestEnds(startHeldService());
    const campaign = await campaignFolder(KNOWN, service);
    const run = campaign.run([...DOCTOR, '--json']);
    (await service.next(`GET /products/${ID.product}/`)).respondRaw(status, page, headers);
    const ended = await run;
    expect(ended.code).toBe(78);
    const access = checksOf(ended).get('access');
    expect(access).toMatchObject({ status: 'error' });
    expect(access?.summary).toContain(said);
    expect(service.seen).toEqual([TOKEN, `GET /products/${ID.product}/`]);
  },
);
