import { join } from 'node:path';
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { startBareService } from '../support/bare-service.ts';
import { startTlsFront, TEST_AUTHORITY } from '../support/tls-front.ts';
import { API_KEY, campaignFolder, SINGLE, untilTestEnds } from './small-campaign.ts';

const TLS = join(TEST_AUTHORITY, '..');

/** A service that is behind a gateway which knows its clients, and a campaign beside the files. */
async function behindGateway(settings: string) {
  const service = await untilTestEnds(startBareService({ apiKey: API_KEY }));
  const front = await untilTestEnds(startTlsFront(service, { clients: 'known' }));
  const campaign = await campaignFolder(SINGLE);
  for (const [name, from] of [
    ['client.pem', 'client.pem'],
    ['client.key', 'test-only.key'],
    ['authority.pem', 'authority.pem'],
    ['ended.pem', 'expired.pem'],
  ] as const)
    await campaign.write(`tls/${name}`, await readFile(join(TLS, from), 'utf8'));
  const gateway = `{ base_url: "https://localhost:${front.port}${new URL(service.url).pathname}", tls: ${settings} }`;
  await campaign.write('m.yaml', `${SINGLE}service: { environments: { gateway: ${gateway} } }\n`);
  const run = (...args: string[]) =>
    campaign.run([...args, 'm.yaml', '--env', 'gateway'], { CAMPAIGN_API_KEY: API_KEY });
  return { service, run };
}

const CLIENT = 'cert: tls/client.pem, key: tls/client.key';

it('service.tls names a client certificate and the authority that counts', async () => {
  const { service, run } = await behindGateway(`{ ${CLIENT}, ca: tls/authority.pem }`);
  const doctor = await run('doctor');
  expect(doctor).toMatchObject({ code: 0 });
  expect(doctor.stdout).toMatch(/ok {2}certificates +only authorities in \S*tls\/authority\.pem count/);
  expect(doctor.stdout).toMatch(/ok {2}access/);
  expect(await run('apply')).toMatchObject({ code: 0 });
  expect(service.created.configs).toHaveLength(1);
});

it('a gateway that wants a client certificate and gets none is no refused key, and ends the run at once', async () => {
  const { service, run } = await behindGateway('{ ca: tls/authority.pem }');
  const { code, stdout, stderr } = await run('apply');
  expect(code).toBe(78);
  expect(stderr).toContain('it wants a client certificate');
  expect(stdout).toContain('service.tls');
  expect(service.created.configs).toHaveLength(0);
});

it.each([
  [`{ ${CLIENT}, ca: tls/none.pem }`, 'service.tls.ca', 'tls/none.pem cannot be read (no such file'],
  ['{ cert: tls/client.pem, key: tls/client.pem }', 'service.tls.key', 'tls/client.pem holds no private key'],
  [
    '{ cert: tls/client.key, key: tls/client.key }',
    'service.tls.cert',
    'tls/client.key holds no certificate',
  ],
  [
    '{ cert: tls/authority.pem, key: tls/client.key }',
    'service.tls.key',
    'is not the key of the certificate',
  ],
])('files that cannot be used are named before anything is sent: %s', async (settings, setting, why) => {
  const { run } = await behindGateway(settings);
  const apply = await run('apply');
  expect(apply).toMatchObject({ code: 78 });
  expect(apply.stderr).toContain(`${setting} cannot be used`);
  expect(apply.stderr).toContain(why);
  const doctor = await run('doctor');
  expect(doctor).toMatchObject({ code: 78 });
  expect(doctor.stdout.replaceAll(/\s+/g, ' ')).toContain(`x certificates ${setting} cannot be used`);
});

it('doctor says that a client certificate has ended', async () => {
  const { run } = await behindGateway('{ cert: tls/ended.pem, key: tls/client.key, ca: tls/authority.pem }');
  const { code, stdout } = await run('doctor');
  expect(code).toBe(78);
  expect(stdout).toMatch(/x {3}certificates +the client certificate in/);
});

it('a certificate without its key is a mistake of the manifest', async () => {
  const { run } = await behindGateway('{ cert: tls/client.pem }');
  const { code, stderr } = await run('validate');
  expect(code).toBe(65);
  expect(stderr).toContain('write `key` beside `cert`');
});
