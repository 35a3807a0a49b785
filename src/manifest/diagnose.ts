import type { Diagnostic } from '../model/diagnostic.ts';
import { type SourceFiles, positionOf, sourceLineAt } from './locate.ts';
import { type Problem, summaryOf } from './problems.ts';

/** The problems as diagnostics, in the order of the files and their lines; problems without a place first. */
export function toDiagnostics(problems: readonly Problem[], files: SourceFiles): Diagnostic[] {
  return problems.map((problem) => toDiagnostic(problem, files)).sort(inOrderOfText);
}

function toDiagnostic(problem: Problem, files: SourceFiles): Diagnostic {
  const { code, detail, severity = 'error' } = problem;
  const position = positionOf(problem, files);
  const sourceLine = position && sourceLineAt(position, files);
  return {
    severity,
    code,
    summary: summaryOf(code),
    detail,
    ...(position ? { position } : {}),
    ...(sourceLine === undefined ? {} : { sourceLine }),
  };
}

function inOrderOfText({ position: a }: Diagnostic, { position: b }: Diagnostic): number {
  if (!a || !b) return Number(Boolean(a)) - Number(Boolean(b));
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || a.column - b.column;
}
