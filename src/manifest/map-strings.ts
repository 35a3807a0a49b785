import { memberOf, type SourceRef } from '../model/source.ts';

/** Replaces the strings of a value at any depth; a part without a replaced string is not copied. */
export function mapStrings<T>(
  value: T,
  source: SourceRef,
  replace: (text: string, at: SourceRef) => string,
): T {
  return mapped(value, source, replace) as T;
}

function mapped(value: unknown, at: SourceRef, replace: (text: string, at: SourceRef) => string): unknown {
  if (typeof value === 'string') return replace(value, at);
  if (typeof value !== 'object' || value === null) return value;
  const before = Object.entries(value);
  const after = before.map(([key, member]) => [key, mapped(member, memberOf(at, key), replace)] as const);
  if (after.every(([, member], index) => member === before[index]?.[1])) return value;
  return Array.isArray(value) ? after.map(([, member]) => member) : Object.fromEntries(after);
}
