/** Finds posts whose files would get one name. Many disks ignore case and Unicode composition. */
import { posix } from 'node:path';
import { postAddress } from '../model/address.ts';
import { type KeyedKind, objectAddress } from '../model/kinds.ts';
import { outputPaths, type OutputTemplate } from '../model/output-path.ts';
import type { Shown } from '../model/output-values.ts';
import type { ObjectRef } from '../model/payload.ts';
import { memberOf, type SourceRef } from '../model/source.ts';
import type { Item, KeyOrId, Post } from './manifest.ts';
import type { Problems } from '../document/problems.ts';

export interface OutputName {
  readonly post: Post;
  readonly item: Item;
  /** From 1; it names an item without a key here, because the number of such an item is in the state. */
  readonly place: number;
  /** Without extension, below the output folder: as it is written, and in the form for comparing. */
  readonly path: string;
  readonly folded: string;
}

export function* outputNames(
  posts: readonly Post[],
  template: Omit<OutputTemplate, 'dir'>,
): Iterable<OutputName> {
  const pathOf = outputPaths({ ...template, dir: '' });
  for (const post of posts) {
    const { key, instance = '', items } = post;
    const address = instance === '' ? key : `${key}/${instance}`;
    for (const [index, item] of items.entries()) {
      const place = index + 1;
      const shown = () => shownBy(post, item);
      const values = {
        post: address,
        item: item.key ?? String(place),
        postType: item.post_type,
        take: 1,
        shown,
      };
      const path = pathOf(values).slice(1);
      const folded = /^[a-z0-9/._+-]*$/.test(path) ? path : path.normalize('NFC').toLowerCase();
      yield { post, item, place, path, folded };
    }
  }
}

function shownBy({ concept }: Post, { assets, metadata }: Item): Shown {
  return {
    products: assets.map(({ product }) => refTo('product', product)),
    concept: refTo('concept', concept),
    ratio: metadata.aspect_ratio,
  };
}

function refTo(kind: KeyedKind, ref: KeyOrId): ObjectRef {
  return 'id' in ref ? ref : { address: objectAddress(kind, ref.key) };
}

/** What the placeholders of a template stand for. */
function partsOf({ post: { key, instance = '' }, item, place }: OutputName) {
  return { post: key, instance, item: item.key ?? String(place), post_type: item.post_type };
}

export function shownName(name: OutputName): string {
  const { post, instance, item } = partsOf(name);
  return postAddress([post, instance, item].filter(Boolean).join('/'));
}

export function placeOfName({ post, item }: OutputName): SourceRef {
  return item.key === undefined ? post.source : memberOf(item.source, 'key');
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
    const source = at ?? placeOfName(named);
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
  if (!/\d$/.test(folded)) return undefined;
  const plain = folded.replace(/-\d+$/, '');
  const carousel = plain === folded ? undefined : (byPath.get(plain) ?? byPath.get(withoutTake(plain)));
  if (carousel?.item.post_type === 'carousel') return carousel;
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
    if (dot < 0) return undefined;
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

function advice(template: string, named: OutputName, also: OutputName): string {
  const [one, other] = [partsOf(named), partsOf(also)];
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
