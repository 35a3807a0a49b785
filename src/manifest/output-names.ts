/** Finds posts whose files would get one name. Many disks ignore case and Unicode composition. */
import { posix } from 'node:path';
import { postAddress } from '../model/address.ts';
import { outputPaths } from '../model/output-path.ts';
import { memberOf, type SourceRef } from '../model/source.ts';
import type { Post } from './manifest.ts';
import type { Problems } from '../document/problems.ts';

export interface OutputName {
  readonly post: string;
  readonly instance: string;
  readonly item: string;
  readonly post_type: string;
  readonly source: SourceRef;
  /** Without extension, below the output folder: as it is written, and in the form for comparing. */
  readonly path: string;
  readonly folded: string;
}

/** An item without a key is named by its place here, because its number is in the state. */
export function* outputNames(posts: readonly Post[], name: string): Iterable<OutputName> {
  const pathOf = outputPaths({ dir: '', name });
  for (const { key, instance = '', items, source } of posts) {
    const address = instance === '' ? key : `${key}/${instance}`;
    for (const [index, { key: itemKey, post_type }] of items.entries()) {
      const item = itemKey ?? String(index + 1);
      const path = pathOf({ post: address, item, postType: post_type, take: 1 }).slice(1);
      const folded = /^[a-z0-9/._+-]*$/.test(path) ? path : path.normalize('NFC').toLowerCase();
      const at = itemKey === undefined ? source : memberOf(source, 'items', index, 'key');
      yield { post: key, instance, item, post_type, source: at, path, folded };
    }
  }
}

export function shownName({ post, instance, item }: OutputName): string {
  return postAddress([post, instance, item].filter(Boolean).join('/'));
}

/** `at` is the place of the template. The default template has none, so its problems are reported at the post. */
export function checkOutputNames(
  all: readonly OutputName[],
  { dir, name, at }: { dir: string; name: string; at: SourceRef | undefined },
  problems: Problems,
): void {
  const byPath = new Map<string, OutputName>();
  const reported = new Set<SourceRef>();
  const report = (named: OutputName, detail: string) => {
    const source = at ?? named.source;
    if (reported.has(source)) return;
    reported.add(source);
    problems.add({ code: 'output-collision', detail, source, ...(at === undefined ? { part: 'key' } : {}) });
  };
  for (const named of all) {
    const other = byPath.get(named.folded);
    if (other) report(named, `${shared(other, named, dir)} ${advice(name, other, named)}`);
    else byPath.set(named.folded, named);
  }
  for (const named of all) {
    const owner = ownerOfName(named.folded, byPath);
    if (owner) report(named, `${shared(owner, named, dir)} ${NUMBERED}`);
    const file = fileInTheWay(named.folded, byPath);
    if (file === undefined) continue;
    const would = `${shownName(named)} would be saved as "${posix.join(dir, named.path)}"`;
    report(named, `${would}, and a folder on the way to it has the name of ${file}. ${KEYS}`);
  }
}

/** The post whose further files have this name: the slides of a carousel, or older takes. */
function ownerOfName(folded: string, byPath: ReadonlyMap<string, OutputName>): OutputName | undefined {
  const plain = folded.replace(/-\d+$/, '');
  const carousel = plain === folded ? undefined : (byPath.get(plain) ?? byPath.get(withoutTake(plain)));
  if (carousel?.post_type === 'carousel') return carousel;
  const first = withoutTake(folded);
  return first === folded ? undefined : byPath.get(first);
}

function withoutTake(folded: string): string {
  return folded.replace(/\.take\d+$/, '');
}

const EXTENSIONS = new Set('jpg png gif webp tif avif heic svg mp4 mov webm pdf zip bin'.split(' '));

/** A file with the name of one of the folders in a path, in words. */
function fileInTheWay(folded: string, byPath: ReadonlyMap<string, OutputName>): string | undefined {
  if (folded.startsWith('index.json/')) return 'the index of the output folder';
  for (let end = folded.lastIndexOf('/'); end > 0; end = folded.lastIndexOf('/', end - 1)) {
    const dot = folded.lastIndexOf('.', end);
    const file = EXTENSIONS.has(folded.slice(dot + 1, end)) ? byPath.get(folded.slice(0, dot)) : undefined;
    if (file) return `the file of ${shownName(file)}`;
  }
  return undefined;
}

function shared(one: OutputName, other: OutputName, dir: string): string {
  const both = `${shownName(one)} and ${shownName(other)} would both be saved as "${posix.join(dir, other.path)}"`;
  const alike = one.folded === other.folded && one.path !== other.path;
  const how = alike ? ` (the other as "${one.path}", which is the same name on many disks)` : '';
  return `${both}${how}, and one picture would take the place of the other.`;
}

const KEYS = 'Change one of the keys, or `outputs.name`.';
const NUMBERED = `(The pages of a carousel have -1, -2 and so on behind its name, and older takes .take1 and so on.) ${KEYS}`;

function advice(template: string, one: OutputName, other: OutputName): string {
  const differ = (['item', 'instance', 'post', 'post_type'] as const).filter(
    (name) => one[name] !== other[name],
  );
  const missing = differ.filter((name) => !template.includes(`{${name}}`));
  if (missing.length) return `Put ${missing.map((name) => `{${name}}`).join(' and ')} into the name.`;
  const [name = 'item', ...more] = differ;
  if (more.length || core(one[name]) !== core(other[name]))
    return 'Separate the placeholders of the name with `/`.';
  return `File names lose the \`-\`, \`_\` and \`.\` that a part of them begins with, and case does not count. Change one of the keys (a folder's key is made from its name), or put a letter before the placeholder with \`outputs.name\`: \`x{${name}}\`.`;
}

function core(key: string): string {
  return key
    .replace(/(^|\/)[-_.]+/g, '$1')
    .normalize('NFC')
    .toLowerCase();
}
