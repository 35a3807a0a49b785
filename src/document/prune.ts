import { pointerKeys, toPointer, valueAt } from '../util/json-pointer.ts';
import type { SchemaError } from '../util/json-schema.ts';

/**
 * Removes what a schema error refused from the document, and everything that cannot be without it. An item becomes an
 * empty one, so that the numbers of the others stay. Returns the JSON Pointers of what was removed.
 */
export function prune(
  root: object,
  { keyword, instancePath, params }: SchemaError,
  standIns: Readonly<Record<string, unknown>>,
): string[] {
  const keys = pointerKeys(instancePath);
  if (keyword === 'required' && keys.length === 0) {
    const missing = String(params['missingProperty']);
    Reflect.set(root, missing, standIns[missing]);
    return [`/${missing}`];
  }
  const member = params['additionalProperty'] ?? params['propertyName'];
  return remove(root, typeof member === 'string' ? [...keys, member] : keys);
}

function remove(root: object, keys: readonly string[]): string[] {
  const above = keys.slice(0, -1);
  const last = keys.at(-1) ?? '';
  const parent = valueAt(root, above);
  if (!Array.isArray(parent)) {
    if (typeof parent === 'object' && parent !== null) Reflect.deleteProperty(parent, last);
    return [toPointer(...keys)];
  }
  if (above.at(-1) !== 'items') return [toPointer(...keys), ...remove(root, above)];
  parent[Number(last)] = {};
  return [toPointer(...keys)];
}
