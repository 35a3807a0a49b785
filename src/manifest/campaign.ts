import { checkSchema } from '../document/check-schema.ts';
import { isSurelySecret } from '../document/cover-secrets.ts';
import { writtenIn } from '../document/locate.ts';
import type { Problems } from '../document/problems.ts';
import type { Reading } from '../document/read-yaml.ts';
import { secretDetail } from '../document/schema-problems.ts';
import { memberOf, type SourceRef } from '../model/source.ts';
import type { CampaignDocument } from './generated/campaign-document.js';
import { checkAmounts, readBudget } from './budget.ts';
import { checkEnvironments, chooseEnvironment, entryOf, readEnvironment } from './environment.ts';
import type { EnvironmentChoice } from './environment.ts';
import { hasExpression } from './expressions.ts';
import { fillVariables, type MatrixKeys } from './fill-variables.ts';
import { validateCampaign } from './generated/validate.js';
import { declaredVars, lintCampaign } from './lint.ts';
import { checkDurations, readLimits } from './limits.ts';
import type { ImageScope } from './list-images.ts';
import type { ExpandedManifest } from './manifest.ts';
import { matrixKeys } from './matrix.ts';
import { readMoved } from './moved.ts';
import { outputRoot, readOutputs } from './outputs.ts';
import { findOwnOutputs } from './own-outputs.ts';
import { readPosts } from './posts.ts';
import { readPeriods, type Today } from './periods.ts';
import { readProductFolders } from './product-folders.ts';
import { readProductTables } from './product-tables.ts';
import type { KnownKeys } from './references.ts';
import { conceptTexts, knownIds, readConcepts, readProducts } from './objects.ts';
import type { Disk } from '../util/disk.ts';
import { defined } from '../util/defined.ts';
import { isJsonObject } from '../util/json.ts';
import { valueAt } from '../util/json-pointer.ts';
import { createSlug } from '../util/slug.ts';
import { checkGiven, readVariables } from './variables.ts';

export interface LoadOptions extends EnvironmentChoice {
  readonly disk: Disk;
  readonly file: string;
  readonly today: Today;
  /** Merged values of --var, --var-file and CAMPAIGN_VAR_*. */
  readonly variables: ReadonlyMap<string, string>;
  /** Whether images and outputs may be outside the manifest's folder (--allow-outside). */
  readonly outside: 'refuse' | 'allow';
  /** Whether slips are looked for, too (--lint). */
  readonly lint?: boolean | undefined;
  /** Results that the state knows, relative to the manifest's folder: they are no photos, wherever they are. */
  readonly results?: readonly string[];
  /** `unread`: photos, product folders and tables are not looked at, so there are no products, concepts and posts. */
  readonly inputs?: 'unread' | undefined;
}

interface Scope {
  readonly options: LoadOptions;
  readonly reading: Reading;
  readonly images: Omit<ImageScope, 'outputs'>;
}

interface ReadCampaign {
  readonly campaign: Omit<ExpandedManifest, 'file' | 'folder' | 'outside' | 'locate'>;
  /** With what counts as a result of campaign; absent where images were not looked at. */
  readonly images?: ImageScope;
}

/** The campaign that a parsed document describes; usable only if no error was found. */
export async function readCampaign(value: unknown, scope: Scope): Promise<ReadCampaign | undefined> {
  const { options, reading, images } = scope;
  const { problems } = reading;
  // Includes broken entries, so that a reference to one of them is not reported as a typing error.
  const written = { products: entriesOf(value, 'products'), concepts: entriesOf(value, 'concepts') };
  const read = readDocument(value, scope);
  if (!read) return undefined;
  const { document, environments } = read;
  const { service = {}, name, description, product_folders: globs = [] } = document;
  const { chosen } = environments;
  checkDurations(document, problems);
  checkAmounts(document, problems);
  checkEnvironments(service, problems);
  const environment = readEnvironment(
    chosen,
    { service, baseUrl: options.baseUrl, folder: images.folder },
    problems,
  );
  const periods = readPeriods(document.posts ?? {}, { today: options.today, problems });
  const { matrixKeys } = read;
  const postPlans = Object.keys(document.posts ?? {});
  const head = {
    name,
    environment,
    ...(environments.known.length > 0 && { namesEnvironments: true as const }),
    productSources: [...globs, ...(document.product_tables ?? [])],
    ...defined({ description }),
    postPlans,
    periods: [...periods.values()],
    limits: readLimits(document.limits, entryOf(service, chosen)?.limits),
  };
  const naming = { campaign: name, environment: chosen, postPlans, matrixKeys, ...images };
  if (options.inputs === 'unread') {
    const known = knownIds(document, { environments, problems });
    const outputs = readOutputs(document.outputs, { ...naming, ...known, posts: [] });
    return { campaign: { ...head, products: [], concepts: [], posts: [], outputs } };
  }
  const objects = await readObjects(read, scope);
  const { products, concepts, texts, usedVariables, declared } = objects;
  const posts = readPosts(document.posts ?? {}, {
    defaults: document.defaults?.item ?? {},
    maxTakes: document.defaults?.max_takes,
    products: knownKeys('product', [...products, ...written.products], problems),
    concepts: knownKeys('concept', [...concepts, ...written.concepts], problems),
    slug: await createSlug(matrixTexts(document)),
    usedMatrixKeys: read.usedMatrixKeys,
    periods,
    usedTexts: read.usedTexts,
    texts,
    problems,
  });
  const moved = document.moved && readMoved(document.moved, { products, concepts, posts, problems });
  const { usedTexts } = read;
  if (options.lint) lintCampaign({ document, concepts, posts, usedVariables, declared, usedTexts }, problems);
  const budget = readBudget(document, chosen, { posts, problems });
  const outputs = readOutputs(document.outputs, { ...naming, products, concepts, posts });
  const campaign = { ...head, products, concepts, posts, ...defined({ moved, budget }), outputs };
  return { campaign, images: objects.images };
}

function readDocument(value: unknown, { options, reading: { problems, files } }: Scope) {
  const check = {
    validate: validateCampaign,
    source: '#',
    problems,
    isOpen: hasExpression,
    written: writtenIn(files),
    standIns: { version: 1, name: 'unnamed' },
  };
  const whole = checkSchema(value, check);
  if (!whole) return undefined;
  checkSecrets(whole, { source: '#' }, problems);
  const written = withoutOwnParts(whole);
  const environments = chooseEnvironment(written, options, problems);
  const given = { environment: environments.chosen, given: options.variables };
  const variables = readVariables(written, given, problems);
  const keys = { matrixKeys: keysByPost(written, problems), repeated: repeatedPosts(written) };
  const { value: filled, ...used } = fillVariables(written, { source: '#', variables, ...keys, problems });
  const document = filled === written ? written : checkSchema(filled, check);
  return document && { document, environments, variables, ...keys, ...used };
}

async function readObjects(
  { document, environments, variables, usedVariables }: NonNullable<ReturnType<typeof readDocument>>,
  { options, reading, images: at }: Scope,
) {
  const { name, defaults = {} } = document;
  const dir = outputRoot(document.outputs, name);
  const outputs = findOwnOutputs({ ...at, name, dir, known: options.results ?? [] });
  const images = { ...at, outputs };
  const used = new Set(usedVariables);
  const folderScope = { reading, images, variables, manifestFile: options.file, used };
  const folders = await readProductFolders(document.product_folders ?? [], folderScope);
  const { rows, vars } = await readProductTables(document.product_tables ?? [], folderScope);
  const known = new Set([...variables.declared, ...used]);
  if (variables.complete) checkGiven(options.variables, known, reading.problems);
  const entries = document.products ?? {};
  const objects = { environments, images };
  const sources = { entries, folders, rows };
  const read = await readProducts(sources, { defaults: defaults.product ?? {}, ...objects });
  const concepts = await readConcepts(document.concepts ?? {}, objects);
  const texts = { product: read.texts, concept: conceptTexts(document.concepts ?? {}) };
  const declared = options.lint ? [...declaredVars(document, folders), ...vars] : [];
  return { products: read.products, concepts, texts, usedVariables: used, declared, images };
}

/** Everything that becomes part of an instance. */
function* matrixTexts({ posts = {} }: CampaignDocument): Iterable<string> {
  for (const { matrix = {} } of Object.values(posts))
    for (const [key, values] of Object.entries(matrix))
      for (const value of Array.isArray(values) && key !== 'exclude' ? values : [])
        yield* (typeof value === 'object' ? Object.values(value) : [value]).map(String);
}

function entriesOf(value: unknown, member: string): { readonly key: string }[] {
  const map = valueAt(value, [member]);
  return isJsonObject(map) ? Object.keys(map).map((key) => ({ key })) : [];
}

function knownKeys(
  kind: 'product' | 'concept',
  named: readonly { readonly key: string }[],
  problems: Problems,
): KnownKeys {
  const from = kind === 'product' ? ['products', 'product_folders', 'product_tables'] : ['concepts'];
  const [entries = '', ...others] = from.map((member) => `#/${member}`);
  return {
    kind,
    keys: new Set(named.map(({ key }) => key)),
    complete: !problems.isExplained(entries) && !others.some((other) => problems.isBroken(other)),
  };
}

function keysByPost({ posts = {} }: CampaignDocument, problems: Problems): MatrixKeys {
  const keys = new Map<string, ReadonlySet<string> | 'any'>();
  for (const [key, { matrix }] of Object.entries(posts)) {
    if (problems.isBroken(`#/posts/${key}/matrix`)) keys.set(key, 'any');
    else if (matrix) keys.set(key, new Set(matrixKeys(matrix)));
  }
  return keys;
}

function repeatedPosts({ posts = {} }: CampaignDocument): Set<string> {
  return new Set(Object.keys(posts).filter((key) => posts[key]?.every !== undefined));
}

/** What an author keeps under `x-…` keys counts where an alias takes it, and may use the matrix of that place. */
function withoutOwnParts(document: CampaignDocument): CampaignDocument {
  const entries = Object.entries(document).filter(([key]) => !OWN_PART.test(key));
  return Object.fromEntries(entries) as unknown as CampaignDocument;
}

const OWN_PART = /^x-/;

/** Maps with free keys: everybody who has the file, or reads the plan, sees their values. */
const FREE_MAP = /^(?:variables|metadata|vars|with|x-.*)$/;

/** Finds secrets under keys that the schema leaves to the author; `isFree`: `value` is such a map, or below one. */
function checkSecrets(
  value: unknown,
  { source, isFree = false }: { source: SourceRef; isFree?: boolean },
  problems: Problems,
): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    const at = memberOf(source, key);
    const isKey = !Array.isArray(value);
    if (isFree && isKey && isSurelySecret(key))
      problems.add({ code: 'secret-in-manifest', detail: secretDetail(key), source: at, part: 'key' });
    else checkSecrets(member, { source: at, isFree: isFree || (isKey && FREE_MAP.test(key)) }, problems);
  }
}
