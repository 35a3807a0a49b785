import { expect, it } from 'vitest';
import { parseBounded } from '../../src/util/bounded-json.ts';

const nested = (open: string, close: string, levels: number) => open.repeat(levels) + close.repeat(levels);

it.each([
  ['64 lists', nested('[', ']', 64), true],
  ['65 lists', nested('[', ']', 65), false],
  ['a hundred thousand lists', nested('[', ']', 100_000), false],
  ['a hundred thousand that are never closed', '['.repeat(100_000), false],
  ['a hundred thousand objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, false],
  ['many side by side', `[${Array.from({ length: 1000 }, () => '[{}]').join(',')}]`, true],
  ['brackets in a text', JSON.stringify('['.repeat(100_000)), true],
  ['brackets behind a quote in a text', JSON.stringify(`\\"${'['.repeat(100)}\\`), true],
  ['brackets behind a text that ends in a backslash', `["\\\\",${nested('[', ']', 64)}]`, false],
])('%s', (_, text, fits) => {
  const parsed = parseBounded(text);
  expect(parsed).toEqual(fits ? { ok: true, value: JSON.parse(text) } : { ok: false, error: 'too deep' });
});

it('says what is no JSON', () => {
  expect(parseBounded('{')).toEqual({ ok: false, error: 'no JSON' });
});

it.each([
  ['200,000 commas', `[${'1,'.repeat(200_000)}1]`, true],
  ['one more', `[${'1,'.repeat(200_001)}1]`, false],
  ['members of an object', `{${Array.from({ length: 200_002 }, (_, n) => `"${n}":1`).join(',')}}`, false],
  ['commas in a text', JSON.stringify(','.repeat(300_000)), true],
])('%s', (_, text, fits) => {
  const parsed = parseBounded(text);
  expect(parsed.ok ? 'fits' : parsed.error).toBe(fits ? 'fits' : 'too many');
});
