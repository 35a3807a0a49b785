import { checkSchema } from './check-schema.ts';
import { readConcepts } from './concepts.ts';
import type { CampaignDocument } from './document.ts';
import { checkEnvironments, chooseEnvironment, entryOf, readEnvironment } from './environment.ts';
import { fillVariables, type MatrixKeys } from './fill-variables.ts';
import { validateCampaign } from './generated/validate.js';
import { checkDurations, readLimits } from './limits.ts';
import type { ImageScope } from './list-images.ts';
import type { LoadOptions } from './load-options.ts';
import type { Manifest } from './manifest.ts';
import { matrixKeys } from './matrix.ts';
import { readMoved } from './moved.ts';
import { outputRoot, readOutputs } from './outputs.ts';
import { findOwnOutputs } from './own-outputs.ts';
import { readPosts } from './posts.ts';
import type { Problems } from '../document/problems.ts';
import { readProductFolders } from './product-folders.ts';
import { readProducts } from './products.ts';
import type { Reading } from '../document/read-yaml.ts';
import type { KnownKeys } from './references.ts';
import { checkSecrets } from './secrets.ts';
import { checkGiven, readVariables } from './variables.ts';

interface Scope {
  readonly options: Pick<LoadOptions, 'file' | 'environment' | 'baseUrl' | 'need' | 'variables' | 'results'>;
  readonly reading: Reading;
  readonly images: Omit<ImageScope, 'outputs'>;
}

/** The campaign that a parsed document describes; of use only where no error was found. */
export async function readCampaign(
  value: unknown,
  { options, reading, images: at }: Scope,
): Promise<Omit<Manifest, 'file' | 'folder' | 'locate'> | undefined> {
  const { problems } = reading;
  const written = { products: keysOf(value, 'products'), concepts: keysOf(value, 'concepts') };
  const check = { validate: validateCampaign, source: '#', problems };
  const document = checkSchema(value, check);
  if (!document) return undefined;

  const names = Object.keys(document.service?.environments ?? {});
  const complete = !problems.isExplained('#/service') && !problems.isBroken('#/service/environments');
  const chosen = chooseEnvironment(
    { names, byDefault: document.service?.default_environment, complete },
    options,
    problems,
  );
  const variables = readVariables(document, { environment: chosen, given: options.variables }, problems);
  const filled = fillVariables(document, {
    source: '#',
    variables,
    matrixKeys: keysByPost(document, problems),
    problems,
  });
  const whole = checkSchema(filled.value, check);
  if (!whole) return undefined;

  const { service = {}, defaults = {}, name, description } = whole;
  checkSecrets(whole, '#', problems);
  checkDurations(whole, problems);
  checkEnvironments(service, problems);
  const environment = readEnvironment(chosen, { service, baseUrl: options.baseUrl }, problems);
  const environments = { chosen, known: names, complete };

  const dir = outputRoot(whole.outputs, name);
  const outputs = findOwnOutputs({ folder: at.folder, name, dir, known: options.results ?? [] });
  const images = { ...at, outputs };
  const used = new Set(filled.usedVariables);
  const folderScope = { reading, images, variables, manifestFile: options.file, used };
  const folders = await readProductFolders(whole.product_folders ?? [], folderScope);
  if (variables.complete) checkGiven(options.variables, new Set([...variables.declared, ...used]), problems);
  const productScope = { defaults: defaults.product ?? {}, environments, images };
  const products = await readProducts(whole.products ?? {}, folders, productScope);
  const concepts = await readConcepts(whole.concepts ?? {}, { environments, images });

  const posts = readPosts(whole.posts ?? {}, {
    defaults: defaults.item ?? {},
    products: known(
      'product',
      [...products.map(({ key }) => key), ...written.products],
      [problems.isExplained('#/products'), problems.isBroken('#/product_folders')],
    ),
    concepts: known(
      'concept',
      [...concepts.map(({ key }) => key), ...written.concepts],
      [problems.isExplained('#/concepts')],
    ),
    usedMatrixKeys: filled.usedMatrixKeys,
    problems,
  });
  const { folder, fence } = images;
  return {
    name,
    ...(description === undefined ? {} : { description }),
    environment,
    products,
    concepts,
    posts,
    ...(whole.product_folders === undefined ? {} : { productFolders: whole.product_folders }),
    ...(whole.moved === undefined
      ? {}
      : { moved: readMoved(whole.moved, { products, concepts, posts, problems }) }),
    limits: readLimits(whole.limits, entryOf(service, chosen)?.limits),
    outputs: readOutputs(whole.outputs, {
      campaign: name,
      environment: chosen,
      folder,
      fence,
      posts,
      problems,
    }),
  };
}

/** The keys of a map of the document as written, broken entries included: a reference to one of them is no typing error. */
function keysOf(value: unknown, member: string): string[] {
  const map: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, member) : undefined;
  return typeof map === 'object' && map !== null && !Array.isArray(map) ? Object.keys(map) : [];
}

function keysByPost({ posts = {} }: CampaignDocument, problems: Problems): MatrixKeys {
  const keys = new Map<string, ReadonlySet<string> | 'any'>();
  for (const [key, { matrix }] of Object.entries(posts)) {
    if (problems.isBroken(`#/posts/${key}/matrix`)) keys.set(key, 'any');
    else if (matrix) keys.set(key, new Set(matrixKeys(matrix)));
  }
  return keys;
}

function known(kind: KnownKeys['kind'], keys: readonly string[], gaps: readonly boolean[]): KnownKeys {
  return { kind, keys: new Set(keys), complete: !gaps.includes(true) };
}
