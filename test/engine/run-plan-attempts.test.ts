import { describe, expect, it } from 'vitest';
import { startRig } from '../support/engine-rig.ts';
import { done, failed, pending, throttled } from '../support/facts.ts';
import { createMemoryRecorder } from '../support/memory-recorder.ts';
import {
  conceptNode,
  mediaNode,
  postNodes,
  productNode,
  requestNode,
  resultFor,
  uploadNode,
} from '../support/planned-nodes.ts';

describe('creates', () => {
  it('send only once their intent is durable, and release dependents only once their end is', async () => {
    const rig = startRig({ nodes: [conceptNode('c'), requestNode('hero', { dependsOn: ['concept/c'] })] });
    const job = await rig.held.next('concept/c');
    expect(rig.logged()).toEqual(['intent concept/c']);
    const release = rig.recorder.hold();
    job.respond(done({ id: 'c' }));
    await rig.clock.settle();
    expect(rig.held.started).toEqual(['concept/c']);
    release();
    await rig.clock.settle();
    expect(rig.held.started).toEqual(['concept/c', 'media-config/hero@1']);
  });

  it('do not send before the log has taken the intent', async () => {
    const recorder = createMemoryRecorder();
    const release = recorder.hold();
    const rig = startRig({ nodes: [conceptNode('c')], recorder });
    await rig.clock.settle();
    expect(rig.held.started).toEqual([]);
    release();
    await rig.clock.settle();
    expect(rig.held.started).toEqual(['concept/c']);
  });

  it('have an intent and an end for each attempt, and are put off after the third', async () => {
    const rig = startRig({ nodes: [conceptNode('c'), requestNode('hero', { dependsOn: ['concept/c'] })] });
    await rig.answer('concept/c', failed('not-sent'));
    await rig.clock.advance(10_000);
    await rig.answer('concept/c', throttled(0));
    await rig.clock.advance(10_000);
    await rig.answer('concept/c', failed('not-sent'));
    expect(await rig.ends()).toEqual({ 'concept/c': 'put-off', 'media-config/hero@1': 'put-off' });
    expect(rig.logged()).toEqual([
      'intent concept/c',
      'not-sent concept/c',
      'intent concept/c',
      'throttled concept/c',
      'intent concept/c',
      'not-sent concept/c',
    ]);
    expect(
      rig.events.map((event) => `${event.type} ${'attempt' in event ? event.attempt : ''}`.trim()),
    ).toEqual([
      'node-started 1',
      'node-waiting',
      'node-started 2',
      'load-changed',
      'node-waiting',
      'node-started 3',
      'node-finished',
      'node-finished',
    ]);
  });

  it('that are unknown block what depends on them', async () => {
    const rig = startRig({
      nodes: [conceptNode('c'), ...postNodes('hero', 1, { dependsOn: ['concept/c'] })],
    });
    await rig.answer('concept/c', failed('no-answer', { load: 'overloaded' }));
    expect(await rig.ends()).toEqual({
      'concept/c': 'unknown',
      'media-config/hero@1': 'blocked',
      'media/hero/1@1': 'blocked',
      'download/hero/1@1': 'blocked',
    });
    expect(rig.logged()).toEqual(['intent concept/c', 'unknown concept/c']);
  });

  it('updates need no intent, but a note that they are under way', async () => {
    const rig = startRig({ nodes: [productNode('p', { action: 'update' })] });
    await rig.answer('product/p');
    await rig.report;
    expect(rig.logged()).toEqual(['updating product/p', 'updated product/p']);
  });
});

describe('repeatable requests', () => {
  it('fail after six attempts', async () => {
    const rig = startRig({ nodes: [uploadNode('u')] });
    for (let attempt = 1; attempt <= 6; attempt += 1) {
      await rig.answer('upload/u', failed('server-error'));
      await rig.clock.advance(10_000);
    }
    expect(await rig.ends()).toEqual({ 'upload/u': 'failed' });
    expect(rig.held.started).toHaveLength(6);
    expect(rig.logged()).toEqual(['failed upload/u']);
  });

  it('polls go on whatever happens', async () => {
    const rig = startRig({ nodes: [mediaNode('hero', '1')] });
    for (let attempt = 1; attempt <= 30; attempt += 1) {
      const overloaded = failed('server-error', { waitMs: 1000, load: 'overloaded' });
      const answers = [throttled(1000), overloaded, pending(1000)];
      await rig.answer('media/hero/1@1', answers[attempt % 3]);
      await rig.clock.advance(30_000);
    }
    await rig.answer('media/hero/1@1', done(resultFor(mediaNode('hero', '1'))));
    expect(await rig.ends()).toEqual({ 'media/hero/1@1': 'done' });
  });
});
