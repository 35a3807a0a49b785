import { groupBy } from '../util/group-by.ts';
import { hashedSlug, type Slug } from '../util/slug.ts';

/**
 * The keys of product folders by their names. Of the names with one slug, the one that is the slug keeps it, else the one
 * that differs from it in nothing but capitals; the others end in a piece of their hash.
 */
export function folderKeys(names: readonly string[], slug: Slug): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  for (const [shared, alike] of groupBy(names, slug)) {
    const keeper = alike.length === 1 ? alike[0] : whichKeeps(shared, alike);
    for (const name of alike) keys.set(name, name === keeper ? shared : hashedSlug(shared, name));
  }
  return keys;
}

function whichKeeps(slug: string, names: readonly string[]): string | undefined {
  const [one, ...others] = names.filter((name) => name.toLowerCase() === slug);
  return names.find((name) => name === slug) ?? (others.length ? undefined : one);
}
