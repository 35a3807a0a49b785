import { expect, it } from 'vitest';
import { slidesOf } from '../../src/emulator/pictures/slides.ts';

const brief = (texts: readonly string[]) => ({
  seed: 'a',
  aspectRatio: '1:1',
  concept: { name: 'Morning', description: '', images: [] },
  products: [{ name: 'Tote', labelled: false, images: [] }],
  texts,
});

const headlines = (texts: readonly string[], photos = 1) =>
  slidesOf(brief(texts), photos).map(
    ({ name, words: { headline, label } }) => `${name}: ${headline} (${label})`,
  );

it('gives each text of a carousel a slide of its own, the last one too', () => {
  expect(headlines(['A', 'B', 'C'])).toEqual([
    'full: A (Morning)',
    'close: B (Morning)',
    'note: C (Morning)',
  ]);
  const many = Array.from({ length: 14 }, (_, index) => `Text ${index + 1}`);
  expect(slidesOf(brief(many), 2).map(({ words }) => words.headline)).toEqual(many);
});

it('shows the product where there are more slides than texts, and signs the last one', () => {
  expect(headlines(['A'], 4)).toEqual([
    'full: A (Morning)',
    'close: Tote (Morning)',
    'card: Tote (Morning)',
    'note: Tote (Morning)',
  ]);
  expect(headlines([])).toEqual(['full: Tote (Morning)', 'close: Tote (Morning)', 'note: Tote (Morning)']);
  expect(slidesOf(brief([]), 30)).toHaveLength(10);
});
