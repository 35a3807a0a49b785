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

  it('fits into a terminal: the widest column is cut first, addresses last, each to a part that says most', () => {
    const rows = [
      ['media/grid/night+vase+1x1/1', 'done', 'out/spring/stage/grid/night+vase+1x1/1-image.png'],
      ['product/朝の光', 'pending', 'x'],
    ];
    const table = (columns: number) => tableText(['address', 'status', 'path'], rows, columns);
    expect(`\n${table(60)}`).toMatchInlineSnapshot(`
      "
      ADDRESS                      STATUS   PATH
      media/grid/night+vase+1x1/1  done     out/spring/…-image.png
      product/朝の光               pending  x
      "
    `);
    expect(`\n${table(40)}`).toMatchInlineSnapshot(`
      "
      media/grid/night+vase+1x1/1
          status done,
          path out/spring/stage/grid/night+vase+1x1/1-image.png
      product/朝の光
          status pending, path x
      "
    `);
    expect(table(200)).toBe(tableText(['address', 'status', 'path'], rows));
    for (let columns = 40; columns <= 200; columns += 1)
      for (const line of table(columns).split('\n'))
        expect(/^ +path \S+$/.test(line) || displayWidth(line) <= columns).toBe(true);
    expect(table(1)).toBe(table(40));
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
