// What the bundle needs besides its code: the typefaces of the emulator's pictures, and the licences of the packages whose
// code is in it.
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const FONTS = 'node_modules/dejavu-fonts-ttf';

/** Of packages without a file of their own, or with code that has another one. */
const LICENCES = { '@viz-js/viz': 'scripts/viz-js-licence.txt' };

/** The names in dist/ that are written here. */
export const PARTS = ['fonts', 'THIRD-PARTY-LICENSES.txt'];

export async function writeParts(folder, { outputs }) {
  await copyFonts(folder, Object.keys(outputs));
  const packages = [...packagesIn(outputs), FONTS].sort();
  const licences = await Promise.all(packages.map(licenceOf));
  const head = 'campaign contains code and typefaces of these packages, under these licences.\n';
  await writeFile(join(folder, 'THIRD-PARTY-LICENSES.txt'), [head, ...licences].join('\n'));
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

/** The folders of the packages that gave something to an output. */
function packagesIn(outputs) {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  const used = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  return new Set(
    used.flatMap(([file]) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []),
  );
}

async function licenceOf(folder) {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const own = (await readdir(folder)).find((each) => /^licen[sc]e/i.test(each));
  const file = LICENCES[name] ?? (own && join(folder, own));
  const text = file === undefined ? '' : await readFile(file, 'utf8');
  return `\n== ${name}@${version} (${license})\n\n${text.trim()}\n`;
}
