import { describe, expect, it } from 'vitest';
import { addEntries } from '../../src/document/add-entries.ts';

const folders = { member: 'product_folders', list: ['photos/mug', '1.10'] } as const;
const products = { member: 'products', map: { mug: { images: ['a: b.jpg'] } } } as const;

describe('entries that are added to a text', () => {
  it.each([
    ['a list', 'x: 1\nproduct_folders: # all\n  - a/* # one\n\n# end\ny: 2\n', folders],
    ['a list without indentation at the end of the file', 'product_folders:\n- a', folders],
    ['a list in brackets', "product_folders: [ 'a/*', # one\n  b, ]\ny: [1,2]\n", folders],
    ['an empty list', 'product_folders: []\n', folders],
    ['no list yet', '# mine\nx: 1\n\n# end\n', folders],
    [
      'a map',
      'products:\n    bag:   # b\n        images: |\n          x\n\n    # about\n    hat: {images: y}\ny: 2\n',
      products,
    ],
    ['a map in braces', 'products: { bag: { images: x } }  # all\n', products],
    ['an empty map', 'products: {}\n', products],
    ['a manifest that is JSON', '{"version": 1,\n "products": {"bag": {"images": "x"}}}\n', products],
    ['JSON without the map', '{"version": 1}', products],
    ['line ends of Windows', 'products:\r\n  bag: { images: x }\r\ny: 2\r\n', products],
    ['a map with an alias in it', 'x-a: &a { images: x }\nproducts:\n  bag: *a\n', products],
  ])('to %s leave all else as it was', (_, text, entries) => {
    const added = addEntries(text, entries) ?? '';
    const lines = (all: string) => all.split('\n');
    expect(
      lines(added)
        .filter((line) => !lines(text).includes(line))
        .join('\n'),
    ).toMatchSnapshot();
    // What was put in is one piece.
    const head = added.split('').findIndex((char, at) => char !== text[at]);
    expect(text.startsWith(added.slice(0, head)) && added.endsWith(text.slice(head))).toBe(true);
  });

  it.each([
    ['an alias', 'x-a: &a { bag: { images: x } }\nproducts: *a\n'],
    ['nothing', 'products:\n'],
    ['a text', 'products: none\n'],
    ['broken YAML', 'products: [\n'],
    ['a list', '- products\n'],
  ])('are refused where %s stands in the place', (_, text) => {
    expect(addEntries(text, products)).toBeUndefined();
  });
});
