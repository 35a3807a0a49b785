/** Mutation testing (`npm run test:mutation`) of what keeps the promise "never pays twice, never loses a result". */
export default {
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.mutation.config.ts' },
  coverageAnalysis: 'perTest',
  mutate: [
    // The log.
    'src/state/{record,seal,header,read-log,load-log,log-writer,recorder,start-log,write-session,run-summaries}.ts',
    // The lock.
    'src/state/{lock,log-memory,state-file,work-folder,distrust}.ts',
    // The fold.
    'src/state/{fold,fold-object,fold-request,fold-take,fold-state,fold-kept,forget}.ts',
    // Recovery.
    'src/state/{open-to-write,open-state,opening,repair,errored-log,import-errored,reseal,reseal-log}.ts',
    'src/state/{compact,snapshot,replace-log}.ts',
    // Retry classes.
    'src/steps/classify-error.ts',
    'src/service/classify-status.ts',
    'src/engine/{retry-rules,retry-budget,create-breaker}.ts',
  ],
  ignorePatterns: ['dist', 'docs', 'examples', 'profiles'],
  // Stryker rewrites a tsconfig with an API that TypeScript 7 does not have; its sandbox needs no rewriting.
  tsconfigFile: 'none',
  // `npm run types` has checked them.
  disableTypeChecks: false,
  concurrency: 2,
  timeoutMS: 5000,
  tempDirName: 'coverage/mutation-sandbox',
  reporters: ['progress-append-only', 'clear-text', 'json', 'html'],
  jsonReporter: { fileName: 'coverage/mutation.json' },
  htmlReporter: { fileName: 'coverage/mutation.html' },
  thresholds: { high: 95, low: 90, break: 85 },
};
