import { symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { run } from './measure.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Bundles bench/in-process/NAME.ts, which measures parts of the program by themselves, into a folder. What comes back
 * runs it with arguments in a new process, and gives what the script printed as JSON beside the cost of the process.
 */
export async function bundled(name, folder) {
  const script = await bundle(`bench/in-process/${name}.ts`, folder);
  return async (...args) => {
    const cost = await run([process.execPath, script, ...args.map(String)]);
    return { ...cost, ...JSON.parse(cost.output) };
  };
}

/** Gives the path of a module that Node can load. */
export async function bundle(source, folder) {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const outfile = join(folder, `${basename(source, '.ts')}.mjs`);
  await build({
    entryPoints: [join(root, source)],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    outfile,
    packages: 'external',
    logLevel: 'warning',
  });
  return outfile;
}
