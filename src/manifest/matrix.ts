import { memberOf, type SourceRef } from '../model/source.ts';
import { someOf } from '../util/did-you-mean.ts';
import { groupBy } from '../util/group-by.ts';
import type {
  Combination as CombinationEntry,
  Matrix as MatrixEntry,
} from './generated/campaign-document.js';
import type { Problems } from '../document/problems.ts';
import type { Slug } from '../util/slug.ts';

const MOST_COMBINATIONS = 100_000;

export interface MatrixValue {
  readonly text: string;
  readonly slug: string;
  readonly source: SourceRef;
}

export interface Combination {
  /** One per key of the matrix, in the order of the sorted key names. */
  readonly values: readonly MatrixValue[];
  /** Slugs of the values in the order of the sorted key names, joined by `+`. */
  readonly instance: string;
  /** Texts that an entry of `include` gives it, by name. */
  readonly fields?: ReadonlyMap<string, string>;
}

interface Scope {
  readonly source: SourceRef;
  /** What "*" stands for. */
  readonly products: readonly string[];
  readonly concepts: readonly string[];
  /** Whether all of these could be read. */
  readonly complete: boolean;
  readonly slug: Slug;
  readonly problems: Problems;
}

export function matrixKeys(matrix: MatrixEntry): string[] {
  return Object.keys(matrix)
    .filter((key) => key !== 'exclude' && key !== 'include')
    .sort();
}

export function expandMatrix(matrix: MatrixEntry, scope: Scope): Combination[] {
  const { source, problems } = scope;
  const keys = matrixKeys(matrix);
  const lists = new Map(keys.map((key) => [key, valuesOf(matrix[key], key, scope)]));
  const read = (list: 'include' | 'exclude') =>
    (matrix[list] ?? []).map((entry, index) =>
      readCombination(list === 'include' ? withoutFields(entry) : entry, {
        source: memberOf(source, list, index),
        keys,
        scope,
      }),
    );
  const [included, excluded] = [read('include'), read('exclude')];
  for (const [index, entry] of included.entries())
    checkComplete(entry, keys, memberOf(source, 'include', index), problems);
  const texts = new Map([...lists].map(([key, list]) => [key, new Set(list.map(({ text }) => text))]));
  if (scope.complete) for (const entry of excluded) checkValues(entry, texts, problems);
  for (const key of keys)
    checkSlugs([...(lists.get(key) ?? []), ...included.flatMap((entry) => entry.get(key) ?? [])], problems);
  const count = [...lists.values()].reduce((product, list) => product * list.length, 1) + included.length;
  if (count > MOST_COMBINATIONS) {
    const sizes = [...lists]
      .map(([key, list]) => `${list.length.toLocaleString('en')} of ${key}`)
      .join(' × ');
    const detail = `It has ${count.toLocaleString('en')} combinations (${sizes}); at most 100,000 are made. Take values out, or split the post.`;
    problems.add({ code: 'matrix-too-large', detail, source });
  }
  if (problems.isBroken(source)) return [];
  const fields = (matrix.include ?? []).map(fieldsOf);
  return combine(lists, { included, fields, excluded, scope });
}

type Named = ReadonlyMap<string, MatrixValue>;

interface Rows {
  readonly included: readonly Named[];
  /** The texts of each entry of `include`. */
  readonly fields: readonly (Combination['fields'] | undefined)[];
  readonly excluded: readonly Named[];
}

function combine(
  lists: ReadonlyMap<string, readonly MatrixValue[]>,
  { included, fields, excluded, scope }: Rows & { readonly scope: Scope },
): Combination[] {
  const keys = [...lists.keys()];
  let made: (readonly MatrixValue[])[] = keys.length === 0 ? [] : [[]];
  for (const list of lists.values()) made = made.flatMap((values) => list.map((value) => [...values, value]));
  const combinations = new Map<string, Combination>();
  const put = (values: readonly MatrixValue[], texts?: Combination['fields']) => {
    const instance = values.map((value) => value.slug).join('+');
    const known = combinations.get(instance);
    combinations.set(instance, { instance, values, ...(texts ? { fields: texts } : {}) });
    return !known || (texts !== undefined && !known.fields);
  };
  const isExcluded = compileExclusion(keys, excluded);
  for (const values of made) if (!isExcluded(values)) put(values);
  for (const [index, entry] of included.entries()) {
    if (put([...entry.values()], fields[index])) continue;
    const source = memberOf(scope.source, 'include', index);
    const detail = fields[index]
      ? 'An earlier row gives this combination its texts already. Remove one of the two rows.'
      : 'The lists of the matrix give this combination already, and it would be made twice. Remove it here, or exclude it from the lists.';
    scope.problems.add({ code: 'duplicate-combination', detail, source });
  }
  if (combinations.size === 0 && scope.complete) {
    const detail =
      'No combination of values is left, so this post would never be made. Write at least one key with values, and exclude less.';
    scope.problems.add({ code: 'empty-matrix', detail, source: scope.source });
  }
  return [...combinations.values()];
}

/** Entries that name the same keys become one set, so that ten thousand cost a combination no more than one. */
function compileExclusion(
  keys: readonly string[],
  excluded: readonly Named[],
): (values: readonly MatrixValue[]) => boolean {
  const byKeys = groupBy(excluded, (entry) => [...entry.keys()].join(' '));
  const groups = [...byKeys.values()].map((entries) => ({
    places: [...(entries[0]?.keys() ?? [])].map((key) => keys.indexOf(key)),
    texts: new Set(entries.map((entry) => textsOf([...entry.values()]))),
  }));
  return (values) =>
    groups.some(({ places, texts }) => texts.has(textsOf(places.map((place) => values[place]))));
}

function textsOf(values: readonly (MatrixValue | undefined)[]): string {
  return JSON.stringify(values.map((value) => value?.text));
}

function valuesOf(written: MatrixEntry[string], key: string, scope: Scope): MatrixValue[] {
  const source = memberOf(scope.source, key);
  const { products, concepts, problems } = scope;
  if (Array.isArray(written))
    return written.map((value, index) => readValue(value, { ...scope, source: memberOf(source, index) }));
  if (written !== '*') return [];
  const every = new Map(Object.entries({ product: products, products, concept: concepts, concepts })).get(
    key,
  );
  if (every) return every.map((text) => ({ text, slug: scope.slug(text), source }));
  const detail = `"*" means every product in a key named \`product\`, and every concept in one named \`concept\`. List the values of \`${key}\`.`;
  problems.add({ code: 'invalid-star', detail, source });
  return [];
}

function readValue(value: unknown, { source, slug, problems }: Scope): MatrixValue {
  const detail = 'A matrix value becomes part of the addresses of its posts. Write a text, or remove it.';
  if (value === '') problems.add({ code: 'empty-value', detail, source });
  const text = String(value);
  return { text, slug: slug(text), source };
}

/** Texts for expressions stand in a map; a value of a matrix key of that name is none. */
function withoutFields({ with: fields, ...entry }: CombinationEntry): CombinationEntry {
  return fields === undefined || typeof fields === 'object' ? entry : { with: fields, ...entry };
}

function fieldsOf({ with: fields }: CombinationEntry): Combination['fields'] | undefined {
  if (typeof fields !== 'object') return undefined;
  return new Map(Object.entries(fields).map(([name, value]) => [name, String(value)]));
}

function readCombination(
  entry: CombinationEntry,
  { source, keys, scope }: { source: SourceRef; keys: readonly string[]; scope: Scope },
): Named {
  const { problems } = scope;
  const values = new Map<string, MatrixValue>();
  for (const [key, value] of Object.entries(entry)) {
    const at = memberOf(source, key);
    if (keys.includes(key)) values.set(key, readValue(value, { ...scope, source: at }));
    else {
      const hint = problems.didYouMean(key, () => keys) || ` It has: ${someOf(keys)}.`;
      const detail = `The matrix has no key "${key}".${hint}`;
      problems.add({ code: 'unknown-matrix-key', detail, source: at, part: 'key' });
    }
  }
  return new Map([...values].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function checkComplete(entry: Named, keys: readonly string[], source: SourceRef, problems: Problems): void {
  const missing = keys.filter((key) => !entry.has(key));
  if (missing.length === 0 || problems.isBroken(source)) return;
  const detail = `It has no ${missing.join(' and no ')}. A combination that is added needs a value for every key of the matrix.`;
  problems.add({ code: 'incomplete-include', detail, source });
}

function checkValues(
  entry: Named,
  texts: ReadonlyMap<string, ReadonlySet<string>>,
  problems: Problems,
): void {
  for (const [key, { text, source }] of entry) {
    const known = texts.get(key);
    if (!known || known.size === 0 || known.has(text)) continue;
    const hint = problems.didYouMean(text, () => known) || ` They are: ${someOf(known)}.`;
    const detail = `"${text}" is none of the values of ${key}, so this excludes nothing.${hint}`;
    problems.add({ code: 'unknown-matrix-value', detail, source });
  }
}

/** Different values with one slug would share an address; so would one value that is twice in a list. */
function checkSlugs(values: readonly MatrixValue[], problems: Problems): void {
  const bySlug = new Map<string, MatrixValue>();
  for (const value of values) {
    const first = bySlug.get(value.slug);
    const sameInInclude = first?.text === value.text && value.source.includes('/include/');
    if (!first) bySlug.set(value.slug, value);
    else if (!sameInInclude) {
      const detail =
        first.text === value.text
          ? `"${value.text}" stands here twice, and its posts would be made twice. Remove one.`
          : `"${first.text}" and "${value.text}" both become "${value.slug}" in addresses, so that one would take the place of the other. Change one.`;
      problems.add({ code: 'duplicate-slug', detail, source: value.source });
    }
  }
}
