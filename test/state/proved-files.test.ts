import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import provedFiles from '../../scripts/proved-files.json' with { type: 'json' };

const ROOT = path.join(import.meta.dirname, '../..');

/** Of `src/state`, what only says something about a state, or is no code. */
const OTHERS = [
  'fs-native-extensions.d.ts',
  'generated',
  'list-outputs.ts',
  'list-state.ts',
  'open-options.ts',
  'order-state.ts',
  'state-problem.ts',
];

it('every file of the state is proved, and every proved file is there', () => {
  const proved = Object.values(provedFiles).flat();
  expect(proved.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
  expect(new Set(proved).size).toBe(proved.length);
  const files = readdirSync(path.join(ROOT, 'src/state')).filter((file) => !OTHERS.includes(file));
  expect(files.filter((file) => !proved.includes(`src/state/${file}`))).toEqual([]);
});
