import { defineConfig } from 'vitest/config';
import { TotalReporter } from './test/sweep/total-reporter.ts';

const IN_PROCESS = [
  'test/sweep/**/*.test.ts',
  'test/simulation/{half-year,nights,numbers,outage,overload,seeded,waiting}.test.ts',
  'test/matrix/{creates,memory,posts,repeatables}.test.ts',
  'test/engine/run-plan-scale.test.ts',
  'test/plan/properties.test.ts',
  'test/match/what-it-was.test.ts',
  'test/store/file/read-log.test.ts',
];
const PROCESSES = [
  'test/cli/{budget-kill,canary,canary-echo,files-refused,flaky,kill,postgres,profiles,state-shutdown,switches,edits-properties,transcripts}.test.ts',
  'test/cli/mistakes/large.test.ts',
  'test/cluster/{database-away,failover,one-account,workers}.test.ts',
  'test/page/sheet.test.ts',
];

/** `.ci/run` has half an hour, and plays of these a fifth: the rest is played there in its short form, by `npm run test:system`. */
const PART = ['test/sweep/{adopt,adoption,checkpoints,crash,crash-twice,destroy,replaced}.test.ts'];
const isPart = process.env['SWEEP_PART'] === 'fifth';

/** The full form of the sweep (`npm run test:sweep`): every point, where `npm run test:system` visits a sample. */
export default defineConfig({
  test: {
    include: isPart ? PART : [...IN_PROCESS, ...PROCESSES],
    setupFiles: ['test/support/own-temp-folder.ts'],
    globalSetup: ['test/support/postgres-setup.ts'],
    env: { SWEEP: 'full' },
    testTimeout: 900_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    maxWorkers: 5,
    reporters: ['default', new TotalReporter({ 'crash points': isPart ? 1500 : 7500 })],
  },
});
