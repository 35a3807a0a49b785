import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { EXIT, type ExitCode, strongestExit } from '../../src/model/exit.ts';
import { readPage, ROOT } from './page-blocks.ts';

const page = readPage('docs/reference.md');

it('docs/reference.md is what `npm run reference` makes of the help of every command', () => {
  const script = join(ROOT, 'scripts', 'make-reference.mjs');
  expect(page).toBe(execFileSync(process.execPath, [script, '--stdout'], { encoding: 'utf8' }));
});

it('says which exit code wins where several hold', () => {
  const [, list = ''] = /the first of these: ([^.]*)\./.exec(page) ?? [];
  const codes = list.split(/,\s+/).map(Number) as ExitCode[];
  const all = Object.values(EXIT).filter((code) => code !== EXIT.ok && code !== EXIT.changes);
  expect(new Set(codes)).toEqual(new Set(all));
  for (const [place, code] of codes.entries()) expect(strongestExit(codes.slice(place))).toBe(code);
});
