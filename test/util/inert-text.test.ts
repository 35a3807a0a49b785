import { expect, it } from 'vitest';
import { inertText } from '../../src/util/inert-text.ts';

it.each([
  ['plain — text ü 漢字', 'plain — text ü 漢字'],
  ['\u001B[31mred\u001B[0m', 'red'],
  ['a\u001B]52;c;aGVsbG8=\u0007b', 'ab'],
  ['a\u001B]8;;https://evil\u001B\\b', 'ab'],
  ['a\u001BPq#0\u001B\\b\u009B2Jc', 'abc'],
  ['over\rwritten\b\b', 'over written'],
  ['two\r\n\tlines\u2028here', 'two lines here'],
  ['\u202Egnp.exe\u2066x\u200B\uFEFF', 'gnp.exex'],
  ['lone \uD800 half', 'lone  half'],
  ['<script>"&', '<script>"&'],
])('%j', (text, inert) => {
  expect(inertText(text, 100)).toBe(inert);
});

it('is never longer than asked, and never cuts a character in two', () => {
  expect(inertText('x'.repeat(10_000_000), 10)).toBe('xxxxxxxxx…');
  expect(inertText('x'.repeat(8) + '😀'.repeat(9), 10)).toBe('xxxxxxxx…');
});
