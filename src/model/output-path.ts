import type { Address } from './address.ts';
import {
  PLACEHOLDERS,
  type Shown,
  type TemplateNames,
  valuesOf,
  type OutputValues,
} from './output-values.ts';
import type { OutputFile } from './payload.ts';

/** Default of manifest version 1. No two posts get the same path from it. */
export const DEFAULT_NAME = '{post}/{instance}/{item}-{post_type}';

/** `dir` is relative to the manifest's folder, `name` is a template. */
export interface OutputTemplate {
  readonly dir: string;
  readonly name: string;
  /** Present where the name has placeholders for what a post shows, or for the matrix. */
  readonly names?: TemplateNames;
}

export function outputPath(template: OutputTemplate, values: OutputValues): string {
  return outputPaths(template)(values);
}

/** The path of a post's files, without extension; the default name where a placeholder's value is not known. */
export interface OutputPaths {
  (values: OutputValues): string;
  readonly isKnown: (values: OutputValues) => boolean;
  /** What posts show of the graph, by the address of the item. */
  readonly wanted: ReadonlyMap<Address, Shown & { readonly fingerprint: string }>;
}

/** For many posts: the template is parsed once. */
export function outputPaths(
  { dir, name, names }: OutputTemplate,
  wanted: OutputPaths['wanted'] = new Map(),
): OutputPaths {
  const folder = dir.split('/').filter((part, index) => part || !index);
  const template = parse(name);
  const more = template
    .flatMap(({ placeholder }) => placeholder ?? [])
    .filter((each) => !PLACEHOLDERS.has(each));
  const byDefault = more.length ? parse(DEFAULT_NAME) : template;
  const filled = (values: OutputValues) => valuesOf(values, { more, names });
  const paths = (values: OutputValues) => {
    const known = filled(values);
    const path = known ? fill(template, known) : fill(byDefault, valuesOf(values, { more: [], names }) ?? {});
    return [...folder, ...(path === '' ? [] : [path])].join('/');
  };
  return Object.assign(paths, { isKnown: (values: OutputValues) => filled(values) !== undefined, wanted });
}

interface Piece {
  readonly text: string;
  readonly separators: string;
  readonly placeholder: string | undefined;
}

function parse(name: string): Piece[] {
  const found = name.matchAll(/([-_.]*)\{([\w-]+)\}|[^{}]+?(?=[-_.]*\{[\w-]+\}|$)|[^]/g);
  return Array.from(found, ([text, separators = '', placeholder]) => ({ text, separators, placeholder }));
}

function fill(template: readonly Piece[], values: Readonly<Record<string, string>>): string {
  let path = '';
  for (const { text, separators, placeholder } of template) {
    // The separator before an empty placeholder is removed with it.
    if (placeholder === undefined) path += text;
    else if (values[placeholder]) path += separators + values[placeholder];
  }
  // No part of the path begins with a separator, and none is empty.
  if (!/(?:^|\/)[-_.]|\/\/|^\/|\/$/.test(path)) return path;
  const parts = path.split('/').map((part) => part.replace(/^[-_.]+/, ''));
  return parts.filter(Boolean).join('/');
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
