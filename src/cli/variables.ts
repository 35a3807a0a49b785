import { parseDocument } from 'yaml';
import { EXIT } from '../model/exit.ts';
import type { Clock } from '../util/clock.ts';
import { readGiven } from '../util/read-given.ts';
import { err, ok, type Result } from '../util/result.ts';
import type { SharedOptions } from './options.ts';
import { refusal, type Refusal } from '../model/problem.ts';

/** Variables from `--var-file`, then from `--var`; the later one wins. */
export async function readVariables(
  options: Pick<SharedOptions, 'var' | 'varFile'>,
  clock: Clock,
): Promise<Result<ReadonlyMap<string, string>, Refusal>> {
  const variables = new Map<string, string>();
  for (const file of options.varFile ?? []) {
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

async function readVariableFile(
  file: string,
  clock: Clock,
): Promise<Result<readonly [string, string][], Refusal>> {
  const text = await readGiven(file, clock);
  if (!text.ok) return err(badVariable(`--var-file ${file} ${text.error}.`));
  const document = parseDocument(text.value);
  const [problem] = document.errors;
  if (problem) return err(badVariable(`${file}: ${problem.message.split('\n')[0] ?? ''}`));
  const content: unknown = document.toJS({ maxAliasCount: 100 });
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    return err(badVariable(`${file} must hold one name: value a line.`));
  }
  const entries = Object.entries(content);
  const nested = entries.find(([, value]) => typeof value === 'object');
  if (nested) return err(badVariable(`${file}: ${nested[0]} must be a single value.`));
  return ok(entries.map(([name, value]) => [name, String(value)]));
}

function badVariable(detail: string): Refusal {
  return refusal(EXIT.usage, { code: 'bad-variable', summary: 'A variable cannot be read', detail });
}
