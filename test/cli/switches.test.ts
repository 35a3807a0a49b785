import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, it } from 'vitest';
import { type Behaviour, type Emulator, startEmulator, SWITCHES } from '../../src/emulator/emulator.ts';
import { realClock } from '../../src/util/clock.ts';
import { copyExample, type ExampleCopy } from '../support/example.ts';
import { harEntries } from '../support/har-schema.ts';
import { duplicates } from '../support/ledger-check.ts';
import { checkHar } from '../support/openapi-har.ts';
import { type Combination, eachValueOnce, pairwise } from '../support/pairwise.ts';
import { runCli } from '../support/run-cli.ts';
import { runHere } from '../support/run-here.ts';
import { IS_FULL } from '../sweep/stride.ts';
import { departuresOf } from '../support/switch-departures.ts';

type Reading = Combination<typeof SWITCHES>;

/** Every pair of settings once (`npm run test:sweep`); as a part of `npm run test:system` each setting once. */
const READINGS = (IS_FULL ? pairwise(SWITCHES) : eachValueOnce(pairwise(SWITCHES))).map((reading, index) => ({
  reading,
  index,
  name: nameOf(reading),
}));

const TOKEN = 'POST /get_auth_token';

/** Pictures take time, a film most: one run in twelve makes all six posts, the others two stills of them. */
const FULL_RUNS = 12;
const LEFT_OUT = ['media/after-dark/*', 'media/story/*', 'media/hero/banner'];
const FULL = { nodes: 18, requests: 3, files: 8 };
const SLIM = { nodes: 14, requests: 1, files: 2 };

function isFull(index: number): boolean {
  return index % FULL_RUNS === 0;
}

function nameOf(reading: Reading): string {
  return Object.entries(reading)
    .filter(([name, value]) => value !== SWITCHES[name as keyof Reading][0])
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
}

/** What the manual says for a service like this: what cannot be found out has a setting. */
function settingsFor({ mediaPath, mediaId, doneStatus, acceptedForm }: Reading): string {
  const paths = {
    'config-item': '/media/{config.id}/{item.media_id}/',
    'concept-item': '/media/{concept.id}/{item.media_id}/',
    'item-config': '/media/{item.media_id}/{config.id}/',
  };
  const settings = [
    ...(acceptedForm === 'guide' ? ['form: guide'] : []),
    ...(mediaId === 'own' ? [`media_path: "${paths[mediaPath]}"`] : []),
    ...(doneStatus === 'completed' ? ['statuses: { done: [completed] }'] : []),
  ];
  return settings.length === 0 ? '' : `service: { ${settings.join(', ')} }\n`;
}

interface RunFinished {
  readonly outcome: string;
  readonly exit_code: number;
  readonly nodes: Readonly<Record<string, number>>;
}

interface Rig {
  readonly emulator: Emulator;
  readonly example: ExampleCopy;
  /** Applies, at first and where all is made in a process of its own, and gives the last event; the traffic is held against the document. */
  readonly apply: (...more: readonly string[]) => Promise<RunFinished>;
}

async function startRig(
  { reading, index }: { reading: Reading; index: number },
  atEnd: (cleanUp: () => Promise<void>) => void,
): Promise<Rig> {
  const example = await copyExample('quickstart', { append: settingsFor(reading), photos: 'stand-ins' });
  atEnd(() => example.remove());
  const dataDir = await mkdtemp(join(tmpdir(), 'campaign-switches-'));
  atEnd(() => rm(dataDir, { recursive: true, force: true }));
  const generationMs = { image: 0, carousel: 0, video: 0 };
  const behaviour: Partial<Behaviour> = { ...reading, generationMs };
  const emulator = await startEmulator({ dataDir, clock: realClock, random: Math.random, behaviour });
  atEnd(() => emulator.close());
  const without = isFull(index) ? [] : LEFT_OUT.flatMap((address) => ['--exclude', address]);
  const expected = departuresOf(reading);
  let start = isFull(index) ? runCli : runHere;
  return {
    emulator,
    example,
    async apply(...more) {
      const trace = join(dataDir, 'trace.har');
      const args = ['apply', 'campaign.yaml', '--json', '--trace', trace, ...without, ...more];
      const run = await start(args, {
        cwd: example.folder,
        env: { CAMPAIGN_BASE_URL: emulator.url, CAMPAIGN_API_KEY: 'any long key' },
      });
      start = runHere;
      const problems = await checkHar(harEntries(await readFile(trace, 'utf8')), emulator.url);
      const unexpected = problems.filter((problem) => !expected.some((pattern) => pattern.test(problem)));
      if (unexpected.length > 0) throw new Error(unexpected.join('\n'));
      const last = run.stdout.trimEnd().split('\n').at(-1) ?? '';
      const finished = JSON.parse(last) as RunFinished;
      if (run.code !== finished.exit_code) throw new Error(`${run.code}\n${run.stdout}\n${run.stderr}`);
      return finished;
    },
  };
}

describe('the quickstart', () => {
  afterAll(() => {
    console.log(`The quickstart was applied under ${READINGS.length} combinations of the switches.`);
  });

  it.concurrent.for(READINGS)(
    'under $name',
    { timeout: 180_000 },
    async (run, { expect, onTestFinished }) => {
      const { itemsAnswer, mediaInfo } = run.reading;
      const { nodes, requests, files } = isFull(run.index) ? FULL : SLIM;
      const { emulator, apply } = await startRig(run, onTestFinished);

      // A request may come back with one post fewer, which then was not made, or one more, which is kept.
      const difference = { 'in-order': 0, reversed: 0, fewer: -requests, more: requests }[itemsAnswer];
      const made = difference < 0 ? [1, 'failed'] : [0, 'succeeded'];
      const first = await apply();
      expect([first.exit_code, first.outcome]).toEqual(made);
      const failed = Math.max(0, -difference);
      expect(first.nodes).toMatchObject({ created: nodes + difference, failed, unknown: 0, pending: 0 });
      if (difference === 0)
        expect(first.nodes['downloaded']).toBe(mediaInfo === 'with-previews' ? 2 * files : files);
      expect(duplicates(emulator.ledger.entries())).toEqual([]);

      const { length } = emulator.calls;
      const second = await apply();
      expect([second.exit_code, second.outcome]).toEqual(made);
      expect(second.nodes).toMatchObject({ created: 0, unknown: 0, pending: 0 });
      // Only the posts that were not made are looked for: the service may list them late.
      const looks = Array.from({ length: failed }, () => 'GET /media-config/{id}/');
      const asked = emulator.calls.slice(length).map(({ route }) => route);
      expect(asked).toEqual(failed ? [TOKEN, ...looks] : []);

      if (difference >= 0) return;
      emulator.switch({ itemsAnswer: 'in-order' });
      const third = await apply('--retry-failed');
      expect([third.exit_code, third.nodes['created'], third.nodes['failed']]).toEqual([0, requests, 0]);
    },
  );
});
