import { memberOf, type SourceRef } from '../model/source.ts';
import { pointerKeys, toPointer, valueAt } from '../util/json-pointer.ts';
import type { SchemaError, Validate } from '../util/json-schema.ts';
import type { Problems } from './problems.ts';
import { describeSchemaError } from './schema-problems.ts';

export interface SchemaCheck<T> {
  readonly validate: Validate<T>;
  readonly source: SourceRef;
  readonly problems: Problems;
  /** Whether something is filled into a text later; until then its content is not checked. */
  readonly isOpen?: (text: string) => boolean;
  /** The text that stands at a place, for advice on a number: `1.10` where the value is 1.1. */
  readonly written?: (source: SourceRef) => string | undefined;
  /** Values in the place of keys that the document requires and lacks. */
  readonly standIns?: Readonly<Record<string, unknown>>;
}

const ON_CONTENT = new Set(['enum', 'pattern', 'format', 'minLength']);

/** An error that causes others comes first. */
const RANK = ['x-not-supported-yet', 'additionalProperties', 'type'];

/**
 * Reports what does not fit the schema and removes it. What is left has the schema's type, so that later checks can
 * examine the rest. Undefined where nothing is left.
 */
export function checkSchema<T>(value: unknown, check: SchemaCheck<T>): T | undefined {
  const { source, problems, standIns = {} } = check;
  let left = reportErrors(value, check);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  for (; left.length > 0; left = errorsOf(value, check)) {
    for (const error of left)
      for (const pointer of prune(value, error, standIns)) problems.explain(source + pointer);
  }
  return value as T;
}

/** Reports what does not fit the schema, one problem for each cause; false where anything does not. */
export function fitsSchema<T>(value: unknown, check: SchemaCheck<T>): value is T {
  return reportErrors(value, check).length === 0;
}

/** The errors that count; a condition that failed is reported as what it requires. */
function errorsOf(value: unknown, { validate, isOpen = () => false }: SchemaCheck<unknown>) {
  if (validate(value)) return [];
  return (validate.errors ?? []).filter(
    ({ keyword, propertyName, data }) =>
      propertyName === undefined &&
      keyword !== 'if' &&
      !(typeof data === 'string' && ON_CONTENT.has(keyword) && isOpen(data)),
  );
}

/** Reports the first error of each place, and none below or beside it that it explains. */
function reportErrors(value: unknown, check: SchemaCheck<unknown>): readonly SchemaError[] {
  const { source, problems, written } = check;
  const errors = errorsOf(value, check);
  const unsupported: string[] = [];
  for (const error of errors.toSorted((a, b) => rank(a) - rank(b))) {
    const isBelow = (pointer: string) => `${error.instancePath}/`.startsWith(`${pointer}/`);
    if (error.keyword !== 'x-not-supported-yet' && unsupported.some(isBelow)) continue;
    const { pointer, explains, ...problem } = describeSchemaError(
      error,
      written?.(source + error.instancePath),
    );
    if (problems.isExplained(source + pointer)) continue;
    if (problem.code === 'not-supported-yet') unsupported.push(pointer);
    if (explains !== undefined) problems.explain(memberOf(source + error.instancePath, explains));
    if (problem.code === 'missing-key') {
      problems.explain(source + pointer);
      problems.add({ ...problem, source: source + error.instancePath, part: 'key' });
    } else problems.add({ ...problem, source: source + pointer });
  }
  return errors;
}

function rank({ keyword }: SchemaError): number {
  const index = RANK.indexOf(keyword);
  return index < 0 ? RANK.length : index;
}

/**
 * Removes what a schema error refused from the document, and everything that cannot be without it. An item becomes an
 * empty one, so that the numbers of the others stay. Returns the JSON Pointers of what was removed.
 */
function prune(
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
