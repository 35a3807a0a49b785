import type { Problem } from '../model/problem.ts';
import { groupBy } from '../util/group-by.ts';
import type { Manifest } from './manifest.ts';

/** Problems of image files, reported at every place of the manifest that names the file. */
export function imageProblems(
  { products, concepts }: Pick<Manifest, 'products' | 'concepts'>,
  found: readonly (Problem & { readonly file: string })[],
): Problem[] {
  const images = [...products.flatMap((one) => one.images), ...concepts.flatMap((one) => one.refImages)];
  const named = groupBy(
    images.filter((image) => 'file' in image),
    ({ file }) => file,
  );
  return found.flatMap(({ file, ...problem }) =>
    (named.get(file) ?? []).map(({ source }) => ({ ...problem, source })),
  );
}
