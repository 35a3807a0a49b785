import { describe, expect, it } from 'vitest';
import { reseal } from '../../src/state/reseal.ts';
import { bytesOf, EVENTS, linesOf, readBytes } from './sample-log.ts';

const LINES = linesOf(EVENTS);

/** The edits that a resealed log shows; what it comes to is a log that holds. */
async function edits(lines: readonly string[]) {
  const sealed = reseal(bytesOf(lines));
  if (!sealed.ok) return sealed.error;
  const { reading, records } = await readBytes(bytesOf(sealed.value.lines));
  expect(reading).toMatchObject({ type: 'read', chain: sealed.value.end });
  expect(records.map(({ event }) => event)).toEqual(sealed.value.events);
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

  it('is refused where a line is no record, or the first no header', async () => {
    const [header = ''] = LINES;
    const conflict = '<<<<<<< HEAD\n';
    expect(await edits(withLines({ 4: conflict }))).toEqual({
      line: 4,
      offset: bytesOf(LINES.slice(0, 3)).length,
      why:
        'git left a conflict here: two copies of the state went their own ways. Take one of them whole, with ' +
        '`git checkout --ours` or `--theirs`',
    });
    expect(await edits(withLines({ 3: 'hello\n' }))).toMatchObject({
      line: 3,
      why: 'it is not a complete JSON object',
    });
    expect(await edits(withLines({ 3: '{"seq":2,"run":"r","event":{"type":"flown"}}\n' }))).toMatchObject({
      line: 3,
      why: 'it holds no event that this version knows',
    });
    for (const first of ['', 'x\n', '[]\n', header.replace('"format":1', '"format":2')]) {
      expect(await edits([first])).toEqual({ line: 1, offset: 0, why: 'it is not the header of a state' });
    }
  });
});
