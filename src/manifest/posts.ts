import type { KeyedKind } from '../model/kinds.ts';
import { memberOf, type SourceRef } from '../model/source.ts';
import { defined } from '../util/defined.ts';
import { pointerKeys, valueAt } from '../util/json-pointer.ts';
import { fitsSchema } from '../document/check-schema.ts';
import type {
  Item as ItemEntry,
  Matrix as MatrixEntry,
  Post as PostEntry,
} from './generated/campaign-document.js';
import { compileTemplate, hasExpression, pathOf, wholeExpression } from './expressions.ts';
import { validateItem } from './generated/validate.js';
import type { Item, KeyOrId, Post } from './manifest.ts';
import { expandMatrix, matrixKeys } from './matrix.ts';
import { fillPeriod, type Periods } from './periods.ts';
import { createTextFinder } from './post-texts.ts';
import type { UsedText, UsedTexts } from './used-texts.ts';
import type { AllTexts } from './texts.ts';
import type { Problems } from '../document/problems.ts';
import { type KnownKeys, resolveReference } from './references.ts';
import type { Slug } from '../util/slug.ts';
import { type ItemScope, normaliseItem, spellItem, type SpelledItem } from './items.ts';

export interface PostScope {
  readonly defaults: ItemEntry;
  /** Of `defaults`. */
  readonly maxTakes: number | undefined;
  readonly products: KnownKeys;
  readonly concepts: KnownKeys;
  readonly slug: Slug;
  /** `<post>/<matrix key>` */
  readonly usedMatrixKeys: ReadonlySet<string>;
  readonly periods: Periods;
  readonly usedTexts: UsedTexts;
  readonly texts: AllTexts;
  readonly problems: Problems;
}

interface PostPlan {
  readonly key: string;
  readonly written: PostEntry;
  /** As it is written but for the period, which is filled in. */
  readonly entry: PostEntry;
  readonly period: Post['period'];
  readonly source: SourceRef;
  /** Of its items. */
  readonly places: readonly SourceRef[];
  readonly defaults: SpelledItem;
}

export function readPosts(posts: Readonly<Record<string, PostEntry>>, scope: PostScope): Post[] {
  const defaults = spellItem(scope.defaults, '#/defaults/item', scope.problems);
  return Object.entries(posts).flatMap(([key, written]) => {
    const source = `#/posts/${key}`;
    const places = written.items.map((_, index) => memberOf(source, 'items', index));
    const { name, day } = scope.periods.get(key) ?? {};
    const period = name === undefined || day === undefined ? undefined : { name, day };
    const entry = period ? fillPeriod(written, period) : written;
    const plan = { key, written, entry, period, source, places, defaults };
    if (entry.matrix) return readMatrixPost(plan, entry.matrix, scope);
    const filled = { entry, origin: (at: SourceRef) => at };
    return readInstance(plan, { ...filled, items: readItems(plan, filled, scope) }, scope) ?? [];
  });
}

function readMatrixPost(plan: PostPlan, matrix: MatrixEntry, scope: PostScope): Post[] {
  const { key, entry, source } = plan;
  const { products, concepts, problems } = scope;
  const at = memberOf(source, 'matrix');
  if (problems.isBroken(at)) return [];
  const lists = {
    products: [...products.keys],
    concepts: [...concepts.keys],
    complete: products.complete && concepts.complete,
  };
  const keys = matrixKeys(matrix);
  checkKeysUsed({ key, source, keys }, scope);
  const combinations = expandMatrix(matrix, { source: at, ...lists, slug: scope.slug, problems });
  const { matrix: _, ...rest } = entry;
  const used = [...(scope.usedTexts.get(key)?.values() ?? [])];
  checkFieldsUsed(matrix, { at, used, problems });
  const names = keys.map((name) => pathOf({ context: 'matrix', name }));
  const fill = compileTemplate(rest, [...names, ...used.map(pathOf)]);
  const finder = createTextFinder({ keys, used, texts: scope.texts, problems });
  const items = new Map<PostEntry['items'], Item[]>();
  const kinds = keys.map((name) => KINDS_NAMED.get(name));
  const instanceOf = kinds.some((kind) => kind !== undefined) ? kinds : undefined;
  const posts = combinations.flatMap((combination) => {
    const { values, instance } = combination;
    const texts = finder.find(combination);
    if (!texts) return [];
    const filled = fill([...values.map(({ text }) => text), ...texts]);
    const origin = (place: SourceRef) => {
      const text = valueAt(rest, pointerKeys(place.slice(source.length)));
      const whole = typeof text === 'string' ? wholeExpression(text) : undefined;
      return values[names.indexOf(whole ? pathOf(whole) : '')]?.source ?? place;
    };
    const filledIn = { entry: filled, origin, instance, instanceOf };
    // Instances that differ in nothing that the items use share them: they are checked and kept once.
    const known = items.get(filled.items) ?? readItems(plan, filledIn, scope);
    items.set(filled.items, known);
    return readInstance(plan, { ...filledIn, items: known }, scope) ?? [];
  });
  finder.report();
  return posts;
}

/** What the values of a matrix key with this name are. */
const KINDS_NAMED: ReadonlyMap<string, KeyedKind> = new Map([
  ['product', 'product'],
  ['products', 'product'],
  ['concept', 'concept'],
  ['concepts', 'concept'],
]);

function checkKeysUsed(
  { key, source, keys }: { key: string; source: SourceRef; keys: readonly string[] },
  { usedMatrixKeys, problems }: PostScope,
): void {
  if (problems.isBroken(source)) return;
  for (const name of keys) {
    if (usedMatrixKeys.has(`${key}/${name}`)) continue;
    const detail = `Nothing in this post uses it, so each of its values would make the same posts again. Write \${{ matrix.${name} }} in the concept or an item, or remove the key.`;
    const at = memberOf(source, 'matrix', name);
    problems.add({ code: 'unused-matrix-key', detail, source: at, part: 'key' });
  }
}

/** A text that no expression takes is most likely a typing error. */
function checkFieldsUsed(
  { include = [] }: MatrixEntry,
  { at, used, problems }: { at: SourceRef; used: readonly UsedText[]; problems: Problems },
): void {
  const names = used.flatMap(({ context, name }) => (context === 'with' ? [name] : []));
  for (const [index, { with: fields }] of include.entries()) {
    for (const name of typeof fields === 'object' ? Object.keys(fields) : []) {
      if (names.includes(name)) continue;
      const hint =
        problems.didYouMean(name, () => names) || ` Write \${{ with.${name} }} in an item, or remove it.`;
      const detail = `Nothing in this post uses the text "${name}".${hint}`;
      const source = memberOf(at, 'include', index, 'with', name);
      problems.add({ code: 'unused-matrix-key', detail, source, part: 'key' });
    }
  }
}

/** The entry of a post with the values of one combination. */
interface Filled {
  readonly entry: PostEntry;
  readonly origin: ItemScope['origin'];
  readonly instance?: string;
  readonly instanceOf?: Post['instanceOf'];
}

function readItems({ written, places, defaults }: PostPlan, { entry, origin }: Filled, scope: PostScope) {
  const { products, problems } = scope;
  const items = entry.items.flatMap((item, index) => {
    const at = places[index] ?? '';
    const check = { validate: validateItem, source: at, problems, isOpen: hasExpression };
    // What nothing was filled into was checked with the document.
    const fits = item === written.items[index] || fitsSchema(item, check);
    return (fits && normaliseItem(item, { source: at, defaults, products, problems, origin })) || [];
  });
  checkItemKeys(items, problems);
  return items;
}

function readInstance(
  { key, source, period }: PostPlan,
  { entry, origin, instance, instanceOf, items }: Filled & { readonly items: readonly Item[] },
  scope: PostScope,
): Post | undefined {
  const concept = readConcept(entry, { source, origin }, scope);
  return (
    concept && {
      key,
      ...defined({
        instance: nameOf(instance, period),
        instanceOf,
        period,
        numberOfPosts: entry.number_of_posts,
        maxTakes: entry.max_takes ?? scope.maxTakes,
        regenerate: entry.regenerate === 'never' ? entry.regenerate : undefined,
      }),
      concept,
      items,
      source,
    }
  );
}

function nameOf(instance: string | undefined, period: Post['period']): string | undefined {
  const parts = [instance, period?.name].filter((part) => part !== undefined);
  return parts.length ? parts.join('+') : undefined;
}

/** Two items of one instance with one key would share an address. */
function checkItemKeys(items: readonly Item[], problems: Problems): void {
  const seen = new Set<string>();
  for (const { key, source } of items) {
    if (key !== undefined && seen.has(key)) {
      const detail = `Another item of this post has the key "${key}", and the two could not be told apart. Change one.`;
      problems.add({ code: 'duplicate-item-key', detail, source: memberOf(source, 'key') });
    }
    if (key !== undefined) seen.add(key);
  }
}

function readConcept(
  { concept, content_pillar }: PostEntry,
  { source, origin }: Pick<ItemScope, 'source' | 'origin'>,
  { concepts, problems }: PostScope,
): KeyOrId | undefined {
  const text = concept ?? content_pillar;
  const pillar = memberOf(source, 'content_pillar');
  if (text === undefined) {
    const isExplained = problems.isExplained(memberOf(source, 'concept')) || problems.isExplained(pillar);
    const detail =
      'This post has no `concept`, the creative direction of its pictures. Write the key of one of `concepts:`.';
    if (!isExplained) problems.add({ code: 'missing-key', detail, source, part: 'key' });
    return undefined;
  }
  if (concept !== undefined && content_pillar !== undefined && concept !== content_pillar) {
    const detail =
      '`content_pillar` is another name for `concept`, and the two have different values. Remove one of them.';
    problems.add({ code: 'conflicting-spellings', detail, source: pillar, part: 'key' });
  }
  const at = concept === undefined ? pillar : memberOf(source, 'concept');
  return resolveReference(text, { known: concepts, source: () => origin(at), problems });
}
