import { describe, expect, it } from 'vitest';
import { startRig } from '../support/engine-rig.ts';
import { done, failed, throttled } from '../support/facts.ts';
import { createMemoryRecorder } from '../support/memory-recorder.ts';
import { conceptNode, productNode, uploadNode } from '../support/planned-nodes.ts';

describe('a log that cannot be written', () => {
  const full = new Error('ENOSPC');

  it('ends sending; requests in flight finish, creates among them stay unknown', async () => {
    const rig = startRig({
      nodes: [
        conceptNode('c'),
        conceptNode('later'),
        uploadNode('u'),
        productNode('p', { dependsOn: ['upload/u'] }),
      ],
      limits: { perKind: { concept: 1 } },
    });
    const [concept, upload] = [await rig.held.next('concept/c'), await rig.held.next('upload/u')];
    rig.recorder.fail(full);
    upload.respond(done({ url: 'https://u' }));
    await rig.clock.settle();
    concept.respond(done({ id: 'c' }));
    const { ends, stopped, writeError } = await rig.report;
    expect(Object.fromEntries(ends)).toEqual({
      'upload/u': 'put-off',
      'product/p': 'put-off',
      'concept/c': 'unknown',
    });
    expect(rig.held.started).not.toContain('concept/later');
    expect(stopped).toEqual(new Set(['cannot-write']));
    expect(writeError).toBe(full);
  });

  it('loses no end that is kept elsewhere', async () => {
    const rig = startRig({ nodes: [conceptNode('c'), conceptNode('d'), productNode('p'), uploadNode('u')] });
    const names = ['concept/c', 'concept/d', 'product/p', 'upload/u'];
    const [created, rejected, slowed, upload] = await Promise.all(names.map((name) => rig.held.next(name)));
    rig.recorder.fail(Object.assign(new Error('EIO'), { keptIn: '.campaign/errored-1.jsonl' }));
    created?.respond(done({ id: 'c' }));
    rejected?.respond(failed('refused'));
    slowed?.respond(throttled(10_000));
    upload?.respond(done({ url: 'https://u' }));
    expect(await rig.ends()).toEqual({
      'concept/c': 'done',
      'concept/d': 'rejected',
      'product/p': 'put-off',
      'upload/u': 'done',
    });
  });

  it('keeps a create from being sent', async () => {
    const recorder = createMemoryRecorder();
    recorder.fail(full);
    const rig = startRig({ nodes: [conceptNode('c'), conceptNode('d')], recorder });
    expect(await rig.ends()).toEqual({ 'concept/c': 'put-off', 'concept/d': 'put-off' });
    expect(rig.held.started).toEqual([]);
  });
});
