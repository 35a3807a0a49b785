import { describe, expect, it } from 'vitest';
import type { ObjectState, RequestState, RunState } from '../../src/model/run-state.ts';
import { createKnownNames } from '../../src/steps/known-names.ts';
import { emptyState } from '../../src/log/fold.ts';

function stateOf(...nodes: readonly object[]): RunState {
  const has = nodes as readonly (ObjectState & RequestState)[];
  const isRequest = ({ address }: { address: string }) => address.startsWith('media-config/');
  return {
    ...emptyState(),
    objects: new Map(has.filter((node) => !isRequest(node)).map((node) => [node.address, node])),
    requests: new Map(has.filter(isRequest).map((node) => [node.address, node])),
  };
}

const STATE = stateOf(
  { address: 'upload/aa', result: { url: 'https://cdn.example.com/a.jpg?sig=canary' } },
  { address: 'product/tote', result: { id: 'p-1', url: 'https://cdn.example.com/a.jpg' } },
  { address: 'product/lost' },
  { address: 'concept/night', result: { id: 'k-1' } },
  { address: 'media-config/hero@1', result: { id: 'c-1', concept: 'k-1', items: { 1: { id: 'i-1' } } } },
);

describe('a name of the service', () => {
  it.each([
    ['product/mug', { id: 'p-1' }, { name: 'the product p-1', owner: 'product/tote' }],
    ['concept/day', { id: 'k-1' }, { name: 'the concept k-1', owner: 'concept/night' }],
    [
      'media-config/hero@2',
      { id: 'c-1', concept: 'k-1', items: {} },
      { name: 'the media-config c-1', owner: 'media-config/hero@1' },
    ],
    [
      'media-config/hero@2',
      { id: 'c-2', concept: 'k-1', items: { 1: { id: 'i-2' }, 2: { id: 'i-1' } } },
      { name: 'the item i-1', owner: 'media-config/hero@1' },
    ],
    [
      'upload/bb',
      { url: 'https://cdn.example.com/a.jpg?sig=canary' },
      { name: 'the URL https://cdn.example.com/a.jpg', owner: 'upload/aa' },
    ],
    // Each kind counts by itself, a node may be told its own again, and a product's URL is that of an upload.
    ['product/mug', { id: 'k-1' }, undefined],
    ['product/tote', { id: 'p-1' }, undefined],
    ['product/mug', { id: 'p-2', url: 'https://cdn.example.com/a.jpg' }, undefined],
  ])('%s gets %o', (owner, result, taken) => {
    expect(createKnownNames(STATE).claim(owner, result)).toEqual(taken);
  });

  it('is told to the second of two that are in flight at once', () => {
    const names = createKnownNames(STATE);
    expect(names.claim('product/mug', { id: 'p-9' })).toBeUndefined();
    expect(names.claim('product/cup', { id: 'p-9' })).toEqual({
      name: 'the product p-9',
      owner: 'product/mug',
    });
    expect(names.claim('product/mug', { id: 'p-9' })).toBeUndefined();
  });

  it('is not noted with an answer that is refused', () => {
    const names = createKnownNames(STATE);
    names.claim('media-config/b@1', { id: 'c-1', concept: 'k-1', items: { 1: { id: 'i-7' } } });
    expect(
      names.claim('media-config/c@1', { id: 'c-3', concept: 'k-1', items: { 1: { id: 'i-7' } } }),
    ).toBeUndefined();
  });
});
