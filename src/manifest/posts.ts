import { memberOf, type SourceRef } from '../model/source.ts';
import { fitsSchema } from '../document/check-schema.ts';
import type { ItemEntry, MatrixEntry, PostEntry } from './document.ts';
import { hasExpression } from './expressions.ts';
import { validateItem } from './generated/validate.js';
import { checkItemKeys } from './item-keys.ts';
import type { Item, KeyOrId, Post } from './manifest.ts';
import { compileTemplate, wholeExpressions } from './matrix-template.ts';
import { expandMatrix, matrixKeys } from './matrix.ts';
import { normaliseItem } from './normalise-item.ts';
import type { Problems } from '../document/problems.ts';
import { type KnownKeys, resolveReference } from './references.ts';
import { spellItem, type SpelledItem } from './spell-item.ts';

export interface PostScope {
  readonly defaults: ItemEntry;
  readonly products: KnownKeys;
  readonly concepts: KnownKeys;
  /** `<post>/<matrix key>` */
  readonly usedMatrixKeys: ReadonlySet<string>;
  readonly problems: Problems;
}

/** A post plan before its matrix is expanded. */
interface PostPlan {
  readonly key: string;
  readonly entry: PostEntry;
  readonly source: SourceRef;
  readonly defaults: SpelledItem;
}

/** Every post of the manifest, one for each instance. */
export function readPosts(posts: Readonly<Record<string, PostEntry>>, scope: PostScope): Post[] {
  const defaults = spellItem(scope.defaults, '#/defaults/item', scope.problems);
  return Object.entries(posts).flatMap(([key, entry]) => {
    const plan = { key, entry, source: `#/posts/${key}`, defaults };
    if (entry.matrix) return readMatrixPost(plan, entry.matrix, scope);
    return readInstance(plan, { entry, origin: (at) => at }, scope) ?? [];
  });
}

function readMatrixPost(plan: PostPlan, matrix: MatrixEntry, scope: PostScope): Post[] {
  const { key, entry, source } = plan;
  const { products, concepts, problems } = scope;
  const at = memberOf(source, 'matrix');
  if (problems.isBroken(at)) return [];
  const lists = { products: [...products.keys], concepts: [...concepts.keys] };
  const keys = matrixKeys(matrix);
  checkKeysUsed({ key, source, keys }, scope);
  const combinations = expandMatrix(matrix, { source: at, ...lists, problems });
  const { matrix: _, ...rest } = entry;
  const fill = compileTemplate<PostEntry>(rest);
  const whole = wholeExpressions(rest, source);
  return combinations.flatMap(({ values, instance }) => {
    const filled = fill((name) => values[keys.indexOf(name)]?.text ?? '');
    const origin = (place: SourceRef) => values[keys.indexOf(whole.get(place) ?? '')]?.source ?? place;
    return readInstance(plan, { entry: filled, origin, instance }, scope) ?? [];
  });
}

function checkKeysUsed(
  { key, source, keys }: { key: string; source: SourceRef; keys: readonly string[] },
  { usedMatrixKeys, problems }: PostScope,
): void {
  if (problems.isBroken(source)) return;
  for (const name of keys) {
    if (usedMatrixKeys.has(`${key}/${name}`)) continue;
    const detail = `Nothing in this post uses it, so each of its values would buy the same posts again. Write \${{ matrix.${name} }} in the concept or an item, or remove the key.`;
    problems.add({
      code: 'unused-matrix-key',
      detail,
      source: memberOf(source, 'matrix', name),
      part: 'key',
    });
  }
}

function readInstance(
  plan: PostPlan,
  filled: { entry: PostEntry; origin: (at: SourceRef) => SourceRef; instance?: string },
  scope: PostScope,
): Post | undefined {
  const { key, source, defaults } = plan;
  const { entry, origin, instance } = filled;
  const concept = readConcept(entry, { source, origin }, scope);
  const items = entry.items.flatMap((item, index) => {
    const at = memberOf(source, 'items', index);
    const changed = item !== plan.entry.items[index];
    return readItem({ item, changed, source: at, defaults, origin }, scope) ?? [];
  });
  checkItemKeys(items, scope.problems);
  return (
    concept && {
      key,
      ...(instance === undefined ? {} : { instance }),
      concept,
      ...(entry.number_of_posts === undefined ? {} : { numberOfPosts: entry.number_of_posts }),
      items,
      source,
    }
  );
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
    const detail =
      'This post has no `concept`, the creative direction of its pictures. Write the key of one of `concepts:`.';
    if (!explained) problems.add({ code: 'missing-key', detail, source, part: 'key' });
    return undefined;
  }
  if (concept !== undefined && content_pillar !== undefined && concept !== content_pillar) {
    const detail =
      '`content_pillar` is another name for `concept`, and the two have different values. Remove one of them.';
    problems.add({
      code: 'conflicting-spellings',
      detail,
      source: memberOf(source, 'content_pillar'),
      part: 'key',
    });
  }
  const at = memberOf(source, concept === undefined ? 'content_pillar' : 'concept');
  return resolveReference(text, { known: concepts, source: () => origin(at), problems });
}

function readItem(
  read: {
    item: ItemEntry;
    changed: boolean;
    source: SourceRef;
    defaults: SpelledItem;
    origin: (at: SourceRef) => SourceRef;
  },
  { products, problems }: PostScope,
): Item | undefined {
  const { item, changed, source, defaults, origin } = read;
  if (changed && !fitsSchema(item, { validate: validateItem, source, problems, isOpen: hasExpression }))
    return undefined;
  return normaliseItem(item, { source, defaults, products, problems, origin });
}
