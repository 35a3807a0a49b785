/** A log of 200 lines, torn and changed in every way: what is read is what was written, or it is refused. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { StateEvent } from '../../src/model/state-event.ts';
import type { RecordPlace } from '../../src/log/log-record.ts';
import { decodeHeader } from '../../src/store/file/header.ts';
import { decodeRecord } from '../../src/store/file/record.ts';
import { AT, bytesOf, linesOf, readBytes } from '../store/file/sample-log.ts';
import { told } from './dimension.ts';
import { IS_FULL } from './stride.ts';

/** Intents and their ends in turn, as a long run writes them. */
const EVENTS = Array.from({ length: 199 }, (_, index): StateEvent => {
  const address = `product/tote-${index >> 1}`;
  const of = { at: AT, address };
  return index % 2
    ? { ...of, type: 'created', result: { id: `0b6c1c9e-2f7e-4c0a-9d3e-${String(index).padStart(12, '0')}` } }
    : { ...of, type: 'intent', attempt: 1, inputs: { name: `Töte ${index}` }, fingerprint: 'f'.repeat(64) };
});
const LINES = linesOf(EVENTS);
const LOG = bytesOf(LINES);
const NEWLINE = 0x0a;

/** Whole logs are slower to read than lines. */
const WHOLE = IS_FULL ? 61 : 4001;

/** Where each line begins, and the end of the chain before it. */
const places: { start: number; bytes: Buffer; before: RecordPlace }[] = [];

beforeAll(() => {
  let start = 0;
  let before: RecordPlace = { seq: -1, crc: 0 };
  for (const line of LINES) {
    const bytes = Buffer.from(line.slice(0, -1));
    places.push({ start, bytes, before });
    before = { seq: before.seq + 1, crc: Number.parseInt(line.slice(-11, -3), 16) };
    start += bytes.length + 1;
  }
});

/** How often the points of a test were visited, and which of them failed. */
function count(dimension: string) {
  const started = performance.now();
  const failed: string[] = [];
  let visited = 0;
  return {
    check(name: string, holds: boolean) {
      visited += 1;
      if (!holds) failed.push(name);
    },
    end() {
      told(dimension, {
        visited,
        failed: failed.length,
        ms: performance.now() - started,
        unit: 'damaged logs',
      });
      expect(failed).toEqual([]);
    },
  };
}

describe('a log of 200 lines', () => {
  it('torn at every byte: what was complete counts, the rest is passed over (scenario 3)', {
    timeout: 900_000,
  }, async () => {
    const points = count('the tail torn (scenario 3)');
    const stride = IS_FULL ? 1 : 97;
    const tails = [Buffer.alloc(0), Buffer.alloc(300)];
    for (let size = 0; size <= LOG.length; size += stride) {
      const complete = places.filter(({ start, bytes }) => start + bytes.length <= size).length;
      for (const tail of tails) {
        const { reading, records } = await readBytes(Buffer.concat([LOG.subarray(0, size), tail]));
        const isRight = reading.type === 'read' && records.length === Math.max(0, complete - 1);
        points.check(`${size} bytes and ${tail.length} zeros`, isRight);
      }
    }
    points.end();
  });

  it('with any bit flipped: no line is accepted that was changed (scenario 4)', {
    timeout: 900_000,
  }, async () => {
    const points = count('a flipped bit (scenario 4)');
    let bit = 0;
    for (const { start, bytes, before } of places) {
      const flipped = Buffer.from(bytes);
      for (; bit < (start + bytes.length) * 8; bit += 1) {
        const at = (bit >> 3) - start;
        const old = flipped[at] ?? 0;
        flipped[at] = old ^ (1 << (bit & 7));
        // A newline makes two lines of one: that is the reader's to see.
        const isAccepted = flipped[at] === NEWLINE ? await readsWhole(bit) : accepts(flipped, before);
        points.check(`bit ${bit}`, !isAccepted);
        flipped[at] = old;
      }
      // The newline itself: two lines become one, or the last one has something behind its end.
      for (; bit < (start + bytes.length + 1) * 8; bit += 1)
        points.check(`bit ${bit}`, !(await readsWhole(bit)));
    }
    points.end();
  });

  it('with some of the bits flipped, read as a whole (scenario 4)', { timeout: 900_000 }, async () => {
    const points = count('a flipped bit, the whole log read (scenario 4)');
    for (let bit = 0; bit < LOG.length * 8; bit += WHOLE)
      points.check(`bit ${bit}`, !(await readsWhole(bit)));
    points.end();
  });

  it('with a line doubled, lost, swapped or of another log (scenario 5)', { timeout: 900_000 }, async () => {
    const points = count('a line doubled, lost, swapped, foreign (scenario 5)');
    const foreign = linesOf(EVENTS, { lineage: 'another' });
    const stride = IS_FULL ? 1 : 9;
    for (let index = 0; index < LINES.length; index += stride) {
      const [before, line = '', after] = [LINES.slice(0, index), LINES[index], LINES.slice(index + 1)];
      const next = after[0] ?? '';
      const edits: Record<string, string[]> = {
        doubled: [...before, line, line, ...after],
        foreign: [...before, foreign[index] ?? '', ...after],
        // The last line may be missing: that is an older copy, which the lock file remembers.
        ...(after.length > 0
          ? { lost: [...before, ...after], swapped: [...before, next, line, ...after.slice(1)] }
          : {}),
      };
      for (const [name, lines] of Object.entries(edits))
        points.check(`line ${index + 1} ${name}`, (await readBytes(bytesOf(lines))).reading.type !== 'read');
    }
    points.end();
  });
});

/** Whether a changed line would be taken: the header by its own reader, a record as what follows the one before it. */
function accepts(bytes: Buffer, before: RecordPlace): boolean {
  if (before.seq < 0) return decodeHeader(bytes).type === 'header';
  return decodeRecord({ bytes, text: bytes.toString() }, before).ok;
}

async function readsWhole(bit: number): Promise<boolean> {
  const flipped = Buffer.from(LOG);
  flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return (await readBytes(flipped)).reading.type === 'read';
}
