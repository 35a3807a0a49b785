import { describe, expect, it } from 'vitest';
import { startRig } from '../support/engine-rig.ts';
import { done, failed, pending, throttled } from '../support/facts.ts';
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

describe('first signal', () => {
  it('starts nothing new, aborts all but updates (a create that has left ends all the same), and writes the ends', async () => {
    const rig = startRig({
      nodes: [
        uploadNode('u'),
        conceptNode('c'),
        mediaNode('old', '1'),
        downloadNode('old', '2'),
        productNode('update', { action: 'update' }),
        ...postNodes('hero', 1, { dependsOn: ['concept/c'] }),
      ],
    });
    const [upload, concept, media, download, update] = await Promise.all(
      ['upload/u', 'concept/c', 'media/old/1@1', 'download/old/2@1', 'product/update'].map((address) =>
        rig.held.next(address),
      ),
    );
    await rig.stop('drain');
    const aborted = [upload, concept, media, download, update].map((held) => held?.signal.aborted);
    // A create whose request has left pays no heed to that.
    expect(aborted).toEqual([true, true, true, true, false]);
    upload?.respond(failed('refused'));
    media?.respond(pending(1));
    download?.respond(done({ media: 'm', files: [] }));
    update?.respond(done({ id: 'p' }));
    await rig.clock.advance(10_000);
    concept?.respond(done({ id: 'c' }));
    const { ends, stopped } = await rig.report;
    expect(Object.fromEntries(ends)).toEqual({
      'upload/u': 'put-off',
      'concept/c': 'done',
      'media/old/1@1': 'pending',
      'download/old/2@1': 'done',
      'product/update': 'done',
    });
    expect(stopped).toEqual(new Set(['signal']));
    expect(rig.logged()).toEqual([
      'intent concept/c',
      'updating product/update',
      'downloaded download/old/2@1',
      'updated product/update',
      'created concept/c',
    ]);
    expect(rig.clock.pending).toBe(0);
  });

  it('leaves media that wait for a poll, or whose request has just been made, pending', async () => {
    const rig = startRig({ nodes: [mediaNode('old', '1'), ...postNodes('new', 1)] });
    await rig.answer('media/old/1@1', pending(1e6));
    await rig.stop('drain');
    await rig.answer('media-config/new@1');
    expect(await rig.ends()).toEqual({
      'media/old/1@1': 'pending',
      'media-config/new@1': 'done',
      'media/new/1@1': 'pending',
      'download/new/1@1': 'pending',
    });
  });

  it('says what it waits for once what had not left has ended, and what is left without an answer', async () => {
    const rig = startRig({ nodes: [conceptNode('c'), conceptNode('d'), uploadNode('u')] });
    const stopping = () => rig.events.filter(({ type }) => type === 'run-stopping');
    const [, d, u] = await Promise.all(
      ['concept/c', 'concept/d', 'upload/u'].map((address) => rig.held.next(address)),
    );
    await rig.stop('drain');
    u?.respond(failed('unclear'));
    d?.respond(failed('aborted'));
    await rig.clock.advance(99);
    expect(stopping()).toEqual([]);
    await rig.clock.advance(1);
    expect(stopping()).toEqual([{ type: 'run-stopping', awaited: 1, creates: 1, ms: 19_900 }]);
    await rig.clock.advance(19_900);
    expect(await rig.ends()).toMatchObject({ 'concept/c': 'unknown', 'concept/d': 'put-off' });
    expect(stopping().slice(1)).toEqual([{ type: 'run-stopping', awaited: 0, creates: 1, ms: 0 }]);
  });

  it('says at once that it waits for nothing where nothing is under way', async () => {
    const rig = startRig({ nodes: [mediaNode('old', '1')] });
    await rig.answer('media/old/1@1', pending(1e6));
    await rig.stop('drain');
    expect(rig.events).toContainEqual({ type: 'run-stopping', awaited: 0, creates: 0, ms: 20_000 });
    expect(await rig.ends()).toMatchObject({ 'media/old/1@1': 'pending' });
  });

  it('does not wait for the next attempt of a create', async () => {
    const rig = startRig({ nodes: [conceptNode('c')] });
    const job = await rig.held.next('concept/c');
    await rig.stop('drain');
    job.respond(throttled(5000));
    expect(await rig.ends()).toEqual({ 'concept/c': 'put-off' });
    expect(rig.logged()).toEqual(['intent concept/c', 'throttled concept/c']);
  });

  it('gives a create that does not answer 20 s, then leaves it unknown', async () => {
    const rig = startRig({ nodes: [conceptNode('c'), conceptNode('d')] });
    await rig.clock.settle();
    const job = await rig.held.next('concept/c');
    await rig.stop('drain');
    await rig.answer('concept/d');
    expect(job.signal.aborted).toBe(true);
    await rig.clock.advance(19_999);
    expect(rig.held.held()).toEqual(['concept/c']);
    await rig.clock.advance(1);
    expect(await rig.ends()).toEqual({ 'concept/c': 'unknown', 'concept/d': 'done' });
    expect(rig.logged()).toEqual(['intent concept/c', 'intent concept/d', 'created concept/d']);
  });

  it('leaves nothing unknown of a create that had not left', async () => {
    const rig = startRig({ nodes: [conceptNode('c')] });
    const job = await rig.held.next('concept/c');
    await rig.stop('drain');
    job.respond(failed('aborted'));
    expect(await rig.ends()).toEqual({ 'concept/c': 'put-off' });
    expect(rig.logged()).toEqual(['intent concept/c', 'not-sent concept/c']);
  });

  it('is told by a create that left and came to nothing', async () => {
    const rig = startRig({ nodes: [conceptNode('c')] });
    const job = await rig.held.next('concept/c');
    await rig.stop('drain');
    job.respond(failed('no-answer'));
    expect(await rig.ends()).toEqual({ 'concept/c': 'unknown' });
    expect(rig.logged()).toEqual(['intent concept/c', 'unknown concept/c']);
  });

  it('does not send a create whose intent was being written', async () => {
    const recorder = createMemoryRecorder();
    const release = recorder.hold();
    const rig = startRig({ nodes: [conceptNode('c')], recorder });
    await rig.clock.settle();
    await rig.stop('now');
    release();
    expect(await rig.ends()).toEqual({ 'concept/c': 'put-off' });
    expect(rig.held.started).toEqual([]);
    expect(rig.logged()).toEqual(['intent concept/c', 'not-sent concept/c']);
  });

  it('before the start means that nothing starts', async () => {
    const rig = startRig({ nodes: [uploadNode('u')], stop: { level: 'drain', onChange: () => () => {} } });
    expect(await rig.ends()).toEqual({});
    expect(rig.held.started).toEqual([]);
  });
});

describe('second signal', () => {
  it('aborts everything at once: what was sent stays unknown', async () => {
    const rig = startRig({
      nodes: [conceptNode('c'), uploadNode('u'), mediaNode('old', '1'), requestNode('a')],
    });
    await rig.clock.settle();
    const job = await rig.held.next('concept/c');
    await rig.stop('drain');
    await rig.stop('now');
    expect(await rig.ends()).toEqual({
      'concept/c': 'unknown',
      'upload/u': 'put-off',
      'media/old/1@1': 'pending',
      'media-config/a@1': 'unknown',
    });
    expect(job.signal.aborted).toBe(true);
    expect(rig.logged()).toEqual(['intent concept/c', 'intent media-config/a@1']);
  });

  it('still takes in an end that the log is writing', async () => {
    const rig = startRig({ nodes: [conceptNode('c')] });
    const job = await rig.held.next('concept/c');
    const release = rig.recorder.hold();
    job.respond(done({ id: 'c' }));
    await rig.clock.settle();
    await rig.stop('now');
    release();
    expect(await rig.ends()).toEqual({ 'concept/c': 'done' });
  });
});

describe('deadline', () => {
  it('stops like a first signal', async () => {
    const rig = startRig({
      nodes: [mediaNode('a', '1'), conceptNode('c'), uploadNode('u')],
      deadlineMs: 60_000,
    });
    await rig.answer('media/a/1@1', pending(90_000));
    await rig.answer('upload/u');
    await rig.clock.advance(60_000);
    await rig.answer('concept/c');
    const { ends, stopped } = await rig.report;
    expect(Object.fromEntries(ends)).toEqual({
      'media/a/1@1': 'pending',
      'concept/c': 'done',
      'upload/u': 'done',
    });
    expect(stopped).toEqual(new Set(['deadline']));
  });
});

describe('fail-fast', () => {
  it('starts nothing after the first failure and lets requests in flight end', async () => {
    const rig = startRig({
      nodes: [uploadNode('a'), uploadNode('b'), productNode('p', { dependsOn: ['upload/b'] })],
      failFast: 'stop',
    });
    await rig.answer('upload/a', failed('refused'));
    await rig.answer('upload/b');
    const { ends, stopped } = await rig.report;
    expect(Object.fromEntries(ends)).toEqual({ 'upload/a': 'failed', 'upload/b': 'done' });
    expect(stopped).toEqual(new Set(['fail-fast']));
  });

  it('can still be interrupted while requests end', async () => {
    const rig = startRig({ nodes: [uploadNode('a'), conceptNode('c')], failFast: 'stop', deadlineMs: 1000 });
    await rig.answer('upload/a', failed('refused'));
    await rig.clock.advance(1000);
    await rig.stop('now');
    const { stopped } = await rig.report;
    expect([...stopped]).toEqual(['fail-fast', 'deadline', 'signal']);
  });
});

describe('refused key', () => {
  it('puts off everything that is not running', async () => {
    const rig = startRig({
      nodes: [
        conceptNode('c'),
        uploadNode('a'),
        uploadNode('b'),
        mediaNode('old', '1'),
        ...postNodes('hero', 1, { dependsOn: ['concept/c'] }),
      ],
      limits: { total: 4, perKind: { upload: 1 } },
    });
    await rig.answer('media/old/1@1', pending(1e6));
    await rig.answer('concept/c', failed('unauthorized'));
    await rig.answer('upload/a');
    const { ends, stopped } = await rig.report;
    expect(Object.fromEntries(ends)).toEqual({
      'concept/c': 'put-off',
      'upload/a': 'done',
      'upload/b': 'put-off',
      'media/old/1@1': 'pending',
      'media-config/hero@1': 'put-off',
      'media/hero/1@1': 'put-off',
      'download/hero/1@1': 'put-off',
    });
    expect(stopped).toEqual(new Set(['unauthorized']));
    expect(rig.logged()).toEqual(['intent concept/c', 'not-sent concept/c', 'uploaded upload/a']);
  });
});
