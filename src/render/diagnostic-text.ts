import type { Diagnostic } from '../model/diagnostic.ts';
import { inertText } from '../util/inert-text.ts';
import { displayWidth } from './display-width.ts';
import type { Style } from './style.ts';

/** Longest part of a source line that is shown; the caret stays in sight. */
const SHOWN_COLUMNS = 100;

/** One problem as people read it: what, where, the line with a caret, then why and how to fix it. */
export function diagnosticText(diagnostic: Diagnostic, style: Style): string {
  const { severity, summary, code, detail, position } = diagnostic;
  const colour = severity === 'error' ? style.red : style.yellow;
  const lines = [
    `${colour(style.bold(`${severity}:`))} ${style.bold(inertText(summary))} ${style.dim(`[${code}]`)}`,
  ];
  if (position) {
    lines.push(`  ${style.dim('at')} ${inertText(position.file)}:${position.line}:${position.column}`);
    lines.push(...sourceLines(diagnostic, style));
  }
  for (const line of detail.split('\n')) if (line) lines.push(`  ${inertText(line)}`);
  return `${lines.join('\n')}\n`;
}

function sourceLines({ position, sourceLine, severity }: Diagnostic, style: Style): string[] {
  if (!position || sourceLine === undefined) return [];
  const colour = severity === 'error' ? style.red : style.yellow;
  const offset = position.column - 1;
  const start = Math.max(0, Math.min(offset - SHOWN_COLUMNS / 2, sourceLine.length - SHOWN_COLUMNS));
  const end = start + SHOWN_COLUMNS;
  const before = cells(sourceLine.slice(start, offset));
  const marked = cells(sourceLine.slice(offset, Math.min(end, offset + (position.length ?? 1))));
  const after = cells(sourceLine.slice(offset, end)).slice(marked.length);
  const margin = String(position.line);
  const blank = ' '.repeat(margin.length);
  const carets = '^'.repeat(Math.max(1, displayWidth(marked)));
  return [
    style.dim(`  ${blank} |`),
    `${style.dim(`  ${margin} |`)} ${before}${marked}${after}`.trimEnd(),
    `${style.dim(`  ${blank} |`)} ${' '.repeat(displayWidth(before))}${colour(carets)}`,
  ];
}

/** A piece of a line, made harmless without losing its place: whatever cannot be shown is a blank. */
function cells(text: string): string {
  return Array.from(text, (character) => inertText(character) || ' ').join('');
}
