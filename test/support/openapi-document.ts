/** schemas/service.openapi.yaml as data: its operations, and validators for what stands in it. */
import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import { isJsonObject, type Json, type JsonObject } from '../../src/util/json.ts';

/** One method of one path. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  /** As the document has it: `/products/{id}/`. */
  readonly template: string;
  /** JSON Pointer to it. */
  readonly pointer: string;
  /** Matches a path and captures its parameters, in the order of `parameters`. */
  readonly pattern: RegExp;
  readonly parameters: readonly string[];
  readonly needsToken: boolean;
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch'];
const ID = 'https://campaign.invalid/service.openapi.yaml';

// From the folder of the project: a test bundles the emulator's rig into another folder.
export const openapi = parse(readFileSync('schemas/service.openapi.yaml', 'utf8')) as JsonObject;

/** Every operation of the document. */
export const operations: readonly Operation[] = Object.entries(at('/paths')).flatMap(([template, methods]) =>
  Object.entries(methods as JsonObject)
    .filter(([name]) => METHODS.includes(name))
    .map(([name, operation]) => ({
      id: (operation as { operationId: string }).operationId,
      method: name.toUpperCase(),
      template,
      pointer: `/paths/${escaped(template)}/${name}`,
      pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '([^/]+)')}$`),
      parameters: [...template.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter ?? ''),
      needsToken: (operation as JsonObject)['security'] === undefined,
    })),
);

/** The object at a pointer, references followed on the way; empty where nothing is. */
export function at(pointer: string): JsonObject {
  return located(pointer).value;
}

/** The validator of the schema at a pointer; `text` reads numbers and single values as forms write them. */
export function validatorAt(pointer: string, values: 'json' | 'text' = 'json'): ValidateFunction {
  const place = located(pointer).pointer;
  const fragment = place.split('/').map(encodeURIComponent).join('/');
  const validate = AJV[values].getSchema(`${ID}#${fragment}`);
  if (validate === undefined) throw new Error(`no schema at ${pointer}`);
  return validate as ValidateFunction;
}

const AJV = { json: createAjv(false), text: createAjv('array') };

function createAjv(coerceTypes: false | 'array'): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    allowUnionTypes: true,
    strictTypes: false,
    strictRequired: false,
    coerceTypes,
  });
  addFormats(ajv);
  ajv.addVocabulary(['x-gap', ...Object.keys(openapi)]);
  ajv.addSchema(openapi, ID, false, false);
  return ajv;
}

function located(pointer: string): { value: JsonObject; pointer: string } {
  let place = '';
  let value: Json | undefined = openapi;
  for (const step of pointer.split('/').slice(1)) {
    place += `/${step}`;
    value = isJsonObject(value) ? value[step.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined;
    const ref = isJsonObject(value) ? value['$ref'] : undefined;
    if (typeof ref !== 'string' || place.includes('/schemas/')) continue;
    ({ value, pointer: place } = located(ref.slice(1)));
  }
  return { value: isJsonObject(value) ? value : {}, pointer: place };
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
