/** The variables for a program that campaign starts: all but those that hold a key. */
import type { ProcessVariables } from '../../app/runtime.ts';
import { givenVariables } from '../../app/given-variables.ts';
import { STORAGE_SECRETS } from '../../storage/s3-settings.ts';
import { namedKeys, readText } from '../key-variables.ts';

const OURS = ['CAMPAIGN_API_KEY', 'CAMPAIGN_API_KEY_FILE', 'PGPASSWORD'];

/** Shorter values are no keys, and stand in other variables by chance. */
const SHORTEST_KEY = 8;

interface CollectedNames {
  readonly inputs: readonly string[];
  readonly variables: ReadonlyMap<string, string>;
  readonly storage?: string | undefined;
}

/**
 * Leaves out the variables of the keys of all environments of these manifests (`inputs`: texts of further ones;
 * `variables`: what was given to them; `storage`: where its files are), every other one that has such a key in its value, and addresses with a
 * password, such as that of a proxy.
 */
export async function cleanVariables(
  env: ProcessVariables,
  manifests: readonly string[],
  { inputs, variables, storage }: CollectedNames,
): Promise<NodeJS.ProcessEnv> {
  // Its code comes with the reader of YAML.
  const { filledKeys } = await import('./filled-keys.ts');
  const given = givenVariables(env, variables);
  const filled = [...manifests.map(readText), ...inputs].flatMap((text) => filledKeys(text, given));
  // What cannot be read as YAML may name a key all the same.
  const named = new Set([
    ...OURS,
    ...(isS3(storage) ? STORAGE_SECRETS : []),
    ...namedKeys(manifests, inputs),
    ...filled,
  ]);
  const keyFile = env['CAMPAIGN_API_KEY_FILE'];
  const values = [...named].map((name) => (name === 'CAMPAIGN_API_KEY_FILE' ? '' : (env[name] ?? '')));
  const keys = [...values, keyFile ? readText(keyFile) : '']
    .map((text) => text.trim())
    .filter((text) => text.length >= SHORTEST_KEY);
  const isClean = (name: string, value: string) =>
    !named.has(name) && !keys.some((key) => value.includes(key)) && !hasPassword(name, value);
  return Object.fromEntries(Object.entries(env).filter(([name, value = '']) => isClean(name, value)));
}

/** Otherwise such variables are somebody else's. */
function isS3(storage = ''): boolean {
  return /^s3:/i.test(storage);
}

/** Of other variables nobody knows whether the program needs them: its own service may have a password in its address. */
function hasPassword(name: string, value: string): boolean {
  return /_proxy$|^CAMPAIGN_/i.test(name) && /\/\/[^/@]*@|^[^/@]*:[^/@]*@/.test(value);
}
