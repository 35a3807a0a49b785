/** What the manifests of one apply share: token, limits, what was learned of the service, the stop (docs/many-manifests.md). */
import { expect, it } from 'vitest';
import { type BareService, startBareService } from '../support/bare-service.ts';
import { startHeldService } from '../support/held-service.ts';
import { creates, ID, makeRequest, success } from './held-answers.ts';
import { campaignFolder, PNG, SINGLE, untilTestEnds } from './small-campaign.ts';

const BUDGET = `budget:
  currency: EUR
  prices: { image: 0.10 }
  per_month: { posts: 1 }
`;

const named = (name: string) => SINGLE.replace('name: small', `name: ${name}`);

async function campaigns(names: readonly string[], service?: { readonly url: string }) {
  const campaign = await campaignFolder('version: 1\n', service);
  await campaign.write('all/tote.png', PNG);
  for (const name of names) await campaign.write(`all/${name}.campaign.yaml`, named(name));
  return campaign;
}

const tokens = ({ requests }: BareService) =>
  requests.filter(({ path }) => path === '/get_auth_token').length;

it('ten manifests, one broken, two with one budget: a token for each account, one summary, the right files and code', async () => {
  const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
  const campaign = await campaigns(['a', 'b', 'c']);
  const at = (key: string) =>
    `service: { environments: { main: { base_url: ${service.url}, api_key_env: ${key} } }, default_environment: main }\n`;
  for (const name of ['a', 'b', 'c', 'e', 'f', 'g', 'h'])
    await campaign.write(`all/${name}.campaign.yaml`, named(name) + at('FIRST_KEY'));
  for (const name of ['i', 'j'])
    await campaign.write(`all/${name}.campaign.yaml`, named(name) + at('SECOND_KEY') + BUDGET);
  await campaign.write('all/d.campaign.yaml', 'version: 1\nname: d\nposts: 7\n');
  // What is hidden, installed, or the program's own is no manifest.
  for (const folder of ['all/.hidden', 'all/node_modules/x', 'all/.campaign'])
    await campaign.write(`${folder}/campaign.yaml`, named('x'));
  const keys = { FIRST_KEY: 'the-first-key', SECOND_KEY: 'the-second-key' };

  const end = await campaign.run(['apply', 'all'], keys);
  expect(end.code).toBe(65);
  expect(end.stdout.split('\n').slice(-5)).toEqual([
    '',
    '10 manifests: 8 succeeded, 1 invalid, 1 needs-consent. 32 created, 8 files downloaded.',
    '  invalid        all/d.campaign.yaml (65)',
    '  needs-consent  j · main · all/j.campaign.yaml (5)',
    '',
  ]);
  // What standard error says is headed with what it is about.
  expect(end.stderr).toMatch(/\nall\/d\.campaign\.yaml\nerror: /);
  expect(end.stderr).toMatch(/\nj · main · all\/j\.campaign\.yaml\nerror: Over budget/);
  expect(tokens(service)).toBe(2);
  expect(service.created.configs).toHaveLength(8);
  const made = (await campaign.files()).filter((file) => file.endsWith('.png') && file !== 'all/tote.png');
  expect(made.filter((file) => file.startsWith('all/'))).toEqual(
    ['a', 'b', 'c', 'e', 'f', 'g', 'h', 'i'].map((name) => `all/out/${name}/main/hero/kitchen-image.png`),
  );

  const before = service.requests.length;
  const again = await campaign.run(['apply', 'all', '--quiet'], keys);
  expect(again.code).toBe(65);
  expect(again.stdout.match(/^\w+ · /gm)).toEqual(['j · ']);
  expect(service.requests).toHaveLength(before);
});

it('an outage leaves three unknown creates in all, and is known to the manifests that follow', async () => {
  const service = await untilTestEnds(startHeldService());
  const campaign = await campaigns(['a', 'b', 'c', 'd'], service);
  const run = campaign.run(['apply', 'all', '--concurrency', '1', '--json']);
  const cut = async (request: string) => (await service.next(request)).reset();
  const upload = async () =>
    (await service.next('POST /upload-media/')).respond(200, success('https://cdn.example.com/tote.png'));
  for (let n = 0; n < 4; n += 1) void upload();
  for (let n = 0; n < 4; n += 1) for (const path of ['concepts', 'products']) void cut(`POST /${path}/`);
  const { code, stdout } = await run;
  expect(code).toBe(4);
  expect(creates(service)).toHaveLength(3);
  const last = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Record<string, unknown>;
  expect(last).toMatchObject({
    outcome: 'undecided',
    nodes: { unknown: 3 },
    manifests: [{ exit_code: 4 }, { exit_code: 4 }, { exit_code: 3 }, { exit_code: 3 }],
  });
  expect(service.seen.filter((request) => request === 'POST /get_auth_token')).toHaveLength(1);
});

it('a key that is refused, and a service that nobody reaches, are found out once; what has nothing to send is not concerned', async () => {
  const service = await untilTestEnds(startBareService({ apiKey: 'another-key', pendingPolls: 0 }));
  const campaign = await campaigns(['a', 'b', 'c'], service);
  const asked = { CAMPAIGN_API_KEY: 'another-key' };
  expect((await campaign.run(['apply', 'all/b.campaign.yaml'], asked)).code).toBe(0);
  const before = tokens(service);
  const refused = await campaign.run(['apply', 'all']);
  expect(refused.code).toBe(77);
  expect(refused.stdout).toContain(
    '3 manifests: 1 succeeded, 2 refused. 4 unchanged, 4 left to another run.',
  );
  expect(refused.stderr).toContain(
    'c · default · all/c.campaign.yaml\nerror: The service refuses the API key [key-refused]\n' +
      '  The run of all/a.campaign.yaml has found that out, and this manifest uses the same base URL and key. ' +
      'Nothing was sent for it: check the key and the environment, then run again.\n',
  );
  expect(tokens(service) - before).toBeLessThanOrEqual(2);
  expect(await campaign.files()).not.toContain('all/c.small.default.state.jsonl');

  const away = await campaigns(['a', 'c'], { url: 'http://127.0.0.1:1/api' });
  const off = await away.run(['apply', 'all', '--only', 'concept/*']);
  expect(off.code).toBe(69);
  expect(off.stdout).toContain('2 manifests: 2 unavailable. 1 left to another run.');
  expect(off.stderr).toContain('error: The service is down [service-down]\n');
});

it('a signal in the third of five stops all, and says which were not started', async () => {
  const service = await untilTestEnds(startHeldService());
  const campaign = await campaigns(['c', 'd', 'e'], service);
  for (const name of ['a', 'b']) {
    const only = named(name)
      .replace(/posts:[^]*/, '')
      .replace(/products:\n.*\n/, '');
    await campaign.write(`all/${name}.campaign.yaml`, only);
  }
  const run = campaign.start(['apply', 'all', '--quiet']);
  for (let n = 0; n < 2; n += 1)
    (await service.next('POST /concepts/')).respond(201, success({ id: `${ID.concept}${n}` }));
  await makeRequest(service);
  run.process.kill('SIGINT');
  const end = await run.end;
  expect(end).toMatchObject({ code: null, signal: 'SIGINT' });
  expect(end.stdout).toMatch(
    /^a · [^]*\nb · [^]*\nc · [^]*: Apply stopped: [^]*\n {2}not started {2}all\/d\.campaign\.yaml\n {2}not started {2}all\/e\.campaign\.yaml\n$/,
  );
  expect((await campaign.files()).filter((file) => /[de]\.campaign\.default/.test(file))).toEqual([]);
});

it('--fail-fast and --deadline hold for the whole command', async () => {
  const service = await untilTestEnds(startHeldService());
  const campaign = await campaigns(['a', 'b'], service);
  await campaign.write('all/a.campaign.yaml', 'version: 1\n');
  const fast = await campaign.run(['apply', 'all', '--fail-fast']);
  expect(fast.code).toBe(65);
  expect(fast.stdout).toContain('2 manifests: 1 invalid, 1 not started.');
  await campaign.write('all/a.campaign.yaml', named('a'));
  const late = await campaign.run(['apply', 'all', '--deadline', '0s', '--json']);
  expect(late.code).toBe(3);
  const last = JSON.parse(late.stdout.trimEnd().split('\n').at(-1) ?? '') as Record<string, unknown>;
  const none = { outcome: 'not-started', exit_code: 3 };
  expect(last).toMatchObject({ exit_code: 3, manifests: [none, none] });
  expect(service.seen).toEqual([]);
});
