import { describe, expect, it } from 'vitest';
import { encodeHeader } from '../../../src/store/file/header.ts';
import { createLogEnds } from '../../../src/store/file/log-ends.ts';
import { pointerIn } from '../../../src/store/file/pointer-text.ts';
import { IDENTITY } from './sample-log.ts';

const to = 'postgres://db.example.com/campaigns';
const pointer = (seq: number, more: { lineage?: string; boundAt?: string } = {}) => {
  const { lineage = 'lineage-1', boundAt = '' } = more;
  return encodeHeader(lineage, { ...IDENTITY, movedTo: to, boundAt }, { seq, crc: seq + 1 }).line;
};
const conflict = (ours: string, theirs: string, base?: string) =>
  `<<<<<<< HEAD\n${ours}${base === undefined ? '' : `||||||| 1a2b3c4\n${base}`}=======\n${theirs}>>>>>>> origin/main\n`;

describe('a pointer', () => {
  it('names the newest head that was seen', () => {
    expect(pointerIn(pointer(12))).toMatchObject({
      type: 'pointer',
      head: { lineage: 'lineage-1', last: { seq: 12, crc: 13 }, boundAt: '' },
      isConflicted: false,
    });
    expect(pointerIn('{}\n')).toBeUndefined();
    expect(pointerIn('')).toBeUndefined();
    expect(pointerIn(encodeHeader('lineage-1', IDENTITY).line)).toBeUndefined();
    // A conflict further down is one of a log, not of pointers.
    expect(pointerIn(`${encodeHeader('lineage-1', IDENTITY).line}${conflict('', '')}`)).toBeUndefined();
  });

  it.each([
    ['ours', conflict(pointer(30), pointer(20))],
    ['theirs', conflict(pointer(20), pointer(30))],
    ['the base beside them', conflict(pointer(20), pointer(30), pointer(10))],
    ['line ends of Windows', conflict(pointer(20), pointer(30)).replaceAll('\n', '\r\n')],
    ['a decision', conflict(pointer(40), pointer(30, { boundAt: '2026-01-02T00:00:00.000Z' }))],
  ])('with a conflict of git names the later one: %s', (_, text) => {
    expect(pointerIn(text)).toMatchObject({ head: { last: { seq: 30, crc: 31 } }, isConflicted: true });
    const ends = createLogEnds();
    ends.take(Buffer.from(text));
    expect(ends.checkpoint()).toMatchObject({ lineage: 'lineage-1', last: { seq: 30, crc: 31 } });
  });

  it.each([
    ['two logs', conflict(pointer(20), pointer(30, { lineage: 'lineage-2' }))],
    ['a state beside it', conflict(pointer(20), encodeHeader('lineage-1', IDENTITY).line)],
    ['a line that was changed', conflict(pointer(20), pointer(30).replace('campaigns', 'others'))],
    ['nothing', conflict('', '')],
  ])('with a conflict of something else is none: %s', (_, text) => {
    expect(pointerIn(text)).toMatchObject({ type: 'conflict' });
  });
});
