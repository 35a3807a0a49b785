import { describe, expect, it } from 'vitest';
import { withEvents } from '../../src/log/with-events.ts';
import { moveEvents } from '../../src/plan/move-steps.ts';
import type { CampaignWords, ProductWords } from '../support/campaign.ts';
import { after, applied, AT, outline, planOf, stateAfter, listed } from '../support/play-plan.ts';

/** Each product with a wall of its own, as the instances of a matrix have it. */
function walls(
  products: Readonly<Record<string, ProductWords & { readonly text?: string; readonly former?: string }>>,
): CampaignWords {
  const posts = Object.entries(products).map(([key, { text = '', former }]) => [
    `wall/${key}+1x1`,
    {
      items: [{ products: [key], descriptions: [text] }],
      ...(former === undefined ? {} : { formerInstance: `${former}+1x1` }),
    },
  ]);
  return { products, concepts: { morning: {} }, posts: Object.fromEntries(posts) };
}

const CREME = { photos: ['creme'], defaultName: 'Crème', formerKeys: ['cr-me'] };

describe('a folder with another key than in version 0.1', () => {
  const before = stateAfter(walls({ 'cr-me': { photos: ['creme'] } }));

  it('takes its posts along, and the service is told its name', () => {
    const after = walls({ creme: { ...CREME, former: 'cr-me' } });
    const plan = planOf(after, before);
    expect(outline(plan)).toEqual([
      '> product/cr-me → product/creme',
      '> media/wall/cr-me+1x1/1 → media/wall/creme+1x1/1',
      '~ product/creme',
    ]);
    expect(listed(plan)[0]).toMatchObject({ changed: ['name'], payload: { name: 'Crème' } });
  });

  it('does so though its photo changed in the same edit', () => {
    const plan = planOf(walls({ creme: { ...CREME, photos: ['new'], former: 'cr-me' } }), before);
    expect(outline(plan)).toContain('-/+ media/wall/creme+1x1/1@2');
    expect(plan.leftAlone).toEqual([]);
  });

  it('keeps a value of a matrix together with its posts, whatever else changed', () => {
    const state = stateAfter({ ...walls({ tote: {} }), posts: { 'wall/gr-n': { items: [{}] } } });
    const posts = { 'wall/grun': { items: [{ descriptions: ['new'] }], formerInstance: 'gr-n' } };
    expect(outline(planOf({ ...walls({ tote: {} }), posts }, state))).toEqual([
      '> media/wall/gr-n/1 → media/wall/grun/1',
      '+ media-config/wall/grun@2',
      '-/+ media/wall/grun/1@2',
    ]);
  });
});

describe('a folder that another one with the same slug joins', () => {
  const alone = { photos: ['cactus'], defaultName: '🌵 Kaktus' };
  const state = stateAfter(walls({ kaktus: alone }));
  const joined = walls({
    kaktus: { photos: ['other'], defaultName: 'Kaktus' },
    'kaktus-de6fd4': { ...alone, formerKeys: ['-kaktus', 'kaktus'] },
  });

  it('has another key now, and keeps what was paid for', () => {
    const plan = planOf(joined, state);
    expect(plan.moves).toEqual([
      { from: 'product/kaktus', to: 'product/kaktus-de6fd4' },
      { from: 'media/wall/kaktus+1x1/1', to: 'media/wall/kaktus-de6fd4+1x1/1' },
    ]);
    expect(plan.newPosts).toBe(1);
    expect(outline(planOf(joined, applied(plan, state)))).toEqual([]);
  });

  it('is not meant where the key stayed with the same photos', () => {
    const twins = walls({ kaktus: alone, 'kaktus-de6fd4': { ...alone, formerKeys: ['kaktus'] } });
    expect(planOf(twins, state).moves).toEqual([]);
  });

  it('has one of the new keys where two have its photos and none has the key', () => {
    const [one, other] = [
      { ...alone, formerKeys: ['kaktus'] },
      { ...alone, formerKeys: ['kaktus'] },
    ];
    const plan = planOf(walls({ 'kaktus-1': one, 'kaktus-2': other }), state);
    expect(outline(plan).slice(0, 2)).toEqual([
      '> product/kaktus → product/kaktus-1',
      '> media/wall/kaktus+1x1/1 → media/wall/kaktus-1+1x1/1',
    ]);
    expect(plan.newPosts).toBe(1);
  });
});

describe('a folder with the slug of another one that is gone', () => {
  const alone = { photos: ['cactus'], defaultName: '🌵 Kaktus' };
  const other = { photos: ['other'], defaultName: 'Kaktus' };
  const both = walls({
    kaktus: other,
    'kaktus-de6fd4': { ...alone, formerKeys: ['-kaktus', 'kaktus'] },
    hat: {},
  });
  const one = walls({ kaktus: { ...alone, formerKeys: ['-kaktus'] }, hat: {} });
  const state = stateAfter(both);
  const plan = planOf(one, state);

  it('has the slug again, and its posts come back, while those of the other one make room', () => {
    expect(plan.moves).toEqual([
      { from: 'product/kaktus', to: 'product/kaktus-a6e2b5' },
      { from: 'product/kaktus-de6fd4', to: 'product/kaktus' },
      { from: 'media/wall/kaktus+1x1/1', to: 'media/wall/kaktus-a6e2b5+1x1/1' },
      { from: 'media/wall/kaktus-de6fd4+1x1/1', to: 'media/wall/kaktus+1x1/1' },
    ]);
    expect([plan.newPosts, plan.leftAlone]).toEqual([
      0,
      ['product/kaktus-a6e2b5', 'media/wall/kaktus-a6e2b5+1x1/1'],
    ]);
    expect(outline(planOf(one, applied(plan, state)))).toEqual([]);
  });

  it('does so though a crash had recorded only some of the moves', () => {
    for (let recorded = 0; recorded < 4; recorded++) {
      const torn = withEvents(state, moveEvents(plan.moves.slice(0, recorded), ''));
      const rest = planOf(one, torn);
      expect([recorded, rest.newPosts, rest.leftAlone]).toEqual([recorded, 0, plan.leftAlone]);
    }
  });

  it('makes room again where the other one comes back, and nothing is bought', () => {
    const again = planOf(both, applied(plan, state));
    expect([again.newPosts, again.leftAlone]).toEqual([0, []]);
    expect(again.moves).toHaveLength(4);
    expect(outline(planOf(both, applied(again, applied(plan, state))))).toEqual([]);
  });

  it('stays where it is while its content is another one, too: then the posts are asked about', () => {
    const edited = planOf(walls({ kaktus: { ...alone, photos: ['new'] }, hat: {} }), state);
    expect(edited.moves).toEqual([]);
  });
});

describe('the name of a folder', () => {
  const named = (defaultName: string) => walls({ tote: { photos: ['front'], defaultName } });

  it('is sent where it changed, and makes no post again', () => {
    const state = stateAfter(named('Tote'));
    expect(outline(planOf(named('Tote'), state))).toEqual([]);
    const plan = planOf(named('TOTE'), state);
    expect(outline(plan)).toEqual(['~ product/tote']);
    expect(listed(plan)[0]?.reasons).toMatchObject([{ field: 'name', from: 'Tote', to: 'TOTE' }]);
    expect(outline(planOf(named('TOTE'), applied(plan, state)))).toEqual([]);
  });

  it('was the key in states of version 0.1', () => {
    const state = stateAfter(walls({ tote: { photos: ['front'] } }));
    expect(outline(planOf(named('tote'), state))).toEqual([]);
    expect(outline(planOf(named('Tote'), state))).toEqual(['~ product/tote']);
  });

  it('gives way to a written one, also to one that is the key', () => {
    const state = stateAfter(named('Tote'));
    expect(outline(planOf(walls({ tote: { photos: ['front'] } }), state))).toEqual(['~ product/tote']);
    const written = planOf(walls({ tote: { photos: ['front'], name: 'Bag' } }), state);
    expect(written.nodes.find(({ kind }) => kind === 'product')).toMatchObject({ changed: ['name'] });
  });
});

describe('a renamed folder', () => {
  it('takes its posts along where their texts have its name: they are replaced, not bought anew', () => {
    const state = stateAfter(walls({ tote: { photos: ['front'], text: 'tote on a chair' } }));
    const plan = planOf(walls({ bag: { photos: ['front'], text: 'bag on a chair' } }), state);
    expect(outline(plan)).toEqual([
      '> product/tote → product/bag',
      '> media/wall/tote+1x1/1 → media/wall/bag+1x1/1',
      '+ media-config/wall/bag+1x1@2',
      '-/+ media/wall/bag+1x1/1@2',
    ]);
  });

  it('takes no posts that the manifest still names', () => {
    const words = (key: string, posts: readonly string[]): CampaignWords => ({
      ...walls({ [key]: { photos: ['front'] } }),
      posts: Object.fromEntries(
        posts.map((path) => [path, { items: [{ products: [key], descriptions: [path] }] }]),
      ),
    });
    const state = stateAfter(words('tote', ['wall/tote+1x1']));
    const plan = planOf(words('bag', ['wall/tote+1x1', 'wall/bag+1x1']), state);
    expect(plan.moves).toEqual([{ from: 'product/tote', to: 'product/bag' }]);
    expect(plan.newPosts).toBe(1);
  });
});

describe('a concept and a product with one key', () => {
  const words = (concept: string, product: string, text = ''): CampaignWords => ({
    products: { [product]: { photos: ['front'] }, mug: { photos: ['cup'] } },
    concepts: { [concept]: { description: 'Soft' } },
    posts: Object.fromEntries(
      [product, 'mug'].map((key) => [
        `wall/${concept}+${key}`,
        { concept, items: [{ products: [key], descriptions: [text] }] },
      ]),
    ),
  });
  const state = stateAfter(words('morning', 'tote'));

  it.each([
    ['the concept gets the key of the product', 'tote', 'tote'],
    ['both get one key', 'bag', 'bag'],
  ])('keep their posts where %s', (_, concept, product) => {
    const plan = planOf(words(concept, product, 'new'), state);
    expect(plan.moves.map(({ from, to }) => `${from} → ${to}`)).toEqual(
      expect.arrayContaining([
        `media/wall/morning+tote/1 → media/wall/${concept}+${product}/1`,
        `media/wall/morning+mug/1 → media/wall/${concept}+mug/1`,
      ]),
    );
    expect(plan.leftAlone).toEqual([]);
  });

  it('leave posts alone of which nobody knows whose name they have', () => {
    const both = stateAfter(words('tote', 'tote'));
    const plan = planOf({ ...words('tote', 'bag'), posts: {} }, both);
    expect(plan.moves).toEqual([{ from: 'product/tote', to: 'product/bag' }]);
  });
});

describe('posts of a renamed product that the manifest does not ask for at present', () => {
  const wall = (product: string, ratios: readonly string[], text = ''): CampaignWords => ({
    products: { [product]: { photos: ['front'] }, cap: { photos: ['cap'] } },
    concepts: { morning: {} },
    posts: Object.fromEntries(
      ratios.map((ratio) => [
        `wall/${product}+${ratio}`,
        { items: [{ products: [product], descriptions: [text] }] },
      ]),
    ),
  });
  const state = stateAfter(wall('tote', ['1x1', '4x5']));

  it('go along, and are no new ones when they are asked for again', () => {
    const plan = planOf(wall('bag', ['1x1']), state);
    expect(outline(plan)).toContain('> media/wall/tote+4x5/1 → media/wall/bag+4x5/1');
    const again = planOf(wall('bag', ['1x1', '4x5'], 'new'), applied(plan, state));
    expect(outline(again)).toContain('-/+ media/wall/bag+4x5/1@2');
  });

  it('stay where the name is a value of a matrix that has nothing to do with it', () => {
    const more = stateAfter({
      ...wall('tote', []),
      posts: { 'style/tote': { items: [{ products: ['cap'] }] } },
    });
    const plan = planOf({ ...wall('bag', []), posts: {} }, more);
    expect(plan.moves).toEqual([{ from: 'product/tote', to: 'product/bag' }]);
  });

  it('stay where the new name is taken', () => {
    const old = { ...wall('bag', ['1x1']), products: { bag: { photos: ['bag'] } } };
    const left = after(stateAfter(old), { type: 'forgotten', at: AT, address: 'product/bag' });
    const plan = planOf({ ...wall('bag', []), posts: {} }, stateAfter(wall('tote', ['1x1']), {}, left));
    expect(plan.moves).toEqual([{ from: 'product/tote', to: 'product/bag' }]);
  });
});

it('posts go on moving with their product where the power failed between two of their moves', () => {
  const wall = (key: string, text: string): CampaignWords => ({
    products: { [key]: { photos: ['front'] } },
    concepts: { morning: {} },
    posts: {
      [`wall/${key}`]: {
        items: ['1:1', '4:5'].map((ratio) => ({ products: [key], ratio, descriptions: [text] })),
      },
    },
  });
  const state = stateAfter(wall('tote', 'A tote'));
  const plan = planOf(wall('bag', 'A bag'), state);
  const events = moveEvents(plan.moves, AT);
  expect(events).toHaveLength(3);
  for (let n = 0; n <= events.length; n += 1) {
    const torn = after(state, ...events.slice(0, n));
    expect(planOf(wall('bag', 'A bag'), torn, { replacements: 'hold' }).newPosts).toBe(0);
  }
});
