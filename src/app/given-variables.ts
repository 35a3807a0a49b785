import type { ProcessVariables } from './runtime.ts';

const PREFIX = 'CAMPAIGN_VAR_';

/** The values that are given to variables of a manifest: those of `--var` and `--var-file` win. */
export function givenVariables(
  env: ProcessVariables,
  named: Iterable<readonly [string, string]> = [],
): ReadonlyMap<string, string> {
  const ofProcess = Object.entries(env).flatMap(([name, value]): [string, string][] =>
    name.startsWith(PREFIX) && value !== undefined ? [[name.slice(PREFIX.length), value]] : [],
  );
  return new Map([...ofProcess, ...named]);
}
