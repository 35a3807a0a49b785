import { describe, expect, it } from 'vitest';
import {
  downloadAddress,
  mediaAddress,
  requestAddress,
  splitTake,
  takeAddress,
  uploadAddress,
} from '../../src/model/address.ts';
import { kindOf, objectAddress } from '../../src/model/kinds.ts';

describe('addresses', () => {
  it('name every kind of node', () => {
    const media = mediaAddress('grid/morning+tote', '1');
    expect([
      uploadAddress('0123456789abcdef0123'),
      objectAddress('product', 'tote'),
      objectAddress('concept', 'morning'),
      requestAddress('grid/morning+tote', 2),
      media,
      takeAddress(media, 2),
      downloadAddress(media),
      downloadAddress(takeAddress(media, 2)),
    ]).toEqual([
      'upload/0123456789abcdef',
      'product/tote',
      'concept/morning',
      'media-config/grid/morning+tote@2',
      'media/grid/morning+tote/1',
      'media/grid/morning+tote/1@2',
      'download/grid/morning+tote/1',
      'download/grid/morning+tote/1@2',
    ]);
  });

  it.each([
    ['upload/0123', 'upload'],
    ['product/tote', 'product'],
    ['concept/a', 'concept'],
    ['media-config/hero@1', 'media-config'],
    ['media/hero/1', 'media'],
    ['download/hero/1', 'download'],
    ['post/hero', undefined],
    ['product', undefined],
    ['/tote', undefined],
    ['', undefined],
  ])('%j is of kind %s', (address, kind) => {
    expect(kindOf(address)).toBe(kind);
  });

  it('are split from their take', () => {
    expect(splitTake('media/hero/1@12')).toEqual({ address: 'media/hero/1', take: 12 });
    expect(splitTake('media/hero/1')).toEqual({ address: 'media/hero/1', take: undefined });
  });
});
