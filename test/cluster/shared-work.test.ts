/** The contract of a work source: the same plan and the same answers come to the same ends, whoever carries them out. */
import { describe, expect, it, vi } from 'vitest';
import { createAccountShare } from '../../src/cluster/account-share.ts';
import { createSharedWork } from '../../src/cluster/shared-work.ts';
import { createAdmission } from '../../src/engine/admission.ts';
import { createMemoryWork } from '../../src/engine/memory-work.ts';
import { createProgress } from '../../src/engine/progress.ts';
import { runPlan } from '../../src/engine/run-plan.ts';
import { createServiceLimits } from '../../src/engine/service-limits.ts';
import type { WorkSource } from '../../src/engine/work-source.ts';
import type { Facts } from '../../src/model/facts.ts';
import type { PlannedNode } from '../../src/model/plan.ts';
import type { RunEvent } from '../../src/model/run-event.ts';
import type { Recorder, Step, Steps } from '../../src/model/step.ts';
import type { StateEvent } from '../../src/model/state-event.ts';
import type { SharedRun } from '../../src/store/shared-run.ts';
import { realClock } from '../../src/util/clock.ts';
import { deferred } from '../../src/util/deferred.ts';
import { createdRequest, PROBLEM, requested, timed } from '../log/fold-events.ts';
import { AT } from '../store/file/sample-log.ts';
import { done, failed, pending } from '../support/facts.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { createMemoryRecorder } from '../support/memory-recorder.ts';
import { conceptNode, postNodes, productNode, resultFor, uploadNode } from '../support/planned-nodes.ts';
import { queueOf } from '../../src/store/postgres/queue.ts';
import { hasPostgres, runSql } from '../support/postgres.ts';
import { decide, endWithoutOthers, INTENT, shareOf } from './two-processes.ts';

const LIMITS = { total: 8, perKind: {}, mediaInFlight: 200 };
const STAYS = { level: 'run', onChange: () => () => undefined } as const;

/** By address, what its attempts come to, in turn; what is not named is done. */
type Answers = Readonly<Record<string, readonly Facts[]>>;

/** `held`: the first attempts of these nodes come to an end only then. */
function stepsOf(
  answers: Answers,
  sent: string[],
  held: Readonly<Record<string, Promise<unknown>>> = {},
): Steps {
  const left = new Map(Object.entries(answers).map(([address, all]) => [address, [...all]]));
  const step: Step = {
    async run({ node }) {
      sent.push(node.address);
      await (held[node.address] ?? new Promise((resolve) => setTimeout(resolve, 1)));
      return left.get(node.address)?.shift() ?? done(resultOf(node));
    },
  };
  const kinds = ['upload', 'product', 'concept', 'media-config', 'media', 'download'] as const;
  return Object.fromEntries(kinds.map((kind) => [kind, step])) as unknown as Steps;
}

function resultOf(node: PlannedNode) {
  const result = resultFor(node);
  if (node.kind !== 'media-config' || node.action === 'delete') return result;
  const items = Object.fromEntries(node.payload.items.map(({ item }) => [item, { id: item }]));
  return { ...result, items };
}

interface Party {
  readonly work: (parts: {
    admission: ReturnType<typeof createAdmission>;
    emit: (event: RunEvent) => void;
  }) => WorkSource;
  readonly recorder: Recorder;
  readonly emit?: (event: RunEvent) => void;
}

function carryOut({ work, recorder, emit = () => undefined }: Party, steps: Steps) {
  const random = () => 0;
  const service = createServiceLimits({
    limits: LIMITS,
    clock: realClock,
    random,
  });
  const admission = createAdmission({ service, clock: realClock });
  return runPlan({
    work: work({ admission, emit }),
    admission,
    progress: createProgress({ clock: realClock, emit }),
    steps,
    recorder,
    clock: realClock,
    random,
    now: () => AT,
    stop: STAYS,
    waiting: 'all',
    emit,
  });
}

async function inMemory(nodes: readonly PlannedNode[], answers: Answers) {
  const sent: string[] = [];
  const recorder = createMemoryRecorder();
  const { ends } = await carryOut(
    { work: () => createMemoryWork(nodes, realClock), recorder },
    stepsOf(answers, sent),
  );
  return { ends: Object.fromEntries(ends), sent };
}

function partyOf(run: SharedRun, slots = 4): Party {
  return {
    recorder: run.recorder,
    emit: (event) => run.tell(event),
    work: ({ admission, emit }) =>
      createSharedWork({
        run,
        admission,
        account: createAccountShare({ run, clock: realClock }),
        emit,
        slots,
        clock: realClock,
        now: () => AT,
        isStopping: () => false,
        isStored: false,
      }),
  };
}

async function inPostgres(nodes: readonly PlannedNode[], answers: Answers) {
  const sent: string[] = [];
  const steps = stepsOf(answers, sent);
  const { both, store, url } = await shareOf(nodes);
  await Promise.all(both.map((run) => carryOut(partyOf(run), steps)));
  const ends = Object.fromEntries((await both[0]?.ends()) ?? []);
  const finished = await Promise.all(both.map((run) => run.finish(() => Promise.resolve())));
  const told = await both[0]?.told(0);
  for (const run of both) await run.close();
  // The chain of the log holds, although two have written it.
  const read = await store.read();
  if (!read.ok) throw new Error(read.error.detail);
  return { ends, sent, finished, told, state: read.value.state, url };
}

const PRODUCTS = ['a', 'b', 'c'].flatMap((name) => [
  uploadNode(name),
  productNode(name, { dependsOn: [`upload/${name}`] }),
]);
const ITEM = (item: string, product: string) => ({
  item,
  fingerprint: item,
  inputs: {},
  payload: {
    post_type: 'image' as const,
    assets: [{ type: 'image', product: { address: `product/${product}` } }],
    metadata: { aspect_ratio: '1:1' },
    variants: [],
    descriptions: [],
  },
});

/** Three posts, one of which shows each product; the request goes without those whose product is not there. */
function narrowed(): PlannedNode[] {
  const [request, ...rest] = postNodes('hero', 3, {
    dependsOn: ['concept/c', 'product/a', 'product/b', 'product/c'],
  });
  if (request?.kind !== 'media-config' || request.action === 'delete') throw new Error('no request');
  const items = ['a', 'b', 'c'].map((product, index) => ITEM(String(index + 1), product));
  const payload = {
    ...request.payload,
    items,
    concept: { address: 'concept/c' },
  };
  return [...PRODUCTS, conceptNode('c'), { ...request, payload }, ...rest];
}

const CASES: readonly (readonly [string, Answers])[] = [
  ['everything is done', {}],
  ['one product is refused', { 'product/b': [failed('refused')] }],
  ['one product is unknown', { 'product/b': [failed('no-answer')] }],
  ['the concept is refused', { 'concept/c': [failed('refused')] }],
  ['the request has no answer', { 'media-config/hero@1': [failed('no-answer')] }],
  [
    'a create is sent again after it was not sent, a post is polled twice, one fails, one upload fails',
    {
      'product/a': [failed('not-sent')],
      'media/hero/1@1': [pending(5), pending(5)],
      'media/hero/2@1': [failed('generation-failed')],
      'upload/c': [failed('refused')],
    },
  ],
];

describe.runIf(hasPostgres)('two processes that share a run', () => {
  it('start what has become due while they claimed something else, also with one slot', async () => {
    const [a, b] = [uploadNode('a'), uploadNode('b')];
    const { both } = await shareOf([a, b], { sharing: { atOnce: 2 } });
    const [run, other] = both as [SharedRun, SharedRun];
    await other.close();
    const clock = createManualClock();
    const service = createServiceLimits({ limits: LIMITS, clock, random: () => 0 });
    const work = createSharedWork({
      run,
      admission: createAdmission({ service, clock }),
      account: createAccountShare({ run, clock }),
      slots: 1,
      clock,
      now: () => AT,
      emit: () => undefined,
      isStopping: () => false,
      isStored: false,
    });
    const next = () => work.claim(() => 0);
    expect(await next()).toMatchObject({ node: { address: 'upload/a' } });
    await work.wait('upload/a', 100);
    const claiming = next();
    clock.jump({ wall: 100, monotonic: 100 });
    expect(await claiming).toMatchObject({ node: { address: 'upload/a' } });
    // One at a time.
    expect(await next()).toMatchObject({ type: 'none', left: 1 });
    await work.finish({ node: a, end: 'done' });
    expect(await next()).toMatchObject({ node: { address: 'upload/b' } });
    await work.finish({ node: b, end: 'done' });
    await run.close();
  });

  it.each(CASES)('come to the same ends as one that is alone, and send the same: %s', async (_, answers) => {
    const nodes = narrowed();
    const alone = await inMemory(nodes, answers);
    const shared = await inPostgres(nodes, answers);
    expect(shared.ends).toEqual(alone.ends);
    expect(shared.sent.toSorted()).toEqual(alone.sent.toSorted());
    expect(shared.finished).toEqual(expect.arrayContaining([false, true]));
    const told = shared.told?.events.flatMap((event) =>
      event.type === 'node-finished' ? [event.address] : [],
    );
    expect(told?.toSorted()).toEqual(Object.keys(alone.ends).toSorted());
    const [run] = await runSql(
      shared.url,
      'select ended_how, generating from campaign.run order by id desc limit 1',
    );
    expect(run).toEqual({ ended_how: 'ended', generating: 0 });
  });

  it.each(['tells it', 'does not for five seconds'])(
    'do not end it before the other one has told how its nodes ended: it %s',
    async (how) => {
      const node = uploadNode('a');
      const event = (n: number) => ({ type: 'warning', summary: `told ${n}` }) as const;
      const { both, url } = await shareOf([node]);
      const [run, other] = both as [SharedRun, SharedRun];
      const told: RunEvent[] = [];
      const ended = () => run.finish(async () => void told.push(...(await run.told(0)).events));
      const isCompleted = (seconds: number) =>
        runSql(
          url,
          'update campaign_queue.job set completed_on = clock_timestamp() - make_interval(secs => $2) where name = $1',
          [queueOf(run.id), seconds],
        );
      await other.claim({ wanted: 1, busy: 0 });
      await other.end(node.address, 'done');
      other.tell(event(1));
      await isCompleted(-60);
      expect(await ended()).toBe(false);
      other.tell(event(2));
      await (how === 'tells it' ? other.close() : isCompleted(5));
      expect(await ended()).toBe(true);
      if (how === 'tells it') expect(told).toEqual([event(1), event(2)]);
      for (const each of both) await each.close();
    },
  );

  it.each([['a', 'b'], ['a']])(
    'carry out nodes none of which waits for another one: %s %s',
    async (...names) => {
      const nodes = names.filter((name) => name !== undefined).map((name) => uploadNode(name));
      const { ends } = await inPostgres(nodes, {});
      expect(ends).toEqual(Object.fromEntries(nodes.map(({ address }) => [address, 'done'])));
    },
  );

  it('ask no more for what the service has told another process of the account to leave for today', async () => {
    const { both } = await shareOf(narrowed(), { sharing: { account: 'full' } });
    const sent: string[] = [];
    const poll = pending(20);
    const steps = stepsOf({ 'media/hero/1@1': Array.from({ length: 10_000 }, () => poll) }, sent);
    const all = Promise.all(both.map((run) => carryOut(partyOf(run), steps)));
    await vi.waitUntil(() => sent.filter((address) => address === 'media/hero/1@1').length > 3, {
      timeout: 60_000,
    });
    both[0]?.hold({ kind: 'media', problem: { summary: 'quota' }, ms: 3_600_000 });
    await all;
    for (const run of both) await run.finish(() => Promise.resolve());
    expect((await both[0]?.ends())?.get('media/hero/1@1')).toBe('pending');
    for (const run of both) await run.close();
  });

  it('begin nothing more after a stop, also of what they had claimed before', async () => {
    const { both } = await shareOf([conceptNode('c'), uploadNode('a')]);
    const [run, other] = both as [SharedRun, SharedRun];
    expect((await run.claim({ wanted: 1, busy: 0 })).claimed).toMatchObject([{ node: { kind: 'concept' } }]);
    await other.stop(['stopped']);
    const refused = { name: 'NotBegun', why: { type: 'not-now' } };
    await expect(run.recorder.append([INTENT])).rejects.toMatchObject(refused);
    expect(await other.claim({ wanted: 8, busy: 0 })).toMatchObject({ claimed: [], stop: ['stopped'] });
    for (const each of both) await each.close();
  });

  it.each([
    ['generated', { result: { id: 'm-1', urls: [] } }],
    ['generation-failed', { problem: PROBLEM }],
    ['lost', { problem: PROBLEM }],
  ] as const)(
    'count a post once that both have polled to its end, and one that is generated after all again: %s',
    async (type, came) => {
      const { both, url } = await shareOf(postNodes('hero', 2));
      const [run] = both as [SharedRun, SharedRun];
      const generating = async () => {
        const [row] = await runSql(url, 'select generating from campaign.run where id = $1', [run.id]);
        return row?.['generating'];
      };
      expect((await run.claim({ wanted: 1, busy: 0 })).claimed).toHaveLength(1);
      const result = { id: 'c-1', concept: 'k-1', items: { 1: { id: 'm-1' }, 2: { id: 'm-2' } } };
      const made = { ...createdRequest(1), result } as ReturnType<typeof createdRequest>;
      for (const event of timed(requested(1, ['1', '2']), made)) await run.recorder.append([event]);
      expect(await generating()).toBe(2);
      const of = { at: AT, address: 'media/hero/1@1' };
      for (const each of both) await each.recorder.append([{ ...of, type, ...came } as StateEvent]);
      expect(await generating()).toBe(1);
      for (const each of both) await each.recorder.append([{ ...of, type: 'seen' }]);
      expect(await generating()).toBe(type === 'generated' ? 1 : 2);
      for (const each of both) await each.close();
    },
  );

  it('take up what came up during the run once, also where it is added again', async () => {
    const { both, url } = await shareOf([uploadNode('a')]);
    const [run, other] = both as [SharedRun, SharedRun];
    for (const each of both) await each.add([uploadNode('b')]);
    const jobs = await runSql(url, 'select from campaign_queue.job where name = $1', [queueOf(run.id)]);
    expect(jobs).toHaveLength(2);
    for (const each of [run, other]) await each.close();
  });

  it('keep what they may have under way while they are busy for long', async () => {
    const clock = createManualClock();
    const { both, url } = await shareOf(narrowed(), { second: clock });
    const [first, busy] = both;
    await busy?.claim({ wanted: 8, busy: 0 });
    await runSql(url, `update campaign.part set beat = beat - interval '7 seconds'`);
    expect(await first?.others()).toBe(1);
    await clock.advance(3_000);
    const silent = `select 1 from campaign.part where beat < clock_timestamp() - interval '5 seconds'`;
    await vi.waitUntil(async () => (await runSql(url, silent)).length === 0, { timeout: 60_000 });
    // All that the account allows is in use.
    expect(await first?.claim({ wanted: 8, busy: 0 })).toMatchObject({ slots: 0, claimed: [] });
    for (const run of both) await run.close();
  });

  it.each(['nobody', 'somebody'])(
    'keep an answer that comes after the run, if %s has decided meanwhile',
    async (who) => {
      const nodes = [...PRODUCTS.slice(0, 2), conceptNode('c')];
      const sent: string[] = [];
      const [photo, late] = [deferred<void>(), deferred<void>()];
      const steps = stepsOf({}, sent, { 'upload/a': photo.promise, 'concept/c': late.promise });
      const { both, store, url } = await shareOf(nodes);
      const [frozen, other] = both;
      if (!frozen || !other) throw new Error('there are two');
      const first = carryOut(partyOf(frozen, 2), steps);
      await vi.waitUntil(() => sent.length === 2, { timeout: 60_000 });
      await runSql(
        url,
        `update campaign_queue.job set state = 'retry', retry_count = retry_count + 1, heartbeat_on = null
        where state = 'active' and data ->> 'address' = 'concept/c'`,
      );
      const second = carryOut(partyOf(other), steps);
      await vi.waitUntil(async () => (await other.ends()).get('concept/c') === 'unknown', {
        timeout: 60_000,
      });
      photo.resolve();
      await second;
      await endWithoutOthers(url, other);
      if (who === 'somebody') await decide(store);
      late.resolve();
      const { writeError } = await first;
      expect(writeError).toMatchObject({ name: 'StateWriteError' });
      for (const run of both) await run.close();
      const read = await store.read();
      if (!read.ok) throw new Error(read.error.detail);
      const status = read.value.state.objects.get('concept/c')?.status;
      expect(status).toBe(who === 'nobody' ? 'done' : undefined);
      const open = await runSql(
        url,
        'select run from campaign.run where ended_at is null and campaign = (select max(campaign) from campaign.run)',
      );
      expect(open).toEqual([]);
    },
  );

  it('go on with what had waited for an unknown create once its late answer is recorded', async () => {
    const nodes = [...narrowed(), uploadNode('d')];
    const sent: string[] = [];
    const [photos, late, last] = [deferred<void>(), deferred<void>(), deferred<void>()];
    const held = Object.fromEntries(['a', 'b', 'c'].map((name) => [`upload/${name}`, photos.promise]));
    const steps = stepsOf({}, sent, { ...held, 'concept/c': late.promise, 'upload/d': last.promise });
    const { both, store, url } = await shareOf(nodes);
    const [frozen, other] = both.map((run) => () => carryOut(partyOf(run), steps));
    const ends = async () => Object.fromEntries((await both[0]?.ends()) ?? []);
    // One has as much as it may have, so that it does not get back what it loses.
    const first = frozen?.();
    await vi.waitUntil(() => sent.length === 4, { timeout: 60_000 });
    await runSql(
      url,
      `update campaign_queue.job set state = 'retry', retry_count = retry_count + 1, heartbeat_on = null
        where state = 'active' and data ->> 'address' = 'concept/c'`,
    );
    const second = other?.();
    await vi.waitUntil(async () => (await ends())['concept/c'] === 'unknown', { timeout: 60_000 });
    photos.resolve();
    await vi.waitUntil(async () => (await ends())['media/hero/1@1'] === 'blocked', { timeout: 60_000 });
    late.resolve();
    await vi.waitUntil(async () => (await ends())['media/hero/1@1'] === 'done', { timeout: 60_000 });
    // Until then the run has not ended.
    last.resolve();
    await Promise.all([first, second]);
    expect(new Set(Object.values(await ends()))).toEqual(new Set(['done']));
    expect(sent.toSorted()).toEqual(nodes.map(({ address }) => address).toSorted());
    for (const run of both) await run.close();
    const read = await store.read();
    expect(read).toMatchObject({ ok: true });
  });
});
