import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 180_000,
    hookTimeout: 120_000,
    // By default a machine of two cores gets one worker, and half of what the tests do is waiting.
    maxWorkers: 2,
    coverage: {
      provider: 'v8',
      include: ['src/manifest/**', 'src/graph/**', 'src/plan/**', 'src/state/**', 'src/engine/**'],
      exclude: ['**/generated/**'],
      reporter: ['text'],
      thresholds: { branches: 90 },
    },
  },
});
