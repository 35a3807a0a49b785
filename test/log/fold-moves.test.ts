/** Moves are one event: everything leaves its address before anything gets a new one. */
import { describe, expect, it } from 'vitest';
import { heroOf } from '../support/campaign.ts';
import { after, AT, stateAfter } from '../support/play-plan.ts';
import type { Move } from '../../src/model/plan.ts';

const moved = (...moves: Move[]) => ({ type: 'moved', at: AT, moves }) as const;
const words = {
  ...heroOf({ key: 'a', products: ['tote'] }, { key: 'b', products: ['mug'], ratio: '4:5' }),
  products: { tote: { photos: ['front'] }, mug: { photos: ['cup'] } },
};
const state = stateAfter(words);
const idOf = (now: typeof state, address: string) => now.media.get(address)?.takes.at(-1)?.result?.id;

describe('moves', () => {
  it('exchange two posts, and two products, with all that is known of them', () => {
    const now = after(
      state,
      moved(
        { from: 'media/hero/a', to: 'media/hero/b' },
        { from: 'media/hero/b', to: 'media/hero/a' },
        { from: 'product/tote', to: 'product/mug' },
        { from: 'product/mug', to: 'product/tote' },
      ),
    );
    expect(idOf(now, 'media/hero/a')).toBe(idOf(state, 'media/hero/b'));
    expect(idOf(now, 'media/hero/b')).toBe(idOf(state, 'media/hero/a'));
    expect(now.objects.get('product/mug')?.fingerprint).toBe(state.objects.get('product/tote')?.fingerprint);
    expect(now.media.size).toBe(state.media.size);
  });

  it('of what is not there change nothing', () => {
    const away = { from: 'product/none', to: 'product/other' };
    const take = { from: 'media/hero/a@9', to: 'media/hero/b@9' };
    const other = { from: 'media/none/a@1', to: 'media/hero/b@9' };
    expect(after(state, moved(away, take, other))).toEqual(state);
  });

  it('of products and concepts are followed by the requests that were sent with them', () => {
    const now = after(
      state,
      moved({ from: 'product/tote', to: 'product/bag' }, { from: 'concept/morning', to: 'concept/dawn' }),
    );
    const { payload } = now.requests.get('media-config/hero@1') ?? {};
    expect(payload?.concept).toEqual({ address: 'concept/dawn' });
    expect(payload?.items.map((item) => item.payload.assets[0]?.product)).toEqual([
      { address: 'product/bag' },
      { address: 'product/mug' },
    ]);
    const others = after(state, moved({ from: 'product/none', to: 'product/bag' }));
    expect(others.requests).toEqual(state.requests);
  });

  it('leave a product that has an id where it is', () => {
    const ID = '00000000-0000-4000-8000-000000000001';
    const known = stateAfter({ ...words, posts: { hero: { items: [{ products: [ID, 'tote'] }] } } });
    const now = after(known, moved({ from: 'product/tote', to: 'product/bag' }));
    const [item] = now.requests.get('media-config/hero@1')?.payload.items ?? [];
    expect(item?.payload.assets.map(({ product }) => product)).toEqual([
      { id: ID },
      { address: 'product/bag' },
    ]);
  });

  it('take an open create along', () => {
    const open = stateAfter(words, { 'product/mug': 'unknown' });
    const now = after(open, moved({ from: 'product/mug', to: 'product/cup' }));
    expect(now.objects.get('product/cup')?.status).toBe('unknown');
    expect(now.objects.has('product/mug')).toBe(false);
    expect([...now.before.keys()]).toEqual(['product/cup']);
  });

  it('change the period, or take it away', () => {
    const weekly = after(
      state,
      moved({ from: 'media/hero/a', to: 'media/hero/2026-w47/a', period: '2026-w47' }),
    );
    expect(weekly.media.get('media/hero/2026-w47/a')).toMatchObject({
      period: '2026-w47',
      post: 'hero/2026-w47',
    });
    const plain = after(weekly, moved({ from: 'media/hero/2026-w47/a', to: 'media/hero/a' }));
    expect(plain.media.get('media/hero/a')).toEqual(state.media.get('media/hero/a'));
  });
});

describe('a take that moves', () => {
  const edited = { ...words, posts: { hero: { items: [{ key: 'a', ratio: '16:9' }] } } };
  const twice = stateAfter(edited, {}, state);

  it('becomes the current one of another post, and leaves the rest of its own', () => {
    const now = after(twice, moved({ from: 'media/hero/a@1', to: 'media/hero/c@3' }));
    expect(now.media.get('media/hero/c')?.takes).toMatchObject([{ n: 3, requestedAs: 'a' }]);
    expect(idOf(now, 'media/hero/c')).toBe(idOf(state, 'media/hero/a'));
    expect(now.media.get('media/hero/a')?.takes.map(({ n }) => n)).toEqual([2]);
  });

  it('becomes the current one of its own post again', () => {
    const letGo = after(twice, { type: 'let-go', at: AT, addresses: ['media/hero/a'], again: [] });
    const now = after(letGo, moved({ from: 'media/hero/a@1', to: 'media/hero/a@3' }));
    expect(now.media.get('media/hero/a')?.takes.map(({ n }) => n)).toEqual([2, 3]);
    expect(now.media.get('media/hero/a')?.letGo).toBeUndefined();
  });

  it('and is the only one goes as a whole, with its number where none is given', () => {
    const now = after(state, moved({ from: 'media/hero/a@1', to: 'media/hero/c' }));
    expect(now.media.get('media/hero/c')?.takes.map(({ n }) => n)).toEqual([1]);
    expect(now.media.has('media/hero/a')).toBe(false);
  });
});
