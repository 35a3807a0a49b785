import { findExpressions } from './expressions.ts';

/** The value of a matrix key as text. */
export type Lookup = (name: string) => string;

/**
 * Compiles a value with expressions over the matrix, so that it can be filled in a hundred thousand times. All results
 * share the parts that hold no expression.
 */
export function compileTemplate<T>(value: T): (lookup: Lookup) => T {
  const fill = compile(value);
  return fill ? (lookup) => fill(lookup) as T : () => value;
}

type Fill = (lookup: Lookup) => unknown;

function compile(value: unknown): Fill | undefined {
  if (typeof value === 'string') return compileText(value);
  if (typeof value !== 'object' || value === null) return undefined;
  const members = Object.entries(value).map(([key, member]) => [key, member, compile(member)] as const);
  if (members.every(([, , fill]) => !fill)) return undefined;
  if (Array.isArray(value))
    return (lookup) => members.map(([, member, fill]) => (fill ? fill(lookup) : member));
  return (lookup) => {
    const filled: Record<string, unknown> = {};
    for (const [key, member, fill] of members) filled[key] = fill ? fill(lookup) : member;
    return filled;
  };
}

function compileText(text: string): Fill | undefined {
  const expressions = findExpressions(text);
  if (expressions.length === 0) return undefined;
  const parts: Fill[] = [];
  let rest = text;
  for (const { text: written, name = '' } of expressions) {
    const at = rest.indexOf(written);
    const before = rest.slice(0, at);
    parts.push(
      () => before,
      (lookup) => lookup(name),
    );
    rest = rest.slice(at + written.length);
  }
  return (lookup) => parts.map((part) => part(lookup)).join('') + rest;
}
