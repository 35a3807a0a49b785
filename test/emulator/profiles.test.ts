import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { loadProfile } from '../../src/app/load-profile.ts';
import { ROUTES } from '../../src/emulator/fault-rules/routes.ts';
import type { FaultRule } from '../../src/emulator/fault-rules/fault-rule.ts';
import { readRules } from '../../src/emulator/profiles/read-profile.ts';
import { isSchema, type Schema } from '../schema/schema-tree.ts';

const NAMES = readdirSync('profiles').map((name) => name.replace('.yaml', ''));

describe('the profiles that come with campaign', () => {
  it('are these', () => {
    expect(NAMES.sort()).toEqual([
      'bad-generation',
      'calm',
      'expiring-tokens',
      'flaky',
      'garbage',
      'outage',
      'quota',
      'slow',
      'throttled',
    ]);
  });

  it.each(NAMES)('%s fits the schema and says what it rehearses', async (name) => {
    const text = readFileSync(`profiles/${name}.yaml`, 'utf8');
    expect(text).toMatch(
      /^# yaml-language-server: \$schema=\.\.\/schemas\/profile\.schema\.json\n#\n# Rehearses /,
    );
    const profile = await loadProfile(name);
    expect(profile).toMatchObject({ ok: true, value: { description: expect.stringMatching(/^[A-Z].*\.$/) } });
  });

  it('flaky fails one request in twenty, in every way', async () => {
    const profile = await loadProfile('flaky');
    const orders = profile.ok ? profile.value.orders : [];
    const share = orders
      .filter(({ on }) => on === '*')
      .reduce((sum, { when }) => sum + (when?.share ?? 0), 0);
    expect(share).toBeGreaterThan(0.045);
    expect(share).toBeLessThan(0.055);
    const ways = new Set(orders.map((order) => order.do.fault));
    expect([...ways].sort()).toEqual([
      'body',
      'cut',
      'delay',
      'drip',
      'half-body',
      'redirect',
      'silence',
      'status',
    ]);
  });
});

describe('schemas/profile.schema.json', () => {
  const schema = JSON.parse(readFileSync('schemas/profile.schema.json', 'utf8')) as Schema;
  const ajv = new Ajv2020({ allowUnionTypes: true, discriminator: true, schemas: [schema] });
  addFormats(ajv);

  it('is JSON Schema 2020-12', () => {
    expect(schema['$schema']).toBe('https://json-schema.org/draft/2020-12/schema');
    expect([ajv.validateSchema(schema), ajv.errors]).toEqual([true, null]);
  });

  it('has examples that fit, everywhere', () => {
    const all = examplesOf(schema, `${String(schema['$id'])}#`);
    expect(all.length).toBeGreaterThan(60);
    for (const [pointer, examples] of all)
      for (const example of examples)
        expect([pointer, example, ajv.getSchema(pointer)?.(example)]).toEqual([pointer, example, true]);
  });

  it('explains every key', () => {
    for (const [pointer, key] of keysOf(schema, '#'))
      expect([pointer, key['title'] ?? key['$ref'], key['description'] ?? key['$ref']]).toEqual([
        pointer,
        expect.any(String),
        expect.any(String),
      ]);
  });
});

/** Every schema that has examples, by JSON Pointer. */
function examplesOf(schema: unknown, pointer: string): [pointer: string, examples: readonly unknown[]][] {
  if (!isSchema(schema) && !Array.isArray(schema)) return [];
  const { examples } = schema as Schema;
  const own: [string, unknown[]][] = Array.isArray(examples) ? [[pointer, examples]] : [];
  const below = Object.entries(schema).filter(([keyword]) => keyword !== 'examples');
  return [...own, ...below.flatMap(([keyword, member]) => examplesOf(member, `${pointer}/${keyword}`))];
}

/** Every key that a profile may have, with its schema. */
function keysOf(schema: unknown, pointer: string): [pointer: string, key: Schema][] {
  if (!isSchema(schema) && !Array.isArray(schema)) return [];
  return Object.entries(schema).flatMap(([keyword, member]: [string, unknown]) => {
    const keys = keyword === 'properties' && isSchema(member) ? Object.entries(member) : [];
    const own = keys.flatMap(([name, key]): [string, Schema][] =>
      isSchema(key) ? [[`${pointer}/${name}`, key]] : [],
    );
    return [...own, ...(keyword === 'examples' ? [] : keysOf(member, `${pointer}/${keyword}`))];
  });
}

describe('orders in a profile', () => {
  it('are read with their times in milliseconds', () => {
    const written = [
      { on: '*', when: { after: '10s', until: '1m30s', per_second: 5 }, do: { fault: 'delay', time: '2s' } },
      { on: ['POST /products/', 'POST /concepts/'], do: { fault: 'drip', every: '20ms', bytes: 3 } },
      { on: 'POST /products/', do: { fault: 'status', status: 429, retry_after: { date_in: '7s' } } },
      { on: 'POST /products/', do: { fault: 'status', status: 429, retry_after: 'abc' } },
      { on: 'generation', when: { nth: [1, 2] }, do: { fault: 'generation', how: 'fails', message: 'No.' } },
    ];
    expect(readRules(written)).toEqual({
      ok: true,
      value: [
        {
          on: '*',
          when: { afterMs: 10_000, untilMs: 90_000, perSecond: 5 },
          do: { fault: 'delay', ms: 2000 },
        },
        { on: ['POST /products/', 'POST /concepts/'], do: { fault: 'drip', everyMs: 20, bytes: 3 } },
        { on: 'POST /products/', do: { fault: 'status', status: 429, retryAfter: { dateInSeconds: 7 } } },
        { on: 'POST /products/', do: { fault: 'status', status: 429, retryAfter: 'abc' } },
        {
          on: 'generation',
          when: { nth: [1, 2] },
          do: { fault: 'generation', how: 'fails', message: 'No.' },
        },
      ] satisfies FaultRule[],
    });
  });

  it('can name every endpoint of the emulator', () => {
    const schema = JSON.parse(readFileSync('schemas/profile.schema.json', 'utf8')) as {
      $defs: { target: { enum: string[] } };
    };
    expect(schema.$defs.target.enum).toEqual([...ROUTES, '*', 'generation']);
  });
});
