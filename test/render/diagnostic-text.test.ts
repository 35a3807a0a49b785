import { describe, expect, it } from 'vitest';
import type { Problem } from '../../src/model/problem.ts';
import { diagnosticText } from '../../src/render/diagnostic-text.ts';
import { PLAIN } from '../support/plain-style.ts';

const BASE: Problem = {
  code: 'unknown-key',
  summary: 'Unknown key',
  detail: 'There is no key "ratoi" here.\nDid you mean "ratio"?',
};

/** The lines of a diagnostic whose position is where `marked` stands in the source line. */
function shown(sourceLine: string, marked: string, line = 7): string[] {
  const column = sourceLine.indexOf(marked) + 1;
  const position = { file: 'campaign.yaml', line, column, length: marked.length };
  return diagnosticText({ ...BASE, sourceLine, position }, PLAIN)
    .split('\n')
    .slice(2, 5);
}

describe('the text of a diagnostic', () => {
  it('says what, where, the line with a caret, why and how to fix it', () => {
    const position = { file: 'campaign.yaml', line: 12, column: 9, length: 5 };
    const text = diagnosticText({ ...BASE, position, sourceLine: '      - ratoi: "4:5"' }, PLAIN);
    expect(`\n${text}`).toBe(`
error: Unknown key [unknown-key]
  at campaign.yaml:12:9
     |
  12 |       - ratoi: "4:5"
     |         ^^^^^
  There is no key "ratoi" here.
  Did you mean "ratio"?
`);
  });

  it('needs neither a position nor a line', () => {
    expect(diagnosticText({ ...BASE, severity: 'warning', detail: 'Why.' }, PLAIN)).toBe(
      'warning: Unknown key [unknown-key]\n  Why.\n',
    );
    const position = { file: 'a.yaml', line: 1, column: 1 };
    expect(diagnosticText({ ...BASE, position, detail: 'Why.' }, PLAIN)).toBe(
      'error: Unknown key [unknown-key]\n  at a.yaml:1:1\n  Why.\n',
    );
  });

  it('shows tabs as one blank each, with the caret below', () => {
    expect(shown('\t\tratoi: x', 'ratoi')).toEqual(['    |', '  7 |   ratoi: x', '    |   ^^^^^']);
  });

  it('shows the part of a long line that has the caret', () => {
    const [, line = '', carets = ''] = shown(`${'a'.repeat(300)}HERE${'b'.repeat(300)}`, 'HERE');
    expect(line).toBe(`  7 | ${'a'.repeat(50)}HERE${'b'.repeat(46)}`);
    expect(carets).toBe(`    | ${' '.repeat(50)}^^^^`);
  });

  it('fits a terminal, and breaks what it says between words', () => {
    const position = { file: 'a.yaml', line: 12, column: 5, length: 90 };
    const detail =
      'Did you mean "ratio"? It is one of these:\n  4:5 for a feed, 9:16 for a story, 1:1 for a grid';
    const told = { ...BASE, position, sourceLine: `  - { ${'ratoi '.repeat(15)}}`, detail };
    const text = diagnosticText(told, PLAIN, 40);
    expect(`\n${text}`).toBe(`
error: Unknown key [unknown-key]
  at a.yaml:12:5
     |
  12 |   - { ratoi ratoi ratoi ratoi rat
     |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  Did you mean "ratio"? It is one of
  these:
    4:5 for a feed, 9:16 for a story,
    1:1 for a grid
`);
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(40);
  });

  it('ends the carets where the part that is shown ends', () => {
    const [, line = '', carets = ''] = shown(`x: ${'a'.repeat(300)}`, 'a'.repeat(300));
    expect(line).toBe(`  7 | x: ${'a'.repeat(97)}`);
    expect(carets).toBe(`    |    ${'^'.repeat(97)}`);
  });

  it.each([
    ['wide characters', 'name: 朝の光, ratoi', 'ratoi', '    |               ^^^^^'],
    ['a wide mark', 'name: 朝の光', '朝の光', '    |       ^^^^^^'],
    ['accents of their own', 'name: cafe\u0301, ratoi', 'ratoi', '    |             ^^^^^'],
    ['emoji', 'a: 🌅 ratoi', 'ratoi', '    |       ^^^^^'],
    ['halfwidth characters', 'a: ｱ ratoi', 'ratoi', '    |      ^^^^^'],
  ])('puts the caret right below %s', (_, sourceLine, marked, carets) => {
    const [, line, caretLine] = shown(sourceLine, marked);
    expect(line).toBe(`  7 | ${sourceLine}`);
    expect(caretLine).toBe(carets);
  });

  it('shows nothing that moves a cursor or turns text around', () => {
    expect(shown('a: \u001b[2J\u202e ratoi', 'ratoi')).toEqual([
      '    |',
      '  7 | a:  [2J  ratoi',
      '    |          ^^^^^',
    ]);
  });

  it('has a caret where the line ends before the position', () => {
    const position = { file: 'a.yaml', line: 100, column: 4 };
    expect(
      diagnosticText({ ...BASE, position, sourceLine: 'a:' }, PLAIN)
        .split('\n')
        .slice(2, 5),
    ).toEqual(['      |', '  100 | a:', '      |   ^']);
  });
});
