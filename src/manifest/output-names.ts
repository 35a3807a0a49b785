import { outputPath } from '../model/output-path.ts';
import type { Outputs, Post } from './manifest.ts';
import type { Problems } from './problems.ts';

/** What a file name is made of. */
interface Named {
  readonly post: string;
  readonly instance: string;
  readonly item: string;
  readonly post_type: string;
}

/** Two posts whose files would get one name: the later file would take the place of the other. */
export function checkOutputNames(posts: readonly Post[], outputs: Outputs, problems: Problems): void {
  const byPath = new Map<string, Named>();
  for (const named of namesOf(posts)) {
    const { post, instance, item, post_type } = named;
    const address = instance === '' ? post : `${post}/${instance}`;
    const path = outputPath(outputs, { post: address, item, postType: post_type, take: 1 });
    const other = byPath.get(path) ?? numberedFile(path, byPath);
    if (other) {
      const detail = `${shown(other)} and ${shown(named)} would both be saved as "${path}", and one picture would take the place of the other. ${advice(outputs.name, other, named)}`;
      problems.add({ code: 'output-collision', detail, source: '#/outputs/name' });
      return;
    }
    byPath.set(path, named);
  }
}

/** An item without a key goes by its place here: the number that it will get is in the state. */
function* namesOf(posts: readonly Post[]): Iterable<Named> {
  for (const { key, instance = '', items } of posts) {
    for (const [index, item] of items.entries()) {
      yield { post: key, instance, item: item.key ?? String(index + 1), post_type: item.post_type };
    }
  }
}

/** The files of a carousel have numbers behind its name. */
function numberedFile(path: string, byPath: ReadonlyMap<string, Named>): Named | undefined {
  const carousel = byPath.get(path.replace(/-\d+$/, ''));
  return carousel?.post_type === 'carousel' ? carousel : undefined;
}

function shown({ post, instance, item }: Named): string {
  return `media/${[post, instance, item].filter(Boolean).join('/')}`;
}

function advice(template: string, one: Named, other: Named): string {
  const missing = (['item', 'instance', 'post', 'post_type'] as const).filter(
    (name) => one[name] !== other[name] && !template.includes(`{${name}}`),
  );
  if (missing.length === 0) return 'Separate the placeholders of the name with `/`.';
  return `Put ${missing.map((name) => `{${name}}`).join(' and ')} into the name.`;
}
