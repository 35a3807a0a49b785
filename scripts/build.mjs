// Bundles the command and the library into dist/: an entry for each, a chunk for every part that is loaded only when it is
// needed, and the types of the library.
import { chmod, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { build } from 'esbuild';
import { PARTS, writeParts } from './write-parts.mjs';
import { writeTypes } from './write-types.mjs';

// Native code stays outside the bundle: these are the packages that an installation needs besides it.
const external = Object.keys(JSON.parse(await readFile('package.json', 'utf8')).dependencies);

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

/**
 * To tell how wide text is takes a segmenter and a table of all emoji: 45 ms to make, which was a tenth of a short command.
 * The package needs neither for ASCII, and so they are made when they are first asked for.
 */
const lateTables = {
  name: 'late-tables',
  setup({ onLoad }) {
    onLoad(
      { filter: /\/node_modules\/(?:string-width\/index|slice-ansi\/tokenize-ansi)\.js$/ },
      async ({ path }) => {
        const text = await readFile(path, 'utf8');
        const contents = text.replace(
          /^const (\w+) = (new Intl\.Segmenter\(.*\)|\/.*RGI_Emoji.*\/v);$/gm,
          'let made_$1; const $1 = { segment: (text) => (made_$1 ??= $2).segment(text), test: (text) => (made_$1 ??= $2).test(text) };',
        );
        if (contents === text) throw new Error(`${path} does not make its tables as it did`);
        return { contents };
      },
    );
  },
};

const options = {
  entryPoints: { cli: 'src/cli.ts', index: 'src/app/library.ts', 'ui-thread': 'src/cli/ui-thread.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  external,
  legalComments: 'none',
  // Tables of characters and Graphviz's code are half as long again where each character is escaped.
  charset: 'utf8',
  // Half the text is half the time to compile it; names stay, for the traces in reports of bugs.
  minifyWhitespace: true,
  minifySyntax: true,
  sourcemap: 'linked',
  sourcesContent: false,
  logLevel: 'warning',
  metafile: true,
  // Bundled CommonJS packages ask for node's modules with require.
  banner: {
    js: BANNER,
  },
};

/**
 * esbuild makes a chunk for each set of entries that share code, and does not know that a command runs after the session
 * and the reader of manifests: `validate` imported 62 files, at 0.5 ms each. So each entry imports all that is small, and
 * what runs before it: 23 files.
 */
const fewerChunks = async () => {
  const first = await build({ ...options, plugins: [noChildProcess, lateTables], write: false });
  const entries = new Set(Object.values(first.metafile.outputs).map(({ entryPoint }) => entryPoint));
  const small = (await Promise.all(['src/util', 'src/model'].map(smallFiles))).flat();
  return {
    name: 'fewer-chunks',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const entry = [...entries].find((name) => name && resolve(name) === path);
        if (entry === undefined) return undefined;
        const isFirst = FIRST.test(entry);
        const before = isFirst ? [] : ['src/app/load-campaign.ts'];
        if (!isFirst && /^src\/(?:commands|cli)\//.test(entry)) before.push('src/cli/session.ts');
        const imports = [...small, ...before].map((name) => `import ${JSON.stringify(resolve(name))};`);
        // At the end, so that lines keep their numbers.
        return { contents: `${await readFile(path, 'utf8')}\n${imports.join('')}\n`, loader: 'ts' };
      });
    },
  };
};

/** What runs before any command, and the library, which has no session. */
const FIRST = /^src\/(?:cli|app\/library|commands\/program|cli\/(?:output|ui-thread))\.ts$/;

/** Without files that import other parts of node than its files: these take longer to load than a chunk. */
async function smallFiles(folder) {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'));
  const files = await Promise.all(
    names.map(async (name) => [join(folder, name), await readFile(join(folder, name), 'utf8')]),
  );
  return files.filter(([, text]) => !/from '(?:node:(?!fs|path)|[^.n])/.test(text)).map(([name]) => name);
}

const { metafile } = await build({ ...options, plugins: [noChildProcess, lateTables, await fewerChunks()] });
// `createRequire` takes 0.1 ms, and few of the files of a command ask for anything.
for (const file of Object.keys(metafile.outputs).filter((name) => name.endsWith('.js'))) {
  const text = await readFile(file, 'utf8');
  const code = text.replace(BANNER, '');
  if (!/\brequire\b/.test(code)) await writeFile(file, code);
}
/** The page of `report` and `ui`: one script and one style, which are put into the page as they are. */
const page = await build({
  entryPoints: { page: 'src/page/main.tsx', 'page-style': 'src/page/page.css' },
  outdir: 'dist',
  bundle: true,
  format: 'iife',
  platform: 'browser',
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
});
await writeTypes('dist');
const outputs = { ...metafile.outputs, ...page.metafile.outputs };
await writeParts('dist', { outputs });
// Only now: a build that failed leaves the last good one in place.
const made = new Set([
  'index.d.ts',
  'types',
  ...PARTS,
  ...Object.keys(outputs).map((file) => basename(file)),
]);
for (const file of await readdir('dist'))
  if (!made.has(file)) await rm(join('dist', file), { recursive: true });
await chmod('dist/cli.js', 0o755);
