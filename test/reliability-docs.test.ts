import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const ROOT = path.join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

/** Scenarios of docs/reliability.md with the tests that prove them. */
const ROWS = [...read('docs/reliability.md').matchAll(/^\| (\d+) \|.*\| ([^|]*) \|$/gm)].map(
  ([, number, files = '']) => ({
    number: Number(number),
    files: [...files.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file),
  }),
);

/** Numbers that titles of a file name: `(scenario 7)`, `(scenarios 1, 8)`. */
function named(file: string): Set<number> {
  const lists = [...read(file).matchAll(/\(scenarios? ([\d, ]+)\)/g)].map(([, list = '']) => list);
  return new Set(lists.flatMap((list) => list.split(',').map(Number)));
}

it('each scenario of the state is proved by tests that name it', () => {
  expect(ROWS.map(({ number }) => number)).toEqual([
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 25, 27, 28, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
  ]);
  for (const { number, files } of ROWS) {
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((file) => !named(file).has(number)).map((file) => `${number}: ${file}`)).toEqual([]);
  }
});
