import { describe, expect, it } from 'vitest';
import { problemsOf } from './campaign-folder.ts';

const MANIFEST = `version: 1
name: x
products: { tote: { images: t.jpg } }
concepts: { morning: {} }
posts:
  hero: { concept: morning, items: [{ key: kitchen, post_type: image, aspect_ratio: '1:1', products: [tote] }] }
`;

const problems = (moved: string) => problemsOf(`${MANIFEST}moved: [${moved}]\n`, { files: ['t.jpg'] });

describe('moved', () => {
  it('names products, concepts, posts, items with a key and items with a number', async () => {
    const moves = [
      '{ from: product/bag, to: product/tote }',
      '{ from: concept/dawn, to: concept/morning }',
      '{ from: media/lead, to: media/hero }',
      '{ from: media/hero/cellar, to: media/hero/kitchen }',
      '{ from: media/hero/1, to: media/hero/2 }',
    ];
    expect(await problems(moves.join(', '))).toBe('');
  });

  it('to another kind, to nothing, from something that is still there', async () => {
    const moves = [
      '{ from: product/bag, to: concept/morning }',
      '{ from: product/bag, to: product/cup }',
      '{ from: concept/morning, to: concept/morning }',
    ];
    expect(await problems(moves.join(', '))).toMatchInlineSnapshot(`
      "invalid-move campaign.yaml:7:34 «concept/morning»
        "product/bag" cannot become "concept/morning": the two are things of different kinds. Begin both with the same word.
      invalid-move campaign.yaml:7:78 «product/cup»
        There is no "product/cup" in this manifest. Did you mean "product/tote"?
      invalid-move campaign.yaml:7:101 «concept/morning»
        "concept/morning" or "concept/morning" stands in an earlier move already. Each address leaves, and is reached, once."
    `);
  });

  it('twice from or to the same', async () => {
    const moves = ['{ from: product/bag, to: product/tote }', '{ from: product/sack, to: product/tote }'];
    expect(await problems(moves.join(', '))).toMatchInlineSnapshot(`
      "invalid-move campaign.yaml:7:58 «product/sack»
        "product/sack" or "product/tote" stands in an earlier move already. Each address leaves, and is reached, once."
    `);
  });

  it('of what has no name of its own', async () => {
    expect(await problems('{ from: upload/1234, to: product/tote }')).toMatchInlineSnapshot(`
      "invalid-value campaign.yaml:7:17 «upload/1234»
        An address is \`product/KEY\`, \`concept/KEY\`, \`media/POST\` or \`media/POST/ITEM\`. For example: product/bag"
    `);
  });
});
