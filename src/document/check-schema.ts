import { memberOf, type SourceRef } from '../model/source.ts';
import type { SchemaError, Validate } from '../util/json-schema.ts';
import type { Problems } from './problems.ts';
import { prune } from './prune.ts';
import { describeSchemaError } from './schema-problems.ts';

export interface SchemaCheck<T> {
  readonly validate: Validate<T>;
  readonly source: SourceRef;
  readonly problems: Problems;
  /** Whether something is filled into a text later; until then its content is not checked. */
  readonly isOpen?: (text: string) => boolean;
  /** Values in the place of keys that the document requires and lacks. */
  readonly standIns?: Readonly<Record<string, unknown>>;
}

/** Constraints on the content of a text. */
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
  const { source, problems } = check;
  const errors = errorsOf(value, check);
  const unsupported: string[] = [];
  for (const error of errors.toSorted((a, b) => rank(a) - rank(b))) {
    if (unsupported.some((pointer) => isBelow(error, pointer))) continue;
    const { pointer, explains, ...problem } = describeSchemaError(error);
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

function isBelow({ keyword, instancePath }: SchemaError, pointer: string): boolean {
  return keyword !== 'x-not-supported-yet' && `${instancePath}/`.startsWith(`${pointer}/`);
}

function rank({ keyword }: SchemaError): number {
  const index = RANK.indexOf(keyword);
  return index < 0 ? RANK.length : index;
}
