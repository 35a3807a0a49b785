import path from 'node:path';
import { DEFAULT_MANIFEST } from '../app/find-manifests.ts';
import { kindOf } from '../model/kinds.ts';
import { STDIN } from '../model/manifest-file.ts';
import { isDatabaseUrl, withoutPassword } from '../util/database-url.ts';
import { shellWord } from '../util/inert-text.ts';
import type { SharedOptions } from './options.ts';

/** The manifest comes first and may be left out: an argument that begins like an address is no manifest. */
export function targetOf(args: readonly (string | undefined)[]): { file: string; rest: readonly string[] } {
  const [first, ...others] = args.filter((arg) => arg !== undefined);
  if (first === undefined) return { file: DEFAULT_MANIFEST, rest: [] };
  return kindOf(first) === undefined
    ? { file: first, rest: others }
    : { file: DEFAULT_MANIFEST, rest: [first, ...others] };
}

type Naming = Pick<SharedOptions, 'env' | 'state' | 'files' | 'var' | 'varFile' | 'allowOutside'>;

/** The words that name a campaign on the command line, for advice, without a password. Variables of the shell are there the next time, too. */
export function targetWords(file: string, options: Naming): string {
  const { env, state, files: storage, var: variables = [], varFile: files = [], allowOutside } = options;
  // A path that begins like an address would be taken for one.
  const manifest = kindOf(file) === undefined ? file : `./${file}`;
  return [
    ...(path.normalize(file) === DEFAULT_MANIFEST ? [] : [manifest]),
    ...(env ? ['--env', env] : []),
    ...(state ? ['--state', withoutPassword(state)] : []),
    ...(typeof storage === 'string' && !storage.includes('@') ? ['--files', storage] : []),
    ...files.flatMap((name) => ['--var-file', name]),
    ...variables.flatMap((assignment) => ['--var', assignment]),
    ...(allowOutside ? ['--allow-outside'] : []),
  ]
    .map(shellWord)
    .join(' ');
}

/**
 * The same for a page that is sent to other people, who stand in the folder of the manifest. A path tells no folder above the one
 * that the command ran in: of what lies elsewhere, only the name is left.
 */
export function targetInFolder(file: string, options: Naming): string {
  const folder = path.resolve(path.dirname(file));
  const here = path.resolve();
  const named = (typed: string) => {
    const full = path.resolve(typed);
    const isTold = isBelow(full, folder) || (isBelow(folder, here) && isBelow(full, here));
    return isTold ? path.relative(folder, full) : `…/${path.basename(full)}`;
  };
  const { state, varFile } = options;
  return targetWords(file === STDIN ? file : path.basename(file), {
    ...options,
    ...(state && !isDatabaseUrl(state) && { state: named(state.replace(/^file:\/\//, '')) }),
    ...(varFile && { varFile: varFile.map(named) }),
  });
}

function isBelow(full: string, folder: string): boolean {
  return full === folder || full.startsWith(folder === path.sep ? folder : folder + path.sep);
}

/** A manifest, which may be left out, and one more argument. */
export function lastWord([first = '', second]: readonly string[]): { file: string; word: string } {
  return second === undefined ? { file: DEFAULT_MANIFEST, word: first } : { file: first, word: second };
}
