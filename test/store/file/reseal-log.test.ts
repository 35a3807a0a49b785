import * as fs from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeHeader } from '../../../src/store/file/header.ts';
import { encodeRecord } from '../../../src/store/file/record.ts';
import { resealLog } from '../../../src/store/file/reseal-log.ts';
import { readSeal } from '../../../src/store/file/seal.ts';
import { statePaths } from '../../../src/store/file/work-folder.ts';
import type { Edit, ResealPreview } from '../../../src/store/store.ts';
import type { Clock } from '../../../src/util/clock.ts';
import { NO_WITNESSES } from '../../support/no-witnesses.ts';
import { AT, EVENTS, IDENTITY, LINEAGE, linesOf } from './sample-log.ts';
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
    runId: 'run-9',
    events: EVENTS.slice(0, 1),
    agree,
    witnesses: NO_WITNESSES,
  });
}

/** The checksum of the last record of the sample. */
const encodedEnd = () => readSeal(Buffer.from((linesOf(EVENTS).at(-1) ?? '').trimEnd())) ?? 0;

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

  it('refuses what campaign never wrote before it holds it in memory', async () => {
    await fs.writeFile(file, edited());
    const whole = Buffer.byteLength(edited());
    await fs.truncate(file, whole + 2 ** 28 + 1);
    expect(await reseal()).toMatchObject({
      ok: false,
      error: { detail: expect.stringContaining('it has more than 256 MiB, and no line that') as string },
    });
    await fs.truncate(file, 2 ** 31);
    expect(await reseal()).toMatchObject({
      ok: false,
      error: { detail: expect.stringContaining('has more than 2 GiB, and what is resealed') as string },
    });
    await fs.truncate(file, whole);
    expect(await fs.readFile(file, 'utf8')).toBe(edited());
  });

  /** Lets this machine know the whole log, and puts these lines in its place. */
  async function knownThen(lines: readonly string[]): Promise<void> {
    await fs.writeFile(file, linesOf(EVENTS).join(''));
    await (await written(file)).close();
    await fs.writeFile(file, lines.join(''));
  }

  /** As on a machine that knows nothing yet. */
  async function startAnew(): Promise<void> {
    for (const name of await fs.readdir(folder)) await fs.rm(path.join(folder, name), { recursive: true });
  }

  async function editsShown(): Promise<readonly Edit[]> {
    const shown: Edit[] = [];
    const done = await reseal(({ edits }) => {
      shown.push(...edits);
      return true;
    });
    expect(done).toMatchObject({ ok: true, value: { edits: shown } });
    return shown;
  }

  it('shows what is gone at its end, and goes on from there once that is agreed to', async () => {
    await knownThen(linesOf(EVENTS.slice(0, 3)));
    expect(await editsShown()).toEqual([{ type: 'cut', line: 5, from: 4, to: 5 }]);
    // The next one to write finds nothing amiss.
    await (await written(file)).close();
    const opened = await read(file);
    expect(opened.ok && [opened.value.seq, opened.value.diverged]).toEqual([4, undefined]);
  });

  it('shows that besides other edits', async () => {
    await knownThen(linesOf(EVENTS.slice(0, 3)).toSpliced(1, 1));
    expect(await editsShown()).toEqual([
      { type: 'missing', line: 2, from: 1, to: 1 },
      { type: 'cut', line: 4, from: 4, to: 5 },
    ]);
  });

  it('leaves it to rebind which copy counts, where none was edited', async () => {
    const other = '1c6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f';
    for (const lines of [linesOf(EVENTS, { lineage: other }), linesOf(EVENTS, { run: 'run-7' })]) {
      await knownThen(lines);
      expect(await reseal()).toMatchObject({ ok: false, error: { code: 'state-diverged', exit: 76 } });
      expect(await fs.readFile(file, 'utf8')).toBe(lines.join(''));
      await startAnew();
    }
  });

  it('says of another copy that it is one, where it was edited too', async () => {
    const copy = linesOf(EVENTS, { run: 'run-7' });
    await knownThen(copy.toSpliced(2, 1));
    expect(await editsShown()).toEqual([
      { type: 'missing', line: 3, from: 2, to: 2 },
      { type: 'other-log', line: 1 },
    ]);
  });

  it('does not guess where the record that was known last is gone, or states no checksum', async () => {
    const longer = linesOf([...EVENTS, ...EVENTS.slice(3)]);
    await knownThen(longer.toSpliced(5, 1));
    expect(await editsShown()).toEqual([{ type: 'missing', line: 6, from: 5, to: 5 }]);
    await startAnew();
    const bare = (longer[5] ?? '').replace(/,"crc":"\w+"/, '');
    await knownThen(longer.toSpliced(5, 1, bare));
    expect(await editsShown()).toEqual([{ type: 'changed', line: 6, about: 'run-finished' }]);
  });

  it('takes a compacted log for the one that it was made from', async () => {
    const { line, crc } = encodeHeader(LINEAGE, IDENTITY, { seq: 5, crc: encodedEnd() });
    const learned = { type: 'learned', at: AT, name: 'a', value: 'b' } as const;
    const one = encodeRecord(learned, 'run-2', { seq: 5, crc });
    const two = encodeRecord(learned, 'run-2', one.end);
    await knownThen([line, one.line, two.line]);
    expect(await reseal()).toEqual({ ok: true, value: { edits: [], kept: undefined } });
    await fs.writeFile(file, [line, two.line].join(''));
    expect(await editsShown()).toEqual([{ type: 'missing', line: 2, from: 6, to: 6 }]);
    await startAnew();
    const apart = encodeHeader(LINEAGE, IDENTITY, { seq: 5, crc: 7 });
    await knownThen([apart.line, two.line]);
    expect(await editsShown()).toEqual([
      { type: 'missing', line: 2, from: 6, to: 6 },
      { type: 'other-log', line: 1 },
    ]);
  });

  it('is refused where a newer version wrote the log', async () => {
    const newer = linesOf(EVENTS).join('').replace('"format":1', '"format":9');
    await fs.writeFile(file, newer);
    expect(await reseal()).toMatchObject({ ok: false, error: { code: 'state-newer-format', exit: 76 } });
    expect(await fs.readFile(file, 'utf8')).toBe(newer);
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
    expect(await reseal()).toMatchObject({ ok: false, error: { code: 'state-vanished' } });
    const state = await written(file);
    expect(await reseal()).toMatchObject({ ok: false, error: { code: 'state-locked', exit: 75 } });
    await state.close();
    await fs.writeFile(file, 'hello\n');
    const refused = await reseal();
    expect(!refused.ok && refused.error.detail).toBe(
      `${file}, line 1 (byte 0): it is not the header of a state. Mend that line or take it out, then try again. Nothing was changed.`,
    );
    await fs.rm(file);
    await fs.mkdir(file);
    expect(await reseal()).toMatchObject({ ok: false, error: { code: 'state-not-a-file' } });
    await fs.rm(path.join(folder, '.campaign'), { recursive: true });
    const elsewhere = await fs.mkdtemp(path.join(folder, 'elsewhere-'));
    await fs.symlink(elsewhere, path.join(folder, '.campaign'));
    expect(await reseal()).toMatchObject({ ok: false, error: { code: 'state-not-a-file' } });
    expect(await fs.readdir(elsewhere)).toEqual([]);
  });

  it('never overwrites a log that was kept before', async () => {
    await fs.writeFile(file, edited());
    const kept = `${file}.before-reseal-2026-03-01T10-00-00.000Z`;
    await fs.writeFile(kept, 'an older one');
    expect(await reseal()).toMatchObject({ ok: false, error: { code: 'state-unwritable', exit: 74 } });
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
    expect(await reseal()).toMatchObject({ ok: false, error: { code: 'state-not-a-file' } });
    file = through;
    await fs.writeFile(file, edited());
    await fs.mkdir(path.join(folder, '.campaign'), { mode: 0o700 });
    await fs.mkdir(path.join(folder, '.campaign', `${path.basename(file)}.rewrite`));
    expect(await reseal()).toMatchObject({ ok: false, error: { code: 'state-unwritable', exit: 74 } });
    expect(await fs.readFile(file, 'utf8')).toBe(edited());
  });
});
