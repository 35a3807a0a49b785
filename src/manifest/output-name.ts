import { postAddress } from '../model/address.ts';
import { outputPaths } from '../model/output-path.ts';
import { memberOf, type SourceRef } from '../model/source.ts';
import type { Post } from './manifest.ts';

/** The name of the files of one wanted post, and the values that it is made of. */
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

/** The address of the post. */
export function shownName({ post, instance, item }: OutputName): string {
  return postAddress([post, instance, item].filter(Boolean).join('/'));
}
