import { memberOf, type SourceRef } from '../model/source.ts';
import { checkItemKeys } from './item-keys.ts';
import { errorsOf, reportSchemaErrors } from './check-schema.ts';
import type { ItemEntry, PostEntry } from './document.ts';
import { fillIn, wholeExpression } from './expressions.ts';
import { validateItem } from './generated/validate.js';
import type { Item, KeyOrId, Post } from './manifest.ts';
import { mapStrings } from './map-strings.ts';
import { type Combination, expandMatrix, matrixKeys } from './matrix.ts';
import { normaliseItem } from './normalise-item.ts';
import type { Problems } from './problems.ts';
import { type KnownKeys, resolveReference } from './references.ts';

/** What the posts of a manifest are read with. */
export interface PostScope {
  readonly defaults: ItemEntry;
  readonly products: KnownKeys;
  readonly concepts: KnownKeys;
  /** `<post>/<matrix key>` */
  readonly usedMatrixKeys: ReadonlySet<string>;
  readonly problems: Problems;
}

/** Every post of the manifest, one per combination of its matrix. */
export function readPosts(posts: Readonly<Record<string, PostEntry>>, scope: PostScope): Post[] {
  return Object.entries(posts).flatMap(([key, entry]) => {
    const source = `#/posts/${key}`;
    const { matrix } = entry;
    if (!matrix || scope.problems.isBroken(memberOf(source, 'matrix'))) {
      return matrix ? [] : (readInstance({ key, entry, source }, scope) ?? []);
    }
    checkKeysUsed({ key, source, keys: matrixKeys(matrix) }, scope);
    const combinations = expandMatrix(matrix, {
      source: memberOf(source, 'matrix'),
      products: [...scope.products.keys],
      concepts: [...scope.concepts.keys],
      problems: scope.problems,
    });
    return combinations.flatMap(
      (combination) => readInstance({ key, entry, source, combination }, scope) ?? [],
    );
  });
}

function checkKeysUsed(
  { key, source, keys }: { key: string; source: SourceRef; keys: readonly string[] },
  { usedMatrixKeys, problems }: PostScope,
): void {
  if (problems.isBroken(source)) return;
  for (const name of keys) {
    if (usedMatrixKeys.has(`${key}/${name}`)) continue;
    const detail = `Every value of it would ask for the same posts again. Use \${{ matrix.${name} }} in the concept or an item, or remove it.`;
    problems.add({
      code: 'unused-matrix-key',
      detail,
      source: memberOf(source, 'matrix', name),
      part: 'key',
    });
  }
}

function readInstance(
  post: { key: string; entry: PostEntry; source: SourceRef; combination?: Combination },
  scope: PostScope,
): Post | undefined {
  const { key, source, combination } = post;
  const { entry, origins } = fillCombination(post.entry, source, combination);
  const origin = (at: SourceRef) => origins.get(at) ?? at;
  const concept = readConcept(entry, { source, origin }, scope);
  const items = entry.items.flatMap((item, index) => {
    const at = memberOf(source, 'items', index);
    return readItem({ item, changed: item !== post.entry.items[index], source: at, origin }, scope) ?? [];
  });
  checkItemKeys(items, scope.problems);
  return (
    concept && {
      key,
      ...(combination ? { instance: combination.instance } : {}),
      concept,
      ...(entry.number_of_posts === undefined ? {} : { numberOfPosts: entry.number_of_posts }),
      items,
      source,
    }
  );
}

/** The post with one combination filled in, and the matrix values behind those texts that are one expression. */
function fillCombination(entry: PostEntry, source: SourceRef, combination: Combination | undefined) {
  const origins = new Map<SourceRef, SourceRef>();
  if (!combination) return { entry, origins };
  const { matrix: _, ...rest } = entry;
  const filled = mapStrings(rest, source, (text, at) => {
    if (!text.includes('${{')) return text;
    const value = combination.values.get(wholeExpression(text)?.name ?? '');
    if (value) origins.set(at, value.source);
    return fillIn(text, ({ name = '' }) => combination.values.get(name)?.text);
  });
  return { entry: filled, origins };
}

function readConcept(
  { concept, content_pillar }: PostEntry,
  { source, origin }: { source: SourceRef; origin: (at: SourceRef) => SourceRef },
  { concepts, problems }: PostScope,
): KeyOrId | undefined {
  const text = concept ?? content_pillar;
  if (text === undefined) {
    const explained = ['concept', 'content_pillar'].some((key) =>
      problems.isExplained(memberOf(source, key)),
    );
    const detail = '`concept` is required here: the key of a concept, or its id.';
    if (!explained) problems.add({ code: 'missing-key', detail, source, part: 'key' });
    return undefined;
  }
  if (concept !== undefined && content_pillar !== undefined && concept !== content_pillar) {
    const detail = '`content_pillar` is another name of `concept`, and the two differ. Keep one of them.';
    problems.add({
      code: 'conflicting-spellings',
      detail,
      source: memberOf(source, 'content_pillar'),
      part: 'key',
    });
  }
  const at = memberOf(source, concept === undefined ? 'content_pillar' : 'concept');
  return resolveReference(text, { known: concepts, source: origin(at), problems });
}

function readItem(
  read: { item: ItemEntry; changed: boolean; source: SourceRef; origin: (at: SourceRef) => SourceRef },
  { defaults, products, problems }: PostScope,
): Item | undefined {
  const { item, changed, source, origin } = read;
  const errors = changed ? errorsOf(item, validateItem) : [];
  reportSchemaErrors(errors, { source, problems });
  return errors.length > 0
    ? undefined
    : normaliseItem(item, { source, defaults, products, problems, origin });
}
