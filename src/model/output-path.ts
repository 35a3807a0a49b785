import type { OutputFile } from './payload.ts';

/** Where finished files go: `dir` relative to the manifest's folder, `name` a template. */
export interface OutputTemplate {
  readonly dir: string;
  readonly name: string;
}

/** Path of a post's files without extension: placeholders filled, empty ones gone with their separator. */
export function outputPath(
  template: OutputTemplate,
  values: { post: string; item: string; postType: string; take: number },
): string {
  const [key = '', ...instance] = values.post.split('/');
  const filled: Record<string, string> = {
    post: key,
    instance: instance.join('/'),
    item: values.item,
    post_type: values.postType,
    take: String(values.take),
  };
  // A separator before an empty placeholder goes with it; values never begin with one.
  const parts = template.name
    .replace(/([-_.]*)\{(\w+)\}/g, (_, separators: string, name: string) =>
      filled[name] ? separators + filled[name] : '',
    )
    .split('/')
    .map((part) => part.replace(/^[-_.]+/, ''))
    .filter(Boolean);
  return [...template.dir.split('/').filter((part, index) => part || !index), ...parts].join('/');
}

/** Suffix of the files of a take that a newer one has replaced. */
export function olderTakePath(path: string, take: number): string {
  return `${path}.take${take}`;
}

/** The names of a take's files below its path: one keeps it, several are numbered. */
export function fileNames(path: string, files: readonly OutputFile[]): string[] {
  return files.map((file, index) => {
    const extension = /\.[a-z0-9]+$/.exec(file.path)?.[0] ?? '';
    return files.length === 1 ? path + extension : `${path}-${index + 1}${extension}`;
  });
}
