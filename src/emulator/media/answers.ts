import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Counts answers for media whose answers differ from one request to the next. The counts outlive the process. */
export interface Answers {
  /** Counts one answer more and returns the new count. */
  count(id: string): number;
}

/** The counts that lie in this folder, one small file each. */
export function openAnswers(dir: string): Answers {
  mkdirSync(dir, { recursive: true });
  const counts = new Map(
    readdirSync(dir).map((id) => [id, Number(readFileSync(join(dir, id), 'utf8'))] as const),
  );
  return {
    count(id) {
      const count = (counts.get(id) ?? 0) + 1;
      counts.set(id, count);
      writeFileSync(join(dir, id), String(count));
      return count;
    },
  };
}
