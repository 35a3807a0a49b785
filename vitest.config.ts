import { defineConfig } from 'vitest/config';
import provedFiles from './scripts/proved-files.json' with { type: 'json' };
import { TotalReporter } from './test/sweep/total-reporter.ts';

/** What keeps the promise "never pays twice, never loses a result": log, lock, fold, recovery and retry classes. */
const proved = Object.values(provedFiles).flat();

/** Tests of whole processes, terminals, shells, databases, browsers and nights (`npm run test:system`); all others are `npm test`. */
const SYSTEM = [
  'test/{browser,ci,cli,cluster,docs,doctor,page,simulation,sweep,ui}/**/*.test.ts',
  'test/store/{postgres/*,contract,file/full-disk}.test.ts',
  'test/{app/{answer-may-come,follow-report,no-changes},emulator/persistence,matrix/cli,schema/openapi-clients}.test.ts',
];

/** Tests that put a crash disk in the place of node's files: all of them the same one, so they share it. */
const MOCKED = [
  'test/sweep/!(kernel|left-out|lock-starts|log-bytes|signals).test.ts',
  'test/simulation/{half-year,nights,numbers,seeded}.test.ts',
];

export default defineConfig({
  test: {
    projects: [
      // Files share what they import: to import it anew for each took as long as the tests in it.
      {
        extends: true,
        test: { name: 'quick', include: ['test/**/*.test.ts'], exclude: SYSTEM, isolate: false },
      },
      { extends: true, test: { name: 'system', include: SYSTEM, exclude: MOCKED, isolate: false } },
      { extends: true, test: { name: 'system-mocked', include: MOCKED, isolate: false } },
    ],
    testTimeout: 180_000,
    hookTimeout: 120_000,
    setupFiles: ['test/support/own-temp-folder.ts'],
    // What a test waits for may take long on a busy machine.
    expect: { poll: { timeout: 60_000 } },
    globalSetup: ['test/support/postgres-setup.ts'],
    // By default a machine of two cores gets one worker, and half of what the tests do is waiting.
    maxWorkers: 6,
    reporters: ['default', new TotalReporter()],
    coverage: {
      provider: 'v8',
      include: [
        'src/manifest/**',
        'src/graph/**',
        'src/match/**',
        'src/plan/**',
        'src/log/**',
        'src/store/**',
        'src/engine/**',
        ...proved,
      ],
      exclude: ['**/generated/**'],
      reporter: ['text'],
      thresholds: { branches: 90, ...Object.fromEntries(proved.map((file) => [file, { branches: 100 }])) },
    },
  },
});
