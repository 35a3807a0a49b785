import { memberOf } from '../model/source.ts';
import { nearest } from './did-you-mean.ts';
import type { SchemaError } from './generated/validate.js';
import type { Problem } from './problems.ts';

export type SchemaProblem = Pick<Problem, 'code' | 'detail' | 'part'> & {
  /** JSON Pointer of what is wrong. */
  readonly pointer: string;
  /** Name of a key beside it whose absence this problem explains. */
  readonly explains?: string;
};

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map',
};

/** A longer example belongs into the documentation. */
const LONGEST_EXAMPLE = 80;

const SECRET_KEY = /^(?:api[_-]?key|api[_-]?token|access[_-]?token|token|secret|password)$/i;

/** What a schema error means to the one who wrote the manifest. */
export function describeSchemaError(error: SchemaError): SchemaProblem {
  const { keyword, instancePath: pointer, params } = error;
  switch (keyword) {
    case 'x-not-supported-yet':
      return { code: 'not-supported-yet', pointer, part: 'key', detail: notSupported(pointer) };
    case 'additionalProperties':
      return unknownKey(error, String(params['additionalProperty']));
    case 'propertyNames':
      return invalidName(pointer, String(params['propertyName']), error);
    case 'required':
      return missingKey(pointer, String(params['missingProperty']), error);
    case 'type':
      return { code: 'wrong-type', pointer, detail: wrongType(error) };
    case 'const':
      return {
        code: 'unsupported-version',
        pointer,
        detail: 'This release reads version 1: write `version: 1`.',
      };
    case 'enum':
      return { code: 'invalid-value', pointer, detail: notOneOf(error) };
    default:
      return { code: 'invalid-value', pointer, detail: constraint(error) };
  }
}

function notSupported(pointer: string): string {
  const key = pointer.slice(pointer.lastIndexOf('/') + 1);
  return `This release does not know what to do with \`${key}\`, and passing over it would change what the manifest means. Take it out.`;
}

function unknownKey({ instancePath, parentSchema, data }: SchemaError, key: string): SchemaProblem {
  const pointer = memberOf(instancePath, key);
  if (SECRET_KEY.test(key)) {
    const detail =
      `\`${key}\` does not belong into a file that is kept in git. Write the name of an environment variable as ` +
      '`api_key_env` of the environment, and put the key into that variable (or into CAMPAIGN_API_KEY).';
    return { code: 'secret-in-manifest', pointer, part: 'key', detail };
  }
  const known = Object.keys(membersOf(parentSchema));
  const meant = nearest(key, known);
  const hint = meant === undefined ? ` Known keys: ${known.join(', ')}.` : ` Did you mean "${meant}"?`;
  const detail = `"${key}" is not a key here.${torn(data, key) ?? hint}`;
  return {
    code: 'unknown-key',
    pointer,
    part: 'key',
    detail,
    ...(meant === undefined ? {} : { explains: meant }),
  };
}

/** Inside braces a comma ends a text, and its rest looks like a key without value. */
function torn(data: unknown, key: string): string | undefined {
  const entries = isMap(data) ? Object.entries(data) : [];
  const index = entries.findIndex(([name]) => name === key);
  const before = entries[index - 1]?.[1];
  if (entries[index]?.[1] !== null || typeof before !== 'string') return undefined;
  return ` If it belongs to the text before it, put that in quotes: "${before}, ${key}".`;
}

function invalidName(pointer: string, key: string, { parentSchema }: SchemaError): SchemaProblem {
  const { pattern } = membersOf({ properties: parentSchema['propertyNames'] });
  const rule = String(pattern).startsWith('^[a-z0-9]')
    ? 'lower-case letters, digits, `.`, `_` and `-`, begins with a letter or a digit and has at most 63 characters'
    : 'letters, digits, `_` and `-` and begins with a letter';
  return {
    code: 'invalid-key',
    pointer: memberOf(pointer, key),
    part: 'key',
    detail: `"${key}": a key here has ${rule}.`,
  };
}

function missingKey(pointer: string, key: string, { parentSchema }: SchemaError): SchemaProblem {
  const detail = `\`${key}\` is required here. ${sentenceOf(membersOf(parentSchema)[key])}`;
  return { code: 'missing-key', pointer: memberOf(pointer, key), detail: detail.trim() };
}

function wrongType({ data, parentSchema }: SchemaError): string {
  const expected = [parentSchema['type']].flat().map((name) => TYPE_NAMES[String(name)]);
  const isText = parentSchema['type'] === 'string' && parentSchema['enum'] === undefined;
  const hint = isText && ['number', 'boolean'].includes(typeof data) ? ' Put it in quotes.' : '';
  return `Expected ${expected.join(' or ')}, found ${found(data)}.${hint}${exampleOf(parentSchema)}`;
}

function found(data: unknown): string {
  if (data === null) return 'nothing';
  if (Array.isArray(data)) return 'a list';
  if (typeof data === 'object') return 'a map';
  if (typeof data === 'string') return 'a text';
  return JSON.stringify(data);
}

function notOneOf({ data, params }: SchemaError): string {
  const allowed = [params['allowedValues']].flat().map(String);
  const meant = nearest(String(data), allowed);
  const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`;
  return `"${String(data)}" is none of ${allowed.join(', ')}.${hint}`;
}

function constraint({ keyword, params, parentSchema }: SchemaError): string {
  const limit = String(params['limit']);
  const rules: Record<string, string> = {
    minimum: `At least ${limit}.`,
    maximum: `At most ${limit}.`,
    exclusiveMinimum: `More than ${limit}.`,
    minLength: 'It is empty.',
    minItems: 'The list is empty.',
    minProperties: 'The map is empty.',
    not: '`true` says nothing: leave the key out, or write `false` or a map.',
  };
  const rule = rules[keyword] ?? 'It does not have the form that is needed here.';
  return `${rule} ${sentenceOf(parentSchema)}`.trim() + exampleOf(parentSchema);
}

function sentenceOf(schema: unknown): string {
  const text = isMap(schema) ? schema['description'] : undefined;
  return typeof text === 'string' ? text : '';
}

function exampleOf(schema: Readonly<Record<string, unknown>>): string {
  const [example] = [schema['examples']].flat();
  const text = typeof example === 'string' ? example : JSON.stringify(example);
  return text === undefined || text.length > LONGEST_EXAMPLE ? '' : ` Example: ${text}`;
}

function membersOf(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const members = schema['properties'];
  return isMap(members) ? members : {};
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
