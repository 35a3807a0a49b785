/**
 * What the placeholders of `outputs.name` stand for. Those of every post come from its address. Others come from the matrix
 * of its post plan, whose values are the parts of the instance, and `product`, `concept` and `ratio` from what it shows.
 */
import { slugOfKey } from '../util/slug.ts';
import type { ItemPayload, ObjectRef } from './payload.ts';
import { everyOf } from './period.ts';

/** Those that every post has. */
export const PLACEHOLDERS: ReadonlySet<string> = new Set(['post', 'instance', 'item', 'post_type', 'take']);

/** Those that what a post shows gives a value. */
export const SHOWN_PLACEHOLDERS = ['product', 'concept', 'ratio'] as const;

export interface OutputValues {
  /** `<post>[/<instance>]` */
  readonly post: string;
  readonly item: string;
  readonly postType: string;
  readonly take: number;
  /** Undefined where it is not known, as for a surplus post. */
  readonly shown?: () => Shown | undefined;
}

/** What a post shows. */
export interface Shown {
  readonly products: readonly ObjectRef[];
  readonly concept: ObjectRef;
  readonly ratio: string;
}

export function shownBy(concept: ObjectRef, { assets, metadata }: ItemPayload): Shown {
  return { products: assets.map(({ product }) => product), concept, ratio: metadata.aspect_ratio };
}

export interface TemplateNames {
  /** The sorted keys of the matrix of each post plan. */
  readonly matrix: Readonly<Record<string, readonly string[]>>;
  /** Keys of products and concepts that exist already, by their ids. */
  readonly keys: Readonly<Record<string, string>>;
}

const NO_NAMES: TemplateNames = { matrix: {}, keys: {} };

/** `more`: placeholders that not every post has. Undefined where the value of one of them is not known. */
export function valuesOf(
  { post, item, postType, take, shown }: OutputValues,
  {
    more,
    names = NO_NAMES,
  }: { readonly more: readonly string[]; readonly names?: TemplateNames | undefined },
): Record<string, string> | undefined {
  const slash = post.indexOf('/');
  const key = slash < 0 ? post : post.slice(0, slash);
  const instance = slash < 0 ? '' : post.slice(slash + 1);
  const values: Record<string, string> = {
    post: key,
    instance,
    item,
    post_type: postType,
    take: String(take),
  };
  if (more.length === 0) return values;
  const combination = combinationOf(key, instance, names);
  const isShown = (name: string): name is (typeof SHOWN_PLACEHOLDERS)[number] =>
    SHOWN_PLACEHOLDERS.some((each) => each === name);
  for (const name of more) {
    const fromMatrix = combination?.get(name);
    if (fromMatrix !== undefined) values[name] = fromMatrix;
    else if (name === 'period') values[name] = periodIn(instance) ?? '';
    else if (isShown(name)) {
      const seen = shown?.();
      if (!seen) return undefined;
      values[name] = shownValue(name, seen, names);
    } else if (!combination) return undefined;
  }
  return values;
}

/** The last part of an instance, where it is the name of a period. */
function periodIn(instance: string): string | undefined {
  const last = instance.slice(instance.lastIndexOf('+') + 1);
  return everyOf(last) ? last : undefined;
}

/** The values of a matrix by its keys; undefined where the manifest has no such post plan, or its matrix has other keys now. */
function combinationOf(
  post: string,
  instance: string,
  { matrix }: TemplateNames,
): ReadonlyMap<string, string> | undefined {
  const keys = Object.hasOwn(matrix, post) ? matrix[post] : undefined;
  const parts = instance === '' ? [] : instance.split('+');
  if (keys?.length === parts.length - 1 && periodIn(instance) !== undefined) parts.pop();
  if (keys?.length !== parts.length) return undefined;
  return new Map(keys.map((key, index) => [key, parts[index] ?? '']));
}

function shownValue(
  name: (typeof SHOWN_PLACEHOLDERS)[number],
  { products, concept, ratio }: Shown,
  { keys }: TemplateNames,
): string {
  const keyOf = (ref: ObjectRef) =>
    'id' in ref ? (keys[ref.id] ?? ref.id) : ref.address.replace(/^[^/]*\//, '');
  if (name === 'ratio') return slugOfKey(ratio);
  return name === 'concept' ? keyOf(concept) : products.map(keyOf).join('+');
}
