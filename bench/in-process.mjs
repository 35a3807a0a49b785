import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { run } from './measure.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Bundles bench/in-process/NAME.ts, which measures parts of the program by themselves, into a folder. What comes back
 * runs it with arguments in a new process, and gives what the script printed as JSON beside the cost of the process.
 */
export async function bundled(name, folder) {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const script = join(folder, `${name}.mjs`);
  await build({
    entryPoints: [join(root, 'bench', 'in-process', `${name}.ts`)],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    outfile: script,
    packages: 'external',
    logLevel: 'warning',
  });
  return async (...args) => {
    const cost = await run([process.execPath, script, ...args.map(String)]);
    return { ...cost, ...JSON.parse(cost.output) };
  };
}
