import type { Diagnostic } from '../model/diagnostic.ts';
import { inertText } from '../util/inert-text.ts';
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
  const start = Math.max(0, position.column - 1 - SHOWN_COLUMNS / 2);
  const shown = inertText(sourceLine.slice(start, start + SHOWN_COLUMNS).replaceAll('\t', ' '));
  const margin = String(position.line);
  const blank = ' '.repeat(margin.length);
  const carets = Math.max(1, Math.min(position.length ?? 1, shown.length - (position.column - 1 - start)));
  return [
    style.dim(`  ${blank} |`),
    `${style.dim(`  ${margin} |`)} ${shown}`,
    `${style.dim(`  ${blank} |`)} ${' '.repeat(position.column - 1 - start)}${colour('^'.repeat(carets))}`,
  ];
}
