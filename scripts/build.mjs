// Bundles the command and the library into dist/: an entry for each, a chunk for every part that is loaded only when it is
// needed, and the types of the library.
import { chmod, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { writeTypes } from './write-types.mjs';

// Native code, files that packages read at run time, and what only the emulator needs stay outside the bundle.
const external = [
  'fs-native-extensions',
  'sharp',
  'h264-mp4-encoder',
  'dejavu-fonts-ttf',
  'fastify',
  '@fastify/*',
];

const BANNER =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";

/** commander asks for it to run subcommands that are programs of their own, which there are none of here. */
const noChildProcess = {
  name: 'commander-without-child-process',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:child_process$/ }, ({ importer, path }) =>
      importer.includes('commander') ? { path, namespace: 'none' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'none' }, () => ({ contents: 'module.exports = {};' }));
  },
};

const { metafile } = await build({
  entryPoints: { cli: 'src/cli.ts', index: 'src/app/library.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  external,
  legalComments: 'none',
  // Half the text is half the time to compile it; names stay, for the traces in reports of bugs.
  minifyWhitespace: true,
  minifySyntax: true,
  sourcemap: 'linked',
  sourcesContent: false,
  logLevel: 'warning',
  metafile: true,
  plugins: [noChildProcess],
  // Bundled CommonJS packages ask for node's modules with require.
  banner: {
    js: BANNER,
  },
});
// `createRequire` takes 0.1 ms, and few of the forty files of a command ask for anything.
for (const file of Object.keys(metafile.outputs).filter((name) => name.endsWith('.js'))) {
  const text = await readFile(file, 'utf8');
  const code = text.replace(BANNER, '');
  if (!/\brequire\b/.test(code)) await writeFile(file, code);
}
await writeTypes('dist');
// Only now: a build that failed leaves the last good one in place.
const made = new Set(['index.d.ts', 'types', ...Object.keys(metafile.outputs).map((file) => basename(file))]);
for (const file of await readdir('dist'))
  if (!made.has(file)) await rm(join('dist', file), { recursive: true });
await chmod('dist/cli.js', 0o755);
