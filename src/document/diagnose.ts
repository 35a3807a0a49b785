import type { Diagnostic } from '../model/diagnostic.ts';
import { placeOf, type SourceFiles } from './locate.ts';
import { type Problem, summaryOf } from './problems.ts';

/** The problems as diagnostics, in the order of the files and their lines; problems without a place first. */
export function toDiagnostics(problems: readonly Problem[], files: SourceFiles): Diagnostic[] {
  const diagnostics = new Map<string, Diagnostic>();
  for (const problem of problems) {
    const diagnostic = toDiagnostic(problem, files);
    const { code, detail, position } = diagnostic;
    // Through aliases, one mistake of the text is at many places of the value.
    const key = position ? [position.file, position.line, position.column] : [problem.source];
    diagnostics.set([code, ...key, detail].join('\n'), diagnostic);
  }
  return [...diagnostics.values()].sort(inOrderOfText);
}

function toDiagnostic(problem: Problem, files: SourceFiles): Diagnostic {
  const { code, detail, severity = 'error' } = problem;
  return { severity, code, summary: summaryOf(code), detail, ...placeOf(problem, files) };
}

function inOrderOfText({ position: a }: Diagnostic, { position: b }: Diagnostic): number {
  if (!a || !b) return Number(Boolean(a)) - Number(Boolean(b));
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || a.column - b.column;
}
