import { describe, expect, it } from 'vitest';
import { currentTake, resultOf } from '../../src/model/run-state.ts';
import { memberOf } from '../../src/model/source.ts';
import { heroOf, upload } from '../support/campaign.ts';
import { stateAfter } from '../support/play-plan.ts';

describe('the result of a node', () => {
  const first = heroOf({ descriptions: ['a'] });
  const second = heroOf({ descriptions: ['b'] });
  const state = stateAfter(second, { 'media/hero/1@2': 'open' }, stateAfter(first));

  it.each([
    [upload('front'), { url: `https://files/${upload('front')}` }],
    ['product/tote', { id: 'id of product/tote' }],
    ['concept/morning', { id: 'id of concept/morning' }],
    ['media/hero/1@1', { id: 'id of media/hero/1@1', urls: ['https://files/1'] }],
    ['media/hero/1@2', undefined],
    ['media/hero/1@3', undefined],
    ['media/hero/1', undefined],
    ['product/mug', undefined],
  ])('%s', (address, result) => {
    expect(resultOf(state, address)).toEqual(result);
  });

  it('of a request is the media configuration', () => {
    expect(resultOf(state, 'media-config/hero@2')).toMatchObject({ id: 'id of media-config/hero@2' });
  });

  it('and the current take is the newest', () => {
    const media = state.media.get('media/hero/1');
    expect(media && currentTake(media)?.n).toBe(2);
  });
});

describe('a reference to a member', () => {
  it('is a JSON Pointer, escaped', () => {
    expect(memberOf('product.yaml#', 'images', 0)).toBe('product.yaml#/images/0');
    expect(memberOf('#/a', 'b/c', '~')).toBe('#/a/b~1c/~0');
  });
});
