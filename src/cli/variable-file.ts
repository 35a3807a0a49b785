import { parseDocument } from 'yaml';
import type { Refusal } from '../model/problem.ts';
import type { Clock } from '../util/clock.ts';
import { readGiven } from '../util/read-given.ts';
import { err, ok, type Result } from '../util/result.ts';
import { badVariable } from './bad-variable.ts';

export async function readVariableFile(
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
