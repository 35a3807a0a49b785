/** A plan that came to nothing is remembered, and believed only where all that it depended on is as it was. */
import { execFile } from 'node:child_process';
import { copyFile, readFile, rename, rm, stat, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CampaignSource } from '../../src/app/campaign.ts';
import { createRuntime } from '../../src/app/create-runtime.ts';
import { loadCampaign } from '../../src/app/load-campaign.ts';
import { type Asked, openMemory } from '../../src/app/no-changes.ts';
import { planCampaign } from '../../src/app/plan-campaign.ts';
import { lookAtCampaign } from '../../src/app/read-state.ts';
import type { Runtime } from '../../src/app/runtime.ts';
import { realClock } from '../../src/util/clock.ts';
import { realDisk } from '../../src/util/disk.ts';
import { type AppliedCampaign, applyCampaign, type EditedCampaign } from '../cli/edited-campaign.ts';

/** What is settled only after a while, by the rule for times that may be racy; a busy machine takes longer. */
const SOON = { timeout: 30_000 };

let applied: AppliedCampaign;
beforeAll(async () => {
  applied = await applyCampaign();
});
afterAll(() => applied.remove());

interface Way {
  readonly asked?: Partial<Asked>;
  readonly source?: Partial<CampaignSource>;
  readonly env?: Readonly<Record<string, string>>;
  readonly runtime?: Partial<Runtime>;
}

/** How the answer was found, as `campaign plan` finds it; a new plan is remembered if that is possible. */
async function look(campaign: EditedCampaign, way: Way = {}): Promise<'remembered' | 'planned' | 'refused'> {
  const env = { ...campaign.env, PATH: process.env['PATH'], ...way.env };
  const runtime = { ...createRuntime({ env, emit() {} }), ...way.runtime };
  const file = join(campaign.folder, 'campaign.yaml');
  const source = { file, need: 'environment', outside: 'refuse', target: '', ...way.source } as const;
  const asked = { command: 'plan', wishes: NOBODY, folders: 'check', ...way.asked } as const;
  const memory = openMemory(runtime, source, asked);
  const known = memory.recall();
  if (known && (await known.campaign.store.hasMark?.(known.mark))) return 'remembered';
  const loaded = await loadCampaign(memory.watch(runtime), source);
  const looked = loaded.ok ? await lookAtCampaign(memory.watch(runtime), loaded.value) : loaded;
  if (!looked.ok) return 'refused';
  const { campaign: found, open } = looked.value;
  const plan = planCampaign(found, open.state, { ...asked, now: runtime.clock.now() });
  if (!plan.ok) return 'refused';
  await memory.keep({
    campaign: found,
    plan: plan.value,
    warnings: found.warnings,
    known: open.known,
    mark: open.mark,
  });
  return 'planned';
}

/** A campaign whose plan is remembered. What was changed a moment ago is not believed, so it may take two looks. */
async function remembered(): Promise<EditedCampaign> {
  const campaign = await applied.copy();
  await expect.poll(() => look(campaign), SOON).toBe('remembered');
  return campaign;
}

const STATE = 'spring.default.state.jsonl';

type Change = (campaign: EditedCampaign) => Promise<unknown>;

/** Writes other bytes, as many as before, and gives the file the time that it had. */
async function rewrite(campaign: EditedCampaign, file: string): Promise<void> {
  const path = join(campaign.folder, file);
  const bytes = await readFile(path);
  const { atime, mtime } = await stat(path);
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
  await writeFile(path, bytes);
  await utimes(path, atime, mtime);
}

/** Puts a copy with the same bytes and times in the place of a file. */
async function replace({ folder }: EditedCampaign, file: string): Promise<void> {
  const path = join(folder, file);
  const { atime, mtime } = await stat(path);
  await copyFile(path, `${path}.copy`);
  await utimes(`${path}.copy`, atime, mtime);
  await rename(`${path}.copy`, path);
}

const PHOTO = 'photos/tote/1-front.png';

const FILES: Readonly<Record<string, Change>> = {
  'a photo of the same size and time': (campaign) => rewrite(campaign, PHOTO),
  'a reference image of the same size and time': (campaign) => rewrite(campaign, 'refs/linen.png'),
  'a photo that was replaced by its own copy': (campaign) => replace(campaign, PHOTO),
  'the time of a photo': ({ folder }) => utimes(join(folder, PHOTO), 1, 1),
  'a photo more': ({ folder }) => copyFile(join(folder, PHOTO), join(folder, 'photos/tote/3.png')),
  'a photo less': ({ folder }) => rm(join(folder, 'photos/tote/2-side.png')),
  'a photo with another name': (campaign) => campaign.rename(PHOTO, 'photos/tote/9-front.png'),
  'a product folder more': async (campaign) =>
    campaign.write('photos/cap/1.png', await readFile(join(campaign.folder, PHOTO))),
  'a product.yaml': (campaign) => campaign.write('photos/tote/product.yaml', 'description: Canvas\n'),
  'a comment in the manifest': (campaign) => campaign.change('version: 1', 'version: 1 # first'),
  'the other spelling of the manifest': (campaign) => campaign.write('campaign.yml', ''),
  'a folder that turns out to hold results': (campaign) =>
    campaign.write(
      'photos/index.json',
      '{\n  "format_version": "1.0",\n  "campaign": "x",\n  "environment": "y"\n}',
    ),
  'the state has a flipped bit': (campaign) => rewrite(campaign, STATE),
  'the state is shorter': async ({ folder }) => truncate(join(folder, STATE), 2_000),
  'the state is gone': ({ folder }) => rm(join(folder, STATE)),
  'the state is a link': async (campaign) => {
    await campaign.rename(STATE, 'elsewhere.jsonl');
    await symlink('elsewhere.jsonl', join(campaign.folder, STATE));
  },
  'the checkpoint of this machine is gone': ({ folder }) => rm(join(folder, '.campaign', `${STATE}.lock`)),
  'a spill file waits': (campaign) => campaign.write('.campaign/errored-0123.jsonl', ''),
  'git has another state': async (campaign) => {
    const git = (...args: string[]) =>
      promisify(execFile)('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
        cwd: campaign.folder,
      });
    const whole = await campaign.read(STATE);
    await campaign.write(STATE, whole.split('\n').slice(0, 3).join('\n') + '\n');
    await git('init', '-q');
    await git('add', '-f', STATE);
    await git('commit', '-qm', 'x');
    await campaign.write(STATE, whole);
  },
};

const NOBODY = { only: [], exclude: [], replace: [] };
const hurried = (ms: number): Partial<Runtime> => ({ clock: { ...realClock, now: () => Date.now() + ms } });

const WAYS: Readonly<Record<string, Way>> = {
  command: { asked: { command: 'apply' } },
  selection: { asked: { wishes: { ...NOBODY, only: ['*'] } } },
  'yes to folders that are gone': { asked: { folders: 'trust' } },
  permission: { source: { outside: 'allow' } },
  'name of the state': { source: { state: STATE } },
  'way to name the campaign': { source: { target: 'campaign.yaml' } },
  'value of a variable': { source: { variables: new Map([['a', 'b']]) } },
  'variable of the process': { env: { CAMPAIGN_VAR_a: 'b' } },
  'base URL': { env: { CAMPAIGN_BASE_URL: 'https://visuals.example.com' } },
  environment: { env: { CAMPAIGN_ENV: 'emulator' } },
  program: {
    runtime: {
      disk: {
        ...realDisk,
        read: (path, most) => (path.endsWith('cli.js') ? Buffer.from('x') : realDisk.read(path, most)),
      },
    },
  },
  'time, which is earlier': { runtime: hurried(-3_600_000) },
};

describe('a plan that came to nothing', () => {
  it('is believed again, whatever else is changed', async () => {
    const campaign = await remembered();
    await campaign.write('notes.txt', 'nothing that a plan looks at');
    await campaign.write('other.production.state.jsonl', 'the state of something else');
    expect(await look(campaign)).toBe('remembered');
    expect(await look(campaign, { runtime: hurried(3_600_000) })).toBe('remembered');
    expect(await look(campaign, { env: { CAMPAIGN_API_KEY: 'another one', NO_COLOR: '1' } })).toBe(
      'remembered',
    );
  });

  it('is not believed in another period', async () => {
    const campaign = await applied.copy();
    await campaign.change('  hero:\n', '  hero:\n    every: day\n');
    expect(await campaign.apply('--yes')).toMatchObject({ code: 0, posts: 0 });
    const asToday = { source: { at: new Date().toISOString().slice(0, 10) } };
    const tomorrow = { runtime: hurried(24 * 3_600_000) };
    await expect.poll(() => look(campaign, asToday), SOON).toBe('remembered');
    expect(await look(campaign, { ...asToday, ...tomorrow })).toBe('remembered');
    expect(await look(campaign, tomorrow)).toBe('planned');
    await expect.poll(() => look(campaign), SOON).toBe('remembered');
    expect(await look(campaign, tomorrow)).toBe('planned');
  });

  it.each(Object.entries(FILES))('is not believed after a change: %s', async (_, change) => {
    const campaign = await remembered();
    await change(campaign);
    expect(await look(campaign)).not.toBe('remembered');
  });

  it('is not believed after a link to a folder was led elsewhere', async () => {
    const campaign = await applied.copy();
    await campaign.rename('photos/tote', 'kept/tote');
    await symlink('../kept/tote', join(campaign.folder, 'photos/tote'));
    await expect.poll(() => look(campaign), SOON).toBe('remembered');
    await campaign.rename('kept/tote', 'other/tote');
    await rm(join(campaign.folder, 'photos/tote'));
    await symlink('../other/tote', join(campaign.folder, 'photos/tote'));
    expect(await look(campaign)).toBe('planned');
  });

  it.each(Object.entries(WAYS))('is not believed for another %s', async (_, way) => {
    const campaign = await remembered();
    expect(await look(campaign, way)).not.toBe('remembered');
  });

  it('is not believed where a photo was changed in the moment of the first look: its times may not show a second change', async () => {
    const campaign = await remembered();
    const { ctimeMs } = await stat(join(campaign.folder, PHOTO));
    const runtime = { clock: { ...realClock, now: () => ctimeMs + 10 } };
    await rm(join(campaign.folder, '.campaign'), { recursive: true });
    expect(await look(campaign, { runtime })).toBe('planned');
    expect(await look(campaign, { runtime })).toBe('planned');
  });

  it('is not remembered where two looks at one file differ', async () => {
    const campaign = await remembered();
    await rm(join(campaign.folder, '.campaign'), { recursive: true });
    let times = 0;
    const id = (path: string) => `${realDisk.id(path)} ${++times}`;
    expect(await look(campaign, { runtime: { disk: { ...realDisk, id } } })).toBe('planned');
    expect(await look(campaign)).toBe('planned');
  });
});
