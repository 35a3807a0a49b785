/** dist/THIRD-PARTY-LICENSES.txt: a build takes in nobody's code without the licence of it. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);

describe('the licences of the bundle', () => {
  /** The licences that a build writes for one file, `node_modules/tool/dist/tool.js`. */
  async function licencesWith(files: Readonly<Record<string, string>>) {
    const folder = await mkdtemp(join(tmpdir(), 'campaign-licences-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    for (const [name, text] of Object.entries(files)) {
      const file = join(folder, 'node_modules', name);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }
    const outputs = { 'dist/cli.js': { inputs: { 'node_modules/tool/dist/tool.js': { bytesInOutput: 1 } } } };
    const script = `import { writeLicences } from ${JSON.stringify(join(ROOT, 'scripts', 'write-licences.mjs'))};
      writeLicences('licences.txt', ${JSON.stringify(outputs)}, []);`;
    await run(process.execPath, ['--input-type=module', '--eval', script], { cwd: folder });
    return readFile(join(folder, 'licences.txt'), 'utf8');
  }
  const described = (name: string) => JSON.stringify({ name, version: '1.0.0', license: 'MIT' });
  const TOOL = {
    'tool/package.json': described('tool'),
    'tool/LICENSE': 'Permission is granted by the tool.',
    'tool/dist/tool.js': 'x\n//# sourceMappingURL=tool.js.map',
    'tool/dist/tool.js.map': JSON.stringify({
      sources: ['../src/a.ts', '../../.pnpm/in@2/node_modules/@its/part/b.ts'],
    }),
  };
  const PART = { 'tool/node_modules/@its/part/package.json': described('@its/part') };

  it('are also those of packages that a package had bundled', async () => {
    const readme = '# Part\n\n## License\n\nPermission is granted by the part.\n';
    const text = await licencesWith({ ...TOOL, ...PART, 'tool/node_modules/@its/part/README.md': readme });
    expect(text).toContain('\n== @its/part@1.0.0 (MIT)\n\nPermission is granted by the part.\n');
    expect(text).toContain('\n== tool@1.0.0 (MIT)\n\nPermission is granted by the tool.\n');
  });

  it.each([
    ['a bundled package that is not installed', TOOL, 'bundles @its/part, which is not installed'],
    ['a package without a text', { ...TOOL, ...PART }, '@its/part has no text of its licence (MIT)'],
    [
      'packed code without a source map',
      { ...TOOL, 'tool/dist/tool.js': 'x'.repeat(10_000) },
      'nothing says of what',
    ],
    ['WebAssembly', { ...TOOL, 'tool/dist/tool.js': 'WebAssembly' }, 'nothing says of what'],
  ])('fail the build for %s', async (_, files, why) => {
    await expect(licencesWith(files)).rejects.toThrow(why);
  });

  it('are there for all that this build has bundled', async () => {
    const licences = await readFile(join(ROOT, 'dist', 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    for (const name of ['brace-expansion', 'minimatch', 'temporal-polyfill', 'abstract-logging'])
      expect(licences).toContain(`\n== ${name}@`);
    expect(licences).toContain('MOZILLA PUBLIC LICENSE');
  });
});
