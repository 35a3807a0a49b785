import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';

type Schema = { readonly [key: string]: unknown };

const ajv = new Ajv2020({ allowUnionTypes: true });
addFormats(ajv);
ajv.addKeyword({ keyword: 'x-not-supported-yet', schemaType: 'boolean' });

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Every field of a schema by its path: members of `properties`, values of maps, and definitions. */
function fieldsOf(schema: Schema, root: Schema, at = '#'): [path: string, field: Schema][] {
  return ['properties', '$defs', 'items', 'additionalProperties'].flatMap((keyword) => {
    const value = schema[keyword];
    if (!isSchema(value)) return [];
    const isMap = keyword === 'properties' || keyword === '$defs';
    const members = isMap ? Object.entries(value) : [['', value] as const];
    return members.flatMap(([name, field]): [string, Schema][] => {
      if (!isSchema(field)) return [];
      const path = `${at}/${keyword}${isMap ? `/${name}` : ''}`;
      const own: [string, Schema][] = isMap ? [[path, resolved(field, root)]] : [];
      return [...own, ...('$ref' in field ? [] : fieldsOf(field, root, path))];
    });
  });
}

function resolved(field: Schema, root: Schema): Schema {
  const ref = field['$ref'];
  const name = typeof ref === 'string' ? ref.replace('#/$defs/', '') : '';
  const definitions = root['$defs'];
  const target = isSchema(definitions) ? definitions[name] : undefined;
  return isSchema(target) ? { ...target, ...field } : field;
}

describe.each(['campaign', 'product'])('schemas/%s.schema.json', (name) => {
  const url = new URL(`../../schemas/${name}.schema.json`, import.meta.url);
  const root = JSON.parse(readFileSync(url, 'utf8')) as Schema;
  const id = String(root['$id']);
  ajv.addSchema(root);

  it('is JSON Schema 2020-12', () => {
    expect(root['$schema']).toBe('https://json-schema.org/draft/2020-12/schema');
    expect(ajv.validateSchema(root)).toBe(true);
  });

  it.each(fieldsOf(root, root))('explains %s', (path, field) => {
    expect(field['title']).toEqual(expect.any(String));
    expect(field['description']).toEqual(expect.any(String));
    expect(field['examples']).toEqual(expect.arrayContaining([expect.anything()]));
    const validate = ajv.getSchema(id + path);
    for (const example of [field['examples']].flat())
      expect([path, validate?.(example)]).toEqual([path, true]);
  });

  it('has an example that is valid', () => {
    for (const example of [root['examples']].flat()) expect(ajv.getSchema(id)?.(example)).toBe(true);
  });

  it('lets no unknown key pass but in metadata', () => {
    const open = fieldsOf(root, root).filter(
      ([, { type, additionalProperties }]) =>
        [type].flat().includes('object') && !isSchema(additionalProperties) && additionalProperties !== false,
    );
    expect(open.filter(([path]) => !path.endsWith('/metadata'))).toEqual([]);
    expect(root['additionalProperties']).toBe(false);
  });

  it('marks what is not supported yet', () => {
    const marked = fieldsOf(root, root).filter(([, field]) => field['x-not-supported-yet'] === true);
    const names = new Set(marked.map(([path]) => path.slice(path.lastIndexOf('/') + 1)));
    expect([...names].sort()).toEqual(
      name === 'campaign' ? ['budget', 'every', 'moved', 'regenerate', 'timezone'] : [],
    );
  });
});
