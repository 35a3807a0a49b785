import * as fs from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resealLog, type ResealPreview } from '../../src/state/reseal-log.ts';
import { statePaths } from '../../src/state/work-folder.ts';
import type { Clock } from '../../src/util/clock.ts';
import { AT, EVENTS, linesOf } from './sample-log.ts';
import { makePlace, read, written } from './state-place.ts';

let folder: string;
let file: string;

beforeEach(async () => {
  ({ folder, file } = await makePlace());
});

afterEach(() => fs.rm(folder, { recursive: true, force: true }));

const CLOCK: Clock = { now: () => Date.parse(AT), monotonic: () => 0, after: () => () => undefined };

function reseal(agree: (preview: ResealPreview) => boolean = () => true) {
  return resealLog(statePaths(file), {
    lockTimeoutMs: 0,
    clock: CLOCK,
    command: 'campaign state check --reseal',
    run: 'run-9',
    events: EVENTS.slice(0, 1),
    agree: (preview) => Promise.resolve(agree(preview)),
  });
}

const edited = () => linesOf(EVENTS).join('').replace('"p-1"', '"p-2"');

describe('resealing a log', () => {
  it('keeps the one from before, and the new one is the state from then on', async () => {
    // This machine knew the log as it was.
    await (await written(file)).close();
    await fs.writeFile(file, edited(), { mode: 0o640 });
    await fs.chmod(file, 0o640);
    const done = await reseal(({ edits, state }) => {
      expect(edits).toEqual([{ type: 'changed', line: 4, about: 'created product/tote' }]);
      expect(state.objects.get('product/tote')).toMatchObject({ result: { id: 'p-2' } });
      return true;
    });
    const kept = `${file}.before-reseal-2026-03-01T10-00-00.000Z`;
    expect(done).toMatchObject({ ok: true, value: { kept } });
    expect(await fs.readFile(kept, 'utf8')).toBe(edited());
    expect((await fs.stat(file)).mode & 0o777).toBe(0o640);
    const opened = await read(file);
    expect(opened.ok && [opened.value.seq, opened.value.warnings]).toEqual([6, []]);
    expect(opened.ok && opened.value.runs.map(({ run }) => run)).toEqual(['run-1', 'run-9']);
    await (await written(file)).close();
  });

  it('changes nothing where nobody agrees, or nothing was edited', async () => {
    await fs.writeFile(file, edited());
    expect(await reseal(() => false)).toMatchObject({ ok: true, value: { kept: undefined } });
    expect(await fs.readFile(file, 'utf8')).toBe(edited());
    await fs.writeFile(file, linesOf(EVENTS).join(''));
    const never = () => {
      throw new Error('asked');
    };
    expect(await reseal(never)).toEqual({ ok: true, value: { edits: [], kept: undefined } });
    expect((await fs.readdir(folder)).sort()).toEqual(['.campaign', path.basename(file)]);
  });

  it('writes a long log whole', async () => {
    const many = Array.from({ length: 6_000 }, () => EVENTS[3]).flatMap((event) => (event ? [event] : []));
    const lines = linesOf(many);
    await fs.writeFile(file, [...lines.slice(0, 10), ...lines.slice(11)].join(''));
    expect((await reseal()).ok).toBe(true);
    expect((await fs.stat(file)).size).toBeGreaterThan(1 << 20);
    const opened = await read(file);
    expect(opened.ok && opened.value.seq).toBe(6_000);
  });

  it('waits for nobody, and has its reasons', async () => {
    expect(await reseal()).toMatchObject({ ok: false, error: { code: 'vanished' } });
    const state = await written(file);
    expect(await reseal()).toMatchObject({ ok: false, error: { code: 'locked', exit: 75 } });
    await state.close();
    await fs.writeFile(file, 'hello\n');
    const refused = await reseal();
    expect(!refused.ok && refused.error.detail).toBe(
      `${file}, line 1 (byte 0): it is not the header of a state. Mend that line or take it out, then try again. Nothing was changed.`,
    );
    await fs.rm(file);
    await fs.mkdir(file);
    expect(await reseal()).toMatchObject({ ok: false, error: { code: 'not-a-file' } });
    await fs.rm(path.join(folder, '.campaign'), { recursive: true });
    const elsewhere = await fs.mkdtemp(path.join(folder, 'elsewhere-'));
    await fs.symlink(elsewhere, path.join(folder, '.campaign'));
    expect(await reseal()).toMatchObject({ ok: false, error: { code: 'not-a-file' } });
    expect(await fs.readdir(elsewhere)).toEqual([]);
  });

  it('never overwrites a log that was kept before', async () => {
    await fs.writeFile(file, edited());
    const kept = `${file}.before-reseal-2026-03-01T10-00-00.000Z`;
    await fs.writeFile(kept, 'an older one');
    expect(await reseal()).toMatchObject({ ok: false, error: { code: 'unwritable', exit: 74 } });
    expect(await fs.readFile(kept, 'utf8')).toBe('an older one');
    expect(await fs.readFile(file, 'utf8')).toBe(edited());
  });

  it('gives the lock back where asking comes to nothing', async () => {
    await fs.writeFile(file, edited());
    const gone = () => {
      throw new Error('the terminal is gone');
    };
    await expect(reseal(gone)).rejects.toThrow('the terminal is gone');
    expect(await fs.readFile(file, 'utf8')).toBe(edited());
    expect((await reseal()).ok).toBe(true);
  });

  it('is refused in a folder that is a link, and where the disk refuses', async () => {
    await fs.symlink(folder, path.join(folder, 'link'));
    const linked = path.join(folder, 'link', path.basename(file));
    const through = file;
    file = linked;
    expect(await reseal()).toMatchObject({ ok: false, error: { code: 'not-a-file' } });
    file = through;
    await fs.writeFile(file, edited());
    await fs.mkdir(path.join(folder, '.campaign'), { mode: 0o700 });
    await fs.mkdir(path.join(folder, '.campaign', `${path.basename(file)}.rewrite`));
    expect(await reseal()).toMatchObject({ ok: false, error: { code: 'unwritable', exit: 74 } });
    expect(await fs.readFile(file, 'utf8')).toBe(edited());
  });
});
