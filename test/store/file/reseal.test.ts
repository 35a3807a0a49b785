import { describe, expect, it } from 'vitest';
import { encodeHeader } from '../../../src/store/file/header.ts';
import { encodeRecord } from '../../../src/store/file/record.ts';
import { reseal } from '../../../src/store/file/reseal.ts';
import { AT, bytesOf, EVENTS, IDENTITY, LINEAGE, linesOf, readBytes } from './sample-log.ts';

const LINES = linesOf(EVENTS);

/** The edits that a resealed log shows; what it comes to is a log that holds. */
async function edits(lines: readonly string[]) {
  const sealed = reseal(bytesOf(lines));
  if (!sealed.ok) return sealed.error;
  const { reading, records } = await readBytes(bytesOf(sealed.value.lines));
  expect(reading).toMatchObject({ type: 'read', chain: sealed.value.end });
  expect(records.map(({ event }) => event)).toEqual(sealed.value.records.map(({ event }) => event));
  return sealed.value.edits;
}

/** The lines of the sample, some of them in place of their own. */
function withLines(changes: Readonly<Record<number, string>>): string[] {
  return LINES.map((line, index) => changes[index + 1] ?? line);
}

describe('a log that was edited by hand', () => {
  it('is as it was where nothing was edited', async () => {
    expect(await edits(LINES)).toEqual([]);
    const sealed = reseal(bytesOf(LINES));
    expect(sealed.ok && sealed.value.lines).toEqual(LINES);
  });

  it('shows each line that was changed, and no other', async () => {
    for (const [line, from, to, about] of [
      [1, 'spring-launch', 'summer-launch', 'header'],
      [3, 'Töte', 'Tote', 'intent product/tote'],
      [4, 'p-1', 'p-2', 'created product/tote'],
      [6, '"exit_code":4', '"exit_code":0', 'run-finished'],
    ] as const) {
      const changed = (LINES[line - 1] ?? '').replace(from, to);
      expect(await edits(withLines({ [line]: changed }))).toEqual([{ type: 'changed', line, about }]);
    }
  });

  it('shows a line without its seal', async () => {
    const bare = (LINES[3] ?? '').replace(/,"crc":"\w+"/, '');
    expect(await edits(withLines({ 4: bare }))).toEqual([
      { type: 'changed', line: 4, about: 'created product/tote' },
    ]);
  });

  it('shows where lines were taken out, put in, doubled and swapped', async () => {
    const [a = '', b = '', c = '', d = '', e = '', f = ''] = LINES;
    expect(await edits([a, b, e, f])).toEqual([{ type: 'missing', line: 3, from: 2, to: 3 }]);
    expect(await edits([a, b, c, c, d, e, f])).toEqual([
      { type: 'misplaced', line: 4, about: 'intent product/tote' },
    ]);
    expect(await edits([a, b, d, c, e, f])).toEqual([
      { type: 'missing', line: 3, from: 2, to: 2 },
      { type: 'misplaced', line: 4, about: 'intent product/tote' },
      { type: 'missing', line: 5, from: 3, to: 3 },
    ]);
    const added = c.replace('product/tote', 'product/cap');
    expect(await edits([a, b, c, d, e, f, added])).toEqual([
      { type: 'misplaced', line: 7, about: 'intent product/cap' },
    ]);
  });

  it('loses empty and unfinished lines, and gets back its last newline', async () => {
    const text = LINES.join('');
    expect(await edits([...LINES, '\n'])).toEqual([{ type: 'left-out', line: 7 }]);
    expect(await edits([text, '{"seq":6,"ru'])).toEqual([{ type: 'left-out', line: 7 }]);
    expect(await edits([text.slice(0, -1)])).toEqual([]);
  });

  it('goes on counting where a compacted log began', async () => {
    const { line: header, crc } = encodeHeader(LINEAGE, IDENTITY, { seq: 65, crc: 0xab });
    let end = { seq: 65, crc };
    const lines = EVENTS.map((event) => {
      const encoded = encodeRecord(event, 'run-1', end);
      ({ end } = encoded);
      return encoded.line;
    });
    expect(await edits([header, ...lines])).toEqual([]);
    expect(reseal(bytesOf([header, ...lines]))).toMatchObject({
      value: { header: { lineage: LINEAGE, seq: 65 }, lines: [header, ...lines], end },
    });
    expect(await edits([header, ...lines.slice(1)])).toEqual([
      { type: 'missing', line: 2, from: 66, to: 66 },
    ]);
    expect(await edits([header.replace('"seq":65', '"seq":64'), ...lines])).toEqual([
      { type: 'changed', line: 1, about: 'header' },
      { type: 'missing', line: 2, from: 65, to: 65 },
    ]);
  });

  it('takes a line behind one that lost its seal for what it is, if it has one of its own', async () => {
    const bare = (line = '') => line.replace(/,"crc":"\w+"/, '');
    expect(await edits(withLines({ 4: bare(LINES[3]), 5: bare(LINES[4]) }))).toEqual([
      { type: 'changed', line: 4, about: 'created product/tote' },
      { type: 'changed', line: 5, about: 'intent product/mug' },
    ]);
  });

  it('is left alone where a newer version wrote it', async () => {
    const newer = (LINES[0] ?? '').replace('"format":1', '"format":3');
    expect(await edits([newer, ...LINES.slice(1)])).toEqual({ format: 3 });
  });

  it('is refused where an event has lost what it has to say, also in a last line without its newline', async () => {
    const bare = having(LINES[3], { event: { type: 'created', at: AT, address: 'product/tote' } });
    const why = 'its event "created" has no result';
    expect(await edits(withLines({ 4: bare }))).toMatchObject({ line: 4, why });
    expect(await edits([...LINES.slice(0, 3), bare.trimEnd()])).toMatchObject({ line: 4, why });
  });

  /** A line with one member in place of its own, or without it. */
  const having = (line: string | undefined, member: object) =>
    `${JSON.stringify({ ...(JSON.parse(line ?? '') as object), ...member })}\n`;

  it.each([
    { format: 0 },
    { format: '1' },
    { lineage: null },
    { campaign: 7 },
    { environment: null },
    { base_url: [] },
    { seq: '1' },
  ])('is refused where the header has %j', async (member) => {
    const refused = { line: 1, offset: 0, why: 'it is not the header of a state' };
    expect(await edits([having(LINES[0], member), ...LINES.slice(1)])).toEqual(refused);
  });

  it.each([{ seq: '2' }, { seq: undefined }, { run: 7 }, { event: null }, { event: 'created' }])(
    'is refused where a record has %j',
    async (member) => {
      expect(await edits(withLines({ 3: having(LINES[2], member) }))).toMatchObject({
        line: 3,
        why: 'it holds no event that this version knows',
      });
    },
  );

  it('is refused where a line is no record, or the first no header', async () => {
    const conflict = '<<<<<<< HEAD\n';
    expect(await edits(withLines({ 4: conflict }))).toEqual({
      line: 4,
      offset: bytesOf(LINES.slice(0, 3)).length,
      why: 'git left a conflict here: two copies of the state went their own ways',
    });
    expect(await edits(withLines({ 1: conflict }))).toMatchObject({
      line: 1,
      why: 'git left a conflict here: two copies of the state went their own ways',
    });
    expect(await edits(withLines({ 3: 'hello\n' }))).toMatchObject({
      line: 3,
      why: 'it is not a complete JSON object',
    });
    expect(await edits(withLines({ 3: '{"seq":2,"run":"r","event":{"type":"flown"}}\n' }))).toMatchObject({
      line: 3,
      why: 'it holds no event that this version knows',
    });
    expect(await edits(withLines({ 3: '[]\n' }))).toMatchObject({ why: 'it is not a complete JSON object' });
    for (const first of ['', '\n', 'x\n', '[]\n']) {
      expect(await edits([first])).toEqual({ line: 1, offset: 0, why: 'it is not the header of a state' });
    }
  });
});
