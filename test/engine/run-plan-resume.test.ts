import { describe, expect, it } from 'vitest';
import { startRig } from '../support/engine-rig.ts';
import { done, failed, pending } from '../support/facts.ts';
import { mediaNode, postNodes, resultFor, uploadNode } from '../support/planned-nodes.ts';

const MINUTE = 60_000;
const YEAR = 365 * 24 * 60 * MINUTE;

function rigWithCount(options: Omit<Parameters<typeof startRig>[0], 'onResume'>) {
  const seen = { resumed: 0 };
  const rig = startRig({
    ...options,
    onResume: () => {
      seen.resumed += 1;
    },
  });
  return { rig, seen };
}

describe('a machine that slept', () => {
  it.each([
    ['and its monotonic clock with it', { wall: 60 * MINUTE, monotonic: 0 }],
    ['while its monotonic clock went on', { wall: 60 * MINUTE, monotonic: 60 * MINUTE }],
  ])('%s is told before anything else is sent, and is no running time', async (_, by) => {
    const startedAt: number[] = [];
    const { rig, seen } = rigWithCount({ nodes: [mediaNode('old', '1')] });
    await rig.clock.settle();
    const first = await rig.held.next('media/old/1@1');
    startedAt.push(seen.resumed);
    first.respond(pending(4000));
    await rig.clock.advance(3000);
    rig.clock.jump(by);
    await rig.clock.advance(1000);
    const second = await rig.held.next('media/old/1@1');
    startedAt.push(seen.resumed);
    expect(startedAt).toEqual([0, 1]);
    expect(second.job.runningMs).toBe(4000);
    second.respond(done(resultFor(mediaNode('old', '1'))));
    expect(await rig.ends()).toEqual({ 'media/old/1@1': 'done' });
    expect(seen.resumed).toBe(1);
  });

  it('polls what is due by now one after the other, not all at once', async () => {
    const media = Array.from({ length: 300 }, (_, index) => mediaNode('old', String(index)));
    const { rig } = rigWithCount({ nodes: media, limits: { total: 1000 } });
    for (let left = media.length; left > 0; ) {
      await rig.clock.advance(100);
      for (const address of rig.held.held()) {
        await rig.answer(address, pending(60_000));
        left -= 1;
      }
    }
    rig.clock.jump({ wall: 8 * 60 * MINUTE, monotonic: 8 * 60 * MINUTE });
    const perSecond: number[] = [];
    for (let second = 0; second < 4; second += 1) {
      const before = rig.held.started.length;
      await rig.clock.advance(1000);
      perSecond.push(rig.held.started.length - before);
    }
    expect(perSecond).toEqual([110, 100, 90, 0]);
  });

  it('does not make the service count as unavailable', async () => {
    const { rig } = rigWithCount({ nodes: [uploadNode('u')] });
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await rig.answer('upload/u', failed('no-answer'));
      await rig.clock.advance(1000);
    }
    rig.clock.jump({ wall: 60 * MINUTE, monotonic: 60 * MINUTE });
    await rig.clock.advance(1000);
    await rig.answer('upload/u');
    expect(await rig.ends()).toEqual({ 'upload/u': 'done' });
    expect((await rig.report).stopped.size).toBe(0);
  });
});

describe('a wall clock that is set', () => {
  it.each([
    ['two hours back', -120 * MINUTE, 0],
    ['ten years on', 10 * YEAR, 1],
  ])('%s changes no time that is waited', async (_, wall, resumed) => {
    const { rig, seen } = rigWithCount({ nodes: [mediaNode('old', '1'), ...postNodes('new', 1)] });
    await rig.answer('media/old/1@1', pending(4000));
    rig.clock.jump({ wall, monotonic: 0 });
    await rig.answer('media-config/new@1');
    await rig.answer('media/new/1@1');
    await rig.answer('download/new/1@1');
    await rig.clock.advance(3999);
    expect(rig.held.held()).toEqual([]);
    await rig.clock.advance(1);
    const poll = await rig.held.next('media/old/1@1');
    expect(poll.job.runningMs).toBe(4000);
    poll.respond(done(resultFor(mediaNode('old', '1'))));
    expect(new Set(Object.values(await rig.ends()))).toEqual(new Set(['done']));
    expect(seen.resumed).toBe(resumed);
  });
});

it('the running time of a medium begins with its request, however late it is first polled', async () => {
  const { rig } = rigWithCount({ nodes: postNodes('new', 2), limits: { total: 1 } });
  await rig.answer('media-config/new@1');
  const first = await rig.held.next('media/new/1@1');
  await rig.clock.advance(3000);
  first.respond(done(resultFor(mediaNode('new', '1'))));
  expect((await rig.held.next('media/new/2@1')).job.runningMs).toBe(3000);
});
