import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  campaignSchema,
  createValidator,
  isSchema,
  membersOf,
  productSchema,
  resolved,
  type Schema,
} from './schema-tree.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const docs = readFileSync(join(ROOT, 'docs', 'manifest.md'), 'utf8');
const ajv = createValidator();

/** Every field below a schema: `posts.*.items[].key`, with `*` for the keys of a map. */
function fieldsOf(schema: Schema, path: string): string[] {
  const values = resolved(schema['additionalProperties']);
  const fields = membersOf(schema, 'properties').map(([name, member]) => [name, resolved(member)] as const);
  const named = values['title'] === undefined ? fields : [...fields, ['*', values] as const];
  const below = named.flatMap(([name, member]) => {
    const own = path + (path && '.') + name;
    return [own, ...fieldsOf(member, own)];
  });
  return isSchema(schema['items']) ? [...below, ...fieldsOf(resolved(schema['items']), `${path}[]`)] : below;
}

/** Every field that has a row in a table of the page, and every place that a table is for. */
function fieldsInDocs(): string[] {
  const fields = new Set<string>();
  let places: { path: string; without: readonly string[] }[] = [];
  for (const line of docs.split('\n')) {
    if (/^(At|In) .*:$/.test(line)) places = placesOf(line);
    const [, name] = /^\| `([^`]+)` \|/.exec(line) ?? [];
    if (line.startsWith('#')) places = [];
    for (const { path, without } of places) {
      if (path && path !== 'product.yaml') fields.add(path.replace(/\[\]$/, ''));
      if (name === undefined || without.includes(name)) continue;
      fields.add(path + (path && '.') + name.replace(/<\w+>/g, '*'));
    }
  }
  return [...fields];
}

function placesOf(line: string): { path: string; without: readonly string[] }[] {
  if (line === 'At the top level:') return [{ path: '', without: [] }];
  return [...line.matchAll(/(?:^At|^In a|and) `([^`]+)`(?: \(without ([^)]+)\))?/g)].map(
    ([, path = '', without = '']) => ({
      path: path.replace(/<\w+>/g, '*'),
      without: [...without.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
    }),
  );
}

/** Every schema that has examples, by JSON Pointer. */
function examplesOf(schema: unknown, pointer: string): [pointer: string, examples: readonly unknown[]][] {
  if (!isSchema(schema)) return [];
  const { examples } = schema;
  const own: [string, unknown[]][] = Array.isArray(examples) ? [[pointer, examples]] : [];
  const below = Object.entries(schema)
    .filter(([keyword]) => keyword !== 'examples')
    .flatMap(([keyword, member]) => examplesOf(member, `${pointer}/${keyword}`));
  return [...own, ...below];
}

describe('docs/manifest.md', () => {
  it('is what scripts/make-manifest-docs.mjs makes of the schemas', () => {
    const script = join(ROOT, 'scripts', 'make-manifest-docs.mjs');
    const made = execFileSync(process.execPath, [script, '--stdout'], { encoding: 'utf8' });
    expect(docs).toBe(made);
  });

  it('names every field of the schemas, and no other', () => {
    const inSchemas = [...fieldsOf(campaignSchema, ''), ...fieldsOf(productSchema, 'product.yaml')];
    expect(inSchemas.length).toBeGreaterThan(140);
    expect(fieldsInDocs().sort()).toEqual(inSchemas.sort());
  });

  it.each([...docs.matchAll(/```yaml\n(.*?)```/gs)].map(([, text = '']) => [text]))(
    'shows YAML that is valid: block %#',
    (text) => {
      const value = (parse(text, { merge: true }) ?? {}) as Schema;
      const isProductFile = 'images' in value;
      const whole = isProductFile ? value : { version: 1, name: 'x', ...value };
      const validate = ajv.getSchema(String((isProductFile ? productSchema : campaignSchema)['$id']));
      expect([validate?.(whole), validate?.errors]).toEqual([true, null]);
    },
  );
});

describe('the examples in the schemas', () => {
  const all = [campaignSchema, productSchema].flatMap((schema) =>
    examplesOf(schema, `${String(schema['$id'])}#`),
  );

  it('are many', () => {
    expect(all.length).toBeGreaterThan(80);
  });

  it.each(all)('fit %s', (pointer, examples) => {
    const validate = ajv.getSchema(pointer);
    for (const example of examples) expect([example, validate?.(example)]).toEqual([example, true]);
  });
});
