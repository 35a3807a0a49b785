/** A plan that came to nothing is remembered, and believed only where all that it depended on is as it was. */
import { readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AppliedCampaign, applyCampaign, type EditedCampaign } from './edited-campaign.ts';

let applied: AppliedCampaign;
beforeAll(async () => {
  applied = await applyCampaign();
});
afterAll(() => applied.remove());

/** The file with what is remembered of a command's only run so far. */
async function memoryOf({ folder }: EditedCampaign): Promise<string> {
  const names = await readdir(join(folder, '.campaign'));
  const [name = 'nothing is remembered', ...others] = names.filter((each) => each.startsWith('no-changes-'));
  expect(others).toEqual([]);
  return join(folder, '.campaign', name);
}

/** Remembered is from now on that the state knows 4711 nodes: whoever says so has believed it. */
async function mark(campaign: EditedCampaign): Promise<string> {
  const file = await memoryOf(campaign);
  const { atime, mtime } = await stat(file);
  const text = (await readFile(file, 'utf8')).slice(8).replace('"known":15', '"known":4711');
  await writeFile(file, crc32(text).toString(16).padStart(8, '0') + text);
  await utimes(file, atime, mtime);
  return file;
}

/** A campaign with a remembered run of a command: one that begins as soon as the folder is copied believes nothing. */
async function remembered(...args: readonly string[]): Promise<EditedCampaign> {
  const campaign = await applied.copy();
  expect(await campaign.runApart(args)).toMatchObject({ code: 0, stderr: '' });
  await mark(campaign);
  return campaign;
}

const BELIEVED = '4711 known nodes';

describe('what is remembered of a plan', () => {
  it('is believed where everything is as it was, by every form of output', async () => {
    const campaign = await remembered('plan');
    expect(await campaign.plan()).toContain(BELIEVED);
    expect(await campaign.run(['plan', '--detailed-exitcode'])).toMatchObject({ code: 0 });
    await campaign.write('notes.txt', 'nothing that a plan looks at');
    await campaign.write('other.production.state.jsonl', 'a state of something else');
    expect(await campaign.plan()).toContain(BELIEVED);
  });

  it('says what the plan says, byte for byte', async () => {
    for (const flags of [[], ['--json'], ['--quiet'], ['--format', 'markdown'], ['--log-level', 'debug']]) {
      const campaign = await applied.copy();
      const first = await campaign.runApart(['plan', ...flags]);
      const file = await memoryOf(campaign);
      const { ino } = await stat(file);
      expect(await campaign.run(['plan', ...flags])).toEqual(first);
      expect((await stat(file)).ino).toBe(ino);
    }
  });

  it('is nothing where it is torn, flipped or from elsewhere', async () => {
    const campaign = await remembered('plan');
    const file = await memoryOf(campaign);
    const whole = await readFile(file);
    const other = await remembered('plan');
    const flipped = [0, 8, 9, whole.indexOf('4711'), whole.length - 1].map((at) => {
      const bytes = Buffer.from(whole);
      bytes.writeUInt8(bytes.readUInt8(at) ^ 2, at);
      return bytes;
    });
    const torn = [0, 4, 8, 100, whole.length - 1].map((length) => whole.subarray(0, length));
    const foreign = [await readFile(await memoryOf(other)), Buffer.from('ffffffff'), Buffer.alloc(5_000)];
    for (const bytes of [...flipped, ...torn, ...foreign]) {
      await writeFile(file, bytes);
      expect(await campaign.plan()).toContain('15 known nodes\n\nNo changes.\n');
    }
    await rm(file);
    await symlink(await memoryOf(other), file);
    expect(await campaign.plan()).toContain('15 known nodes');
  });

  it('is not made of a plan with work, with a warning about the state, or of a rehearsal', async () => {
    const campaign = await applied.copy();
    const none = async () =>
      (await campaign.files('.campaign')).filter((name) => name.startsWith('no-changes'));
    await campaign.change('Neon', 'Dusk');
    await campaign.run(['plan']);
    await campaign.change('Dusk', 'Neon');
    await campaign.run(['plan', '--env', 'emulator']);
    await campaign.write('.campaign/errored-0123.jsonl', '');
    await campaign.run(['plan']);
    expect(await none()).toEqual([]);
  });
});

describe('what is remembered of an apply', () => {
  it('is believed, with the lock and all events', async () => {
    const campaign = await applied.copy();
    for (const flags of [['--yes'], ['--yes', '--json'], ['--json', '--quiet'], []]) {
      const names = await campaign.files('.campaign');
      await Promise.all(
        names
          .filter((name) => name.startsWith('no-'))
          .map((name) => rm(join(campaign.folder, '.campaign', name))),
      );
      const first = await campaign.runApart(['apply', ...flags]);
      expect(first.code).toBe(0);
      const { ino } = await stat(await memoryOf(campaign));
      expect(await campaign.run(['apply', ...flags])).toEqual(first);
      expect((await stat(await memoryOf(campaign))).ino).toBe(ino);
    }
    await mark(campaign);
    expect((await campaign.apply()).stdout).toContain(BELIEVED);
  });

  it('is not believed once the index is another one', async () => {
    const campaign = await remembered('apply');
    const index = 'out/spring/default/index.json';
    await campaign.write(index, (await campaign.read(index)).replace(/"digest": "./, '"digest": "-'));
    expect((await campaign.run(['apply'])).stdout).not.toContain(BELIEVED);
    expect(await campaign.read(index)).not.toContain('"digest": "-');
  });

  it('does not make an API key or a safe connection unnecessary', async () => {
    const campaign = await remembered('apply');
    expect(await campaign.run(['apply'], { CAMPAIGN_API_KEY: '' })).toMatchObject({ code: 78 });
    expect(await campaign.run(['apply'], { NODE_TLS_REJECT_UNAUTHORIZED: '0' })).toMatchObject({ code: 78 });
  });
});
