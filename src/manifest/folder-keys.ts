import { groupBy } from '../util/group-by.ts';
import { formerSlug, hashedSlug, type Slug } from '../util/slug.ts';

export interface FolderKey {
  readonly key: string;
  /** What its key was in version 0.1, or would be without the other folders, where that is another. */
  readonly formerKeys?: readonly string[];
}

/**
 * The keys of product folders by their names. Of the names with one slug, the one that is the slug keeps it, else the one
 * that differs from it in nothing but capitals; the others end in a piece of their hash.
 */
export function folderKeys(names: readonly string[], slug: Slug): ReadonlyMap<string, FolderKey> {
  const keys = new Map<string, FolderKey>();
  for (const [shared, alike] of groupBy(names, slug)) {
    const keeper = alike.length === 1 ? alike[0] : whichKeeps(shared, alike);
    for (const name of alike) {
      const key = name === keeper ? shared : hashedSlug(shared, name);
      const formerKeys = [...new Set([formerSlug(name), shared])].filter((former) => former !== key);
      keys.set(name, { key, ...(formerKeys.length ? { formerKeys } : {}) });
    }
  }
  return keys;
}

function whichKeeps(slug: string, names: readonly string[]): string | undefined {
  const [one, ...others] = names.filter((name) => name.toLowerCase() === slug);
  return names.find((name) => name === slug) ?? (others.length ? undefined : one);
}

/** Keys of version 0.1 that a manifest may still name its folders by, unless they are the keys of others now. */
export function keysOfVersion01(
  folders: readonly { readonly key: string; readonly name: string }[],
  written: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, string> {
  const taken = new Set(folders.map(({ key }) => key));
  const byFormer = groupBy(folders, ({ name }) => formerSlug(name));
  const aliases = [...byFormer].flatMap(([former, [folder, ...others]]): [string, string][] => {
    if (!folder || others.length || taken.has(former)) return [];
    const isOther = Object.hasOwn(written, former) && Object.hasOwn(written, folder.key);
    return isOther ? [] : [[former, folder.key]];
  });
  return new Map(aliases);
}
