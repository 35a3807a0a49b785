/**
 * What a command does besides for GitHub Actions (GITHUB_ACTIONS=true): problems become annotations at their lines, and
 * plans stand on the summary page. Annotations are workflow commands, which the runner reads from both streams; they go to
 * standard error, because standard output has the results.
 */
import { closeSync, existsSync, fstatSync } from 'node:fs';
import path from 'node:path';
import type { Problem } from '../model/problem.ts';
import { count } from '../util/count.ts';
import { inertText } from '../util/inert-text.ts';
import { openStream, wordsOf, writeToStream } from '../util/own-file.ts';
import type { Listener, Subject } from './listener.ts';

type Variables = Readonly<Record<string, string | undefined>>;

export function isOnGithub(env: Variables): boolean {
  return env['GITHUB_ACTIONS'] === 'true';
}

/** GitHub shows no more of each kind for one step. */
const MOST = 10;

/** `write` gets whole lines; `close` says how many did not fit. */
export function createAnnotations(env: Variables, write: (line: string) => void) {
  const seen = new Set<string>();
  const told = { error: 0, warning: 0 };
  const add = (problem: Problem, about: Subject) => {
    const { severity: kind = 'error' } = problem;
    const line = `::${kind} ${propertiesOf(problem, about, env)}::${escapeData(wordsFor(problem))}\n`;
    if (seen.has(line)) return;
    seen.add(line);
    told[kind] += 1;
    if (told[kind] <= MOST) write(line);
  };
  const hear: Listener = (event, about) => {
    if (event.type === 'problems') for (const problem of event.problems) add(problem, about);
    else if (event.type === 'warning') add({ ...event, severity: 'warning' }, about);
  };
  return {
    hear,
    close(): void {
      const more = [
        ...(told.error > MOST ? [count(told.error - MOST, 'more error')] : []),
        ...(told.warning > MOST ? [count(told.warning - MOST, 'more warning')] : []),
      ];
      if (!more.length) return;
      const words = `${more.join(' and ')} without an annotation, as GitHub shows ${MOST} of each: the log has all of them.`;
      write(`::notice title=campaign::${words}\n`);
    },
  };
}

function propertiesOf({ summary, position }: Problem, about: Subject, env: Variables): string {
  const file = position && fileOf(position.file, about, env);
  const place = position && file ? { file, line: position.line, col: position.column } : {};
  return Object.entries({ ...place, title: inertText(summary) })
    .map(([name, value]) => `${name}=${escapeProperty(String(value))}`)
    .join(',');
}

/** Relative to the repository; undefined for what is not in it, or is no file. */
function fileOf(shown: string, { manifest = '.' }: Subject, env: Variables): string | undefined {
  const places = [path.resolve(shown), path.resolve(path.dirname(manifest), shown)];
  const found = places.find((place) => existsSync(place));
  const inside = found && path.relative(env['GITHUB_WORKSPACE'] || '.', found);
  return inside && !inside.startsWith('..') && !path.isAbsolute(inside) ? inside : undefined;
}

function wordsFor({ summary, detail = '' }: Problem): string {
  const lines = detail.split('\n').map((line) => inertText(line));
  return lines.filter(Boolean).join('\n') || inertText(summary);
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** Text from a manifest or the service must not be taken for a workflow command. */
export function inertForRunner(text: string): string {
  return text.replace(/^([^\S\n]*)::/gm, '$1: :').replaceAll('##[', '# #[');
}

/** The same for JSON, in which the value stays what it is. */
export function inertJsonForRunner(text: string): string {
  return text.replaceAll('##[', '#\\u0023[');
}

/** GitHub drops the whole summary of a step that is longer. */
const LONGEST_SUMMARY = 1024 ** 2;

/** Adds to the summary page of the workflow run, where there is one; says why it cannot. */
export function addToSummary(markdown: string, env: Variables): string | undefined {
  const file = env['GITHUB_STEP_SUMMARY'];
  if (!file || !isOnGithub(env)) return undefined;
  const text = `${markdown}\n`;
  if (!existsSync(file)) return 'there is no such file';
  try {
    const fd = openStream(file);
    try {
      const stats = fstatSync(fd);
      if (stats.isFile() && stats.size + Buffer.byteLength(text) > LONGEST_SUMMARY)
        return 'with it the summary of this step would be longer than 1 MiB, and GitHub would show nothing of it';
      writeToStream(fd, text);
    } finally {
      closeSync(fd);
    }
    return undefined;
  } catch (error) {
    return wordsOf(error);
  }
}
