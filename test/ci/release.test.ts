/** The workflow of a release: it fits the published schema, and what its steps run does what they say. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);

interface Job {
  readonly needs?: string;
  readonly steps: readonly { readonly name?: string; readonly run?: string }[];
}

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const workflow = parse(read('.github/workflows/release.yml')) as { on: unknown; jobs: Record<string, Job> };
const { prove, publish } = workflow.jobs;
const { dependencies, devDependencies, version } = JSON.parse(read('package.json')) as {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  version: string;
};

function stepOf(words: string): string {
  return publish?.steps.find(({ name }) => name?.includes(words))?.run ?? '';
}

describe('the workflow of a release', () => {
  it('fits the published schema', () => {
    const schema = JSON.parse(read('test/fixtures/published/github-workflow.json')) as object;
    const fits = new Ajv({ strict: false, allErrors: true, logger: false }).compile(schema);
    expect([fits(workflow), fits.errors]).toEqual([true, null]);
    expect(fits({ ...workflow, jobs: { publish: { ...publish, steps: [{ runs: 'x' }] } } })).toBe(false);
  });

  it('begins with a tag, and publishes only what .ci/run has proved', () => {
    expect(workflow.on).toEqual({ push: { tags: ['v*'] } });
    expect(prove?.steps.at(-1)?.run).toBe('.ci/run');
    expect(publish?.needs).toBe('prove');
    expect(stepOf('To npm')).toContain('--provenance');
    expect(stepOf('To the releases')).toContain('campaign.cdx.json');
    // What a tag is called must not become a part of a script.
    for (const { run: script = '' } of publish?.steps ?? []) expect(script).not.toContain('${{');
    const scripts = stepOf('bill of materials').match(/scripts\/\S+/g) ?? [];
    expect(scripts.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });

  it('goes on only with the tag of the version', async () => {
    const test = (tag: string) =>
      run('bash', ['-e', '-c', stepOf('The tag')], {
        cwd: ROOT,
        env: { ...process.env, GITHUB_REF_NAME: tag },
      });
    await test(`v${version}`);
    await expect(test('v0.0.0')).rejects.toMatchObject({ code: 1 });
  });
});

it('the bill of materials names what is installed and what is in the bundle, and no tool', async () => {
  const { stdout } = await run(process.execPath, ['scripts/make-sbom.mjs'], { cwd: ROOT });
  const bill = JSON.parse(stdout) as {
    metadata: { component: { name: string } };
    components: { name: string; version: string }[];
    dependencies: { ref: string; dependsOn: string[] }[];
  };
  expect(bill.metadata.component.name).toBe('campaign-runner');
  const names = bill.components.map(({ name }) => name);
  const licences = read('dist/THIRD-PARTY-LICENSES.txt');
  const bundled = [...licences.matchAll(/^== (\S+)@\S+ \(/gm)].map(([, name]) => name);
  expect(bundled).toEqual(expect.arrayContaining(['commander', 'dejavu-fonts-ttf', 'fastify', 'yaml']));
  expect(names).toEqual(expect.arrayContaining([...bundled, ...Object.keys(dependencies)]));
  const tools = Object.keys(devDependencies).filter((name) => !bundled.includes(name));
  expect(tools).toEqual(expect.arrayContaining(['esbuild', 'typescript', 'vitest']));
  expect(names.filter((name) => tools.includes(name))).toEqual([]);
  const references = new Set(bill.dependencies.map(({ ref }) => ref));
  expect(
    bill.dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !references.has(ref)),
  ).toEqual([]);
});
