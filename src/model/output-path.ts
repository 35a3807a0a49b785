import type { OutputFile } from './payload.ts';

/** `dir` is relative to the manifest's folder, `name` is a template. */
export interface OutputTemplate {
  readonly dir: string;
  readonly name: string;
}

interface OutputValues {
  readonly post: string;
  readonly item: string;
  readonly postType: string;
  readonly take: number;
}

export function outputPath(template: OutputTemplate, values: OutputValues): string {
  return outputPaths(template)(values);
}

export type OutputPaths = (values: OutputValues) => string;

/** For many posts: the template is parsed once. */
export function outputPaths({ dir, name }: OutputTemplate): OutputPaths {
  const folder = dir.split('/').filter((part, index) => part || !index);
  const found = name.matchAll(/([-_.]*)\{(\w+)\}|[^{}]+?(?=[-_.]*\{\w+\}|$)|[^]/g);
  const pieces = Array.from(found, ([text, separators = '', placeholder]) => ({
    text,
    separators,
    placeholder,
  }));
  return ({ post, item, postType, take }) => {
    const slash = post.indexOf('/');
    const filled: Record<string, string> = {
      post: slash < 0 ? post : post.slice(0, slash),
      instance: slash < 0 ? '' : post.slice(slash + 1),
      item,
      post_type: postType,
      take: String(take),
    };
    let path = '';
    for (const { text, separators, placeholder } of pieces) {
      // The separator before an empty placeholder is removed with it.
      if (placeholder === undefined) path += text;
      else if (filled[placeholder]) path += separators + filled[placeholder];
    }
    // No part of the path begins with a separator, and none is empty.
    if (/(?:^|\/)[-_.]|\/\/|^\/|\/$/.test(path)) {
      const parts = path.split('/').map((part) => part.replace(/^[-_.]+/, ''));
      path = parts.filter(Boolean).join('/');
    }
    return [...folder, ...(path === '' ? [] : [path])].join('/');
  };
}

/** For a take that a newer one has replaced. */
export function olderTakePath(path: string, take: number): string {
  return `${path}.take${take}`;
}

/** The names of a take's files: a single file has the path as its name, several are numbered. */
export function fileNames(path: string, files: readonly Pick<OutputFile, 'path'>[]): string[] {
  return files.map((file, index) => {
    const extension = /\.[a-z0-9]+$/.exec(file.path)?.[0] ?? '';
    return files.length === 1 ? path + extension : `${path}-${index + 1}${extension}`;
  });
}
