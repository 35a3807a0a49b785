/** Answers whose head and body do not fit together, met by whole commands: each ends, says why, and frees the lock. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startEmulator, type Emulator, type FaultRule } from '../../src/emulator/emulator.ts';
import { realClock } from '../../src/util/clock.ts';
import { API_KEY, campaignFolder, SINGLE } from './small-campaign.ts';

const HOW = ['short-length', 'zero-length', 'no-content', 'chunk-size', 'upgrade'] as const;

async function emulatorWith(orders: readonly FaultRule[]): Promise<Emulator> {
  const dataDir = await mkdtemp(join(tmpdir(), 'campaign-misframed-'));
  const generationMs = { image: 0, carousel: 0, video: 0 };
  const behaviour = { generationMs };
  const emulator = await startEmulator({ dataDir, clock: realClock, random: Math.random, behaviour, orders });
  onTestFinished(async () => {
    await emulator.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  return emulator;
}

const misframed = (on: string, how: (typeof HOW)[number]): FaultRule => ({
  on,
  do: { fault: 'framing', how },
});

describe.each(HOW)('%s', (how) => {
  it('ends an apply with an unknown create, and the lock is free', async () => {
    const emulator = await emulatorWith([misframed('POST /concepts/', how)]);
    const campaign = await campaignFolder(SINGLE, emulator);
    const { code, stderr } = await campaign.run(['apply', 'm.yaml']);
    expect(code, stderr).toBe(4);
    expect(stderr).toMatch(/The answer of the service cannot be used|The service did not answer/);
    emulator.order([]);
    expect((await campaign.run(['apply', 'm.yaml'])).code).toBe(4);
    expect(emulator.ledger.entries().filter(({ kind }) => kind === 'concept')).toHaveLength(1);
  });

  it('ends a doctor that finds it at a read', async () => {
    const emulator = await emulatorWith([misframed('GET /products/{id}/', how)]);
    const campaign = await campaignFolder(SINGLE, emulator);
    const { code, stdout, stderr } = await campaign.run(['doctor', 'm.yaml']);
    expect([0, 69], stderr).toContain(code);
    expect(stdout).toContain('nothing_done');
  });

  it('ends a doctor that finds it at the token', async () => {
    const emulator = await emulatorWith([misframed('POST /get_auth_token', how)]);
    const campaign = await campaignFolder(SINGLE, emulator);
    const { code, stdout, stderr } = await campaign.run(['doctor', 'm.yaml']);
    expect([69, 78], stderr).toContain(code);
    expect(stdout).toMatch(/x {3}token/);
  });

  it('ends a resolve that looks an id up', async () => {
    const emulator = await emulatorWith([{ on: 'POST /products/', do: { fault: 'cut', effect: 'after' } }]);
    const campaign = await campaignFolder(SINGLE, emulator);
    expect((await campaign.run(['apply', 'm.yaml'])).code).toBe(4);
    emulator.order([misframed('GET /products/{id}/', how)]);
    const made = emulator.ledger.entries().find(({ kind }) => kind === 'product');
    const args = ['resolve', 'm.yaml', 'product/tote', '--id', made?.id ?? ''];
    const { code, stderr } = await campaign.run(args);
    expect(code, stderr).toBe(1);
    expect(stderr).toContain('The service does not confirm the id');
  });
});

it('JSON of a hundred thousand levels is an answer like any other that cannot be used', async () => {
  const emulator = await emulatorWith([{ on: 'POST /concepts/', do: { fault: 'body', body: 'deep' } }]);
  const campaign = await campaignFolder(SINGLE, emulator);
  const { code, stderr } = await campaign.run(['apply', 'm.yaml', '--trace', 'trace.har']);
  expect(code, stderr).toBe(4);
  expect(stderr).toContain('the body is nested too deeply');
  expect((await campaign.run(['state', 'check', 'm.yaml'])).code).toBe(0);
  expect(JSON.parse(await campaign.read('trace.har'))).toHaveProperty('log.entries');
});

it('an id that is none is kept as what the answer said, and never as an id', async () => {
  const emulator = await emulatorWith([{ on: 'POST /products/', do: { fault: 'body', body: 'path-id' } }]);
  const campaign = await campaignFolder(SINGLE, emulator);
  expect((await campaign.run(['apply', 'm.yaml'])).code).toBe(4);
  const { stdout } = await campaign.run(['state', 'show', 'm.yaml', 'product/tote']);
  expect(stdout).toContain('it holds no record with an id');
  expect(stdout).toContain('The answer: {');
  expect(stdout).toContain('../../etc/passwd');
  expect(stdout).not.toContain('"id": "../');
});

it('a process that has nothing left to wait for, and has not done its work, ends with 70 and says so', async () => {
  const campaign = await campaignFolder(SINGLE);
  // As if a promise of the photo were lost.
  const lost = join(campaign.folder, 'lost.mjs');
  await writeFile(
    lost,
    `import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
const { open } = fs;
fs.open = (path, ...more) => (String(path).endsWith('.png') ? new Promise(() => {}) : open(path, ...more));
syncBuiltinESMExports();
`,
  );
  const env = { NODE_OPTIONS: `--import=file://${lost}`, CAMPAIGN_API_KEY: API_KEY };
  const { code, stderr } = await campaign.run(['validate', 'm.yaml'], env);
  expect([code, stderr]).toEqual([70, expect.stringContaining('campaign has a bug [bug]')]);
  expect(stderr).toContain('nothing was left to wait for, and the work was not done');
  expect(stderr).not.toContain('unsettled');
});
