/** What `validate --lint` finds in photos, once it knows how large they are. */
import type { ReadPhoto } from '../files/hash-images.ts';
import type { ExpandedManifest, Product } from '../manifest/manifest.ts';
import type { Problem } from '../model/problem.ts';
import { aspectRatioOf } from '../util/aspect-ratio.ts';
import { groupBy } from '../util/group-by.ts';

/** Of the shorter side. */
const FEWEST_PIXELS = 512;

/** One side is cut by more than half, or filled up as much, where the ratios differ by more than this. */
const MOST_DIFFERENT = 2;

type FileProblem = Problem & { readonly file: string };

/** The problems of files, each for every place of the manifest that names the file. */
export function lintPhotos(
  { products, posts }: Pick<ExpandedManifest, 'products' | 'posts'>,
  photos: ReadonlyMap<string, ReadPhoto>,
): FileProblem[] {
  const asked = askedRatios(posts);
  return [
    ...[...photos.values()].flatMap(smallPhoto),
    ...products.flatMap((product) => farFromAsked(product, asked.get(product.key) ?? new Set(), photos)),
    ...twins([...photos.values()]),
  ];
}

function smallPhoto({ file, width = Infinity, height = Infinity }: ReadPhoto): FileProblem[] {
  if (Math.min(width, height) >= FEWEST_PIXELS) return [];
  const detail = `"${file}" has ${width} × ${height} pixels. Below ${FEWEST_PIXELS} on a side, little of the product is left to see: take a larger one.`;
  return [warning('small-photo', file, { summary: 'Photo is small', detail })];
}

/** The aspect ratios in which each product is shown. */
function askedRatios(posts: ExpandedManifest['posts']): Map<string, Set<string>> {
  const asked = new Map<string, Set<string>>();
  for (const { assets, metadata } of new Set(posts.flatMap(({ items }) => items)))
    for (const { product } of assets)
      if ('key' in product) {
        const ratios = asked.get(product.key) ?? new Set();
        asked.set(product.key, ratios.add(metadata.aspect_ratio));
      }
  return asked;
}

/** Only the first photo counts: it leads. */
function farFromAsked(
  { key, images: [first] }: Product,
  asked: ReadonlySet<string>,
  photos: ReadonlyMap<string, ReadPhoto>,
): FileProblem[] {
  const photo = first && 'file' in first ? photos.get(first.file) : undefined;
  if (photo?.width === undefined || photo.height === undefined) return [];
  const own = photo.width / photo.height;
  const far = [...asked].filter((text) => {
    const ratio = aspectRatioOf(text) ?? own;
    return Math.max(ratio / own, own / ratio) > MOST_DIFFERENT;
  });
  if (!far.length) return [];
  const detail = `"${photo.file}" has ${photo.width} × ${photo.height} pixels, and posts show ${key} in ${far.join(', ')}: most of the picture has to be cut off, or made up. Take a photo of the other orientation as the first one.`;
  return [
    warning('far-from-ratio', photo.file, { summary: 'Photo is far from the asked aspect ratio', detail }),
  ];
}

function twins(photos: readonly ReadPhoto[]): FileProblem[] {
  return [...groupBy(photos, ({ sha256 }) => sha256).values()].flatMap(([first, ...others]) =>
    others.map(({ file }) => {
      const detail = `"${file}" is the same photo as "${first?.file}". Take one of them out, unless two products share it on purpose.`;
      return warning('same-photo', file, { summary: 'The same photo is there twice', detail });
    }),
  );
}

function warning(code: string, file: string, words: Pick<Problem, 'summary' | 'detail'>): FileProblem {
  return { ...words, code, file, severity: 'warning' };
}
