import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadManifest } from '../../src/manifest/load.ts';
import { campaignFolder } from '../manifest/campaign-folder.ts';
import { type LanguageServer, type Place, startLanguageServer } from '../support/language-server.ts';
import { campaignSchema, membersOf, resolved, type Schema } from './schema-tree.ts';

const EXAMPLES = join(import.meta.dirname, '..', '..', 'examples');
const MODELINE = '# yaml-language-server: $schema=../../schemas/campaign.schema.json\n';

let server: LanguageServer;
let opened = 0;

beforeAll(async () => {
  server = await startLanguageServer();
});
afterAll(() => server.close());

/** Opens a text, in which `|` is the cursor, as a manifest beside the examples. */
async function openAt(marked: string): Promise<{ uri: string; position: Place }> {
  opened += 1;
  const uri = pathToFileURL(join(EXAMPLES, 'editor', `${opened}.yaml`)).href;
  const text = MODELINE + marked;
  const before = text.slice(0, text.indexOf('|')).split('\n');
  await server.open(uri, text.replace('|', ''));
  return { uri, position: { line: before.length - 1, character: before.at(-1)?.length ?? 0 } };
}

async function completions(marked: string) {
  const { uri, position } = await openAt(marked);
  return server.complete(uri, position);
}

/** The names that are offered, in order; a skeleton of the whole map is named like its schema and left out. */
async function offered(marked: string, schema: Schema): Promise<string[]> {
  const items = await completions(marked);
  return items.map(({ label }) => label).filter((label) => label !== schema['title']);
}

function definition(name: string): Schema {
  return resolved({ $ref: `#/$defs/${name}` });
}

function fieldsOf(schema: Schema): string[] {
  return membersOf(schema, 'properties').map(([name]) => name);
}

describe('completion', () => {
  it('offers the keys of the top level that are not there yet, with their descriptions', async () => {
    const items = await completions('version: 1\nname: spring\n|\n');
    const rest = membersOf(campaignSchema, 'properties').filter(
      ([key]) => !['version', 'name'].includes(key),
    );
    expect(items.map(({ label, documentation }) => [label, documentation])).toEqual(
      rest.map(([key, member]) => [key, resolved(member)['description']]),
    );
  });

  it('writes skeletons that make sense', async () => {
    const items = await completions('version: 1\nname: spring\n|\n');
    const inserted = new Map(items.map(({ label, insertText }) => [label, insertText]));
    expect(inserted.get('posts')).toBe('posts:\n  ');
    expect(inserted.get('description')).toBe('description: ${1:Spring range}');
    expect([...inserted.values()].filter((text) => text?.includes('[object Object]'))).toEqual([]);
  });

  it('offers the keys of a post', async () => {
    const post = definition('post');
    expect(await offered('version: 1\nname: x\nposts:\n  hero:\n    |\n', post)).toEqual(fieldsOf(post));
  });

  it('offers the keys of an item', async () => {
    const item = definition('item');
    const text = 'version: 1\nname: x\nposts:\n  hero:\n    concept: a\n    items:\n      - |\n';
    expect(await offered(text, item)).toEqual(fieldsOf(item));
  });

  it.each([
    ['post_type', ['image', 'video', 'carousel']],
    ['assets', ['type', 'product_id', 'url']],
  ])('offers what %s may hold', async (key, expected) => {
    const value = key === 'assets' ? '\n          - |' : ' |';
    const text = `version: 1\nname: x\nposts:\n  hero:\n    items:\n      - ${key}:${value}\n`;
    expect(await offered(text, definition('asset'))).toEqual(expected);
  });

  it('offers the settings of an environment', async () => {
    const environment = definition('environment');
    const text = 'version: 1\nname: x\nservice:\n  environments:\n    stage:\n      |\n';
    expect(await offered(text, environment)).toEqual(fieldsOf(environment));
  });
});

describe('hover', () => {
  it.each([
    ['product_fol|ders: [photos/*]', resolved(membersOf(campaignSchema, 'properties')[6]?.[1])],
    ['posts: { a: { items: [{ post_ty|pe: image }] } }', itemField('post_type')],
    ['posts: { a: { items: [{ aspect_|ratio: "1:1" }] } }', itemField('aspect_ratio')],
    ['limits: { media_in_|flight: 3 }', resolved(membersOf(definition('limits'), 'properties')[1]?.[1])],
  ])('explains %s', async (line, field) => {
    const { uri, position } = await openAt(`version: 1\nname: x\n${line}\n`);
    const shown = (await server.hover(uri, position))?.replaceAll('\\', '');
    expect(shown).toContain(field['title']);
    expect(shown).toContain(field['description']);
  });
});

function itemField(name: string): Schema {
  return resolved(Object.fromEntries(membersOf(definition('item'), 'properties'))[name]);
}

describe('diagnostics', () => {
  it.each(['quickstart', 'matrix'])('find nothing in examples/%s', async (name) => {
    const file = join(EXAMPLES, name, 'campaign.yaml');
    const text = readFileSync(file, 'utf8');
    expect(text.startsWith(MODELINE.trim())).toBe(true);
    expect(await server.open(pathToFileURL(file).href, text)).toEqual([]);
  });

  // Of a wrong value over several lines, campaign marks the key and the server the value.
  it.each([
    ['an unknown key', 'concepts:\n  night:\n    desciption: Neon\n'],
    ['an unknown key at the top', 'concepts: {}\nproduct: {}\n'],
    ['a number for a text', 'concepts:\n  night:\n    name: Night\n    description: 7\n'],
    ['a text for a list', 'product_folders: photos\n'],
    ['a list for a map', 'limits: [concurrency]\n'],
    ['a value that is not allowed', 'service:\n  form: guid\n'],
    ['a name that is not allowed', 'variables:\n  season: spring\n  1x: summer\n'],
    ['a number out of range', 'limits:\n  concurrency: 0\n'],
    ['a missing key', 'service:\n  environments:\n    stage: { api_key_env: KEY }\n'],
    ['three mistakes', 'limits: { media_in_flight: lots }\nservice:\n  form: guid\nconcept: {}\n'],
  ])('stand at the line where campaign has them: %s', async (_, rest) => {
    const text = `${MODELINE}version: 1\nname: x\n${rest}`;
    opened += 1;
    const uri = pathToFileURL(join(EXAMPLES, 'editor', `${opened}.yaml`)).href;
    const theirs = (await server.open(uri, text)).map(({ range }) => range.start.line + 1);
    expect(inOrder(theirs)).toEqual(await linesOfOurs(text));
    expect(theirs).not.toEqual([]);
  });
});

async function linesOfOurs(text: string): Promise<number[]> {
  const { options } = await campaignFolder(text);
  const result = await loadManifest(options);
  const problems = result.ok ? [] : result.error;
  return inOrder(problems.map(({ position }) => position?.line ?? 0));
}

function inOrder(lines: readonly number[]): number[] {
  return lines.toSorted((a, b) => a - b);
}
