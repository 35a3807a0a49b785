import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      'test/{log,store}/**/*.test.ts',
      'test/steps/classify-error.test.ts',
      'test/service/classify-status.test.ts',
      'test/engine/{retry-rules,retry-budget,create-breaker}.test.ts',
    ],
    // Bundles the sources for a process of its own, in which no mutant is alive.
    // Those with Postgres take too long for each mutant; without the folder of a run the contract leaves it out, too.
    exclude: ['test/store/file/full-disk.test.ts', 'test/store/postgres/**'],
    // A mutant that makes a test wait for ever costs this much.
    testTimeout: 10_000,
  },
});
