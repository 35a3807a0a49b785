import type { Problem } from '../model/problem.ts';
import { inertText } from '../util/inert-text.ts';
import { displayWidth, wrapText } from './text-columns.ts';
import type { Style } from './style.ts';

/** Longest part of a source line that is shown; the caret always stays visible. */
const SHOWN_COLUMNS = 100;
/** However narrow the terminal is. */
const LEAST_COLUMNS = 20;

/** `columns`: of the terminal, where it is one. */
export function diagnosticText(problem: Problem, style: Style, columns = Number.POSITIVE_INFINITY): string {
  const { severity = 'error', summary, code, detail = '', position } = problem;
  const colour = colourOf(problem, style);
  const lines = [
    `${colour(style.bold(`${severity}:`))} ${style.bold(inertText(summary))} ${style.dim(`[${code}]`)}`,
  ];
  if (position) {
    lines.push(`  ${style.dim('at')} ${inertText(position.file)}:${position.line}:${position.column}`);
    lines.push(...sourceLines(problem, style, columns));
  }
  for (const line of detail.split('\n')) {
    // A line that is set in is a list or an example.
    const first = `  ${/^ */.exec(line)?.[0]}`;
    if (line) lines.push(...wrapText(inertText(line.trimStart()), { columns, first, others: first }));
  }
  return `${lines.join('\n')}\n`;
}

function sourceLines(problem: Problem, style: Style, columns: number): string[] {
  const { position, sourceLine } = problem;
  if (!position || sourceLine === undefined) return [];
  const colour = colourOf(problem, style);
  const offset = position.column - 1;
  const margin = String(position.line);
  const most = Math.max(LEAST_COLUMNS, Math.min(SHOWN_COLUMNS, columns - `  ${margin} | `.length));
  const start = Math.max(0, Math.min(offset - Math.floor(most / 2), sourceLine.length - most));
  const end = start + most;
  const before = cells(sourceLine.slice(start, offset));
  const marked = cells(sourceLine.slice(offset, Math.min(end, offset + (position.length ?? 1))));
  const after = cells(sourceLine.slice(offset, end)).slice(marked.length);
  const blank = ' '.repeat(margin.length);
  const carets = '^'.repeat(Math.max(1, displayWidth(marked)));
  return [
    style.dim(`  ${blank} |`),
    `${style.dim(`  ${margin} |`)} ${before}${marked}${after}`.trimEnd(),
    `${style.dim(`  ${blank} |`)} ${' '.repeat(displayWidth(before))}${colour(carets)}`,
  ];
}

function colourOf({ severity }: Problem, style: Style): Style['red'] {
  return severity === 'warning' ? style.yellow : style.red;
}

/** A piece of a line, sanitized without changing columns: each character that cannot be shown becomes a blank. */
function cells(text: string): string {
  return Array.from(text, (character) => inertText(character) || ' ').join('');
}
