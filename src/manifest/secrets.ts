import { memberOf, type SourceRef } from '../model/source.ts';
import { isSurelySecret } from '../document/cover-secrets.ts';
import type { Problems } from '../document/problems.ts';
import { secretDetail } from '../document/schema-problems.ts';

/** Maps with free keys: their values reach the state, the service and everybody who reads the plan. */
const FREE_MAPS = new Set(['variables', 'metadata']);

/** Finds secrets under keys that the author may choose. */
export function checkSecrets(value: unknown, source: SourceRef, problems: Problems): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    const at = memberOf(source, key);
    if (!Array.isArray(value) && FREE_MAPS.has(key)) checkKeys(member, at, problems);
    else checkSecrets(member, at, problems);
  }
}

function checkKeys(value: unknown, source: SourceRef, problems: Problems): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    const at = memberOf(source, key);
    const isFound = !Array.isArray(value) && isSurelySecret(key);
    if (isFound)
      problems.add({ code: 'secret-in-manifest', detail: secretDetail(key), source: at, part: 'key' });
    else checkKeys(member, at, problems);
  }
}
