import { expect, it } from 'vitest';
import { encodeHeader } from '../../../src/store/file/header.ts';
import { createLogEnds } from '../../../src/store/file/log-ends.ts';
import { bytesOf, EVENTS, IDENTITY, LINEAGE, linesOf } from './sample-log.ts';

/** What a log is remembered as that comes in pieces of so many bytes. */
function checkpointOf(log: Buffer, size: number) {
  const ends = createLogEnds();
  for (let at = 0; at < log.length; at += size) ends.take(log.subarray(at, at + size));
  return ends.checkpoint();
}

const LINES = linesOf(EVENTS);
const [HEADER = ''] = LINES;
const LAST = { seq: EVENTS.length, crc: crcOf(LINES.at(-1) ?? '') };

function crcOf(line: string): number {
  return Number.parseInt(line.trimEnd().slice(-10, -2), 16);
}

it('the last record is the same however the log comes, and whatever its lines end with', () => {
  for (const text of [LINES.join(''), LINES.join('').trimEnd(), LINES.join('').replaceAll('\n', '\r\n')]) {
    for (const size of [1, 7, 100, 1 << 20])
      expect(checkpointOf(Buffer.from(text), size)).toEqual({ lineage: LINEAGE, last: LAST });
  }
});

it('what is cut off behind the last record says nothing', () => {
  expect(checkpointOf(bytesOf([...LINES, '{"seq":99,"run":']), 64)).toEqual({ lineage: LINEAGE, last: LAST });
});

it('a header alone is remembered by its own checksum, one of a compacted log by the record before it', () => {
  expect(checkpointOf(bytesOf([HEADER]), 64)).toEqual({
    lineage: LINEAGE,
    last: { seq: 0, crc: crcOf(HEADER) },
  });
  const { line: compacted } = encodeHeader(LINEAGE, IDENTITY, { seq: 7, crc: 0x1234abcd });
  expect(checkpointOf(bytesOf([compacted]), 64)).toEqual({
    lineage: LINEAGE,
    last: { seq: 7, crc: 0x1234abcd },
  });
});

it('of a log that ends with something else only the lineage is known', () => {
  for (const other of ['>>>>>>> theirs\n', '7\n', '{"seq":"1"}\n', '{"seq":1,"event":{}}\n'])
    expect(checkpointOf(bytesOf([...LINES, other]), 64)).toEqual({ lineage: LINEAGE });
});

it('what is no log is not remembered, however long its first line is', () => {
  for (const text of [
    '',
    'version https://git-lfs.github.com/spec/v1\n',
    '{"format":3,"lineage":"x"}\n',
    'x'.repeat(1 << 18),
  ])
    expect(checkpointOf(Buffer.from(text), 1 << 16)).toBeUndefined();
});
