import { describe, expect, it } from 'vitest';
import { decodeHeader, encodeHeader, isHeaderFragment } from '../../../src/store/file/header.ts';
import { seal, seedOf } from '../../../src/store/file/seal.ts';
import { IDENTITY, LINEAGE } from './sample-log.ts';

const NAMES = { campaign: 'spring', environment: 'stage', base_url: 'emulator' };

/** A first line that holds any members, properly sealed for a lineage. */
function sealed(members: object, lineage = 'x'): Buffer {
  return Buffer.from(seal(JSON.stringify(members).slice(0, -1), seedOf(lineage)).line.trimEnd());
}

describe('a header', () => {
  it('survives its line; only that of a compacted log says how many records came before', () => {
    for (const base of [{ seq: 0 }, { seq: 1 }, { seq: 12, crc: 0xab }]) {
      const { line, header, crc } = encodeHeader(LINEAGE, IDENTITY, base);
      const last = base.crc === undefined ? {} : { last: base.crc };
      expect(header).toEqual({ lineage: LINEAGE, ...IDENTITY, seq: base.seq, ...last });
      expect(line.endsWith('"}\n')).toBe(true);
      expect(line.includes('"seq":')).toBe(base.seq > 0);
      expect(line.includes('"last":"000000ab"')).toBe(base.seq === 12);
      expect(decodeHeader(Buffer.from(line.trimEnd()))).toEqual({ type: 'header', header, crc });
    }
    expect(encodeHeader(LINEAGE, IDENTITY)).toEqual(encodeHeader(LINEAGE, IDENTITY, { seq: 0 }));
  });

  it('may say which database has the log', () => {
    const movedTo = 'postgres://anna@localhost/campaigns';
    const { line, header } = encodeHeader(LINEAGE, { ...IDENTITY, movedTo }, { seq: 3, crc: 1 });
    expect(line).toContain(`"seq":3,"last":"00000001","moved_to":"${movedTo}","crc":`);
    expect(decodeHeader(Buffer.from(line.trimEnd()))).toMatchObject({ header: { ...header, movedTo } });
  });

  it.each([
    ['{', 'it is not the header of a state'],
    ['[]', 'it is not the header of a state'],
    ['null', 'it is not the header of a state'],
    ['{"format":"1","lineage":"x"}', 'it is not the header of a state'],
    ['<<<<<<< HEAD', 'git left a conflict here: two copies of the state went their own ways'],
    ['{"format":1}', 'it is not the header of a state'],
    ['{"format":2}', 'it is not the header of a state'],
    ['{"format":1,"lineage":"x"}', 'its checksum does not hold: it was changed'],
    [sealed({ format: 1, lineage: 'x', ...NAMES }, 'y'), 'its checksum does not hold: it was changed'],
    [
      sealed({ format: 1, lineage: 'x', ...NAMES, campaign: 1 }),
      'it names no campaign, environment and base_url',
    ],
    [
      sealed({ format: 1, lineage: 'x', ...NAMES, environment: null }),
      'it names no campaign, environment and base_url',
    ],
    [
      sealed({ format: 1, lineage: 'x', ...NAMES, base_url: {} }),
      'it names no campaign, environment and base_url',
    ],
    [sealed({ format: 1, lineage: 'x', ...NAMES, seq: '1' }), 'its seq is no number'],
  ])('is none: %s', (line, why) => {
    expect(decodeHeader(Buffer.from(line))).toEqual({ type: 'bad', why });
  });

  it('of another format is told before anything else: it may be sealed in another way', () => {
    for (const format of [0, 2])
      expect(decodeHeader(Buffer.from(`{"format":${format},"lineage":"x"}`))).toEqual({
        type: 'newer',
        format,
      });
  });
});

describe('what a header that was cut off leaves', () => {
  it.each(['', '{', '{"format":1,"lin', '{"format":1,"lineage":"', '{"format":1,"lineage":"0b6c'])(
    'may be %j',
    (text) => {
      expect(isHeaderFragment(Buffer.from(text))).toBe(true);
    },
  );

  it.each(['x', ' {', '{"format":2', '{"format":1,"lineage":7', '"lineage":"'])('is not %j', (text) => {
    expect(isHeaderFragment(Buffer.from(text))).toBe(false);
  });
});
