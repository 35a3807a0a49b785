/** What a generator of clients makes of the OpenAPI document: openapi-typescript, which needs a TypeScript of its own. */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';

const ROOT = path.join(import.meta.dirname, '..', '..');
const CACHE = path.join(ROOT, 'node_modules', '.cache', 'openapi-typescript');
const PACKAGES = ['openapi-typescript@7.13.0', 'typescript@5.9.3'];
const run = promisify(execFile);

/** Installed beside the project's packages, because npm refuses it beside the TypeScript that they have. */
async function hasGenerator(): Promise<boolean> {
  const program = path.join(CACHE, 'node_modules', 'openapi-typescript', 'bin', 'cli.js');
  if (existsSync(program)) return true;
  await mkdir(CACHE, { recursive: true });
  await writeFile(path.join(CACHE, 'package.json'), '{"private":true}');
  const flags = ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', CACHE];
  if (spawnSync('npm', [...flags, ...PACKAGES]).status === 0) return true;
  console.warn(`\n  A TEST IS SKIPPED: npm could not install ${PACKAGES.join(' and ')}.\n`);
  return false;
}

/** Each line below a mark is a mistake that the types have to find. */
const CLIENT = `import type { components } from './service.d.ts';
type Of<K extends keyof components['schemas']> = components['schemas'][K];
export const product: Of<'ProductRequest'> = { name: 'Tote', variant: 'clean', media_urls: [] };
export const patch: Of<'ProductPatch'> = { name: 'Tote' };
// @ts-expect-error A product has a variant and images.
export const nameless: Of<'ProductRequest'> = { name: 'Tote' };
// @ts-expect-error A name is a text.
export const numbered: Of<'ProductPatch'> = { name: 5 };
export const read = (made: Of<'Product'>): string => made.id + made.created_at + made.name;
export const concept: Of<'ConceptRequest'> = { name: 'Dawn', description: null };
// @ts-expect-error A post is of a known type.
export const type: Of<'PostType'> = 'poster';
export const failed = (answer: Of<'Failure'>): 'failed' => answer.status;
`;

it('is a client whose required fields are required', async (context) => {
  if (!(await hasGenerator())) return context.skip();
  const folder = await mkdtemp(path.join(CACHE, 'client-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const node = (program: string, ...args: string[]) =>
    run(process.execPath, [path.join(CACHE, 'node_modules', program), ...args], { cwd: folder });
  const document = path.join(ROOT, 'schemas', 'service.openapi.yaml');
  await node('openapi-typescript/bin/cli.js', document, '--output', 'service.d.ts');
  await writeFile(path.join(folder, 'client.ts'), CLIENT);
  const compilerOptions = {
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    module: 'esnext',
    moduleResolution: 'bundler',
    types: [],
  };
  const project = JSON.stringify({ compilerOptions, files: ['client.ts'] });
  await writeFile(path.join(folder, 'tsconfig.json'), project);
  const checked = await node('typescript/bin/tsc', '--project', '.').catch(
    (error: unknown) => error as { stdout: string },
  );
  expect(checked.stdout).toBe('');
});
