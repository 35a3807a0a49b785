/** The schemas as what they are on disk, and the walk over them. */
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

export type Schema = { readonly [key: string]: unknown };

export const campaignSchema = readSchema('campaign');
export const productSchema = readSchema('product');

function readSchema(name: string): Schema {
  const url = new URL(`../../schemas/${name}.schema.json`, import.meta.url);
  return JSON.parse(readFileSync(url, 'utf8')) as Schema;
}

/** A validator that knows both schemas; what this release refuses is valid to it. */
export function createValidator(): Ajv2020 {
  const ajv = new Ajv2020({ allowUnionTypes: true, schemas: [campaignSchema, productSchema] });
  addFormats(ajv);
  ajv.addKeyword({ keyword: 'x-not-supported-yet', schemaType: 'boolean' });
  return ajv;
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A schema with its reference followed. */
export function resolved(schema: unknown): Schema {
  if (!isSchema(schema)) return {};
  const { $ref: ref } = schema;
  const definitions = campaignSchema['$defs'];
  if (typeof ref !== 'string' || !isSchema(definitions)) return schema;
  return resolved(definitions[ref.replace('#/$defs/', '')]);
}

/** The member of a schema that is a map, or nothing. */
export function membersOf(schema: Schema, keyword: string): [name: string, member: unknown][] {
  const members = schema[keyword];
  return isSchema(members) ? Object.entries(members) : [];
}
