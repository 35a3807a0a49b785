/**
 * Writes down every question about files that a plan was made from, with its answer: `["stat","/a/b.png"]`, a tab and
 * the answer, a line each, in the order in which they were asked. If all answers are the same again, so is the plan.
 */
import { createHash } from 'node:crypto';
import type { Disk } from '../util/disk.ts';

type Ask = (...question: readonly unknown[]) => unknown;

/** `lines` is undefined where the same question had two answers, because something was changed meanwhile. */
export function recordDisk(disk: Disk): { disk: Disk; lines: () => readonly string[] | undefined } {
  const answers = new Map<string, string>();
  let isSteady = true;
  const recorded = ([name, ask]: [string, Ask]): [string, Ask] => [
    name,
    (...question) => {
      const answer = ask(...question);
      const key = JSON.stringify([name, ...question]);
      const text = answerText(answer);
      isSteady &&= (answers.get(key) ?? text) === text;
      answers.set(key, text);
      return answer;
    },
  ];
  return {
    disk: Object.fromEntries(
      Object.entries(disk as unknown as Record<string, Ask>).map(recorded),
    ) as unknown as Disk,
    lines: () => (isSteady ? [...answers].map(([key, text]) => `${key}\t${text}`) : undefined),
  };
}

/**
 * Whether all answers are as they were written down. A file that was changed at `settledMs` or later may have been
 * changed again without a trace in its times, so it counts as changed.
 */
export function isAsRecorded(disk: Disk, lines: readonly string[], settledMs: number): boolean {
  const asks = disk as unknown as Record<string, Ask>;
  return lines.every((line) => {
    const end = line.indexOf('\t');
    const [name, ...question] = JSON.parse(line.slice(0, end)) as [string, ...unknown[]];
    const answer = asks[name]?.(...question);
    const changedMs = isChangeable(answer) ? answer.ctimeMs : 0;
    return changedMs < settledMs && line.slice(end + 1) === answerText(answer);
  });
}

function isChangeable(answer: unknown): answer is { readonly ctimeMs: number } {
  return typeof answer === 'object' && answer !== null && 'ctimeMs' in answer;
}

function answerText(answer: unknown): string {
  if (Buffer.isBuffer(answer)) return createHash('sha256').update(answer).digest('hex');
  return JSON.stringify(answer) ?? 'nothing';
}
