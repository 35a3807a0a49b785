/** What the slides of a carousel say, and how each is laid out. Pure. */
import type { PictureBrief } from './brief.ts';
import type { Ingredients } from './compose-still.ts';
import type { LayoutName } from './layout.ts';

type Wording = Ingredients['wording'];

export interface Slide {
  readonly name: LayoutName;
  readonly words: Wording;
}

const FEWEST = 3;
export const MOST_PHOTOS = 10;

/**
 * A wide view, then the photos one by one, and a card at the end. Each text has a slide of its own; where there are more
 * slides than texts, the last one is signed.
 */
export function slidesOf(brief: PictureBrief, photos: number): Slide[] {
  const { length: texts } = brief.texts;
  const length = Math.max(FEWEST, Math.min(MOST_PHOTOS, photos), texts);
  return Array.from({ length }, (_, index) => {
    const inner = (['close', 'card', 'arch'] as const)[(index - 1) % 3] ?? 'close';
    const name = index === 0 ? 'full' : index === length - 1 ? 'note' : inner;
    return { name, words: name === 'note' && index >= texts ? signature(brief) : wording(brief, index) };
  });
}

/** What the last slide of a carousel says that has no text of its own. */
function signature({ products, concept }: PictureBrief): Wording {
  const name = products[0]?.name ?? '';
  return { headline: name || concept.name, label: name === '' ? '' : concept.name };
}

/** The headline is the item's text for this slide, else the product's name. The label names the concept. */
export function wording(brief: PictureBrief, index: number): Wording {
  const product = brief.products[index % Math.max(1, brief.products.length)];
  const named = product?.name ?? '';
  const text = brief.texts[index] ?? '';
  const headline = text || named || brief.concept.name;
  const label = product?.labelled === true ? named : brief.concept.name;
  return { headline, label: label === headline ? '' : label };
}
