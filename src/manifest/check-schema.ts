import { memberOf, type SourceRef } from '../model/source.ts';
import { hasExpression } from './expressions.ts';
import type { SchemaError, Validate } from './generated/validate.js';
import type { Problems } from '../document/problems.ts';
import { prune } from './prune.ts';
import { describeSchemaError } from './schema-problems.ts';

/** Constraints on the content of a text: those of one with an expression are checked when it is filled in. */
const ON_CONTENT = new Set(['enum', 'pattern', 'format', 'minLength']);

/** An error that has others as its consequence comes first. */
const RANK = ['x-not-supported-yet', 'additionalProperties', 'type'];

/**
 * Reports what does not fit the schema, and takes it out: what is left has the type of the schema, so that the checks
 * behind this one see all the rest. Undefined where nothing is left.
 */
export function checkSchema<T>(
  value: unknown,
  check: { validate: Validate<T>; source: SourceRef; problems: Problems },
): T | undefined {
  const { validate, source, problems } = check;
  const errors = errorsOf(value, validate);
  reportSchemaErrors(errors, { source, problems });
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  for (let left = errors; left.length > 0; left = errorsOf(value, validate)) {
    for (const error of left) {
      for (const pointer of prune(value, error)) problems.explain(source + pointer);
    }
  }
  return value as T;
}

/** The errors of a value that count now; none where the value fits. */
export function errorsOf(value: unknown, validate: Validate<unknown>): readonly SchemaError[] {
  if (validate(value)) return [];
  return (validate.errors ?? [])
    .filter(({ propertyName }) => propertyName === undefined)
    .filter(
      ({ keyword, data }) => !(typeof data === 'string' && hasExpression(data) && ON_CONTENT.has(keyword)),
    );
}

/** One diagnostic for one cause: the first error of a place, and none below or beside one that explains it. */
export function reportSchemaErrors(
  errors: readonly SchemaError[],
  { source, problems }: { source: SourceRef; problems: Problems },
): void {
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
}

function isBelow({ keyword, instancePath }: SchemaError, pointer: string): boolean {
  return keyword !== 'x-not-supported-yet' && `${instancePath}/`.startsWith(`${pointer}/`);
}

function rank({ keyword }: SchemaError): number {
  const index = RANK.indexOf(keyword);
  return index < 0 ? RANK.length : index;
}
