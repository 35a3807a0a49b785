import { expect, it } from 'vitest';
import { typedLine } from '../../src/util/shell-words.ts';

/** What a bash cuts words at, besides blanks and quotes. */
const BREAKS = '><=;|&(:@';

it.each([
  ['', [], '', 0],
  ['campaign', [], 'campaign', 0],
  ['campaign  plan\t', ['campaign', 'plan'], '', 0],
  ["c 'a b' c", ['c', 'a b'], 'c', 0],
  ['c a\\ b "x\\"y" z', ['c', 'a b', 'x"y'], 'z', 0],
  ["c '' ", ['c', ''], '', 0],
  ["c 'a\\", ['c'], 'a\\', 0],
  ['c --only=media/', ['c'], '--only=media/', 7],
  ['c --var a=b=', ['c', '--var'], 'a=b=', 4],
  ['c media-config/hero@', ['c'], 'media-config/hero@', 17],
  ['c media-config/hero@1', ['c'], 'media-config/hero@1', 17],
  ['c "media-config/hero@', ['c'], 'media-config/hero@', 0],
  ['c --only="media/', ['c'], '--only=media/', 7],
  ['c a\\=b', ['c'], 'a=b', 0],
  ['c $(touch x) `y` $Z', ['c', '$(touch', 'x)', '`y`'], '$Z', 0],
  ['c a\\', ['c'], 'a', 0],
])('%j is %j and %j, of which bash keeps %j', (line, words, current, lead) => {
  expect(typedLine(line, BREAKS)).toEqual({ words, current, lead });
});

it('without breaks nothing is cut off', () => {
  expect(typedLine('c --only=hero@1')).toEqual({ words: ['c'], current: '--only=hero@1', lead: 0 });
});
