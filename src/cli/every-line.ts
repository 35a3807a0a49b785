import { commandText } from '../model/command-text.ts';
import type { PlanOptions } from './options.ts';
import { shellWord } from '../util/inert-text.ts';

type PlanningOptions = PlanOptions & { readonly plan?: string; readonly files?: string | true };

/** The command that shows each line of the plan of these flags; undefined where a saved plan decides about them. */
export function everyLineOf(verb: string, target: string, options: PlanningOptions): string | undefined {
  if (options.plan !== undefined) return undefined;
  const { only = [], exclude = [], replace = [], retryFailed, maxDeletes, at } = options;
  const words = [
    ...only.flatMap((glob) => ['--only', glob]),
    ...exclude.flatMap((glob) => ['--exclude', glob]),
    ...replace.flatMap((glob) => ['--replace', glob]),
    ...(retryFailed === undefined ? [] : [`--retry-failed=${retryFailed}`]),
    ...(options.recreateMissing ? ['--recreate-missing'] : []),
    ...(options.withinBudget ? ['--within-budget'] : []),
    ...(options.prune ? ['--prune'] : []),
    ...(maxDeletes === undefined ? [] : ['--max-deletes', String(maxDeletes)]),
    ...(options.files ? ['--files'] : []),
    ...(at === undefined ? [] : ['--at', at]),
  ];
  return commandText(verb, target, ...words.map(shellWord), '--all');
}

/** The flags by which a run chose its nodes, for the command that comes next. */
export function chosenBy({ only = [], exclude = [] }: Pick<PlanningOptions, 'only' | 'exclude'>): string {
  const globs = [
    ...only.flatMap((glob) => ['--only', glob]),
    ...exclude.flatMap((glob) => ['--exclude', glob]),
  ];
  return globs.map(shellWord).join(' ');
}
