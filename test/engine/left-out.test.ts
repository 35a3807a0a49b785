/** A product that could not be made blocks the items that show it, and no others of their request. */
import { kindHas } from '../../src/model/kinds.ts';
import { describe, expect, it } from 'vitest';
import type { RequestedItem } from '../../src/model/payload.ts';
import type { PlannedNode } from '../../src/model/plan.ts';
import { startRig } from '../support/engine-rig.ts';
import { done, failed } from '../support/facts.ts';
import { downloadNode, mediaNode, productNode, requestNode, uploadNode } from '../support/planned-nodes.ts';

/** A request of these items, each with the products that it shows, and all that is needed for it. */
function nodesOf(items: Readonly<Record<string, readonly string[]>>, more: object = {}): PlannedNode[] {
  const products = [...new Set(Object.values(items).flat())];
  const uses = products.map((name) => `product/${name}`);
  const request = requestNode('hero', { dependsOn: ['concept/day', ...uses] });
  const payload = {
    ...request.payload,
    concept: { address: 'concept/day' },
    numberOfPosts: Object.keys(items).length,
    items: Object.entries(items).map(([item, shown]) => ({
      item,
      payload: {
        assets: shown.map((name) => ({ type: 'product', product: { address: `product/${name}` } })),
      },
    })) as unknown as RequestedItem[],
  };
  return [
    ...products.map((name) => uploadNode(name)),
    ...products.map((name) => productNode(name, { dependsOn: [`upload/${name}`] })),
    { ...request, payload, ...more },
    ...Object.keys(items).flatMap((item) => [mediaNode('hero', item), downloadNode('hero', item)]),
  ];
}

const ITEMS = { a: ['tote'], b: ['mug'], c: ['tote', 'mug'], d: [] };
const BLOCKED = { summary: 'blocked by what it depends on' };

describe('a product that the service refuses', () => {
  it.each([
    ['product', 'rejected'],
    ['upload', 'failed'],
  ])('or whose photo it refuses (%s), is left out with what shows it', async (refused, end) => {
    const rig = startRig({ nodes: nodesOf(ITEMS) });
    for (const name of ['tote', 'mug'])
      await rig.answer(
        `upload/${name}`,
        name === 'mug' && refused === 'upload' ? failed('refused') : undefined,
      );
    await rig.answer('product/tote');
    if (refused === 'product') await rig.answer('product/mug', failed('refused'));
    const held = await rig.held.next('media-config/hero@1');
    const { job } = held;
    if (!kindHas(job.node, 'stored', 'request')) throw new Error('no request');
    const { items, numberOfPosts } = job.node.payload;
    expect([items.map(({ item }) => item), numberOfPosts, job.node.dependsOn]).toEqual([
      ['a', 'd'],
      2,
      ['concept/day', 'product/tote'],
    ]);
    held.respond(done({ id: 'x', concept: 'c', items: {} }));
    for (const item of ['a', 'd']) await rig.answer(`media/hero/${item}@1`);
    for (const item of ['a', 'd']) await rig.answer(`download/hero/${item}@1`);
    expect(await rig.ends()).toMatchObject({
      [`${refused}/mug`]: end,
      'media-config/hero@1': 'done',
      'download/hero/a@1': 'done',
      'download/hero/d@1': 'done',
      'media/hero/b@1': 'blocked',
      'download/hero/b@1': 'blocked',
      'media/hero/c@1': 'blocked',
      'download/hero/c@1': 'blocked',
    });
    expect(rig.events).toContainEqual(
      expect.objectContaining({
        type: 'node-finished',
        address: 'media/hero/c@1',
        problem: { ...BLOCKED, detail: `${refused}/mug: ${end}` },
      }),
    );
    const intents = rig.recorder.log.flatMap((event) =>
      event.type === 'intent' && event.request ? event.request.items.map(({ item }) => item) : [],
    );
    expect(intents).toEqual(['a', 'd']);
  });

  it.each([
    ['all items show one', nodesOf({ a: ['tote'], c: ['tote', 'mug'] }), ['tote']],
    ['each item shows another one', nodesOf({ a: ['tote'], b: ['mug'] }), ['tote', 'mug']],
    ['its post is requested as a whole', nodesOf(ITEMS, { whole: true }), ['mug']],
  ])('blocks the whole request where %s', async (_, nodes, refused) => {
    const rig = startRig({ nodes });
    for (const name of ['tote', 'mug']) await rig.answer(`upload/${name}`);
    for (const name of ['tote', 'mug'])
      await rig.answer(`product/${name}`, refused.includes(name) ? failed('refused') : undefined);
    const ends = await rig.ends();
    expect(ends['media-config/hero@1']).toBe('blocked');
    expect(
      new Set(Object.entries(ends).flatMap(([address, end]) => (address.startsWith('media/') ? end : []))),
    ).toEqual(new Set(['blocked']));
    expect(rig.held.started.filter((address) => address.startsWith('media'))).toEqual([]);
  });

  it('leaves nothing of a request whose other items were there after all', async () => {
    const again = { was: 'failed', before: 'paying' } as const;
    const look = { ...mediaNode('hero', 'a', { action: 'resume' }), again } as PlannedNode;
    const second = JSON.parse(
      JSON.stringify(nodesOf({ a: ['tote'], b: ['mug'] }, { after: ['media/hero/a#1'] }))
        .replaceAll('@1', '@2')
        .replaceAll('#1', '@1')
        .replaceAll('"n":1', '"n":2'),
    ) as PlannedNode[];
    const rig = startRig({ nodes: [...second, look] });
    for (const name of ['tote', 'mug']) await rig.answer(`upload/${name}`);
    await rig.answer('product/tote');
    await rig.answer('media/hero/a@1');
    await rig.answer('product/mug', failed('refused'));
    expect(await rig.ends()).toMatchObject({
      'media/hero/a@1': 'done',
      'media/hero/a@2': 'unchanged',
      'media/hero/b@2': 'blocked',
      'media-config/hero@2': 'blocked',
    });
    expect(rig.held.started).not.toContain('media-config/hero@2');
  });
});
