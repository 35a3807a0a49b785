import { describe, expect, it } from 'vitest';
import type { ItemPayload, RequestPayload } from '../../src/model/payload.ts';
import { keptItems } from '../../src/steps/kept-item.ts';
import type { JsonObject } from '../../src/util/json.ts';

function request(...types: ItemPayload['post_type'][]): RequestPayload {
  const items = types.map((post_type, index) => ({
    item: String(index + 1),
    fingerprint: 'f',
    inputs: {},
    payload: { post_type, assets: [], variants: [], descriptions: [], metadata: { aspect_ratio: '4:5' } },
  }));
  return { post: 'hero', n: 1, concept: { id: 'k' }, numberOfPosts: types.length, items, nextItem: 9 };
}

const kept = (item: JsonObject, { template, payload = request('image'), name = '1' }: Given = {}) =>
  keptItems({ items: { [name]: { id: 'i', ...item } } }, { payload, template })[name];

interface Given {
  readonly template?: string;
  readonly payload?: RequestPayload;
  readonly name?: string;
}

describe('the state keeps of a created item', () => {
  const item = {
    post_type: 'IMAGE\u001b',
    owner: 'canary',
    media: { object: 'o-1', n: 7, signed: 'https://x?sig=1', deeper: { id: 'd' } },
    list: ['x'],
  };

  it('its id and what was asked for, and nothing else', () => {
    expect(kept(item)).toEqual({ id: 'i', post_type: 'image' });
    expect(kept(item, { template: '/media/{config.id}/{item.id}/' })).toEqual({
      id: 'i',
      post_type: 'image',
    });
  });

  it('the texts and numbers that media_path names, wherever they stand', () => {
    const template = '/media/{item.media.object}-{item.media.n}/{item.media.deeper.id}{item.owner}/';
    expect(kept(item, { template })).toEqual({
      id: 'i',
      post_type: 'image',
      owner: 'canary',
      media: { object: 'o-1', n: 7, deeper: { id: 'd' } },
    });
    const odd = '/media/{item.media}/{item.list}{item.none}{item.none.x}{item.owner.x}{item.constructor}/';
    expect(kept(item, { template: odd })).toEqual({
      id: 'i',
      post_type: 'image',
      owner: 'canary',
      media: {},
    });
  });
});

describe('of one that nobody asked for, only words of ours', () => {
  it('its post type where it is one, its ratio where that was asked for', () => {
    const payload = request('image', 'video');
    const surplus = { post_type: 'Video', metadata: '{"aspect_ratio":"4:5","x":1}' };
    expect(kept(surplus, { payload, name: '9' })).toEqual({
      id: 'i',
      post_type: 'video',
      metadata: { aspect_ratio: '4:5' },
    });
    const odd = { post_type: '../../x\u001b[2J\n', metadata: { aspect_ratio: '9:16' } };
    expect(kept(odd, { payload, name: '9' })).toEqual({ id: 'i' });
  });

  it('the only type there is, whatever it says of itself', () => {
    expect(kept({ post_type: 'reel' }, { name: '9' })).toEqual({ id: 'i', post_type: 'image' });
  });
});
