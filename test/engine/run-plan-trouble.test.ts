import { describe, expect, it } from 'vitest';
import { startRig } from '../support/engine-rig.ts';
import { failed, throttled } from '../support/facts.ts';
import { createMemoryRecorder } from '../support/memory-recorder.ts';
import {
  conceptNode,
  downloadNode,
  mediaNode,
  postNodes,
  productNode,
  requestNode,
  uploadNode,
} from '../support/planned-nodes.ts';

const unknown = failed('no-answer');

function uploads(count: number) {
  return Array.from({ length: count }, (_, index) => uploadNode(String(index)));
}

function concepts(count: number) {
  return Array.from({ length: count }, (_, index) => conceptNode(String(index)));
}

describe('throttling', () => {
  it('holds back the whole kind until the time that was asked for', async () => {
    const rig = startRig({ nodes: [...concepts(4), ...uploads(1)], limits: { perKind: { concept: 2 } } });
    await rig.answer('concept/0', throttled(7000));
    await rig.answer('concept/1');
    await rig.answer('upload/0');
    await rig.clock.advance(6999);
    expect(rig.held.started).toHaveLength(3);
    await rig.clock.advance(1);
    expect(rig.held.started.slice(3)).toEqual(['concept/2', 'concept/3']);
    await rig.answer('concept/2');
    await rig.answer('concept/3');
    await rig.clock.advance(500);
    expect(rig.held.held()).toEqual(['concept/0']);
    expect(rig.events).toContainEqual(
      expect.objectContaining({ type: 'node-waiting', address: 'concept/0', why: 'throttled', ms: 7500 }),
    );
  });

  it('beyond five minutes ends all submitting, while polls and downloads go on', async () => {
    const rig = startRig({
      nodes: [
        ...uploads(1),
        requestNode('a'),
        requestNode('b'),
        conceptNode('c'),
        productNode('p', { action: 'update' }),
        ...postNodes('d', 1, { dependsOn: ['concept/c'] }),
        mediaNode('old', '1', { action: 'resume' }),
        downloadNode('old', '1', { action: 'resume' }),
      ],
      limits: { perKind: { 'media-config': 1, product: 1, upload: 1 } },
    });
    await rig.clock.settle();
    await rig.answer('media-config/a@1', throttled(300_001));
    // What is under way may still succeed; what it makes possible is not begun.
    await rig.answer('concept/c');
    await rig.answer('product/p', failed('server-error'));
    await rig.answer('upload/0');
    await rig.answer('media/old/1@1');
    await rig.answer('download/old/1@1');
    expect(await rig.ends()).toEqual({
      'upload/0': 'done',
      'media-config/a@1': 'put-off',
      'media-config/b@1': 'put-off',
      'concept/c': 'done',
      'product/p': 'put-off',
      'media-config/d@1': 'put-off',
      'media/d/1@1': 'put-off',
      'download/d/1@1': 'put-off',
      'media/old/1@1': 'done',
      'download/old/1@1': 'done',
    });
  });

  it('beyond five minutes lets nothing else be sent while that is written', async () => {
    const recorder = createMemoryRecorder();
    const nodes = [requestNode('a'), conceptNode('c')];
    const rig = startRig({ nodes, recorder, limits: { total: 1 } });
    await rig.clock.settle();
    const release = recorder.hold();
    await rig.answer('media-config/a@1', throttled(300_001));
    release();
    expect(await rig.ends()).toEqual({ 'media-config/a@1': 'put-off', 'concept/c': 'put-off' });
    expect(rig.held.started).toEqual(['media-config/a@1']);
  });

  it('beyond five minutes of a 503 puts off the one that was told so', async () => {
    const rig = startRig({ nodes: uploads(2) });
    await rig.answer('upload/0', failed('server-error', { waitMs: 300_001 }));
    await rig.answer('upload/1');
    expect(await rig.ends()).toEqual({ 'upload/0': 'put-off', 'upload/1': 'done' });
  });

  it('beyond five minutes leaves posts that are being generated pending', async () => {
    const rig = startRig({
      nodes: [mediaNode('old', '1'), mediaNode('old', '2')],
      limits: { perKind: { media: 1 } },
    });
    await rig.answer('media/old/1@1', throttled(300_001));
    expect(await rig.ends()).toEqual({ 'media/old/1@1': 'pending', 'media/old/2@1': 'pending' });
  });
});

describe('retry budget', () => {
  it('puts off what it refuses, probes every five seconds, and ends the run as unavailable after a minute', async () => {
    const rig = startRig({ nodes: uploads(200), limits: { total: 8 } });
    let answered = 0;
    for (let second = 0; second < 70; second += 1) {
      await rig.clock.settle();
      for (const address of rig.held.held()) {
        answered += 1;
        await rig.answer(address, failed('server-error'));
      }
      await rig.clock.advance(1000);
    }
    const { ends, stopped } = await rig.report;
    expect(stopped).toEqual(new Set(['unavailable']));
    expect([...new Set(ends.values())].sort()).toEqual(['put-off']);
    expect(ends.size).toBe(200);
    // In flight, 20 retries and a probe every five seconds of the minute.
    expect(answered).toBeLessThanOrEqual(8 + 20 + 12);
  });

  it('goes on when the service comes back', async () => {
    const rig = startRig({ nodes: uploads(30), limits: { total: 31 } });
    await rig.clock.settle();
    for (let i = 0; i < 29; i += 1) await rig.answer(`upload/${i}`, failed('server-error', { waitMs: 1000 }));
    await rig.clock.advance(4999);
    expect(rig.held.held()).toEqual(['upload/29']);
    await rig.clock.advance(1);
    expect(rig.held.held()).toEqual(['upload/0', 'upload/29']);
    await rig.answer('upload/29');
    expect(rig.held.held()).toHaveLength(20);
    for (const address of rig.held.held()) await rig.answer(address);
    const { ends, stopped } = await rig.report;
    expect(stopped.size).toBe(0);
    expect([...ends.values()].filter((end) => end === 'put-off')).toHaveLength(9);
  });

  it('leaves media pending when the service is unavailable', async () => {
    const rig = startRig({ nodes: [mediaNode('a', '1'), productNode('p', { dependsOn: ['upload/u'] })] });
    await rig.answer('product/p', failed('not-done', { waitMs: 1e9 }));
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await rig.answer('media/a/1@1', failed('server-error'));
      await rig.clock.advance(100);
    }
    await rig.clock.advance(59_799);
    expect(rig.held.held()).toEqual(['media/a/1@1']);
    await rig.clock.advance(1);
    // The poll in flight is not awaited.
    const poll = await rig.held.next('media/a/1@1');
    expect(poll.signal.aborted).toBe(true);
    poll.respond(failed('unclear'));
    expect(await rig.ends()).toEqual({ 'media/a/1@1': 'pending', 'product/p': 'put-off' });
    expect((await rig.report).stopped).toEqual(new Set(['unavailable']));
  });

  it('takes no refusal for an outage, however long every poll is refused', async () => {
    const rig = startRig({ nodes: [mediaNode('a', '1'), uploadNode('u')] });
    await rig.answer('upload/u', failed('not-sent'));
    for (let poll = 0; poll < 60; poll += 1) {
      await rig.answer('media/a/1@1', failed('refused'));
      await rig.clock.advance(10_000);
      if (poll === 0) await rig.answer('upload/u', failed('unclear'));
    }
    await rig.answer('media/a/1@1', failed('unclear'));
    expect(await rig.ends()).toEqual({ 'media/a/1@1': 'pending', 'upload/u': 'put-off' });
    expect((await rig.report).stopped.size).toBe(0);
  });

  it('lets what was answered be tried again while the budget is empty', async () => {
    const rig = startRig({ nodes: uploads(31), limits: { total: 32 } });
    await rig.clock.settle();
    for (let i = 0; i < 30; i += 1) await rig.answer(`upload/${i}`, failed('server-error', { waitMs: 1e6 }));
    await rig.answer('upload/30', failed('doubtful', { waitMs: 1000 }));
    await rig.clock.advance(5000);
    // The probe, and no success: nothing else leaves.
    expect(rig.held.held()).toEqual(['upload/30']);
  });
});

describe('breaker on creates', () => {
  it('starts no other create after an ambiguous one until one, alone and after a backoff, has succeeded', async () => {
    const rig = startRig({ nodes: [...concepts(6), ...uploads(1)], limits: { perKind: { concept: 2 } } });
    await rig.answer('concept/0', unknown);
    await rig.clock.advance(1000);
    expect(rig.held.held()).toEqual(['concept/1', 'upload/0']);
    await rig.answer('concept/1');
    expect(rig.held.held()).toEqual(['concept/2', 'upload/0']);
    await rig.clock.advance(10_000);
    expect(rig.held.held()).toEqual(['concept/2', 'upload/0']);
    await rig.answer('concept/2');
    expect(rig.held.held()).toEqual(['concept/3', 'concept/4', 'upload/0']);
  });

  it('waits for the backoff', async () => {
    const rig = startRig({ nodes: concepts(2), limits: { total: 1 } });
    await rig.answer('concept/0', unknown);
    expect(rig.held.held()).toEqual([]);
    await rig.clock.advance(100);
    expect(rig.held.held()).toEqual(['concept/1']);
  });

  it('ends all creating after three ambiguous in a row, while everything else goes on', async () => {
    const rig = startRig({
      nodes: [
        ...concepts(4),
        ...uploads(1),
        requestNode('a', { dependsOn: ['upload/0'] }),
        mediaNode('old', '1'),
      ],
      limits: { perKind: { concept: 1 } },
    });
    for (const name of ['0', '1', '2']) {
      await rig.answer(`concept/${name}`, unknown);
      await rig.clock.advance(1000);
    }
    await rig.answer('upload/0');
    await rig.answer('media/old/1@1');
    const { ends, stopped } = await rig.report;
    expect(Object.fromEntries(ends)).toEqual({
      'concept/0': 'unknown',
      'concept/1': 'unknown',
      'concept/2': 'unknown',
      'concept/3': 'put-off',
      'upload/0': 'done',
      'media-config/a@1': 'put-off',
      'media/old/1@1': 'done',
    });
    expect(stopped).toEqual(new Set(['creates-ended']));
  });

  it('leaves at most those in flight and two more unknown in an outage', async () => {
    const rig = startRig({ nodes: concepts(50), limits: { total: 9 } });
    for (let round = 0; round < 20; round += 1) {
      await rig.clock.settle();
      for (const address of rig.held.held()) await rig.answer(address, unknown);
      await rig.clock.advance(30_000);
    }
    const unknowns = Object.values(await rig.ends()).filter((end) => end === 'unknown');
    expect(unknowns).toHaveLength(8 + 2);
  });
});
