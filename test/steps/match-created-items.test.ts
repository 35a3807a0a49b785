import { describe, expect, it } from 'vitest';
import type { RequestedItem } from '../../src/model/payload.ts';
import { matchCreatedItems } from '../../src/steps/match-created-items.ts';
import type { Json } from '../../src/util/json.ts';

function sent(item: string, post_type: 'image' | 'video' | 'carousel', aspect_ratio: string): RequestedItem {
  const payload = { post_type, assets: [], variants: [], descriptions: [], metadata: { aspect_ratio } };
  return { item, fingerprint: item, inputs: {}, payload };
}

function created(id: string, post_type: string, metadata: Json) {
  return { id, post_type, metadata };
}

/** Ids of the created items by the names of ours. */
function idsOf(...args: Parameters<typeof matchCreatedItems>): Record<string, string> {
  const { items } = matchCreatedItems(...args);
  return Object.fromEntries(Object.entries(items).map(([name, { id }]) => [name, id]));
}

describe('created items', () => {
  it('are matched by type and ratio where that is unambiguous', () => {
    const ours = [sent('1', 'image', '1:1'), sent('2', 'image', '4:5'), sent('k', 'video', '1:1')];
    const theirs = [
      created('v', 'video', { aspect_ratio: '1:1' }),
      created('b', 'image', { aspect_ratio: '4:5' }),
      created('a', 'image', { aspect_ratio: '1:1' }),
    ];
    expect(idsOf(ours, theirs, 4)).toEqual({ 1: 'a', 2: 'b', k: 'v' });
  });

  it('are matched by order among equals', () => {
    const ours = [sent('1', 'image', '1:1'), sent('2', 'image', '1:1'), sent('3', 'video', '1:1')];
    const theirs = [
      created('v', 'video', { aspect_ratio: '1:1' }),
      created('a', 'image', { aspect_ratio: '1:1' }),
      created('b', 'image', { aspect_ratio: '1:1' }),
    ];
    expect(idsOf(ours, theirs, 4)).toEqual({ 1: 'a', 2: 'b', 3: 'v' });
  });

  it.each<[string, Json]>([
    ['in a string', '{"aspect_ratio":"4:5"}'],
    ['as an object', { aspect_ratio: '4:5' }],
  ])('are read where metadata comes %s', (_, metadata) => {
    const ours = [sent('1', 'image', '1:1'), sent('2', 'image', '4:5')];
    const theirs = [created('b', 'image', metadata), created('a', 'image', { aspect_ratio: '1:1' })];
    expect(idsOf(ours, theirs, 3)).toEqual({ 1: 'a', 2: 'b' });
  });

  it.each<[string, Json]>([
    ['is none', null],
    ['is no JSON', 'square'],
    ['is a list', '[1]'],
    ['has no ratio', { tone: 'warm' }],
  ])('are matched by type and order where their metadata %s', (_, metadata) => {
    const ours = [sent('1', 'video', '1:1'), sent('2', 'image', '4:5'), sent('3', 'image', '1:1')];
    const theirs = [
      created('a', 'image', metadata),
      created('b', 'image', metadata),
      created('v', 'video', metadata),
    ];
    expect(idsOf(ours, theirs, 4)).toEqual({ 1: 'v', 2: 'a', 3: 'b' });
  });

  it('are matched by order where not even the type says more', () => {
    const ours = [sent('1', 'video', '1:1'), sent('2', 'image', '1:1')];
    const theirs = [created('a', 'reel', null), created('b', 'photo', null)];
    expect(idsOf(ours, theirs, 3)).toEqual({ 1: 'a', 2: 'b' });
  });

  it('that are fewer leave our last ones without', () => {
    const ours = [sent('1', 'image', '1:1'), sent('2', 'image', '1:1')];
    const theirs = [created('a', 'image', null)];
    expect(matchCreatedItems(ours, theirs, 3)).toEqual({ items: { 1: theirs[0] }, surplus: [] });
  });

  it('that are more are numbered after the last', () => {
    const ours = [sent('k', 'image', '1:1')];
    const theirs = [created('a', 'image', null), created('b', 'image', null), created('c', 'video', null)];
    const { items, surplus } = matchCreatedItems(ours, theirs, 7);
    expect(surplus).toEqual(['7', '8']);
    expect(items).toEqual({ k: theirs[0], 7: theirs[1], 8: theirs[2] });
  });
});
