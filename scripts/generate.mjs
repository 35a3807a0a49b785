// Turns schemas/*.schema.json into src/manifest/generated/: validators compiled ahead of time (a start of campaign
// loads no ajv) and the TypeScript types of the raw documents. Run by `npm run generate`; git ignores the result.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standaloneCode from 'ajv/dist/standalone/index.js';
import addFormats from 'ajv-formats';
import { build } from 'esbuild';
import { compile } from 'json-schema-to-typescript';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = `${root}src/manifest/generated/`;
const banner = '// Made by scripts/generate.mjs from schemas/; not edited by hand.\n';

const DECLARATIONS = `
import type { CampaignDocument, Item } from './campaign-document.js';
import type { ProductFile } from './product-document.js';

export interface SchemaError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The schema object that holds the keyword. */
  readonly parentSchema: Readonly<Record<string, unknown>>;
  /** The value that was refused. */
  readonly data: unknown;
  /** Set where the name of a key was refused, not a value. */
  readonly propertyName?: string;
}

export interface Validate<T> {
  (data: unknown): data is T;
  errors?: readonly SchemaError[] | null;
}

export declare const validateCampaign: Validate<CampaignDocument>;
export declare const validateItem: Validate<Item>;
export declare const validateProduct: Validate<ProductFile>;
`;

const schemas = await Promise.all(['campaign', 'product'].map(readSchema));
await mkdir(target, { recursive: true });
await writeValidators();
for (const { name, schema } of schemas) await writeType(name, schema);

async function readSchema(name) {
  return { name, schema: JSON.parse(await readFile(`${root}schemas/${name}.schema.json`, 'utf8')) };
}

async function writeValidators() {
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true, // an error carries the schema around it: its description and examples are part of the message
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
  const campaign = 'https://campaign.invalid/campaign.schema.json';
  const source = standaloneCode.default(ajv, {
    validateCampaign: campaign,
    validateItem: `${campaign}#/$defs/item`,
    validateProduct: 'https://campaign.invalid/product.schema.json',
  });
  await build({
    stdin: { contents: source, resolveDir: root },
    bundle: true,
    format: 'esm',
    platform: 'node',
    banner: { js: banner },
    outfile: `${target}validate.js`,
  });
  await writeFile(`${target}validate.d.ts`, banner + DECLARATIONS);
}

async function writeType(name, schema) {
  const type = await compile(withoutTitles(schema), name, {
    bannerComment: banner.trim(),
    ignoreMinAndMaxItems: true,
  });
  await writeFile(`${target}${name}-document.d.ts`, type);
}

// A title makes a named type of a field; without them only $defs and the root are named.
function withoutTitles(schema) {
  const strip = (key, value) => (key === 'title' && typeof value === 'string' ? undefined : value);
  return { ...JSON.parse(JSON.stringify(schema, strip)), title: schema.title };
}
