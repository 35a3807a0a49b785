import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    coverage: {
      provider: 'v8',
      include: ['src/manifest/**', 'src/graph/**', 'src/plan/**', 'src/state/**', 'src/engine/**'],
      exclude: ['**/generated/**'],
      reporter: ['text'],
      thresholds: { branches: 90 },
    },
  },
});
