import { describe, expect, it } from 'vitest';
import { checkSeal, readSeal, SEAL_LENGTH, seal, seedOf } from '../../../src/store/file/seal.ts';

const SEED = seedOf('lineage');
const { line, crc } = seal('{"seq":1,"value":"ü"', SEED);
const sealed = Buffer.from(line.trimEnd());

/** The sealed line with other characters at its end. */
const ending = (end: string) =>
  Buffer.concat([sealed.subarray(0, sealed.length - end.length), Buffer.from(end)]);

describe('a seal', () => {
  it('is the last member of the line, eight digits long', () => {
    expect(line).toMatch(/^\{"seq":1,"value":"ü","crc":"[0-9a-f]{8}"\}\n$/);
    expect(line.slice(-SEAL_LENGTH - 1)).toBe(`,"crc":"${crc.toString(16).padStart(8, '0')}"}\n`);
    // Nothing adds nothing to a checksum; a small one keeps its zeros.
    expect(seal('', 5)).toEqual({ line: ',"crc":"00000005"}\n', crc: 5 });
  });

  it('is read as the number that it states', () => {
    expect(readSeal(sealed)).toBe(crc);
    expect(readSeal(ending('"00000000"}'))).toBe(0);
    expect(readSeal(ending('"09afffff"}'))).toBe(0x09afffff);
    expect(readSeal(Buffer.from(',"crc":"0000001f"}'))).toBe(0x1f);
  });

  it.each([
    ['no brace', ending('"]')],
    ['no quote', ending(`'}`)],
    ['upper case', ending('F"}')],
    ['a character before 0', ending('/"}')],
    ['a character behind 9', ending(':"}')],
    ['a character before a', ending('`"}')],
    ['a character behind f', ending('g"}')],
    ['another name', ending(',"crb":"00000000"}')],
    ['no comma', ending(' "crc":"00000000"}')],
    ['a digit less', Buffer.from('{"n":1,"crc":"0000000"}')],
    ['a digit more', Buffer.from('{"n":1,"crc":"000000000"}')],
    ['its first byte missing', Buffer.from('"crc":"00000000"}')],
    ['nothing at all', Buffer.alloc(0)],
  ])('is none with %s', (_, bytes) => {
    expect(readSeal(bytes)).toBeUndefined();
    expect(readSeal(bytes) !== undefined).toBe(false);
    expect(checkSeal(bytes, SEED)).toBeUndefined();
  });

  it('holds for its own bytes behind its own line only', () => {
    expect(checkSeal(sealed, SEED)).toBe(crc);
    expect(checkSeal(sealed, SEED + 1)).toBeUndefined();
    const other = ending('"00000000"}');
    expect(readSeal(other) !== undefined).toBe(true);
    expect(checkSeal(other, SEED)).toBeUndefined();
  });
});
