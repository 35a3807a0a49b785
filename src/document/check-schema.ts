import { memberOf, type SourceRef } from '../model/source.ts';
import type { SchemaError, Validate } from '../util/json-schema.ts';
import type { Problems } from './problems.ts';
import { prune } from './prune.ts';
import { describeSchemaError } from './schema-problems.ts';

export interface SchemaCheck<T> {
  readonly validate: Validate<T>;
  readonly source: SourceRef;
  readonly problems: Problems;
  /** Whether something is filled into a text later: until then nothing is asked of its content. */
  readonly isOpen?: (text: string) => boolean;
  /** What stands in for the keys that the whole document cannot do without. */
  readonly standIns?: Readonly<Record<string, unknown>>;
}

/** Constraints on the content of a text. */
const ON_CONTENT = new Set(['enum', 'pattern', 'format', 'minLength']);

/** An error that has others as its consequence comes first. */
const RANK = ['x-not-supported-yet', 'additionalProperties', 'type'];

/**
 * Reports what does not fit the schema, and takes it out: what is left has the type of the schema, so that the checks
 * behind this one see all the rest. Undefined where nothing is left.
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

/** Reports what does not fit the schema, one problem for one cause; false where anything does not. */
export function fitsSchema<T>(value: unknown, check: SchemaCheck<T>): value is T {
  return reportErrors(value, check).length === 0;
}

/** What counts of the errors of a value; a condition that failed is told by what it demands. */
function errorsOf(value: unknown, { validate, isOpen = () => false }: SchemaCheck<unknown>) {
  if (validate(value)) return [];
  return (validate.errors ?? []).filter(
    ({ keyword, propertyName, data }) =>
      propertyName === undefined &&
      keyword !== 'if' &&
      !(typeof data === 'string' && ON_CONTENT.has(keyword) && isOpen(data)),
  );
}

/** Tells the first error of a place, and none below or beside one that explains it. */
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
