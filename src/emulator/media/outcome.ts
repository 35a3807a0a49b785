import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** How the generation of one post ended; the files lie in the folder of files. */
export type MediaOutcome =
  | {
      status: 'success';
      finished_at: string;
      files: readonly { name: string; width: number; height: number }[];
    }
  | { status: 'failed'; finished_at: string; error_message: string };

/** The stored outcomes of earlier starts, by the id of the medium. */
export function loadOutcomes(dir: string): Map<string, MediaOutcome> {
  mkdirSync(dir, { recursive: true });
  const names = readdirSync(dir).filter((name) => name.endsWith(ENDING));
  return new Map(
    names.map((name) => [
      name.slice(0, -ENDING.length),
      JSON.parse(readFileSync(join(dir, name), 'utf8')) as MediaOutcome,
    ]),
  );
}

/** Stores an outcome; a kill leaves either nothing or the whole of it. */
export function keepOutcome(dir: string, id: string, outcome: MediaOutcome): void {
  const path = join(dir, `${id}${ENDING}`);
  writeFileSync(`${path}.part`, JSON.stringify(outcome));
  renameSync(`${path}.part`, path);
}

/** Removes the outcome of a medium that was deleted. */
export function dropOutcome(dir: string, id: string): void {
  rmSync(join(dir, `${id}${ENDING}`), { force: true });
}

const ENDING = '.json';
