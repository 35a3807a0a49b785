import { join } from 'node:path';
import { expect, it } from 'vitest';
import { EXIT, type ExitCode, strongestExit } from '../../src/model/exit.ts';
import { runHere } from '../support/run-here.ts';
import { readPage, ROOT } from './page-blocks.ts';

type ReferenceText = (print: (args: readonly string[]) => Promise<string>) => Promise<string>;

const page = readPage('docs/reference.md');
const script = join(ROOT, 'scripts', 'reference-text.mjs');
const { referenceText } = (await import(script)) as { readonly referenceText: ReferenceText };

it('docs/reference.md is what `npm run reference` makes of the help of every command', async () => {
  const print = async (args: readonly string[]) => (await runHere(args, { cwd: ROOT })).stdout;
  expect(page).toBe(await referenceText(print));
});

it('says which exit code wins where several hold', () => {
  const [, list = ''] = /the first of these: ([^.]*)\./.exec(page) ?? [];
  const codes = list.split(/,\s+/).map(Number) as ExitCode[];
  const all = Object.values(EXIT).filter((code) => code !== EXIT.ok && code !== EXIT.changes);
  expect(new Set(codes)).toEqual(new Set(all));
  for (const [place, code] of codes.entries()) expect(strongestExit(codes.slice(place))).toBe(code);
});
