import { memberOf } from '../model/source.ts';
import { isSecretKey } from './cover-secrets.ts';
import { didYouMean, nearest } from '../util/did-you-mean.ts';
import { formOf } from './forms.ts';
import type { SchemaError } from '../util/json-schema.ts';
import type { Mistake } from './problems.ts';
import { slugOfKey } from '../util/slug.ts';

export type SchemaProblem = Pick<Mistake, 'code' | 'detail' | 'part'> & {
  readonly pointer: string;
  /** Name of a sibling key whose absence this problem explains. */
  readonly explains?: string;
};

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map (`key: value`)',
};

const LONGEST_EXAMPLE = 80;

/** `written` is the value as it stands in the file, where that is known. */
export function describeSchemaError(error: SchemaError, written?: string): SchemaProblem {
  const { keyword, instancePath: pointer, params, data } = error;
  const here = (code: Mistake['code'], detail: string) => ({ code, pointer, detail });
  switch (keyword) {
    case 'x-not-supported-yet':
      return {
        ...here('not-supported-yet', `\`${pointer.slice(pointer.lastIndexOf('/') + 1)}\` ${UNSUPPORTED}`),
        part: 'key',
      };
    case 'additionalProperties':
      return unknownKey(error, String(params['additionalProperty']));
    case 'propertyNames':
      return invalidName(error, String(params['propertyName']));
    case 'required':
      return missingKey(error, String(params['missingProperty']));
    case 'type':
      return here('wrong-type', pointer === '' ? noMap(error) : wrongType(error, written));
    case 'const':
      return here('unsupported-version', OTHER_VERSION);
    case 'enum':
      return here('invalid-value', notAmong(String(data), [params['allowedValues']].flat().map(String)));
    case 'discriminator':
      return unknownForm(error);
    case 'pattern':
    case 'format':
      return here('invalid-value', wrongForm(error, String(params['pattern'] ?? params['format'])));
    default:
      return here('invalid-value', constraint(error));
  }
}

const OTHER_VERSION =
  'This release of campaign reads version 1 of the format. Write `version: 1`, or take a newer release.';

const UNSUPPORTED =
  'is planned for a later release. This one cannot do what it says, and will not pass over it. Take it out.';

function unknownKey({ instancePath, parentSchema, data }: SchemaError, key: string): SchemaProblem {
  const pointer = memberOf(instancePath, key);
  if (isSecretKey(key))
    return { code: 'secret-in-manifest', pointer, part: 'key', detail: secretDetail(key) };
  const known = Object.keys(membersOf(parentSchema));
  const meant = meantKey(key, known, data);
  const hint = meant === undefined ? ` Known keys: ${known.join(', ')}.` : ` Did you mean "${meant}"?`;
  const detail = `There is no key "${key}" here, and passing over it could hide a mistake.${torn(data, key) ?? hint}`;
  const explains = meant === undefined ? {} : { explains: meant };
  return { code: 'unknown-key', pointer, part: 'key', detail, ...explains };
}

export function secretDetail(key: string): string {
  return (
    `\`${key}\` does not belong in a file that is kept in git: everyone with a copy could read it. ` +
    'Put the API key into an environment variable and name that variable with `api_key_env` ' +
    '(without it, CAMPAIGN_API_KEY is read). If it was ever committed, have it replaced.'
  );
}

/** The known key with the fewest typing errors, else one that contains the word: `ratio` for `aspect_ratio`. */
function meantKey(key: string, known: readonly string[], data: unknown): string | undefined {
  const near = nearest(key, known);
  if (near !== undefined) return near;
  const absent = known.filter((name) => !isMap(data) || !Object.hasOwn(data, name));
  if (known.length === 1) return absent[0];
  return absent.find((name) => name.split('_').includes(key.toLowerCase()));
}

/** Inside braces a comma ends a text, and the rest of the text looks like a key without a value. */
function torn(data: unknown, key: string): string | undefined {
  if (!isMap(data) || data[key] !== null) return undefined;
  const entries = Object.entries(data);
  const before = entries[entries.findIndex(([name]) => name === key) - 1]?.[1];
  if (typeof before !== 'string') return undefined;
  return ` If it belongs to the text before the comma, put that in quotes: "${before}, ${key}".`;
}

function invalidName({ instancePath, parentSchema }: SchemaError, key: string): SchemaProblem {
  const { pattern } = membersOf({ properties: parentSchema['propertyNames'] });
  const detail = `"${key}" cannot be a name here. ${formOf(String(pattern))}${suggestion(key, String(pattern))}`;
  return { code: 'invalid-key', pointer: memberOf(instancePath, key), part: 'key', detail };
}

function missingKey({ instancePath, parentSchema }: SchemaError, key: string): SchemaProblem {
  const schema = membersOf(parentSchema)[key];
  const example = isMap(schema) ? exampleOf(schema, `${key}: `) : '';
  const detail = `\`${key}\` is missing here. ${sentenceOf(schema)}${example}`;
  return { code: 'missing-key', pointer: memberOf(instancePath, key), detail: detail.trim() };
}

function wrongType({ data, parentSchema }: SchemaError, written = String(data)): string {
  const expected = [parentSchema['type']].flat().map((name) => TYPE_NAMES[String(name)]);
  const isQuotable = ['number', 'boolean'].includes(typeof data) && mayBeText(written, parentSchema);
  const hint = isQuotable ? ` Put it in quotes: "${written}".` : exampleOf(parentSchema);
  const what = typeof data === 'number' ? `the number ${written}` : found(data);
  return `This must be ${expected.join(' or ')}, but it is ${what}.${hint}`;
}

function mayBeText(text: string, schema: SchemaError['parentSchema']): boolean {
  const { type, pattern } = schema;
  const isText = [type].flat().includes('string') && schema['enum'] === undefined;
  return isText && (typeof pattern !== 'string' || new RegExp(pattern).test(text));
}

function noMap({ data, parentSchema }: SchemaError): string {
  const what =
    data === null ? 'This file is empty.' : `This file is ${found(data)}, not a map of keys and values.`;
  const keys = [parentSchema['required']].flat().filter((key) => typeof key === 'string');
  return keys.length === 0 ? what : `${what} A manifest has at least the keys ${keys.join(' and ')}.`;
}

function found(data: unknown): string {
  if (data === null) return 'empty';
  if (Array.isArray(data)) return 'a list';
  if (typeof data === 'object') return 'a map';
  if (typeof data === 'string') return 'a text';
  return typeof data === 'number' ? `the number ${data}` : JSON.stringify(data);
}

/** The text in an allowed form, where it is a name. */
function suggestion(text: string, pattern: string): string {
  const name = slugOfKey(text).replace(/^[^a-z0-9]+/, '');
  const usable = pattern.includes('[a-z0-9._-]') && name !== '' && new RegExp(pattern).test(name);
  return usable ? ` Write "${name}", for example.` : '';
}

/** An unknown value of a key that decides which other keys there are. */
function unknownForm({ instancePath, params, parentSchema }: SchemaError): SchemaProblem {
  const { tagValue } = params;
  const tag = String(params['tag']);
  const forms = [parentSchema['oneOf']].flat().filter(isMap);
  const members = forms.map((form) => membersOf(form)[tag]).filter(isMap);
  const values = members.map((member) => String(member['const']));
  const pointer = memberOf(instancePath, tag);
  if (tagValue !== undefined) {
    const written = typeof tagValue === 'string' ? tagValue : JSON.stringify(tagValue);
    return { code: 'invalid-value', pointer, detail: notAmong(written, values) };
  }
  const detail = `\`${tag}\` is missing here. Possible values: ${values.join(', ')}.`;
  return { code: 'missing-key', pointer, detail };
}

function notAmong(value: string, allowed: readonly string[]): string {
  return `"${value}" is not possible here. Possible values: ${allowed.join(', ')}.${didYouMean(value, allowed)}`;
}

function wrongForm({ data, parentSchema }: SchemaError, form: string): string {
  return formOf(form) + (suggestion(String(data), form) || exampleOf(parentSchema));
}

function constraint({ keyword, params, parentSchema }: SchemaError): string {
  const limit = String(params['limit']);
  const rules: Record<string, string> = {
    minimum: `This must be at least ${limit}.`,
    maximum: `This must be at most ${limit}.`,
    exclusiveMinimum: `This must be more than ${limit}.`,
    minLength: 'This text is empty: write one, or remove the key.',
    minItems: 'This list is empty: fill it in, or remove the key.',
    minProperties: 'This map is empty: fill it in, or remove the key.',
    not: '`true` has no meaning here: remove the key for the defaults, or write `false` or a map.',
  };
  const rule = rules[keyword] ?? 'This value does not fit here.';
  return `${rule} ${sentenceOf(parentSchema)}`.trim() + exampleOf(parentSchema);
}

function sentenceOf(schema: unknown): string {
  const text = isMap(schema) ? schema['description'] : undefined;
  return typeof text === 'string' ? text : '';
}

function exampleOf(schema: Readonly<Record<string, unknown>>, before = ''): string {
  const [example] = [schema['examples']].flat();
  const text = typeof example === 'string' ? example : JSON.stringify(example);
  return text === undefined || text.length > LONGEST_EXAMPLE ? '' : ` For example: ${before}${text}`;
}

function membersOf(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const members = schema['properties'];
  return isMap(members) ? members : {};
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
