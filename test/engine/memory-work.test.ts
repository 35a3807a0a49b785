import { describe, expect, it } from 'vitest';
import { createMemoryWork } from '../../src/engine/memory-work.ts';
import type { WorkSource } from '../../src/engine/work-source.ts';
import type { PlannedNode } from '../../src/model/plan.ts';
import { createManualClock } from '../support/manual-clock.ts';
import {
  conceptNode,
  downloadNode,
  mediaNode,
  postNodes,
  productNode,
  requestNode,
  uploadNode,
} from '../support/planned-nodes.ts';

const FREELY = () => 0;

async function taken(work: WorkSource): Promise<string[]> {
  const addresses: string[] = [];
  for (let claim = await work.claim(FREELY); claim.type === 'node'; claim = await work.claim(FREELY))
    addresses.push(claim.node.address);
  return addresses;
}

async function workOf(...nodes: PlannedNode[]) {
  const clock = createManualClock();
  const work = createMemoryWork(nodes, clock);
  await work.open();
  return { work, clock };
}

const rest = async (work: WorkSource) => {
  const claim = await work.claim(FREELY);
  return claim.type === 'none' ? { left: claim.left, ms: claim.ms } : claim.node.address;
};

describe('work in memory', () => {
  it('hands out the longest remaining path first, then in plan order', async () => {
    const { work } = await workOf(
      uploadNode('short'),
      uploadNode('a'),
      uploadNode('b'),
      conceptNode('c'),
      productNode('p', { dependsOn: ['upload/a', 'upload/b'] }),
      requestNode('hero', { dependsOn: ['concept/c', 'product/p'] }),
    );
    expect(await taken(work)).toEqual(['upload/a', 'upload/b', 'concept/c', 'upload/short']);
  });

  it('lets downloads take turns with polls, in plan order', async () => {
    const free = { dependsOn: [] };
    const polled = ['b', 'd'].flatMap((name) => [
      mediaNode('hero', name, free),
      downloadNode('hero', name, { dependsOn: [`media/hero/${name}@1`] }),
    ]);
    const { work } = await workOf(
      uploadNode('a'),
      downloadNode('hero', 'a', free),
      ...polled,
      downloadNode('hero', 'e', free),
    );
    const order = ['download/hero/a@1', 'media/hero/b@1', 'media/hero/d@1', 'download/hero/e@1', 'upload/a'];
    expect(await taken(work)).toEqual(order);
  });

  it('releases a node when the last of what it depends on is done', async () => {
    const [a, b] = [uploadNode('a'), uploadNode('b')];
    const product = productNode('p', { dependsOn: ['upload/a', 'upload/b', 'upload/elsewhere'] });
    const { work } = await workOf(a, b, product);
    await taken(work);
    expect(await work.finish({ node: a, end: 'done' })).toEqual([{ node: a, end: 'done' }]);
    expect(await taken(work)).toEqual([]);
    await work.finish({ node: b, end: 'done' });
    expect(await taken(work)).toEqual(['product/p']);
    expect(await rest(work)).toEqual({ left: 1, ms: Infinity });
  });

  it('passes over what may not start yet, and says when the first of it may', async () => {
    const { work } = await workOf(uploadNode('a'), conceptNode('c'), productNode('p'));
    const waits: Record<string, number> = { upload: 30, product: 20, concept: 0 };
    const admit = ({ kind }: PlannedNode) => waits[kind] ?? 0;
    expect(await work.claim(admit)).toMatchObject({ node: { address: 'concept/c' } });
    expect(await work.claim(admit)).toEqual({ type: 'none', left: 3, ms: 20 });
    expect(await work.claim(() => Infinity)).toEqual({ type: 'none', left: 3, ms: Infinity });
  });

  it('gives a waiting node back when it is due', async () => {
    const { work, clock } = await workOf(uploadNode('a'));
    await clock.advance(7);
    await taken(work);
    await work.wait('upload/a', 100);
    expect(await rest(work)).toEqual({ left: 1, ms: 100 });
    await clock.advance(99);
    expect(await rest(work)).toEqual({ left: 1, ms: 1 });
    await clock.advance(1);
    expect(await taken(work)).toEqual(['upload/a']);
    expect(await rest(work)).toEqual({ left: 1, ms: Infinity });
  });

  it('does not give back what ended while it waited', async () => {
    const { work, clock } = await workOf(uploadNode('a'));
    await taken(work);
    await work.wait('upload/a', 100);
    await work.finish({ node: uploadNode('a'), end: 'put-off' });
    await clock.advance(100);
    expect(await rest(work)).toEqual({ left: 0, ms: Infinity });
  });

  it('ignores nodes that it does not have', async () => {
    const { work } = await workOf();
    await work.wait('upload/a', 1);
    await work.release('upload/a');
    expect(await work.finish({ node: uploadNode('a'), end: 'done' })).toEqual([]);
    expect(await rest(work)).toEqual({ left: 0, ms: Infinity });
    expect(await work.dependents('upload/a')).toEqual([]);
  });

  it.each([
    ['failed', 'blocked', 'blocked by what it depends on', 'upload/a: failed'],
    ['unknown', 'blocked', 'blocked by what it depends on', 'upload/a: unknown'],
    ['put-off', 'put-off', 'put off with what it depends on', 'upload/a'],
    ['pending', 'pending', 'waits for what it depends on', 'upload/a'],
  ] as const)('%s: everything downstream, and nothing else, is %s', async (end, passed, summary, detail) => {
    const a = uploadNode('a');
    const nodes = [
      productNode('p', { dependsOn: ['upload/a'] }),
      ...postNodes('hero', 1, { dependsOn: ['product/p'] }),
    ];
    const { work } = await workOf(a, uploadNode('b'), ...nodes);
    const problem = { summary, detail, ...(end === 'put-off' ? { cause: 'upstream' } : {}) };
    expect(await work.finish({ node: a, end })).toEqual([
      { node: a, end },
      ...nodes.map((node) => ({ node, end: passed, problem })),
    ]);
    expect(await taken(work)).toEqual(['upload/b']);
    expect(await rest(work)).toEqual({ left: 1, ms: Infinity });
    expect(await work.finish({ node: a, end: 'done' })).toEqual([]);
  });

  it('ends what the plan blocks, and what depends on it, at once', async () => {
    const plain = uploadNode('plain', { action: 'blocked' });
    const product: PlannedNode = {
      ...productNode('p', { action: 'blocked' }),
      reasons: [{ summary: 'its concept is unknown', address: 'concept/c' }],
    };
    const request = requestNode('hero', { dependsOn: ['product/p'] });
    const nodes = [plain, product, request];
    const work = createMemoryWork(nodes, createManualClock());
    expect(await work.open()).toEqual({
      nodes,
      ended: [
        { node: plain, end: 'blocked', problem: { summary: 'blocked' } },
        { node: product, end: 'blocked', problem: { summary: 'its concept is unknown' } },
        {
          node: request,
          end: 'blocked',
          problem: { summary: 'blocked by what it depends on', detail: 'product/p: blocked' },
        },
      ],
    });
    expect(await rest(work)).toEqual({ left: 0, ms: Infinity });
  });

  it('takes in what a step adds to a node that is not done', async () => {
    const request = requestNode('hero');
    const { work } = await workOf(request);
    await taken(work);
    const all = await work.finish({ node: request, end: 'put-off' }, [mediaNode('hero', '2')]);
    expect(all).toMatchObject([{ end: 'put-off' }, { node: { address: 'media/hero/2@1' }, end: 'put-off' }]);
  });

  it('takes in what a step adds to a node that is done, or that waits', async () => {
    const request = requestNode('hero');
    const { work } = await workOf(request);
    await taken(work);
    await work.finish({ node: request, end: 'done' }, [mediaNode('hero', '2')]);
    expect(await taken(work)).toEqual(['media/hero/2@1']);
    await work.wait('media/hero/2@1', 0, [mediaNode('hero', '3')]);
    expect(await taken(work)).toEqual(['media/hero/2@1', 'media/hero/3@1']);
  });

  it('lets what comes after a node go when it ends, or is released, once', async () => {
    const look = mediaNode('hero', '1');
    const request = { ...requestNode('new'), after: [look.address, 'media/elsewhere/1@1'] };
    const { work } = await workOf(look, request, { ...requestNode('other'), after: [look.address] });
    expect(await taken(work)).toEqual([look.address]);
    await work.release(look.address);
    expect(await taken(work)).toEqual([request.address, 'media-config/other@1']);
    await work.finish({ node: look, end: 'failed' });
    expect(await taken(work)).toEqual([]);
  });

  it('lists what is idle, and whether it is only waiting for its turn', async () => {
    const { work } = await workOf(
      uploadNode('a'),
      uploadNode('b'),
      conceptNode('c', { dependsOn: ['upload/b'] }),
    );
    await work.claim(FREELY);
    expect((await work.idle()).map(({ node, ready }) => [node.address, ready])).toEqual([
      ['upload/a', true],
      ['concept/c', false],
    ]);
    expect((await work.dependents('upload/b')).map(({ address }) => address)).toEqual(['concept/c']);
  });
});
