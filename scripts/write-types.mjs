// The types of the library: declarations of src/app/library.ts and of what it names, and of nothing else.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const IMPORTED = /(from |import\()'(\.{1,2}\/[^']+)\.[jt]s'/g;

/** Writes index.d.ts and types/ into a folder. */
export async function writeTypes(folder) {
  const all = await mkdtemp(join(tmpdir(), 'campaign-types-'));
  try {
    const compiler = join('node_modules', 'typescript', 'bin', 'tsc');
    await promisify(execFile)(process.execPath, [compiler, '-p', 'tsconfig.library.json', '--outDir', all]);
    await rm(join(folder, 'types'), { recursive: true, force: true });
    await copyWithImports('app/library', { from: join(all, 'src'), to: join(folder, 'types') });
    await writeFile(join(folder, 'index.d.ts'), "export * from './types/app/library.js';\n");
  } finally {
    await rm(all, { recursive: true });
  }
}

async function copyWithImports(first, { from, to }) {
  const known = new Set([first]);
  for (const file of known) {
    // What is generated has declarations already, which the compiler passes on to nobody.
    const folder = file.includes('/generated/') ? 'src' : from;
    const text = await readFile(join(folder, `${file}.d.ts`), 'utf8');
    for (const [, , imported] of text.matchAll(IMPORTED)) known.add(join(dirname(file), imported));
    const target = join(to, `${file}.d.ts`);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, text.replace(IMPORTED, "$1'$2.js'"));
  }
}
