/** The command as `npm install --global` of the packed clone installs it, which README.md says how to do. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { copyExample } from '../support/example.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);

interface Package {
  readonly name: string;
  readonly version: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
}

async function readJson<T>(file: string): Promise<T> {
  return JSON.parse(await readFile(file, 'utf8')) as T;
}

/** Where npm puts the command, with what the package names as its dependencies and nothing else. */
async function install(folder: string, archive: string): Promise<string> {
  await run('tar', ['-xzf', archive, '-C', folder]);
  const unpacked = join(folder, 'package');
  const { bin, dependencies } = await readJson<Package>(join(unpacked, 'package.json'));
  for (const name of Object.keys(dependencies)) {
    const link = join(unpacked, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(ROOT, 'node_modules', name), link);
  }
  const command = join(folder, 'bin', 'campaign');
  await mkdir(dirname(command));
  await symlink(join(unpacked, bin['campaign'] ?? ''), command);
  return command;
}

it('the packed clone has all that a campaign elsewhere needs', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'campaign-packed-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { name, version } = await readJson<Package>(join(ROOT, 'package.json'));
  const archive = `${name}-${version}.tgz`;
  const readme = await readFile(join(ROOT, 'README.md'), 'utf8');
  expect(readme).toContain(`\nnpm install --global ${archive} `);

  // Built already: other tests run what a build would replace.
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: ROOT });
  const command = await install(folder, join(folder, archive));
  const example = await copyExample('quickstart');
  onTestFinished(() => example.remove());
  const campaign = async (...args: string[]) => {
    const env = { PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}` };
    return (await run(command, args, { cwd: example.folder, env })).stdout;
  };
  expect(await campaign('--version')).toBe(`${version}\n`);
  expect(JSON.parse(await campaign('schema'))).toHaveProperty('$id');
  const applied = await campaign('apply', '--env', 'emulator', '--profile', 'calm');
  expect(applied).toContain('Apply complete: 18 created, 8 files downloaded.\n');
  // What an import of the package gives, and its types.
  const unpacked = join(folder, 'package');
  const index = join(unpacked, 'dist', 'index.js');
  const names = `console.log(Object.keys(await import(${JSON.stringify(index)})).sort().join(' '))`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', names]);
  expect(stdout).toBe('applyCampaign loadCampaign planCampaign\n');
  expect(await readFile(join(unpacked, 'dist', 'types', 'app', 'library.d.ts'), 'utf8')).toContain(
    'loadCampaign',
  );
  expect(await campaign('state', 'check', '--env', 'emulator', '--reseal')).toContain('nothing to reseal');
});
