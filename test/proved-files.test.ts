import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import provedFiles from '../scripts/proved-files.json' with { type: 'json' };

const ROOT = path.join(import.meta.dirname, '..');

/** Of the log and its store, what only says something about a state, or is no code. */
const OTHERS = ['src/store/file/fs-native-extensions.d.ts', 'src/store/file/state-problem.ts'];

it('every file of the log and its store is proved, and every proved file is there', () => {
  const proved = Object.values(provedFiles).flat();
  expect(proved.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
  expect(new Set(proved).size).toBe(proved.length);
  const files = ['src/log', 'src/store/file'].flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => `${folder}/${name}`),
  );
  expect(files.filter((file) => !proved.includes(file) && !OTHERS.includes(file))).toEqual([]);
});
