import { isSurelySecret } from '../document/cover-secrets.ts';
import type { Problems } from '../document/problems.ts';
import { secretDetail } from '../document/schema-problems.ts';
import { memberOf, type SourceRef } from '../model/source.ts';

/** Maps with free keys: their values reach the state, the service and everybody who reads the plan. */
const FREE_MAPS = new Set(['variables', 'metadata']);

/** Finds secrets under keys that the schema leaves to the author; `isFree`: `value` is such a map, or below one. */
export function checkSecrets(
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
    else checkSecrets(member, { source: at, isFree: isFree || (isKey && FREE_MAPS.has(key)) }, problems);
  }
}
