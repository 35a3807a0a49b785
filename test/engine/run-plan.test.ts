import { describe, expect, it } from 'vitest';
import { startRig } from '../support/engine-rig.ts';
import { done, failed, pending } from '../support/facts.ts';
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

describe('runPlan', () => {
  it('ends at once when there is nothing to do', async () => {
    const rig = startRig({ nodes: [] });
    expect(await rig.report).toMatchObject({ ends: new Map(), added: [], stopped: new Set() });
  });

  it('carries a plan from uploads to files, each node after what it depends on', async () => {
    const rig = startRig({
      nodes: [
        uploadNode('u'),
        productNode('tote', { dependsOn: ['upload/u'] }),
        conceptNode('c'),
        ...postNodes('hero', 1, { dependsOn: ['concept/c', 'product/tote'] }),
      ],
    });
    await rig.answer('upload/u');
    await rig.answer('concept/c');
    expect(rig.held.held()).toEqual(['product/tote']);
    await rig.answer('product/tote');
    await rig.answer('media-config/hero@1');
    await rig.answer('media/hero/1@1');
    await rig.answer('download/hero/1@1');
    expect(await rig.ends()).toEqual({
      'upload/u': 'done',
      'product/tote': 'done',
      'concept/c': 'done',
      'media-config/hero@1': 'done',
      'media/hero/1@1': 'done',
      'download/hero/1@1': 'done',
    });
    expect(rig.clock.pending).toBe(0);
  });

  it('hands a step the results of everything that its node depends on, of earlier runs too', async () => {
    const rig = startRig({
      nodes: [uploadNode('u'), productNode('p', { dependsOn: ['upload/u', 'upload/old', 'upload/nowhere'] })],
      recorder: createMemoryRecorder([
        {
          type: 'uploaded',
          at: '',
          address: 'upload/old',
          inputs: {},
          fingerprint: '',
          result: { url: 'https://old' },
        },
      ]),
    });
    await rig.answer('upload/u', done({ url: 'https://new' }));
    const { job } = await rig.held.next('product/p');
    expect(job.results).toEqual({
      'upload/u': { url: 'https://new' },
      'upload/old': { url: 'https://old' },
    });
  });

  it('tells what happens, in order', async () => {
    const rig = startRig({ nodes: postNodes('hero', 1) });
    await rig.clock.advance(5);
    await rig.answer('media-config/hero@1');
    await rig.answer('media/hero/1@1', pending(100));
    await rig.clock.advance(100);
    await rig.answer('media/hero/1@1', pending(100));
    await rig.clock.advance(100);
    await rig.answer('media/hero/1@1');
    await rig.answer('download/hero/1@1');
    await rig.report;
    const config = { address: 'media-config/hero@1', kind: 'media-config' };
    const media = { address: 'media/hero/1@1', kind: 'media' };
    const download = { address: 'download/hero/1@1', kind: 'download' };
    const ended = { type: 'node-finished', action: 'create', end: 'done' };
    expect(rig.events).toEqual([
      { type: 'node-started', ...config, attempt: 1 },
      { ...ended, ...config, ms: 5 },
      { type: 'node-started', ...media, attempt: 1 },
      { type: 'node-waiting', ...media, why: 'poll', ms: 100 },
      { ...ended, ...media, ms: 200 },
      { type: 'node-started', ...download, attempt: 1 },
      { ...ended, ...download, ms: 0, files: ['out/hero/1.png'] },
    ]);
  });

  it('hands the memo and the running time of a wait to the next attempt', async () => {
    const rig = startRig({ nodes: [mediaNode('hero', '1')] });
    const first = await rig.held.next('media/hero/1@1');
    expect(first.job).toMatchObject({ attempt: 1, runningMs: 0 });
    expect(first.job).not.toHaveProperty('memo');
    first.respond(pending(2000, { memo: { polls: 1 }, seen: true }));
    await rig.clock.advance(1999);
    expect(rig.held.held()).toEqual([]);
    await rig.clock.advance(1);
    const second = await rig.held.next('media/hero/1@1');
    expect(second.job).toMatchObject({ attempt: 2, runningMs: 2000, memo: { polls: 1 } });
    second.respond(failed('unclear'));
    expect(await rig.ends()).toEqual({ 'media/hero/1@1': 'pending' });
    expect(rig.recorder.noted.map(({ type }) => type)).toEqual(['seen']);
    expect(rig.logged()).toEqual([]);
  });

  it('takes in the items that the service made beyond those sent', async () => {
    const rig = startRig({ nodes: postNodes('hero', 1), limits: { mediaInFlight: 1 } });
    const adds = [mediaNode('hero', '2'), downloadNode('hero', '2')];
    const result = { id: 'x', concept: 'c', items: {}, surplus: ['2'] };
    await rig.answer('media-config/hero@1', done(result, { adds }));
    expect(rig.held.held()).toEqual(['media/hero/1@1', 'media/hero/2@1']);
    for (const item of ['1', '2']) await rig.answer(`media/hero/${item}@1`);
    for (const item of ['1', '2']) await rig.answer(`download/hero/${item}@1`);
    expect(Object.values(await rig.ends())).toEqual(Array.from({ length: 5 }, () => 'done'));
  });

  it('blocks only what depends on a failed node, with its cause', async () => {
    const rig = startRig({
      nodes: [
        productNode('bad'),
        productNode('good'),
        ...postNodes('a', 1, { dependsOn: ['product/bad'] }),
        requestNode('b', { dependsOn: ['product/good'] }),
      ],
    });
    await rig.answer('product/bad', failed('refused'));
    await rig.answer('product/good');
    await rig.answer('media-config/b@1');
    expect(await rig.ends()).toEqual({
      'product/bad': 'rejected',
      'product/good': 'done',
      'media-config/a@1': 'blocked',
      'media/a/1@1': 'blocked',
      'download/a/1@1': 'blocked',
      'media-config/b@1': 'done',
    });
    const blocked = rig.events.filter((event) => event.type === 'node-finished' && event.end === 'blocked');
    expect(blocked).toHaveLength(3);
    for (const event of blocked) {
      expect(event).toMatchObject({
        ms: 0,
        problem: { summary: 'blocked by what it depends on', detail: 'product/bad: rejected' },
      });
    }
  });

  it('blocks the download of a lost medium and of a failed generation', async () => {
    const rig = startRig({ nodes: [...postNodes('a', 1), ...postNodes('b', 1)] });
    await rig.answer('media-config/a@1');
    await rig.answer('media-config/b@1');
    await rig.answer('media/a/1@1', failed('gone'));
    await rig.answer('media/b/1@1', failed('generation-failed'));
    expect(await rig.ends()).toMatchObject({
      'media/a/1@1': 'lost',
      'download/a/1@1': 'blocked',
      'media/b/1@1': 'failed',
      'download/b/1@1': 'blocked',
    });
    expect(rig.logged().slice(4)).toEqual(['lost media/a/1@1', 'generation-failed media/b/1@1']);
  });

  it('counts what the plan blocks without running it', async () => {
    const rig = startRig({
      nodes: [productNode('p', { action: 'blocked' }), mediaNode('hero', '1', { action: 'blocked' })],
    });
    expect(await rig.ends()).toEqual({ 'product/p': 'blocked', 'media/hero/1@1': 'blocked' });
    expect(rig.held.started).toEqual([]);
  });

  it('says so when the nodes of a plan wait for each other', async () => {
    const nodes = [
      productNode('a', { dependsOn: ['product/b'] }),
      productNode('b', { dependsOn: ['product/a'] }),
    ];
    await expect(startRig({ nodes }).report).rejects.toThrow('wait for each other');
  });

  it('takes what the table has no row for as a bug of the step', async () => {
    const rig = startRig({ nodes: [uploadNode('u')] });
    await rig.answer('upload/u', failed('gone'));
    await expect(rig.report).rejects.toThrow('nobody has said what "gone" means for a repeatable');
  });

  it('finishes what was sent and then rejects when a step has a bug', async () => {
    const rig = startRig({
      nodes: [conceptNode('a'), conceptNode('b'), uploadNode('u'), uploadNode('v')],
      limits: { total: 4 },
    });
    const [a, b] = [await rig.held.next('concept/a'), await rig.held.next('concept/b')];
    a.crash(new Error('bug'));
    await rig.clock.settle();
    b.respond(done({ id: 'b' }));
    await rig.answer('upload/u');
    await expect(rig.report).rejects.toThrow('bug');
    expect(rig.logged()).toEqual([
      'intent concept/a',
      'intent concept/b',
      'created concept/b',
      'uploaded upload/u',
    ]);
    expect(rig.held.started).not.toContain('upload/v');
  });

  it('rejects as well when the log cannot be told what happened', async () => {
    const nodes = [uploadNode('u')];
    const rig = startRig({
      nodes,
      now: () => {
        throw new Error('no time');
      },
    });
    await rig.answer('upload/u');
    await expect(rig.report).rejects.toThrow('no time');
  });
});
