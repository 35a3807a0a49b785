import { describe, expect, it } from 'vitest';
import { createWork, type Work } from '../../src/engine/work-queue.ts';
import type { PlannedNode } from '../../src/model/plan.ts';
import {
  conceptNode,
  mediaNode,
  postNodes,
  productNode,
  requestNode,
  uploadNode,
} from '../support/planned-nodes.ts';

function taken(work: Work): string[] {
  const addresses: string[] = [];
  for (let node = work.next(() => true); node; node = work.next(() => true)) addresses.push(node.address);
  return addresses;
}

function workOf(...nodes: PlannedNode[]): Work {
  const work = createWork();
  work.add(nodes);
  return work;
}

describe('createWork', () => {
  it('hands out the longest remaining path first, then in plan order', () => {
    const work = workOf(
      uploadNode('short'),
      uploadNode('a'),
      uploadNode('b'),
      conceptNode('c'),
      productNode('p', { dependsOn: ['upload/a', 'upload/b'] }),
      requestNode('hero', { dependsOn: ['concept/c', 'product/p'] }),
    );
    expect(taken(work)).toEqual(['upload/a', 'upload/b', 'concept/c', 'upload/short']);
  });

  it('releases a node when the last of what it depends on is done', () => {
    const [a, b] = [uploadNode('a'), uploadNode('b')];
    const work = workOf(a, b, productNode('p', { dependsOn: ['upload/a', 'upload/b', 'upload/elsewhere'] }));
    taken(work);
    expect(work.finish({ node: a, end: 'done' })).toEqual([{ node: a, end: 'done' }]);
    expect(taken(work)).toEqual([]);
    work.finish({ node: b, end: 'done' });
    expect(taken(work)).toEqual(['product/p']);
    expect(work.left).toBe(1);
  });

  it('passes over what is not admitted', () => {
    const work = workOf(uploadNode('a'), conceptNode('c'));
    expect(work.next(({ kind }) => kind === 'concept')?.address).toBe('concept/c');
    expect(work.next(({ kind }) => kind === 'concept')).toBeUndefined();
  });

  it('gives a waiting node back when it is due', () => {
    const work = workOf(uploadNode('a'));
    taken(work);
    work.wait('upload/a', 100);
    work.wakeAt(50);
    work.wakeAt(50);
    expect(work.nextDue).toBe(50);
    work.wakeDue(99);
    expect([work.nextDue, taken(work)]).toEqual([100, []]);
    work.wakeDue(100);
    expect([work.nextDue, taken(work)]).toEqual([undefined, ['upload/a']]);
  });

  it('ignores nodes that it does not have', () => {
    const work = workOf();
    work.wait('upload/a', 1);
    expect(work.finish({ node: uploadNode('a'), end: 'done' })).toEqual([]);
    expect([work.nextDue, work.left, work.dependents('upload/a')]).toEqual([undefined, 0, []]);
  });

  it.each([
    ['failed', 'blocked', 'blocked by what it depends on', 'upload/a: failed'],
    ['unknown', 'blocked', 'blocked by what it depends on', 'upload/a: unknown'],
    ['put-off', 'put-off', 'put off with what it depends on', 'upload/a'],
    ['pending', 'pending', 'waits for what it depends on', 'upload/a'],
  ] as const)('%s: everything downstream, and nothing else, is %s', (end, passed, summary, detail) => {
    const a = uploadNode('a');
    const nodes = [
      productNode('p', { dependsOn: ['upload/a'] }),
      ...postNodes('hero', 1, { dependsOn: ['product/p'] }),
    ];
    const work = workOf(a, uploadNode('b'), ...nodes);
    const problem = { summary, detail, ...(end === 'put-off' ? { cause: 'upstream' } : {}) };
    expect(work.finish({ node: a, end })).toEqual([
      { node: a, end },
      ...nodes.map((node) => ({ node, end: passed, problem })),
    ]);
    expect([work.left, taken(work)]).toEqual([1, ['upload/b']]);
    expect(work.finish({ node: a, end: 'done' })).toEqual([]);
  });

  it('ends what the plan blocks, and what depends on it, at once', () => {
    const work = createWork();
    const plain = uploadNode('plain', { action: 'blocked' });
    const product: PlannedNode = {
      ...productNode('p', { action: 'blocked' }),
      reasons: [{ summary: 'its concept is unknown', address: 'concept/c' }],
    };
    const request = requestNode('hero', { dependsOn: ['product/p'] });
    expect(work.add([plain, product, request])).toEqual([
      { node: plain, end: 'blocked', problem: { summary: 'blocked' } },
      { node: product, end: 'blocked', problem: { summary: 'its concept is unknown' } },
      {
        node: request,
        end: 'blocked',
        problem: { summary: 'blocked by what it depends on', detail: 'product/p: blocked' },
      },
    ]);
    expect(work.left).toBe(0);
  });

  it('takes in nodes later, whose dependency has not been done', () => {
    const request = requestNode('hero');
    const work = workOf(request);
    taken(work);
    work.finish({ node: request, end: 'put-off' });
    expect(work.add([mediaNode('hero', '2')])).toMatchObject([{ end: 'put-off' }]);
  });

  it('takes in nodes later, whose dependencies may be done', () => {
    const request = requestNode('hero');
    const work = workOf(request);
    taken(work);
    work.finish({ node: request, end: 'done' });
    work.add([mediaNode('hero', '2')]);
    expect(taken(work)).toEqual(['media/hero/2@1']);
  });

  it('lists what is idle, and whether it is only waiting for its turn', () => {
    const work = workOf(uploadNode('a'), uploadNode('b'), conceptNode('c', { dependsOn: ['upload/b'] }));
    work.next(() => true);
    expect(work.idle().map(({ node, ready }) => [node.address, ready])).toEqual([
      ['upload/a', true],
      ['concept/c', false],
    ]);
  });
});
