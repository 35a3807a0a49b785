import { describe, expect, it } from 'vitest';
import { displayWidth, tableText } from '../../src/render/text-columns.ts';

describe('a table', () => {
  it('has columns as wide as their widest cell', () => {
    const rows = [
      ['product/tote', 'done', 'id'],
      ['media/hero/1', 'pending', ''],
    ];
    expect(`\n${tableText(['address', 'status', 'id'], rows)}`).toBe(`
ADDRESS       STATUS   ID
product/tote  done     id
media/hero/1  pending
`);
  });

  it('lines up wide characters', () => {
    expect(
      tableText(
        ['name', 'x'],
        [
          ['朝の光', '1'],
          ['ab', '2'],
        ],
      ),
    ).toBe('NAME    X\n朝の光  1\nab      2\n');
  });

  it('is nothing without rows', () => {
    expect(tableText(['address'], [])).toBe('');
  });

  it('has one line a row, whatever is in it', () => {
    expect(tableText(['a', 'b'], [['x\ny\u001b[2J', 'z']])).toBe('A    B\nx y  z\n');
  });
});

describe('the width of a text', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['é', 1],
    ['e\u0301', 1],
    ['朝', 2],
    ['한글', 4],
    ['カナ', 4],
    ['ｶﾅ', 2],
    ['！', 2],
    ['🌅', 2],
    ['→ …', 3],
  ])('of %j is %i', (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });
});
