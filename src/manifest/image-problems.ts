import type { Problem } from '../model/problem.ts';
import type { SourceRef } from '../model/source.ts';
import type { Manifest } from './manifest.ts';

/** Problems of image files, reported at every place of the manifest that names the file. */
export function imageProblems(
  manifest: Pick<Manifest, 'products' | 'concepts'>,
  found: readonly (Problem & { readonly file: string })[],
): Problem[] {
  const sources = new Map<string, Set<SourceRef>>();
  const images = [
    ...manifest.products.flatMap((product) => product.images),
    ...manifest.concepts.flatMap((concept) => concept.refImages),
  ];
  for (const image of images) {
    if ('url' in image) continue;
    sources.set(image.file, (sources.get(image.file) ?? new Set()).add(image.source));
  }
  return found.flatMap(({ file, ...problem }) => {
    const detail = `${problem.detail}${ADVICE[problem.code ?? ''] ?? ''}`;
    return [...(sources.get(file) ?? [])].map((source) => ({ ...problem, detail, source }));
  });
}

/** What to do about a file with this problem. */
const ADVICE: Partial<Record<string, string>> = {
  'cannot-read-image': ' Check its permissions.',
  'image-too-large': ' The service takes no larger one. Save it smaller.',
  'lfs-pointer':
    ' Run `git lfs pull` where the manifest lies (after `git lfs install`, should git not know it).',
  'not-an-image': ' Export it again in one of these formats, or take it out.',
};
