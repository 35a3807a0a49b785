import { describe, expect, it } from 'vitest';
import { shortAddress } from '../../src/model/kinds.ts';
import { countsText, workingWord } from '../../src/render/run-words.ts';
import { durationText } from '../../src/util/duration.ts';

const NONE = {
  created: 0,
  updated: 0,
  replaced: 0,
  deleted: 0,
  moved: 0,
  unchanged: 0,
  downloaded: 0,
  failed: 0,
  blocked: 0,
  unknown: 0,
  pending: 0,
};

describe('counts', () => {
  it.each([
    [{}, 'nothing to do'],
    [{ unchanged: 40 }, '40 unchanged'],
    [
      { created: 12, updated: 1, unchanged: 40, downloaded: 4 },
      '12 created, 1 updated, 40 unchanged, 4 files downloaded',
    ],
    [{ downloaded: 1, pending: 2 }, '2 left to another run, 1 file downloaded'],
    [
      { failed: 1, blocked: 2, unknown: 3, moved: 4, replaced: 5 },
      '5 replaced, 4 moved, 1 failed, 2 blocked, 3 unknown',
    ],
  ])('%o: %s', (counts, text) => {
    expect(countsText({ ...NONE, ...counts })).toBe(text);
  });
});

describe('durations', () => {
  it.each([
    [0, '0.0 s'],
    [444, '0.4 s'],
    [9_940, '9.9 s'],
    [12_345, '12 s'],
    [60_000, '1 min 0 s'],
    [200_400, '3 min 20 s'],
    [3_599_900, '60 min 0 s'],
  ])('%i ms: %s', (ms, text) => {
    expect(durationText(ms)).toBe(text);
  });
});

describe('words', () => {
  it.each([
    ['upload', 'create', 'uploading'],
    ['product', 'create', 'creating'],
    ['concept', 'update', 'updating'],
    ['media-config', 'create', 'requesting'],
    ['media', 'resume', 'generating'],
    ['download', 'create', 'downloading'],
  ] as const)('for %s, %s: %s', (kind, action, word) => {
    expect(workingWord(kind, action)).toBe(word);
  });

  it('leave out the take, but not the number of a request', () => {
    expect(shortAddress('media/hero/1@12')).toBe('media/hero/1');
    expect(shortAddress('media-config/hero@1')).toBe('media-config/hero@1');
    expect(shortAddress('product/tote')).toBe('product/tote');
  });
});
