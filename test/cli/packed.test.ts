/** The package as README.md and docs/install.md say how to install it: packed, installed by npm, run from another folder. */
import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { copyExample } from '../support/example.ts';
import { startLocalRegistry } from '../support/local-registry.ts';
import { AS_NOBODY } from '../support/run-as-nobody.ts';

const ROOT = join(import.meta.dirname, '..', '..');
/** Scripts that npm would run, or ask about, where the package is installed. */
const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall', 'prepare', 'preprepare', 'postprepare'];
const run = promisify(execFile);

interface Package {
  readonly name: string;
  readonly version: string;
  readonly scripts: Readonly<Record<string, string>>;
}

async function readJson<T>(file: string): Promise<T> {
  return JSON.parse(await readFile(file, 'utf8')) as T;
}

/** The bytes of all files below a folder. */
async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** A folder for everything, with a name that has to be quoted, and npm with an empty home. */
async function emptyMachine() {
  const folder = await mkdtemp(join(tmpdir(), 'campaign-packed-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const registry = await startLocalRegistry();
  onTestFinished(() => registry.close());
  const cwd = join(folder, 'mit Größe');
  await mkdir(cwd);
  const npm = (...args: readonly string[]) => registry.npm(args, { cwd, home: join(folder, 'home') });
  return { folder: cwd, npm };
}

it('the packed clone installs without a word, and has all that a campaign elsewhere needs', async () => {
  const { folder, npm } = await emptyMachine();
  const { name, version, scripts } = await readJson<Package>(join(ROOT, 'package.json'));
  const archive = `${name}-${version}.tgz`;
  const readme = await readFile(join(ROOT, 'README.md'), 'utf8');
  expect(readme).toContain(`\nnpm install --global ${archive} `);
  expect(INSTALL_SCRIPTS.filter((script) => script in scripts)).toEqual([]);

  // Built already: other tests run what a build would replace.
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: ROOT });
  const [, packed, installation] = /([\d.]+) MB, (\d+) MB installed/.exec(readme) ?? [];
  const prefix = join(folder, 'prefix');
  // What is bundled is in no `dependencies`: it would be installed a second time.
  const page = await readFile(join(ROOT, 'docs', 'install.md'), 'utf8');
  const [, count] = /only (\d+) packages/.exec(page) ?? [];
  const installed = await npm('install', '--global', `--prefix=${prefix}`, archive);
  expect(installed).toEqual({
    stdout: expect.stringMatching(`^\nadded ${count} packages in \\w+\n$`),
    stderr: '',
  });
  const unpacked = join(prefix, 'lib', 'node_modules', name);
  const files = await readdir(unpacked, { recursive: true });
  expect(files.filter((file) => file.startsWith('dist') && file.endsWith('.map'))).toEqual([]);

  // As README says, with a tenth to grow.
  expect((await stat(join(folder, archive))).size).toBeLessThan(Number(packed) * 1.1e6);
  expect(await sizeOf(prefix)).toBeLessThan(Number(installation) * 1.1e6);

  // Nobody may write there, and the command is found through two links.
  await run('chmod', ['-R', 'a-w', prefix]);
  onTestFinished(() => run('chmod', ['-R', 'u+w', prefix]).then(() => undefined));
  const command = join(folder, 'campaign');
  await symlink(join('prefix', 'bin', 'campaign'), command);
  const example = await copyExample('quickstart', { photos: 'stand-ins' });
  onTestFinished(() => example.remove());
  for (const shared of [dirname(folder), example.folder]) await chmod(shared, 0o777);
  const campaign = async (...args: string[]) => {
    const env = { PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}` };
    return (await run(command, args, { cwd: example.folder, env, ...AS_NOBODY })).stdout;
  };
  expect(await campaign('--version')).toBe(`${version}\n`);
  expect(await campaign('plan', '--help')).toContain('Usage: campaign plan');
  expect(JSON.parse(await campaign('schema'))).toHaveProperty('$id');
  expect(await campaign('completion', 'zsh')).toMatch(/^#compdef campaign\n/);
  const applied = await campaign('apply', '--env', 'emulator', '--profile', 'calm');
  expect(applied).toContain('Apply complete: 18 created, 8 files downloaded.\n');
  expect(await campaign('state', 'check', '--env', 'emulator')).toContain('every line holds');
  // Graphviz is inside the package.
  expect(await campaign('graph', '--status', '--env', 'emulator', '--format', 'svg')).toMatch(/<\/svg>\n$/);
  // What an import of the package gives, and its types.
  const index = join(unpacked, 'dist', 'index.js');
  const names = `console.log(Object.keys(await import(${JSON.stringify(index)})).sort().join(' '))`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', names]);
  expect(stdout).toBe('applyCampaign loadCampaign planCampaign\n');
  expect(await readFile(join(unpacked, 'dist', 'types', 'app', 'library.d.ts'), 'utf8')).toContain(
    'loadCampaign',
  );
});

it('a clone that is built runs with `npm ci --omit=dev`, which builds nothing', async () => {
  const { folder, npm } = await emptyMachine();
  for (const part of ['package.json', 'dist', 'profiles'])
    await cp(join(ROOT, part), join(folder, part), { recursive: true });
  // The packages are packed anew here, so that their checksums are others.
  const lock = (await readFile(join(ROOT, 'package-lock.json'), 'utf8')).replaceAll(
    /\s+"integrity": "[^"]+",?/g,
    '',
  );
  await writeFile(join(folder, 'package-lock.json'), lock.replaceAll(/,(\s+\})/g, '$1'));
  const { stdout, stderr } = await npm('ci', '--omit=dev');
  expect([stdout, stderr]).toEqual([expect.stringMatching(/^\nadded \d+ packages in \w+\n$/), '']);
  const example = await copyExample('quickstart', { photos: 'stand-ins' });
  onTestFinished(() => example.remove());
  const validate = [join(folder, 'dist', 'cli.js'), 'validate'];
  const { stdout: said } = await run(process.execPath, validate, { cwd: example.folder });
  expect(said).toContain('campaign.yaml is valid: 2 products, 2 concepts, 6 posts.');
});
