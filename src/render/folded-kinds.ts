/** Uploads, products, concepts and requests in a log: where they are many, those that succeed are one line. */
import { KINDS } from '../model/kinds.ts';
import type { Plan } from '../model/plan.ts';
import type { RunEvent } from '../model/run-event.ts';
import { durationText } from '../util/duration.ts';
import { endWord } from './run-words.ts';
import type { Style } from './style.ts';

/** So many have a line each. */
const FEW = 10;

type Finished = Extract<RunEvent, { type: 'node-finished' }>;

export function createFoldedKinds({ nodes }: Plan, style: Style) {
  const planned = new Map<string, number>();
  for (const { kind, action } of nodes.listed) {
    if (KINDS[kind].stored !== 'object' && KINDS[kind].stored !== 'request') continue;
    const key = keyOf({ kind, action });
    planned.set(key, (planned.get(key) ?? 0) + 1);
  }
  const folds = new Map(
    [...planned]
      .filter(([, all]) => all > FEW)
      .map(([key, all]) => [key, { all, done: 0, ended: 0, ms: 0, isTold: false }]),
  );
  const lineOf = (key: string, { all, done, ms }: { all: number; done: number; ms: number }) => {
    const [kind, action] = key.split(' ') as [Finished['kind'], Finished['action']];
    const mark = KINDS[kind].stored === 'request' ? style.yellow('…') : style.green('✓');
    return `  ${mark} ${kind}/* ${done} of ${all} ${endWord(kind, action, 'done')} ${style.dim(`(${durationText(ms)})`)}`;
  };

  return {
    /** The lines that it makes; undefined where its own line is wanted. */
    finished(event: Finished): { readonly lines: string[] } | undefined {
      const key = keyOf(event);
      const fold = folds.get(key);
      if (!fold) return undefined;
      fold.ended += 1;
      fold.ms = Math.max(fold.ms, event.ms);
      const isDone = event.end === 'done' || event.end === 'unchanged';
      if (isDone) fold.done += 1;
      const isLast = fold.ended === fold.all && fold.done > 0;
      if (isLast) fold.isTold = true;
      const lines = isLast ? [lineOf(key, fold)] : [];
      return isDone ? { lines } : undefined;
    },
    /** What a run that ended early has of them. */
    rest: (): string[] =>
      [...folds].flatMap(([key, fold]) => (fold.isTold || fold.done === 0 ? [] : [lineOf(key, fold)])),
  };
}

function keyOf({ kind, action }: Pick<Finished, 'kind' | 'action'>): string {
  return `${kind} ${action}`;
}
