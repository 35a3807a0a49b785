import path from 'node:path';
import { kindOf } from '../model/address.ts';
import { inertText } from '../util/inert-text.ts';
import type { SharedOptions } from './options.ts';

/** The manifest where none is named. */
export const DEFAULT = 'campaign.yaml';

/** The manifest comes first and may be left out: what begins like an address is none. */
export function targetOf(args: readonly (string | undefined)[]): { file: string; rest: readonly string[] } {
  const [first, ...others] = args.filter((arg) => arg !== undefined);
  if (first === undefined) return { file: DEFAULT, rest: [] };
  return kindOf(first) === undefined
    ? { file: first, rest: others }
    : { file: DEFAULT, rest: [first, ...others] };
}

/**
 * The words that name a campaign on the command line as the user did, for advice: its manifest where it is not the default,
 * and the flags that chose environment and state. Variables of the shell are there the next time too.
 */
export function targetWords(file: string, { env, state }: Pick<SharedOptions, 'env' | 'state'>): string {
  // A path that begins like an address would be taken for one.
  const manifest = kindOf(file) === undefined ? file : `./${file}`;
  return [
    ...(path.normalize(file) === DEFAULT ? [] : [manifest]),
    ...(env ? ['--env', env] : []),
    ...(state ? ['--state', state] : []),
  ]
    .map((word) => inertText(/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(' ');
}
