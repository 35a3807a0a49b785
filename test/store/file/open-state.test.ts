import * as fs from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AT, bytesOf, EVENTS, LINEAGE, linesOf } from './sample-log.ts';
import { makePlace, openState, OPTIONS, read, write, written } from './state-place.ts';

let folder: string;
let file: string;

beforeEach(async () => {
  ({ folder, file } = await makePlace());
});

afterEach(() => fs.rm(folder, { recursive: true, force: true }));

describe('a new state', () => {
  it('has its header, a folder for the rest that git passes over, and rights for its owner only', async () => {
    const state = await written(file);
    expect(state).toMatchObject({
      known: 0,
      runs: [],
      warnings: [],
      version: '',
      header: { lineage: LINEAGE },
    });
    expect(await fs.readFile(file, 'utf8')).toBe(linesOf([])[0]);
    expect((await fs.stat(file)).mode & 0o777).toBe(0o600);
    expect(await fs.readFile(path.join(folder, '.campaign/.gitignore'), 'utf8')).toBe('*\n');
    await state.close();
    const lock = path.join(folder, '.campaign', `${path.basename(file)}.lock`);
    expect(await fs.readFile(lock, 'utf8')).toMatch(new RegExp(`^${LINEAGE} 0 [0-9a-f]{8} [0-9a-f]{8}\n$`));
  });

  it('is empty to a reader, who leaves no trace', async () => {
    const opened = await read(file);
    if (!opened.ok) throw new Error(opened.error.detail);
    expect(opened.value).toMatchObject({ known: 0, header: undefined, runs: [], version: '', warnings: [] });
    expect(opened.value.state.objects.size).toBe(0);
    expect(await fs.readdir(folder)).toEqual([]);
  });

  it('is refused where its first line was cut off, and kept aside where it starts anew', async () => {
    const [header = ''] = linesOf([]);
    for (const size of [0, 1, 20, header.length - 3]) {
      await fs.rm(path.join(folder, '.campaign'), { recursive: true, force: true });
      const cut = header.slice(0, size);
      await fs.writeFile(file, cut);
      const problem = {
        code: 'state-vanished',
        exit: 76,
        summary: 'The state is empty',
        detail:
          `${file} is there, but it is empty or ends within its first line. No run leaves one like that, so something has ` +
          'cut it off, and starting anew would make everything a second time. Bring it back from git, a backup or ' +
          'another branch. If it is to start anew, `campaign state new` says so.',
      };
      for (const opened of [await read(file), await write(file)])
        expect(opened).toEqual({ ok: false, error: problem });
      expect(await fs.readFile(file, 'utf8')).toBe(cut);
      const anew = await openState({ ...OPTIONS, stateFile: file, mode: 'write', allow: ['vanished'] });
      if (!anew.ok) throw new Error(anew.error.detail);
      expect(await fs.readFile(file, 'utf8')).toBe(cut);
      await anew.value.begin();
      await anew.value.close();
      expect(await fs.readFile(file, 'utf8')).toBe(header);
      const kept = path.join(folder, '.campaign', `${path.basename(file)}.torn-${OPTIONS.runId}`);
      expect(await fs.readFile(kept, 'utf8').catch(() => '')).toBe(cut);
    }
  });
});

describe('a state', () => {
  it('is what was recorded', async () => {
    const first = await written(file);
    await first.recorder.append(EVENTS.slice(0, 3));
    await first.recorder.append(EVENTS.slice(3));
    expect(first.state).toBe(first.recorder.state);
    await first.close();
    expect(await fs.readFile(file, 'utf8')).toBe(linesOf(EVENTS, { run: 'run-2' }).join(''));
    const writable = await write(file);
    for (const opened of [await read(file), writable]) {
      if (!opened.ok) throw new Error(opened.error.detail);
      expect(opened.value.known).toBe(2);
      const crc = Number.parseInt(linesOf(EVENTS, { run: 'run-2' }).at(-1)?.slice(-11, -3) ?? '', 16);
      expect(opened.value).toMatchObject({ version: `${LINEAGE}:5:${crc}`, seq: 5 });
      expect(opened.value.state.objects.get('product/tote')).toMatchObject({ status: 'done' });
      expect(opened.value.state.objects.get('product/mug')).toMatchObject({ status: 'unknown' });
      expect(opened.value.runs).toMatchObject([
        {
          run: 'run-2',
          command: 'apply',
          version: '0.1.0',
          manifest: 'campaign.yaml',
          startedAt: AT,
          end: { at: AT, outcome: 'undecided', exitCode: 4, nodes: { created: 1, unknown: 1 } },
        },
      ]);
    }
    if (writable.ok) await writable.value.close();
  });

  it('that nothing happens to leaves what is remembered of it untouched', async () => {
    const lock = path.join(folder, '.campaign', `${path.basename(file)}.lock`);
    const first = await written(file);
    await first.recorder.append(EVENTS);
    await first.close();
    await fs.utimes(lock, 1000, 1000);
    await (await written(file)).close();
    expect((await fs.stat(lock)).mtimeMs).toBe(1_000_000);
    const next = await written(file);
    await next.recorder.append(EVENTS);
    await next.close();
    expect((await fs.stat(lock)).mtimeMs).toBeGreaterThan(1_000_000);
  });

  it('has one writer', async () => {
    const first = await written(file);
    const second = await write(file);
    expect(!second.ok && second.error).toMatchObject({ code: 'state-locked', exit: 75 });
    await first.recorder.append(EVENTS);
    await first.close();
    await (await written(file)).close();
  });

  it('goes on with the chain in the next run', async () => {
    await fs.writeFile(file, linesOf(EVENTS.slice(0, 2)).join(''));
    const state = await written(file);
    await state.recorder.append(EVENTS.slice(2, 3));
    await state.close();
    const opened = await read(file);
    expect(opened.ok && opened.value.state.objects.get('product/tote')?.status).toBe('done');
    expect(opened.ok && opened.value.runs).toMatchObject([{ run: 'run-1' }]);
    expect(opened.ok && opened.value.runs[0]).not.toHaveProperty('end');
  });

  it('remembers no end of a run whose start it does not know', async () => {
    await fs.writeFile(file, linesOf(EVENTS.slice(4)).join(''));
    const opened = await read(file);
    expect(opened.ok && opened.value.runs).toEqual([]);
  });

  it('can be read while it is written', async () => {
    const state = await written(file);
    await state.recorder.append(EVENTS);
    await fs.appendFile(file, '{"seq":6,"run":"run-2","ev');
    const opened = await read(file);
    expect(opened.ok && opened.value.known).toBe(2);
    await state.close();
  });
});

describe('a state that was bound to something else', () => {
  it('belongs to that from then on', async () => {
    const identity = { campaign: 'summer', environment: 'production', baseUrl: 'https://example.com' };
    const state = await written(file);
    await state.recorder.append([
      ...EVENTS,
      { type: 'rebound', at: AT, campaign: 'summer', environment: 'production', base_url: identity.baseUrl },
    ]);
    await state.close();
    expect((await read(file)).ok).toBe(false);
    const opened = await openState({ ...OPTIONS, stateFile: file, identity, mode: 'write' });
    if (!opened.ok) throw new Error(opened.error.detail);
    expect(opened.value.header).toMatchObject({ ...identity, lineage: LINEAGE });
    await opened.value.close();
    const foreign = await openState({ ...OPTIONS, stateFile: file, mode: 'write', allow: ['foreign'] });
    expect(foreign.ok && foreign.value.known).toBe(2);
    if (foreign.ok) await foreign.value.close();
  });
});

describe('a torn tail', () => {
  const lines = linesOf(EVENTS);
  const log = bytesOf(lines);

  it('is kept aside, cut off and told', async () => {
    const torn = log.subarray(0, log.length - 40);
    await fs.writeFile(file, torn);
    const state = await written(file);
    const kept = path.join(folder, '.campaign', `${path.basename(file)}.torn-run-2`);
    expect(state.warnings).toEqual([
      `The last line of ${file} was unfinished, because a run was interrupted while it wrote it. It was cut off and ` +
        `kept as ${kept}; nothing that depended on it was ever sent.`,
    ]);
    const good = bytesOf(lines.slice(0, -1));
    expect(await fs.readFile(file)).toEqual(good);
    expect(await fs.readFile(kept)).toEqual(torn.subarray(good.length));
    await state.recorder.append(EVENTS.slice(-1));
    await state.close();
    const again = await written(file);
    expect(again.warnings).toEqual([]);
    expect(again.runs).toHaveLength(1);
    await again.close();
  });

  it('without anything but its newline missing gets it back', async () => {
    await fs.writeFile(file, log.subarray(0, log.length - 1));
    const state = await written(file);
    expect(state.warnings).toEqual([]);
    await state.recorder.append(EVENTS.slice(0, 1));
    await state.close();
    expect((await fs.readFile(file)).subarray(0, log.length)).toEqual(log);
    expect((await read(file)).ok).toBe(true);
  });

  it('of zeros is cut off at the end of the last line', async () => {
    await fs.writeFile(file, Buffer.concat([log.subarray(0, log.length - 1), Buffer.alloc(4096)]));
    const state = await written(file);
    expect(state.warnings).toHaveLength(1);
    await state.close();
    expect(await fs.readFile(file)).toEqual(log);
  });
});

describe('a bug while opening', () => {
  it('is thrown, and the lock given back', async () => {
    const broken = openState({
      ...OPTIONS,
      stateFile: file,
      mode: 'write',
      newLineage: () => {
        throw new Error('a bug');
      },
    });
    await expect(broken).rejects.toThrow('a bug');
    await (await written(file)).close();
  });
});
