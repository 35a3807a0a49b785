/** Posts that had failed are looked for once more, and what pays for them again comes after the look. */
import { describe, expect, it } from 'vitest';
import type { Recheck, PlannedNode } from '../../src/model/plan.ts';
import type { RequestedItem } from '../../src/model/payload.ts';
import type { Facts } from '../../src/model/facts.ts';
import { type RigOptions, startRig } from '../support/engine-rig.ts';
import { PROBLEM, done, failed, pending } from '../support/facts.ts';
import { downloadNode, mediaNode, requestNode } from '../support/planned-nodes.ts';

const UNCHANGED: Facts = { came: 'as-it-was', sent: 'yes' };
const PUT_OFF = failed('unclear');
const generating = (waitMs: number) => pending(waitMs, { seen: true, memo: { seen: true } });
const retry = (waitMs: number) => failed('no-answer', { waitMs });

/** The look for the first take of an item, and its download. */
function lookNodes(item: string, before: Recheck['before']): PlannedNode[] {
  const again: Recheck = { was: 'failed', before };
  const look = { ...mediaNode('hero', item, { action: 'resume' }), again } as PlannedNode;
  return [look, downloadNode('hero', item, { action: 'resume' })];
}

function secondTake(node: PlannedNode): PlannedNode {
  const text = JSON.stringify(node).replaceAll('@1', '@2').replace('"take":1', '"take":2');
  return JSON.parse(text) as PlannedNode;
}

/** A second request for items a and b, of which these were paid for before; with their rechecks. */
function retryNodes(paidBefore: readonly string[]): PlannedNode[] {
  const items = ['a', 'b'].map(
    (item) => ({ item, fingerprint: item, inputs: {} }) as unknown as RequestedItem,
  );
  const first = requestNode('hero');
  const request = secondTake({
    ...first,
    payload: { ...first.payload, n: 2, items, numberOfPosts: 2 },
  });
  return [
    { ...request, after: paidBefore.map((item) => `media/hero/${item}@1`) },
    ...['a', 'b'].flatMap((item) => [mediaNode('hero', item), downloadNode('hero', item)].map(secondTake)),
    ...paidBefore.flatMap((item) => lookNodes(item, 'paying')),
  ];
}

const start = (nodes: readonly PlannedNode[], options: Partial<RigOptions> = {}) =>
  startRig({ nodes, ...options });

describe('a look', () => {
  it('takes in what the service made beyond what was asked, also where two looks find it', async () => {
    const rig = start([...lookNodes('a', 'nothing'), ...lookNodes('b', 'nothing')], {
      limits: { mediaInFlight: 1 },
    });
    const adds = ['3'].flatMap((item) => [
      mediaNode('hero', item, { action: 'resume' }),
      downloadNode('hero', item, { action: 'resume' }),
    ]);
    const listed = { id: 'x', concept: 'c', items: {} };
    for (const item of ['a', 'b']) await rig.answer(`media/hero/${item}@1`, pending(0, { listed, adds }));
    for (const item of ['a', 'b', '3']) await rig.answer(`media/hero/${item}@1`);
    for (const item of ['a', 'b', '3']) await rig.answer(`download/hero/${item}@1`);
    expect(Object.values(await rig.ends())).toEqual(Array.from({ length: 6 }, () => 'done'));
  });

  it('that finds more than was asked leaves it pending where nothing is waited for', async () => {
    const rig = start(lookNodes('a', 'nothing'), { waiting: 'submit-only' });
    const adds = [mediaNode('hero', '3', { action: 'resume' })];
    const listed = { id: 'x', concept: 'c', items: {} };
    await rig.answer('media/hero/a@1', pending(0, { listed, adds }));
    expect(await rig.ends()).toMatchObject({ 'media/hero/a@1': 'pending', 'media/hero/3@1': 'pending' });
  });

  it('that finds nothing new ends, leaves no event and blocks nothing', async () => {
    const rig = start(lookNodes('a', 'nothing'));
    await rig.answer('media/hero/a@1', UNCHANGED);
    expect(await rig.ends()).toEqual({ 'media/hero/a@1': 'unchanged', 'download/hero/a@1': 'unchanged' });
    expect(rig.logged()).toEqual([]);
  });

  it('that finds the post finished has it downloaded', async () => {
    const rig = start(lookNodes('a', 'nothing'));
    await rig.answer('media/hero/a@1');
    await rig.answer('download/hero/a@1');
    expect(await rig.ends()).toEqual({ 'media/hero/a@1': 'done', 'download/hero/a@1': 'done' });
    expect(rig.logged()).toEqual(['generated media/hero/a@1', 'downloaded download/hero/a@1']);
  });

  it('is tried again a few times where it has no answer, and then left to the next run', async () => {
    const rig = start(lookNodes('a', 'nothing'));
    for (let attempt = 1; attempt <= 6; attempt += 1) {
      await rig.answer('media/hero/a@1', retry(1000));
      await rig.clock.advance(10_000);
    }
    expect(await rig.ends()).toMatchObject({ 'media/hero/a@1': 'put-off' });
  });

  it('that finds the post being generated goes on as any poll, however often that fails', async () => {
    const rig = start(lookNodes('a', 'nothing'));
    await rig.answer('media/hero/a@1', generating(1000));
    for (let attempt = 1; attempt <= 8; attempt += 1) {
      await rig.clock.advance(Math.max(1000, 50 * 2 ** attempt));
      await rig.answer('media/hero/a@1', retry(1000));
    }
    await rig.clock.advance(10_000);
    // What it remembers tells the step that it is no look any more.
    expect((await rig.held.next('media/hero/a@1')).job.memo).toEqual({ seen: true });
    await rig.stop('now');
    expect(await rig.ends()).toMatchObject({ 'media/hero/a@1': 'pending' });
    expect(rig.logged()).toEqual([]);
  });

  it('is made though the run does not wait for posts; what is being generated is left pending', async () => {
    const rig = start([...lookNodes('a', 'nothing'), ...lookNodes('b', 'nothing')], {
      waiting: 'submit-only',
    });
    await rig.answer('media/hero/a@1', generating(90_000));
    await rig.answer('media/hero/b@1');
    await rig.answer('download/hero/b@1');
    expect(await rig.ends()).toMatchObject({ 'media/hero/a@1': 'pending', 'download/hero/b@1': 'done' });
  });

  it('holds none of the posts that may be generated at once, until it finds one', async () => {
    const other = ['c', 'd'].map((post) => requestNode(post, { posts: 1 }));
    const rig = start([...lookNodes('a', 'nothing'), ...other], { limits: { mediaInFlight: 1 } });
    await rig.clock.settle();
    expect(rig.held.held()).toEqual(['media-config/c@1', 'media/hero/a@1']);
    await rig.answer('media/hero/a@1', generating(60_000));
    await rig.answer('media-config/c@1');
    expect(rig.held.held()).toEqual([]);
    await rig.clock.advance(60_000);
    await rig.answer('media/hero/a@1');
    expect(rig.held.held()).toEqual(['download/hero/a@1', 'media-config/d@1']);
  });
});

describe('a request that pays again', () => {
  it('is sent once its posts were looked for and are as they were', async () => {
    const rig = start(retryNodes(['a', 'b']));
    await rig.answer('media/hero/a@1', UNCHANGED);
    expect(rig.held.started).not.toContain('media-config/hero@2');
    await rig.answer('media/hero/b@1', failed('generation-failed'));
    const { job } = await rig.held.next('media-config/hero@2');
    expect(job.node.payload).toMatchObject({ n: 2, numberOfPosts: 2 });
    expect(rig.logged()).toEqual(['generation-failed media/hero/b@1', 'intent media-config/hero@2']);
    await rig.stop('now');
  });

  it('asks only for what is not there', async () => {
    const rig = start(retryNodes(['a']));
    await rig.answer('media/hero/a@1');
    const sent = await rig.held.next('media-config/hero@2');
    expect(sent.job.node.payload).toMatchObject({ numberOfPosts: 1, items: [{ item: 'b' }] });
    const intent = rig.recorder.log.find(({ type }) => type === 'intent');
    expect(intent).toMatchObject({ request: { numberOfPosts: 1, items: [{ item: 'b' }] } });
    sent.respond(done({ id: 'c-2', concept: 'k', items: {} }));
    await rig.clock.settle();
    for (const address of ['download/hero/a@1', 'media/hero/b@2', 'download/hero/b@2'])
      await rig.answer(address);
    expect(await rig.ends()).toEqual({
      'media/hero/a@1': 'done',
      'download/hero/a@1': 'done',
      'media-config/hero@2': 'done',
      'media/hero/a@2': 'unchanged',
      'download/hero/a@2': 'unchanged',
      'media/hero/b@2': 'done',
      'download/hero/b@2': 'done',
    });
  });

  it('is not made where all of it is there, though one is only being generated', async () => {
    const rig = start(retryNodes(['a', 'b']));
    await rig.answer('media/hero/a@1', generating(60_000));
    await rig.answer('media/hero/b@1');
    await rig.answer('download/hero/b@1');
    await rig.clock.advance(60_000);
    await rig.answer('media/hero/a@1', failed('generation-failed'));
    expect(await rig.ends()).toMatchObject({
      'media-config/hero@2': 'unchanged',
      'media/hero/a@2': 'unchanged',
      'media/hero/a@1': 'failed',
      'media/hero/b@2': 'unchanged',
    });
    expect(rig.held.started).not.toContain('media-config/hero@2');
  });

  it('does not wait for a post that is being generated, but asks for the others', async () => {
    const rig = start(retryNodes(['a']));
    await rig.answer('media/hero/a@1', generating(60_000));
    const { job } = await rig.held.next('media-config/hero@2');
    expect(job.node.payload).toMatchObject({ items: [{ item: 'b' }] });
    await rig.stop('now');
  });

  it('leaves out what nobody could find out about', async () => {
    const rig = start(retryNodes(['a', 'b']));
    await rig.answer('media/hero/a@1', PUT_OFF);
    await rig.answer('media/hero/b@1', PUT_OFF);
    expect(await rig.ends()).toMatchObject({
      'media/hero/a@1': 'put-off',
      'media-config/hero@2': 'put-off',
      'media/hero/a@2': 'put-off',
      'media/hero/b@2': 'put-off',
    });
    expect(rig.logged()).toEqual([]);
    const told = rig.events.find((event) => 'address' in event && event.address === 'media/hero/a@2');
    expect(told).toMatchObject({ end: 'put-off', problem: { summary: 'Not requested again' } });
  });

  it('is not sent in a run that was stopped before the look had an answer', async () => {
    const rig = start(retryNodes(['a']));
    await rig.clock.settle();
    await rig.stop('drain');
    await rig.answer('media/hero/a@1', PUT_OFF);
    expect(rig.held.started).toEqual(['media/hero/a@1']);
    expect(await rig.ends()).not.toHaveProperty('media-config/hero@2', 'done');
  });

  it('is put off with its look where the service refuses the key', async () => {
    const rig = start(retryNodes(['a', 'b']), { limits: { total: 1 } });
    await rig.answer('media/hero/a@1', failed('unauthorized'));
    expect(await rig.ends()).toMatchObject({ 'media/hero/b@1': 'put-off', 'media/hero/b@2': 'put-off' });
    expect(rig.held.started).toEqual(['media/hero/a@1']);
  });
});

describe('posts that are answered with 404 though they were there', () => {
  const denied = (waitMs: number): Facts => ({ came: 'denied', sent: 'yes', waitMs, problem: PROBLEM });

  it('are an outage after a minute in which nothing else was answered, and stay pending', async () => {
    const rig = start([mediaNode('hero', 'a', { action: 'resume' })]);
    for (let at = 0; at < 60_000; at += 10_000) {
      await rig.answer('media/hero/a@1', denied(10_000));
      await rig.clock.advance(10_000);
    }
    expect([...(await rig.report).stopped]).toEqual(['unavailable']);
    expect(await rig.ends()).toEqual({ 'media/hero/a@1': 'pending' });
    expect(rig.logged()).toEqual([]);
  });

  it('are none while others are answered, and take no retries from them', async () => {
    const rig = start([
      mediaNode('hero', 'a', { action: 'resume' }),
      mediaNode('hero', 'b', { action: 'resume' }),
    ]);
    for (let at = 0; at < 120_000; at += 1000) {
      await rig.answer('media/hero/a@1', denied(1000));
      if (at % 10_000 === 0) await rig.answer('media/hero/b@1', pending(10_000));
      await rig.clock.advance(1000);
    }
    expect(rig.held.held()).toEqual(['media/hero/a@1', 'media/hero/b@1']);
    await rig.stop('now');
    expect((await rig.report).stopped.has('unavailable')).toBe(false);
  });
});
