// Turns schemas/*.schema.json into src/{manifest,decisions,emulator,log,model}/generated/: validators compiled ahead of time (a start of campaign
// loads no ajv) and the TypeScript types of the raw documents. Run by `npm run generate`; git ignores the result.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standaloneCode from 'ajv/dist/standalone/index.js';
import addFormats from 'ajv-formats';
import { build } from 'esbuild';
import { compile } from 'json-schema-to-typescript';
import { typeSchema } from './type-schema.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const banner = '// Made by scripts/generate.mjs from schemas/; not edited by hand.\n';

const CAMPAIGN = 'https://campaign.invalid/campaign.schema.json';
const PROFILE = 'https://campaign.invalid/profile.schema.json';

await generate('manifest', ['campaign', 'product'], {
  validateCampaign: { id: CAMPAIGN, type: 'CampaignDocument', from: 'campaign' },
  validateItem: { id: `${CAMPAIGN}#/$defs/item`, type: 'Item', from: 'campaign' },
  validateProduct: {
    id: 'https://campaign.invalid/product.schema.json',
    type: 'ProductFile',
    from: 'product',
  },
});
await generate('decisions', ['decisions'], {
  validateDecisions: {
    id: 'https://campaign.invalid/decisions.schema.json',
    type: 'Decisions',
    from: 'decisions',
  },
});
await generate('emulator', ['profile'], {
  validateProfile: { id: PROFILE, type: 'ProfileDocument', from: 'profile' },
  validateOrders: { id: `${PROFILE}#/$defs/orders`, type: 'Orders', from: 'profile' },
  validateSwitches: { id: `${PROFILE}#/$defs/switches`, type: 'Switches', from: 'profile' },
});

await generateEvents();
await generateRunEvents();

/** Writes the types and validators of these schemas for one folder of src/. */
async function generate(folder, names, validators) {
  const target = `${root}src/${folder}/generated/`;
  const schemas = await Promise.all(names.map(readSchema));
  await mkdir(target, { recursive: true });
  await writeValidators(target, schemas, validators);
  const typed = new Set(Object.values(validators).map(({ from }) => from));
  for (const { name, schema } of schemas) if (typed.has(name)) await writeType(target, { name, schema });
}

async function readSchema(name) {
  return { name, schema: JSON.parse(await readFile(`${root}schemas/${name}.schema.json`, 'utf8')) };
}

async function writeValidators(target, schemas, validators) {
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true, // an error carries the schema around it: its description and examples are part of the message
    discriminator: true, // one key decides which of several forms is meant, and which errors are told
    allowUnionTypes: true, // [string, array] instead of anyOf: one cause gives one error
    schemas: schemas.map(({ schema }) => schema),
    code: { source: true, esm: true },
  });
  addFormats(ajv);
  ajv.addKeyword({
    keyword: 'x-not-supported-yet',
    schemaType: 'boolean',
    code: (context) => context.fail(),
  });
  const entries = Object.entries(validators);
  const source = standaloneCode.default(ajv, Object.fromEntries(entries.map(([name, { id }]) => [name, id])));
  await build({
    stdin: { contents: source, resolveDir: root },
    bundle: true,
    format: 'esm',
    platform: 'node',
    banner: { js: banner },
    outfile: `${target}validate.js`,
  });
  const validate = "import type { Validate } from '../../util/json-schema.ts';\n";
  const imports = entries.flatMap(([, { type, from }]) =>
    from === undefined ? [] : [`import type { ${type} } from './${from}-document.js';\n`],
  );
  const exports = entries.map(([name, { type }]) => `export declare const ${name}: Validate<${type}>;\n`);
  await writeFile(`${target}validate.d.ts`, [banner, validate, ...imports, '\n', ...exports].join(''));
}

async function writeType(target, { name, schema }) {
  const type = await compile(withoutTitles(schema), name, {
    bannerComment: banner.trim(),
    ignoreMinAndMaxItems: true,
  });
  await writeFile(`${target}${name}-document.d.ts`, type);
}

// A title makes a named type of a field; without them only $defs and the root are named. What campaign passes over (`x-…`)
// is in no type: it would make every key possible.
function withoutTitles(schema) {
  const strip = (key, value) =>
    (key === 'title' && typeof value === 'string') || key === 'patternProperties' ? undefined : value;
  return { ...JSON.parse(JSON.stringify(schema, strip)), title: schema.title };
}

/** Writes the types of the log's events: what the program records, so nothing of them may be changed in place. */
async function generateEvents() {
  const { schema } = await readSchema('state-record');
  const { event, ...forms } = schema.$defs;
  const stateEvent = { oneOf: event.oneOf };
  const unions = Object.keys(forms).filter((name) => name.endsWith('Event'));
  const definitions = Object.entries({ ...forms, stateEvent })
    .filter(([name]) => !['header', 'record'].includes(name))
    .map(([name, form]) => [name, typeSchema(form, schema.$defs)]);
  const events = {
    title: 'Events',
    type: 'object',
    properties: Object.fromEntries(
      ['stateEvent', ...unions].map((name) => [name, { $ref: `#/$defs/${name}` }]),
    ),
    $defs: Object.fromEntries(definitions),
  };
  const text = await compile(events, 'Events', {
    bannerComment: `${banner}import type { JsonObject } from '../../util/json.ts';\n`,
    ignoreMinAndMaxItems: true,
  });
  const target = `${root}src/model/generated/`;
  await mkdir(target, { recursive: true });
  await writeFile(`${target}state-record.d.ts`, readonly(text));
  await writeEventTypes(schema.$defs);
}

/**
 * Writes the types of what happens during a run, as the program tells it. Which manifest an event is about is added where it
 * is printed.
 */
async function generateRunEvents() {
  const { schema } = await readSchema('event');
  const { manifest, campaign, environment, problem: _, ...$defs } = schema.$defs;
  const ofTheRun = schema.oneOf.filter(({ title }) => !['diagnostic', 'check'].includes(title));
  const names = { manifest, campaign, environment };
  const named = Object.keys(names).map((name) => `#/$defs/${name}`);
  const oneOf = ofTheRun.map(({ properties, ...event }) => {
    const own = Object.entries(properties).filter(([, { $ref }]) => !named.includes($ref));
    const typed = own.map(([name, member]) =>
      member.$ref === '#/$defs/problem' ? [name, { tsType: 'Problem' }] : [name, member],
    );
    return { ...event, properties: Object.fromEntries(typed) };
  });
  const { properties, ...manifestEnd } = $defs.manifestEnd;
  const ends = { ...$defs, manifestEnd: { ...manifestEnd, properties: { ...properties, ...names } } };
  const text = await compile({ oneOf, $defs: ends }, 'RunEvent', {
    bannerComment: `${banner}import type { Problem } from '../problem.ts';\n`,
  });
  await writeFile(`${root}src/model/generated/run-event.d.ts`, readonly(text));
}

/** Every type of event, for reading a log without its validator. */
async function writeEventTypes({ event, ...forms }) {
  const types = event.oneOf.flatMap(({ $ref }) => {
    const { type } = forms[$ref.replace('#/$defs/', '')].properties;
    return type.enum ?? [type.const];
  });
  const folder = `${root}src/log/generated/`;
  await mkdir(folder, { recursive: true });
  const target = `${folder}event-types`;
  await writeFile(`${target}.js`, `${banner}export const EVENT_TYPES = new Set(${JSON.stringify(types)});\n`);
  await writeFile(`${target}.d.ts`, `${banner}export declare const EVENT_TYPES: ReadonlySet<string>;\n`);
}

/** Types, not interfaces: those do not count as JSON. */
function readonly(text) {
  return text
    .replaceAll(/^export interface (\w+) \{$/gm, 'export type $1 = {')
    .replaceAll(/^(\s+)(?!readonly)((?:\w+\??|\[k: string\]):\s)/gm, '$1readonly $2')
    .replaceAll(/(\w+|\([^()\n]*\))\[\]/g, 'readonly $1[]')
    .replaceAll(/= (\[[^\]]*\]);/g, '= readonly $1;');
}
