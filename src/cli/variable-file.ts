import { isAlias, isMap, isScalar, parseDocument } from 'yaml';
import { keyName, writtenText } from '../document/key-name.ts';
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
  const { contents } = document;
  if (!isMap(contents)) return err(badVariable(`${file} must hold one name: value a line.`));
  const entries: [string, string][] = [];
  for (const { key, value } of contents.items) {
    const name = keyName(key) ?? '';
    const text = textOf(isAlias(value) ? value.resolve(document) : value);
    if (text === undefined) return err(badVariable(`${file}: ${name} must be a single value.`));
    entries.push([name, text]);
  }
  return ok(entries);
}

/** A number keeps the digits that it is written with. */
function textOf(node: unknown): string | undefined {
  if (!isScalar(node) || node.value === null) return undefined;
  return typeof node.value === 'string' ? node.value : writtenText(node);
}
