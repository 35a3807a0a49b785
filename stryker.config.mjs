import { readFileSync } from 'node:fs';

const provedFiles = JSON.parse(readFileSync(new URL('scripts/proved-files.json', import.meta.url), 'utf8'));

/** Mutation testing (`npm run test:mutation`) of what keeps the promise "never pays twice, never loses a result". */
export default {
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.mutation.config.ts' },
  coverageAnalysis: 'perTest',
  mutate: Object.values(provedFiles).flat(),
  ignorePatterns: ['dist', 'docs', 'examples', 'profiles'],
  // Stryker rewrites a tsconfig with an API that TypeScript 7 does not have; its sandbox needs no rewriting.
  tsconfigFile: 'none',
  // `npm run types` has checked them.
  disableTypeChecks: false,
  concurrency: 2,
  // Far above what a busy machine needs: a mutant counts as timed out only where it never ends.
  timeoutMS: 10_000,
  tempDirName: 'coverage/mutation-sandbox',
  reporters: ['progress-append-only', 'clear-text', 'json', 'html'],
  jsonReporter: { fileName: 'coverage/mutation.json' },
  htmlReporter: { fileName: 'coverage/mutation.html' },
  thresholds: { high: 95, low: 90, break: 85 },
};
