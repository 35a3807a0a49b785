import { isScalar } from 'yaml';

/** The name that a key of a YAML map gets in the value; undefined for a key that is no word, number or text. */
export function keyName(key: unknown): string | undefined {
  const value: unknown = isScalar(key) ? key.value : undefined;
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}
