import { memberOf } from '../model/source.ts';
import type { Item } from './manifest.ts';
import type { Problems } from '../document/problems.ts';

/** Two items of one instance with one key would share an address. */
export function checkItemKeys(items: readonly Item[], problems: Problems): void {
  const seen = new Set<string>();
  for (const { key, source } of items) {
    if (key === undefined) continue;
    if (seen.has(key)) {
      const detail = `Another item of this post has the key "${key}", and the two could not be told apart. Change one.`;
      problems.add({ code: 'duplicate-item-key', detail, source: memberOf(source, 'key') });
    }
    seen.add(key);
  }
}
