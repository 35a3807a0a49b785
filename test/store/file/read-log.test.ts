import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { StateEvent } from '../../../src/model/state-event.ts';
import { readLog } from '../../../src/store/file/read-log.ts';
import { AT, bytesOf, EVENTS, IDENTITY, LINEAGE, linesOf, readBytes } from './sample-log.ts';
import { IS_FULL } from '../../sweep/stride.ts';

const LINES = linesOf(EVENTS);
const LOG = bytesOf(LINES);
/** Offsets at which a line ends, its newline included. */
const ENDS = LINES.map((_, index) => bytesOf(LINES.slice(0, index + 1)).length);

async function refusal(lines: readonly string[]) {
  const { reading } = await readBytes(bytesOf(lines));
  return reading.type === 'damaged' ? { line: reading.line, why: reading.why } : reading;
}

/** A sealed line that no version of ours would write. */
function forge(open: string, before: string): string {
  const crc = crc32(open, Number.parseInt(before.slice(-11, -3), 16));
  return `${open},"crc":"${crc.toString(16).padStart(8, '0')}"}\n`;
}

describe('the format', () => {
  it('is fixed, byte by byte', () => {
    expect(linesOf(EVENTS.slice(1, 3)).join('')).toBe(
      [
        '{"format":1,"lineage":"0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f","campaign":"spring-launch","environment":"stage","base_url":"https://stage.visuals.example.com/api","crc":"2c8ff931"}',
        '{"seq":1,"run":"run-1","event":{"type":"intent","at":"2026-03-01T10:00:00.000Z","address":"product/tote","attempt":1,"inputs":{"name":"Töte"},"fingerprint":"f1"},"crc":"f81cec51"}',
        '{"seq":2,"run":"run-1","event":{"type":"created","at":"2026-03-01T10:00:00.000Z","address":"product/tote","result":{"id":"p-1"}},"crc":"9976c47a"}',
        '',
      ].join('\n'),
    );
  });

  it('chains a CRC-32 over the raw bytes of each line, from the lineage on', () => {
    let crc = crc32(LINEAGE);
    for (const line of LINES) {
      crc = crc32(line.slice(0, line.lastIndexOf(',"crc":"')), crc);
      expect(line.slice(-11, -3)).toBe(crc.toString(16).padStart(8, '0'));
    }
  });
});

describe('readLog', () => {
  it('gives every record, in order, with what follows', async () => {
    const { reading, records } = await readBytes(LOG);
    expect(records).toEqual(EVENTS.map((event, index) => ({ seq: index + 1, run: 'run-1', event })));
    expect(reading).toEqual({
      type: 'read',
      header: { lineage: LINEAGE, ...IDENTITY, seq: 0 },
      chain: { seq: 5, crc: Number.parseInt(LINES[5]?.slice(-11, -3) ?? '', 16) },
      end: LOG.length,
      size: LOG.length,
      sum: crc32(LOG),
      newlineMissing: false,
    });
  });

  it('reads a line that is longer than its buffer', async () => {
    const long: StateEvent = { type: 'learned', at: AT, name: 'long', value: 'ö'.repeat(1_500_000) };
    const events = [...EVENTS, long, ...EVENTS];
    const { reading, records } = await readBytes(bytesOf(linesOf(events)));
    expect(reading.type).toBe('read');
    expect(records.map(({ event }) => event)).toEqual(events);
  });

  it('refuses a line without an end before it takes all memory', async () => {
    const [header = ''] = LINES;
    let asked = 0;
    const read = (target: Buffer, offset: number, length: number, position: number) => {
      asked = position + length;
      const bytesRead = position === 0 ? target.write(header, offset) : length;
      if (position > 0) target.fill('x', offset, offset + length);
      return Promise.resolve({ bytesRead, buffer: target });
    };
    const file = { read: read as Parameters<typeof readLog>[0]['read'] };
    expect(await readLog(file, () => undefined)).toEqual({
      type: 'damaged',
      line: 2,
      offset: header.length,
      why: 'it has more than 256 MiB, and no line that campaign writes is that long',
    });
    expect(asked).toBeLessThan(2 ** 28 + 2 ** 20);
  });

  it('does not care how the bytes arrive', async () => {
    for (const block of [1, 2, 7, 100]) {
      const { records } = await readBytes(LOG, { block });
      expect(records.map(({ event }) => event)).toEqual(EVENTS);
    }
  });

  it('reads a log that is larger than its blocks', async () => {
    const many = Array.from(
      { length: 20_000 },
      (_, index): StateEvent => ({ type: 'learned', at: AT, name: `n${index}`, value: 'ü'.repeat(20) }),
    );
    const log = bytesOf(linesOf(many));
    const { reading, records } = await readBytes(log);
    expect(reading).toMatchObject({ type: 'read', end: log.length, chain: { seq: 20_000 } });
    expect(records.at(-1)?.event).toEqual(many.at(-1));
  });

  it('finds nothing in an empty log', async () => {
    const { reading } = await readBytes(Buffer.alloc(0));
    expect(reading).toMatchObject({ type: 'read', header: undefined, end: 0, size: 0 });
  });
});

describe('a torn tail', () => {
  it('is passed over at every byte offset, and what is complete counts', async () => {
    for (let size = 0; size <= LOG.length; size++) {
      const { reading, records } = await readBytes(LOG.subarray(0, size));
      // A line counts from its closing brace on.
      const complete = ENDS.filter((end) => end - 1 <= size).length;
      const end = Math.min(ENDS[complete - 1] ?? 0, size);
      expect(reading, `cut at ${size}`).toMatchObject({
        type: 'read',
        end,
        size,
        newlineMissing: complete > 0 && end < (ENDS[complete - 1] ?? 0),
      });
      expect(records).toHaveLength(Math.max(0, complete - 1));
    }
  });

  it('may be followed by zeros, as after a loss of power', async () => {
    for (let size = 0; size <= LOG.length; size++) {
      const cut = await readBytes(LOG.subarray(0, size));
      const { reading, records } = await readBytes(Buffer.concat([LOG.subarray(0, size), Buffer.alloc(50)]));
      expect(reading, `cut at ${size}`).toEqual({
        ...cut.reading,
        size: size + 50,
        sum: crc32(Buffer.concat([LOG.subarray(0, size), Buffer.alloc(50)])),
      });
      expect(records).toEqual(cut.records);
    }
  });
});

describe('damage', () => {
  // One bit of each byte, another one each time; all eight in `npm run test:sweep`.
  it('shows for every flipped bit', async () => {
    for (let bit = 0; bit < LOG.length * 8; bit += IS_FULL ? 1 : 7) {
      const flipped = Buffer.from(LOG);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const { reading } = await readBytes(flipped);
      expect(reading.type, `bit ${bit}`).not.toBe('read');
    }
  });

  const [header = '', first = '', second = '', third = '', ...rest] = LINES;
  const OTHER_ENDS =
    'it ends with CR LF, which git or an editor has made of it: put `*.state.jsonl -text` into .gitattributes';
  const changed = 'its checksum does not hold: it was changed, or belongs to another log';

  it('names the line and where it begins', async () => {
    const { reading } = await readBytes(bytesOf([header, first, second.replace('tote', 'tofu'), third]));
    expect(reading).toEqual({ type: 'damaged', line: 3, offset: ENDS[1], why: changed });
  });

  it.each([
    ['a doubled line', [header, first, second, second, third, ...rest], 4, 'its seq is 2 where 3 follows'],
    ['swapped lines', [header, second, first, third, ...rest], 2, 'its seq is 2 where 1 follows'],
    ['a lost line', [header, first, third, ...rest], 3, 'its seq is 3 where 2 follows'],
    [
      'a line of another log',
      [header, first, linesOf(EVENTS, { lineage: 'other' })[2] ?? '', third],
      3,
      changed,
    ],
    ['a lost line, numbered anew', [header, first, third.replace('"seq":3', '"seq":2'), ...rest], 3, changed],
    ['a line that is no JSON', [header, first, 'hello\n', second], 3, 'it is not a complete JSON object'],
    ['an empty line', [header, first, '\n', second], 3, 'it is not a complete JSON object'],
    [
      'a torn line in the middle',
      [header, first.slice(0, 30), second],
      2,
      'it is not a complete JSON object',
    ],
    ['a line with the end of another system', [header, `${first.trimEnd()}\r\n`], 2, OTHER_ENDS],
    ['a header with such an end', [`${header.trimEnd()}\r\n`, first], 1, OTHER_ENDS],
    [
      'a complete last line without its newline and with a wrong checksum',
      [header, first.replace('apply', 'applz').trimEnd()],
      2,
      changed,
    ],
    [
      'something behind the last line',
      [header, first, `${second.trimEnd()}, "more`],
      3,
      'something follows its end: it was changed',
    ],
    ['something behind the header', [`${header.trimEnd()} `], 1, 'something follows its end: it was changed'],
    ['a file that is no state', ['# Spring launch\n'], 1, 'it is not the header of a state'],
    ['a file that is no state and has one line', ['# Spring'], 1, 'it is not the header of a state'],
    ['a JSON file', ['{"name":"spring"}\n'], 1, 'it is not the header of a state'],
    [
      'a changed header',
      [header.replace('stage', 'stagf'), first],
      1,
      'its checksum does not hold: it was changed',
    ],
    [
      'a header without its members',
      [forge(`{"format":1,"lineage":"x"`, `....${crc32('x').toString(16).padStart(8, '0')}"}\n`)],
      1,
      'it names no campaign, environment and base_url',
    ],
  ])('shows for %s', async (_, lines, line, why) => {
    expect(await refusal(lines)).toEqual({ line, why });
  });

  it('is not looked for in a newer format', async () => {
    const newer = '{"format":3,"lineage":"x","sealed":"otherwise"}\n';
    expect((await readBytes(Buffer.from(newer))).reading).toEqual({
      type: 'newer',
      line: 1,
      what: 'its format is 3',
    });
  });

  it('is not what an event of a later version is', async () => {
    const line = forge('{"seq":1,"run":"r","event":{"type":"budgeted"}', header);
    expect((await readBytes(bytesOf([header, line, first]))).reading).toEqual({
      type: 'newer',
      line: 2,
      what: 'its event is of the type "budgeted"',
    });
  });
});
