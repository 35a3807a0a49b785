import type { Clock } from '../util/clock.ts';
import { err, ok, type Result } from '../util/result.ts';
import type { SharedOptions } from './options.ts';
import type { Refusal } from '../model/problem.ts';
import { badVariable } from './bad-variable.ts';

/** Variables from `--var-file`, then from `--var`; the later one wins. */
export async function readVariables(
  options: Pick<SharedOptions, 'var' | 'varFile'>,
  clock: Clock,
): Promise<Result<ReadonlyMap<string, string>, Refusal>> {
  const variables = new Map<string, string>();
  for (const file of options.varFile ?? []) {
    // With it comes the reader of YAML.
    const { readVariableFile } = await import('./variable-file.ts');
    const entries = await readVariableFile(file, clock);
    if (!entries.ok) return entries;
    for (const [name, value] of entries.value) variables.set(name, value);
  }
  for (const assignment of options.var ?? []) {
    const split = assignment.indexOf('=');
    if (split < 1) {
      return err(badVariable(`--var ${assignment} is not of the form name=value.`));
    }
    variables.set(assignment.slice(0, split), assignment.slice(split + 1));
  }
  return ok(variables);
}
