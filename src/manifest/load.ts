/** Every step continues with what the one before has left, so that one pass finds all problems. */
import path from 'node:path';
import { shownFile } from '../model/manifest-file.ts';
import type { Problem } from '../model/problem.ts';
import type { SourceRef } from '../model/source.ts';
import { askedOnce } from '../util/disk.ts';
import { groupBy } from '../util/group-by.ts';
import { err, ok, type Result } from '../util/result.ts';
import { type LoadOptions, readCampaign } from './campaign.ts';
import { createPathSandbox } from './path-sandbox.ts';
import { locateProblems, placeOf } from '../document/locate.ts';
import type { ExpandedManifest } from './manifest.ts';
import { otherSpelling } from '../document/read-text.ts';
import { findUnnamed, lintUnnamed, type UnnamedPhotos, warnOfFirstPhotos } from './passed-over.ts';
import { createProblems } from '../document/problems.ts';
import { type Reading, readYaml, type TextPlaces } from '../document/read-yaml.ts';

export interface LoadedManifest {
  readonly manifest: ExpandedManifest;
  readonly warnings: readonly Problem[];
  /** The problems of image files that were found later, at every place of the manifest that names the file. */
  readonly diagnose: (found: readonly (Problem & { readonly file: string })[]) => Problem[];
  readonly quote: (source: SourceRef) => Pick<Problem, 'position' | 'sourceLine'> | undefined;
  /** Photos that nothing names in a folder, or, without one, where photos of products lie. */
  readonly unnamed: (folder?: string) => UnnamedPhotos;
}

/** Where numbers become part of a text, so that their digits count. */
const TEXTS: TextPlaces = {
  variables: { '*': 'texts' },
  service: { environments: { '*': { variables: { '*': 'texts' } } } },
  products: { '*': { vars: { '*': 'texts' } } },
  concepts: { '*': { vars: { '*': 'texts' } } },
  posts: { '*': { matrix: { '*': { '*': 'texts' } } } },
};

export async function loadManifest(
  options: LoadOptions,
): Promise<Result<LoadedManifest, readonly Problem[]>> {
  const disk = askedOnce(options.disk);
  const problems = createProblems();
  const files: Reading['files'] = new Map();
  const folder = path.resolve(path.dirname(options.file));
  const reading = { disk, problems, files };
  const whole = { path: options.file, shownAs: shownFile(options.file), ref: '', texts: TEXTS };
  const value = readYaml(whole, reading);
  if (value === undefined) return err(locateProblems(problems.all(), files));
  const other = otherSpelling(disk, options.file);
  if (other !== undefined) {
    const names = [path.basename(other), path.basename(options.file)] as const;
    const detail = `${names[0]} lies beside ${names[1]}, and only ${names[1]} was read. Their states would be one file: keep one of the two, or give one another name.`;
    problems.add({ code: 'two-spellings', severity: 'warning', detail });
  }
  const sandbox = createPathSandbox(disk, folder, options.outside);
  const scope = { disk, folder, sandbox, problems, listed: [] };
  const read = await readCampaign(value, { options, reading, images: scope });
  const { campaign, images } = read ?? {};
  if (images) warnOfFirstPhotos(images);
  if (campaign && images && options.lint) lintUnnamed(images, campaign);
  const located = locateProblems(problems.all(), files);
  if (!campaign || located.some(({ severity }) => severity !== 'warning')) return err(located);
  const quote = (source: SourceRef) => placeOf({ source }, files);
  const locate = (source: SourceRef) => quote(source)?.position;
  const { outside } = options;
  const manifest = { ...campaign, file: options.file, folder, outside, locate };
  const { products, concepts } = campaign;
  const all = [...products.flatMap((one) => one.images), ...concepts.flatMap((one) => one.refImages)];
  const diagnose: LoadedManifest['diagnose'] = (found) => {
    const inFiles = all.filter((image) => 'file' in image);
    const named = groupBy(inFiles, ({ file }) => file);
    const placed = found.flatMap(({ file, ...problem }) =>
      (named.get(file) ?? []).map(({ source }) => ({ ...problem, source })),
    );
    return locateProblems(placed, files);
  };
  const unnamed: LoadedManifest['unnamed'] = (at) =>
    images ? findUnnamed(images, campaign, at) : { folders: [], loose: [], kin: [], passedOver: [] };
  return ok({ manifest, warnings: located, diagnose, quote, unnamed });
}
