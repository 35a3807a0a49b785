import { isScalar, type Scalar } from 'yaml';

/** The name that a key of a YAML map gets in the value; undefined for a key that is no word, number or text. */
export function keyName(key: unknown): string | undefined {
  const value: unknown = isScalar(key) ? key.value : undefined;
  if (typeof value === 'string') return value;
  return isScalar(key) ? writtenText(key) : undefined;
}

/** A number, true or false with the digits and letters that stand in the file: `1.10` and not 1.1. */
export function writtenText({ value, source }: Scalar): string | undefined {
  return typeof value === 'number' || typeof value === 'boolean' ? (source ?? String(value)) : undefined;
}
