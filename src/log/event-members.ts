/**
 * Checks that an event of the log has what it must have (schemas/state-record.schema.json). A record with a right
 * checksum was written by campaign, and its type is enough. An edit by hand may have lost or misspelt a member, and the
 * fold would fail on it, or ignore what was paid for.
 */
import type { StateEvent } from '../model/state-event.ts';
import type { SchemaError } from '../util/json-schema.ts';
import { validateEvent } from './generated/validate.js';

export function whyIncomplete(event: StateEvent): string | undefined {
  validateEvent(event);
  const { errors } = validateEvent;
  const error = errors?.findLast(({ keyword }) => CAUSES.has(keyword)) ?? errors?.[0];
  return error && `its event "${event.type}" ${lackOf(error)}`;
}

/** Of the errors of an address, the one about its kind comes last. */
const CAUSES = new Set(['pattern', 'anyOf']);

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  'string,null': 'text or null',
  'boolean,null': 'true, false or null',
};

function lackOf({ keyword, instancePath, params, parentSchema, data }: SchemaError): string {
  const at = memberAt(instancePath);
  const { anyOf = [] } = parentSchema as { anyOf?: { required: string[] }[] };
  switch (keyword) {
    case 'required':
      return `has no ${at && `${at}.`}${String(params['missingProperty'])}`;
    case 'anyOf':
      return `has none of ${inWords(anyOf.flatMap(({ required }) => required))}${at && ` in ${at}`}`;
    case 'enum':
      return `has ${at}, which is none of ${inWords(params['allowedValues'])}`;
    case 'pattern':
      // An address has two patterns: for its beginning, and for its end.
      return String(params['pattern']).startsWith('^')
        ? `cannot be about ${String(data)}`
        : `is about ${String(data)}, which lacks an @ and a number`;
    case 'minItems':
    case 'maxItems':
      return `has ${at}, which is not a pair`;
    default:
      return `has ${at}, which is not ${TYPE_NAMES[String(params['type'])]}`;
  }
}

/** `/result/files/0/path` as `result.files[0].path`. */
function memberAt(pointer: string): string {
  return pointer
    .replaceAll(/\/(\d+)/g, '[$1]')
    .replaceAll('/', '.')
    .slice(1);
}

function inWords(words: unknown): string {
  return (words as string[]).join(', ').replace(/, ([^,]*)$/, ' and $1');
}
