// What the bundle needs besides its code: the typefaces of the emulator's pictures, and the licences of the packages whose
// code is in it.
import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeLicences } from './write-licences.mjs';

const FONTS = 'node_modules/dejavu-fonts-ttf';

/** The names in dist/ that are written here. */
export const PARTS = ['fonts', 'THIRD-PARTY-LICENSES.txt'];

export async function writeParts(folder, { outputs }) {
  await copyFonts(folder, Object.keys(outputs));
  writeLicences(join(folder, 'THIRD-PARTY-LICENSES.txt'), outputs, [FONTS]);
}

/** The typefaces that the built code names. */
async function copyFonts(folder, files) {
  const code = await Promise.all(
    files.filter((file) => file.endsWith('.js')).map((file) => readFile(file, 'utf8')),
  );
  const names = new Set(code.flatMap((text) => text.match(/DejaVu[A-Za-z-]+\.ttf/g) ?? []));
  await mkdir(join(folder, 'fonts'), { recursive: true });
  for (const name of names) await copyFile(join(FONTS, 'ttf', name), join(folder, 'fonts', name));
}
