import type { Problem } from '../model/problem.ts';
import { placeOf, type SourceFiles } from './locate.ts';
import type { DocumentProblem } from './problems.ts';

export function locateProblems(problems: readonly DocumentProblem[], files: SourceFiles): Problem[] {
  const located = new Map<string, Problem>();
  for (const problem of problems) {
    const place = placeOf(problem, files);
    const { code, detail, source } = problem;
    // Through aliases, one mistake in the text is at many places of the value.
    const { file, line, column } = place?.position ?? {};
    located.set([code, file ?? source, line, column, detail].join('\n'), { ...problem, ...place });
  }
  return [...located.values()].sort(inOrderOfText);
}

function inOrderOfText({ position: a }: Problem, { position: b }: Problem): number {
  if (!a || !b) return Number(Boolean(a)) - Number(Boolean(b));
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || a.column - b.column;
}
