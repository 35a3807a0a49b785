/** A storage that a worker of a shared run cannot use: others go on, it says why, and nothing that was paid for is lost. */
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createStorageTrouble } from '../../src/cluster/storage-trouble.ts';
import type { Ended } from '../../src/engine/work-source.ts';
import { campaignFolder, untilTestEnds } from '../cli/small-campaign.ts';
import { startBareService } from '../support/bare-service.ts';
import { type Lie, type Seen, s3Error, startLyingS3 } from '../support/lying-s3.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { conceptNode } from '../support/planned-nodes.ts';
import { hasPostgres, makeDatabase } from '../support/postgres.ts';
import { BUCKET, startS3Server } from '../support/s3-server.ts';
import { checkComplete, madeAtLeast, manyProducts } from './shared-campaign.ts';
import { eventsOf } from './worker-events.ts';

const COUNT = 4;
type Env = Readonly<Record<string, string>>;

/** No post is finished until the test says so. */
async function scene(files: Env) {
  let pendingPolls = Number.POSITIVE_INFINITY;
  const service = await untilTestEnds(startBareService({ pendingPolls: () => pendingPolls }));
  const campaign = await campaignFolder(manyProducts(COUNT), service);
  const env = { CAMPAIGN_STATE: await makeDatabase(), ...files };
  expect(await campaign.run(['db', 'migrate'], env)).toMatchObject({ code: 0 });
  const worker = async (own: Env = {}) => {
    const run = campaign.start(['worker', '--json', '--slots', '2'], { ...env, ...own });
    onTestFinished(() => void run.process.kill('SIGKILL'));
    await run.seen(/"ready"/);
    return run;
  };
  /** Gives what the workers said; the run is complete, and nothing was made twice. */
  const ended = async (
    apply: { end: Promise<{ code: number | null }> },
    workers: Awaited<ReturnType<typeof worker>>[],
  ) => {
    expect(await apply.end).toMatchObject({ code: 0 });
    const said = [];
    for (const { process, end } of workers) {
      process.kill('SIGTERM');
      const { code, stdout } = await end;
      expect(code).toBe(0);
      said.push(eventsOf(stdout).filter(({ type }) => type === 'waiting'));
    }
    await checkComplete(service, campaign, { env, count: COUNT });
    return said;
  };
  const finishPosts = () => void (pendingPolls = 0);
  return { service, campaign, env, worker, ended, finishPosts };
}

async function storeBehindFront(isMeant: (seen: Seen) => boolean = isResult) {
  const s3 = await untilTestEnds(startS3Server());
  let lie: Lie | undefined;
  const front = await untilTestEnds(startLyingS3(s3.port, (seen) => (isMeant(seen) ? lie : undefined)));
  const photoLooks = () => front.seen.filter((seen) => isOfPhoto('HEAD', seen)).length;
  const results = () => front.seen.filter(isResult).length;
  return {
    files: { ...s3.env, CAMPAIGN_FILES: `s3://${BUCKET}/team` },
    throughFront: { AWS_ENDPOINT_URL_S3: front.url },
    results,
    photoLooks,
    lies: (next: Lie | undefined) => void (lie = next),
  };
}

function isResult({ method, path }: Seen): boolean {
  return method === 'PUT' && path.startsWith(`/${BUCKET}/team/outputs/`);
}

function isOfPhoto(by: string, { method, path }: Seen): boolean {
  return method === by && path.startsWith(`/${BUCKET}/team/photos/`);
}

describe.runIf(hasPostgres)('a storage in trouble, in a shared run', () => {
  it('is left to workers that can use it, by one whose credentials have expired', async () => {
    const store = await storeBehindFront();
    store.lies({ status: 400, body: s3Error('ExpiredToken') });
    const { campaign, env, worker, ended, finishPosts } = await scene(store.files);
    const expired = await worker(store.throughFront);
    const since = performance.now();
    const apply = campaign.start(['apply', 'm.yaml', '--no-work'], env);
    finishPosts();
    await expired.seen(/"cannot-write"/);
    const fresh = await worker();
    const [said, others] = await ended(apply, [expired, fresh]);
    expect(said).toMatchObject([
      {
        run: 1,
        code: 'cannot-write',
        summary: 'The credentials for the storage have expired',
        detail: expect.stringContaining('A process of this run tries it again') as string,
      },
    ]);
    expect(others).toEqual([]);
    expect((await apply.end).stderr + (await apply.end).stdout).toContain(
      'The credentials for the storage have expired',
    );
    // Two at once, after a pause of a second and more.
    expect(store.results()).toBeLessThanOrEqual(2 * (1 + (performance.now() - since) / 1_000));
  });

  it('is waited for by the only worker where it answers with errors', async () => {
    const store = await storeBehindFront();
    store.lies({ status: 500, body: s3Error('InternalError') });
    const { campaign, env, worker, ended, finishPosts } = await scene(store.files);
    const only = await worker(store.throughFront);
    const apply = campaign.start(['apply', 'm.yaml', '--no-work'], env);
    finishPosts();
    await only.seen(/"cannot-write"/);
    store.lies(undefined);
    const [said] = await ended(apply, [only]);
    expect(said).toMatchObject([{ summary: 'The storage does not answer as it should' }]);
  });

  const photoLies: readonly (readonly [string, Lie, string])[] = [
    [
      'does not show a photo',
      { status: 404, body: s3Error('NoSuchKey') },
      'The photo is neither here nor in the storage',
    ],
    [
      'gives other bytes of a photo',
      { status: 200, body: 'a page' },
      'The storage has other bytes than were put there',
    ],
  ];
  it.each(photoLies)('is waited for by a worker without photos where it %s', async (_, lie, summary) => {
    const store = await storeBehindFront((seen) => isOfPhoto('GET', seen));
    store.lies(lie);
    const { campaign, env, worker, ended, finishPosts } = await scene(store.files);
    const apply = campaign.start(['apply', 'm.yaml', '--no-work'], { ...env, ...store.throughFront });
    // Before and after it was put there.
    await expect.poll(store.photoLooks).toBe(2);
    const photo = join(campaign.folder, 'tote.png');
    await rename(photo, `${photo}.away`);
    const only = await worker(store.throughFront);
    await only.seen(/"cannot-write"/);
    store.lies(undefined);
    finishPosts();
    await rename(`${photo}.away`, photo);
    const [said] = await ended(apply, [only]);
    expect(said).toMatchObject([{ summary }]);
  });

  it('is waited for where it is a folder that is away for a moment', async () => {
    const outer = await campaignFolder('');
    const shared = join(outer.folder, 'shared');
    await mkdir(shared);
    const { service, campaign, env, worker, ended, finishPosts } = await scene({
      CAMPAIGN_FILES: pathToFileURL(shared).href,
    });
    const only = await worker();
    const apply = campaign.start(['apply', 'm.yaml', '--no-work'], env);
    await madeAtLeast(service, 2 * COUNT);
    await rename(shared, `${shared}-away`);
    finishPosts();
    await only.seen(/"cannot-write"/);
    await rename(`${shared}-away`, shared);
    const [said] = await ended(apply, [only]);
    expect(said).toMatchObject([{ summary: 'The folder of the storage is not there' }]);
  });
});

describe('what a process does about it', () => {
  const problem = { summary: 'full', cause: 'disk' } as const;
  const ended = (key: string, end: Ended['end'], why?: Ended['problem']): Ended => ({
    node: { ...conceptNode(key), address: `download/${key}` },
    end,
    problem: why,
  });

  it('pauses longer and longer, says it once, and gives a node up after ten minutes', async () => {
    const clock = createManualClock();
    const told: string[] = [];
    const trouble = createStorageTrouble({ clock, tell: ({ summary }) => told.push(summary) });
    const start = clock.monotonic();
    const pauses: number[] = [];
    const opens = () => trouble.opensAt - clock.monotonic();
    expect(trouble.isPassing(ended('a', 'failed', { summary: 'no picture' }))).toBe(false);
    for (let n = 0; n < 6; n++) {
      expect(trouble.isPassing(ended('a', 'failed', problem))).toBe(true);
      expect(trouble.isPassing(ended('b', 'failed', problem))).toBe(true);
      pauses.push(opens());
      await clock.advance(opens());
    }
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000]);
    expect(told).toEqual(['full']);
    expect(trouble.isPassing(ended('b', 'done'))).toBe(false);
    await clock.advance(start + 600_000 - clock.monotonic());
    expect(trouble.isPassing(ended('a', 'failed', problem))).toBe(false);
    expect(trouble.isPassing(ended('b', 'failed', problem))).toBe(true);
    expect(opens()).toBe(1_000);
    expect(told).toEqual(['full', 'full']);
  });

  it('says it again after ten minutes in which nothing has succeeded', async () => {
    const clock = createManualClock();
    const told: string[] = [];
    const trouble = createStorageTrouble({ clock, tell: ({ summary }) => told.push(summary) });
    for (let n = 0; n < 42; n++) {
      expect(trouble.isPassing(ended(`file-${n}`, 'failed', problem))).toBe(true);
      await clock.advance(15_000);
    }
    expect(told).toEqual(['full', 'full']);
  });
});
