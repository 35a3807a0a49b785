// The licences of all code in the bundle that others wrote: of the packages that esbuild took in, and of those that these
// packages had bundled before. A build that cannot find one of them fails.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * What packages hold that no source map tells: packed code without a map, and WebAssembly. The licences of programs that
 * are no packages stand with that of the package, in scripts/licences/.
 */
const HOLDS = {
  '@viz-js/viz': [],
  dateformat: [],
  'h264-mp4-encoder': [],
  'rrule-temporal': ['temporal-polyfill', 'temporal-utils'],
};

const PACKAGE = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/;

/** `outputs` is that of esbuild's metafile; `others` are folders of packages from which files were copied. */
export function writeLicences(file, outputs, others) {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  const used = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([name]) => name);
  const found = [...new Set(used)].filter((name) => PACKAGE.test(name)).flatMap(packagesIn);
  const folders = [...new Set([...found, ...others])].sort((a, b) => (a < b ? -1 : 1));
  const head = 'campaign contains code and typefaces of these packages, under these licences.\n';
  writeFileSync(file, [head, ...folders.map(licenceOf)].join('\n'));
}

/** The folders of the packages that a file is made of. */
function packagesIn(file) {
  const [folder] = PACKAGE.exec(file);
  const text = readFileSync(file, 'utf8');
  const name = nameOf(folder);
  const sources = sourcesOf(file, text);
  // Some bundlers leave the path of each file in a comment.
  const paths = [...(sources ?? []), ...(text.match(/node_modules\/[\w@./+-]+\.[cm]?[jt]sx?\b/g) ?? [])];
  const isPacked = /\.[cm]?js$/.test(file) && text.split('\n').some((line) => line.length > 5_000);
  if (((isPacked && !sources) || text.includes('WebAssembly')) && !HOLDS[name])
    throw new Error(
      `${file} is a bundle or WebAssembly, and nothing says of what: name that in scripts/write-licences.mjs`,
    );
  const bundled = paths.flatMap((path) => PACKAGE.exec(path) ?? []).map(nameOf);
  const others = new Set([...bundled, ...(HOLDS[name] ?? [])].filter((each) => each !== name));
  return [folder, ...[...others].map((each) => installed(each, folder))];
}

function nameOf(folder) {
  return folder.split('node_modules/').at(-1);
}

/** The files that a bundle was made of; undefined where it has no map that can be read. */
function sourcesOf(file, text) {
  const url = /[#@] sourceMappingURL=([^\s*]+)/.exec(
    text.slice(text.lastIndexOf('sourceMappingURL=') - 2),
  )?.[1];
  if (url === undefined) return undefined;
  const [, data] = /^data:application\/json\b.*;base64,(.*)$/.exec(url) ?? [];
  const map = join(dirname(file), decodeURIComponent(url));
  if (data === undefined && !existsSync(map)) return undefined;
  const { sources = [], sections = [] } = JSON.parse(data ? Buffer.from(data, 'base64') : readFileSync(map));
  return [...sources, ...sections.flatMap((section) => section.map.sources)];
}

/** Where the package that bundled it would find it itself. */
function installed(name, bundler) {
  for (let folder = bundler; folder !== '.'; folder = dirname(folder)) {
    const place = join(folder, 'node_modules', name);
    if (existsSync(join(place, 'package.json'))) return place;
  }
  const place = join('node_modules', name);
  if (existsSync(join(place, 'package.json'))) return place;
  throw new Error(
    `${bundler} bundles ${name}, which is not installed, so its licence is not known: add it to devDependencies`,
  );
}

function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const text = textOf(folder, name).replaceAll('\r\n', '\n').trim();
  if (!/permi(?:ssion|tted)|licensed? under|agree/i.test(text))
    throw new Error(
      `${folder} has no text of its licence (${license}): put it into scripts/licences/${name}.txt`,
    );
  return `\n== ${name}@${version} (${license})\n\n${text}\n`;
}

/** A file of ours first, because some packages have none, or hold code under another licence as well. */
function textOf(folder, name) {
  const ours = join('scripts', 'licences', `${name}.txt`);
  if (existsSync(ours)) return readFileSync(ours, 'utf8');
  const names = readdirSync(folder);
  const own = names.filter((each) => /^(?:licen[sc]e|copying|notice)/i.test(each)).sort();
  if (own.length) return own.map((each) => readFileSync(join(folder, each), 'utf8')).join('\n\n');
  const readme = names.find((each) => /^readme/i.test(each));
  const words = readme === undefined ? '' : readFileSync(join(folder, readme), 'utf8');
  return /^#+ *licen[sc]e\b.*\n([^]*)/im.exec(words)?.[1] ?? '';
}
