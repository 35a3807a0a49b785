import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { formOf } from '../../src/document/forms.ts';

/** Every pattern and format below a schema. */
function formsIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) =>
    (key === 'pattern' || key === 'format') && typeof value === 'string' ? [value] : formsIn(value),
  );
}

describe('the forms of texts', () => {
  it.each(['campaign', 'product'])('of the %s schema have words', (name) => {
    const file = new URL(`../../schemas/${name}.schema.json`, import.meta.url);
    const schema: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const unknown = formOf('no such pattern');
    expect(formsIn(schema).filter((form) => formOf(form) === unknown)).toEqual([]);
  });
});
