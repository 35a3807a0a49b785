// Bundles the command and the library into dist/: an entry for each, a chunk for every part that is loaded only when it is
// needed, and the types of the library.
import { chmod, readdir, rm } from 'node:fs/promises';
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
  sourcemap: 'linked',
  sourcesContent: false,
  logLevel: 'warning',
  metafile: true,
  // Bundled CommonJS packages ask for node's modules with require.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
});
await writeTypes('dist');
// Only now: a build that failed leaves the last good one in place.
const made = new Set(['index.d.ts', 'types', ...Object.keys(metafile.outputs).map((file) => basename(file))]);
for (const file of await readdir('dist'))
  if (!made.has(file)) await rm(join('dist', file), { recursive: true });
await chmod('dist/cli.js', 0o755);
