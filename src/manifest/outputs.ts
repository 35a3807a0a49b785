import { DEFAULT_NAME } from '../model/output-path.ts';
import { PLACEHOLDERS, SHOWN_PLACEHOLDERS, type TemplateNames } from '../model/output-values.ts';
import { defined } from '../util/defined.ts';
import { someOf } from '../util/did-you-mean.ts';
import type { CampaignDocument } from './generated/campaign-document.js';
import type { ImageScope } from './list-images.ts';
import type { MatrixKeys } from './fill-variables.ts';
import type { Concept, Outputs, Post, Product } from './manifest.ts';
import { checkOutputDir, checkOutputLengths, controlText } from './output-lengths.ts';
import { checkOutputNames, outputNames } from './output-names.ts';

interface Scope extends Omit<ImageScope, 'outputs'> {
  readonly campaign: string;
  readonly environment: string;
  readonly products: readonly Pick<Product, 'key' | 'id'>[];
  readonly concepts: readonly Pick<Concept, 'key' | 'id'>[];
  readonly posts: readonly Post[];
  /** The keys of all post plans. */
  readonly postPlans: readonly string[];
  /** The keys of the matrix of each post plan. */
  readonly matrixKeys: MatrixKeys;
}

/** The folder that holds the results of every environment, if it is known; files in it are no photos. */
export function outputRoot(written: CampaignDocument['outputs'], campaign: string): string | undefined {
  if (written === false) return undefined;
  return (typeof written === 'object' ? written.dir : undefined) ?? `out/${campaign}`;
}

export function readOutputs(written: CampaignDocument['outputs'], scope: Scope): Outputs | false {
  if (written === false) return false;
  const { campaign, environment, folder, sandbox, posts, problems } = scope;
  const { dir = `out/${campaign}/${environment}`, name = DEFAULT_NAME } =
    typeof written === 'object' ? written : {};
  if (!sandbox.staysInside(dir)) {
    const detail = `"${dir}" leads out of the folder of the manifest, where nothing else is written. Write a path below it, or allow this with --allow-outside.`;
    problems.add({ code: 'outside-folder', detail, source: '#/outputs/dir' });
  }
  checkOutputDir(dir, problems);
  const names = checkTemplate(name, scope);
  const template = { name, ...defined({ names }) };
  if (!problems.isBroken('#/outputs') && !problems.isBroken('#/posts')) {
    const at = typeof written === 'object' && written.name !== undefined ? '#/outputs/name' : undefined;
    const all = [...outputNames(posts, template)];
    checkOutputLengths(all, { folder, dir, at }, problems);
    checkOutputNames(all, { dir, name, at }, problems);
    checkPeriods(name, scope);
  }
  return { dir, ...template };
}

/** Each period has posts of the same names, so the period has to stand in the names of their files. */
function checkPeriods(name: string, { posts, matrixKeys, problems }: Scope): void {
  if (name.includes('{instance}')) return;
  const isNamed = (key: string) => {
    const keys = matrixKeys.get(key);
    // A key of the matrix with this name would be meant.
    return name.includes('{period}') && !(keys && keys !== 'any' && keys.has('period'));
  };
  const repeated = posts.find(({ key, period }) => period && !isNamed(key));
  if (!repeated) return;
  const detail = `\`${repeated.key}\` has \`every\`, and the files of each period would get the names of those before. Put {period} or {instance} into the name.`;
  problems.add({ code: 'output-collision', detail, source: '#/outputs/name' });
}

/** What its placeholders are made from, if some of them stand for more than every post has. */
function checkTemplate(name: string, scope: Scope): TemplateNames | undefined {
  const { problems, matrixKeys } = scope;
  const source = '#/outputs/name';
  const control = controlText(name);
  if (control !== undefined) problems.add({ code: 'invalid-value', detail: control, source });
  if (name.startsWith('/') || name.split('/').includes('..')) {
    const detail = 'A file name stays below the output folder. Take `..` and a `/` at its beginning out.';
    problems.add({ code: 'outside-folder', detail, source });
  }
  const stray = /[{}]/.exec(name.replace(/\{[^{}]*\}/g, ''))?.[0];
  if (stray !== undefined) {
    const detail = `The name has a \`${stray}\` without its partner. Placeholders are written {post}, {item} and so on.`;
    problems.add({ code: 'unknown-placeholder', detail, source, fragment: stray });
  }
  const known = new Set<string>([...PLACEHOLDERS, ...SHOWN_PLACEHOLDERS, 'period']);
  for (const keys of matrixKeys.values()) for (const key of keys === 'any' ? [] : keys) known.add(key);
  let isPlain = true;
  for (const [fragment, placeholder = ''] of name.matchAll(/\{([^{}]*)\}/g)) {
    isPlain &&= PLACEHOLDERS.has(placeholder);
    if (known.has(placeholder) || [...matrixKeys.values()].includes('any')) continue;
    const hint = problems.didYouMean(placeholder, () => known) || ` Known placeholders: ${someOf(known)}.`;
    const detail = `There is no placeholder "${placeholder}".${hint}`;
    problems.add({ code: 'unknown-placeholder', detail, source, fragment });
  }
  return isPlain ? undefined : templateNames(scope);
}

function templateNames({ products, concepts, postPlans, matrixKeys }: Scope): TemplateNames {
  const keysOf = (post: string) => {
    const keys = matrixKeys.get(post) ?? [];
    return keys === 'any' ? [] : [...keys].sort();
  };
  const ids = [...products, ...concepts].flatMap(({ key, id }) =>
    id === undefined ? [] : [[id, key] as const],
  );
  return {
    matrix: Object.fromEntries(postPlans.map((post) => [post, keysOf(post)])),
    keys: Object.fromEntries(ids),
  };
}
