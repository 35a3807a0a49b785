import { describe, expect, it } from 'vitest';
import {
  campaignSchema,
  createValidator,
  isSchema,
  productSchema,
  resolved,
  type Schema,
} from './schema-tree.ts';

const ajv = createValidator();

/** Every field of a schema by its path: members of `properties`, values of maps, and definitions. */
function fieldsOf(schema: Schema, at = '#'): [path: string, field: Schema][] {
  return ['properties', '$defs', 'items', 'additionalProperties'].flatMap((keyword) => {
    const value = schema[keyword];
    if (!isSchema(value)) return [];
    const isMap = keyword === 'properties' || keyword === '$defs';
    const members = isMap ? Object.entries(value) : [['', value] as const];
    return members.flatMap(([name, field]): [string, Schema][] => {
      if (!isSchema(field)) return [];
      const path = `${at}/${keyword}${isMap ? `/${name}` : ''}`;
      const own: [string, Schema][] = isMap ? [[path, { ...resolved(field), ...field }]] : [];
      return [...own, ...('$ref' in field ? [] : fieldsOf(field, path))];
    });
  });
}

describe.each([
  ['campaign', campaignSchema],
  ['product', productSchema],
])('schemas/%s.schema.json', (_, root) => {
  const id = String(root['$id']);

  it('is JSON Schema 2020-12', () => {
    expect(root['$schema']).toBe('https://json-schema.org/draft/2020-12/schema');
    expect(ajv.validateSchema(root)).toBe(true);
  });

  it.each(fieldsOf(root))('explains %s', (path, field) => {
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
    const open = fieldsOf(root).filter(
      ([, { type, additionalProperties }]) =>
        [type].flat().includes('object') && !isSchema(additionalProperties) && additionalProperties !== false,
    );
    expect(open.filter(([path]) => !path.endsWith('/metadata'))).toEqual([]);
    expect(root['additionalProperties']).toBe(false);
  });

  it('supports all that it names', () => {
    const marked = fieldsOf(root).filter(([, field]) => field['x-not-supported-yet'] === true);
    const names = new Set(marked.map(([path]) => path.slice(path.lastIndexOf('/') + 1)));
    expect([...names]).toEqual([]);
  });
});
