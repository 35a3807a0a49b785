import { describe, expect, it } from 'vitest';
import { whyNoProduct } from '../../src/service/read-records.ts';
import { compareProduct, toldOf } from '../../src/steps/product-told.ts';
import { plainUrl } from '../../src/util/plain-url.ts';

const SENT = { name: 'Tote', description: 'Canvas', variant: 'v' };
const images = (...urls: readonly string[]) => urls.map((url) => ({ type: 'image', url }));
const said = (more: object = {}) => ({
  ...SENT,
  media_urls: images('https://cdn.example.com/1.png?signature=1'),
  updated_at: 'T1',
  ...more,
});
const told = (more: object = {}) => toldOf(said(more), SENT, plainUrl);
const drift = (before: object | undefined, now: object) =>
  compareProduct(said(now), { sent: SENT, told: before && told(before), plain: plainUrl }).drift;

describe('what the service told of a product', () => {
  it('is kept as far as it is not what was sent', () => {
    expect(told()).toEqual({ images: expect.stringMatching(/^[0-9a-f]{16}$/), updated_at: 'T1' });
    expect(told({ name: 'Tote (1)', description: '', media_urls: null, updated_at: '' })).toEqual({
      name: 'Tote (1)',
      description: null,
    });
    expect(told({ name: '', description: '', variant: '', media_urls: null })).toBeUndefined();
  });

  it('is what a reading is compared with: what it had shortened is no change', () => {
    expect(drift({}, {})).toBeUndefined();
    expect(drift({ name: 'Tot' }, { name: 'Tot' })).toBeUndefined();
    expect(drift({ name: 'Tot' }, { name: 'Tote' })).toBeUndefined();
    expect(drift({ name: 'Tot' }, { name: 'Bag', variant: 'w' })).toEqual({ name: 'Bag', variant: 'w' });
    expect(drift({}, { description: '' })).toEqual({ description: '' });
    // What it does not say is no change either.
    expect(drift({}, { name: '', media_urls: null })).toBeUndefined();
    // What it had not said is known from the first reading on.
    expect(drift({ description: '' }, { description: 'Linen' })).toBeUndefined();
    expect(drift(undefined, { name: 'Bag' })).toBeUndefined();
  });

  it('knows images by their URLs without signatures, as long as the product was touched', () => {
    expect(drift({}, { media_urls: images('https://cdn.example.com/1.png?signature=2') })).toBeUndefined();
    const other = { media_urls: images('https://cdn.example.com/2.png') };
    expect(drift({}, other)).toBeUndefined();
    expect(drift({}, { ...other, updated_at: 'T2' })).toEqual({ images: ['https://cdn.example.com/2.png'] });
  });

  it('does not change by its time alone', () => {
    const before = told();
    const now = compareProduct(said({ updated_at: 'T2' }), { sent: SENT, told: before, plain: plainUrl });
    expect(now.told).toBe(before);
  });
});

describe('an answer that is not surely the product', () => {
  const record = { id: 'p-1', ...SENT, media_urls: images('https://x.example.com/1') };
  const { name, ...rest } = record;

  it.each([
    [record, undefined],
    [{ ...rest, media_urls: 'https://x.example.com/1' }, undefined],
    [undefined, 'it holds no record'],
    [{ ...record, id: null }, 'it has no id'],
    [{ ...record, id: 'p-2' }, 'it is about p-2'],
    [{ ...record, items: [] }, 'it has items, so it is no product'],
    [{ id: 'p-1', name }, 'it has neither images nor a variant'],
    [{ ...record, name: 7 }, 'its name is no text'],
    [{ ...record, media_urls: [1] }, 'its media_urls is no list of images'],
  ])('%j', (answer, why) => {
    expect(whyNoProduct(answer, 'p-1')).toBe(why);
  });
});
