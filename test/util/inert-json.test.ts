import { expect, it } from 'vitest';
import { jsonLine, jsonText } from '../../src/util/inert-json.ts';

it('is the same JSON with nothing invisible in it', () => {
  const value = {
    a: 'x\u001b[2J\u007f\u009b2J\u009d\u202e\u2066\u200b\u2028\ufeff\u{e0041}é"\\',
    '\u202eb': [1, null],
  };
  const text = jsonText(value);
  expect(JSON.parse(text)).toEqual(value);
  expect(text).toBe(
    '{"a":"x\\u001b[2J\\u007f\\u009b2J\\u009d\\u202e\\u2066\\u200b\\u2028\\ufeff\\udb40\\udc41é\\"\\\\","\\u202eb":[1,null]}',
  );
  expect(jsonText({ a: [1] }, 2)).toBe(JSON.stringify({ a: [1] }, null, 2));
});

it('comes in pieces as the same line', () => {
  const large = {
    none: undefined,
    a: Array.from({ length: 20_000 }, (_, n) => ({ n })),
    b: [],
    c: { d: [1] },
  };
  for (const value of [large, {}, { a: [undefined, '\u202e'] }, [1, { a: 2 }]]) {
    expect([...jsonLine(value)].join('')).toBe(`${jsonText(value)}\n`);
  }
  expect([...jsonLine({ a: new Set([1, 2]).values() })]).toEqual(['{"a":[1,2]}\n']);
  expect([...jsonLine(large)].length).toBeGreaterThan(3);
});
