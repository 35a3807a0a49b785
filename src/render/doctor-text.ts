import type { Finding, FindingStatus } from '../model/finding.ts';
import { inertText } from '../util/inert-text.ts';
import { displayWidth } from './display-width.ts';
import type { Style } from './style.ts';

const MARKS: Readonly<Record<FindingStatus, string>> = { ok: 'ok', warning: '!', error: 'x', unknown: '-' };
/** Columns before the text: the mark and the longest name of a check. */
const MARGIN = 20;
/** A narrower terminal than this breaks the lines itself. */
const NARROWEST = 60;

/** One check as people read it: mark, name, what was seen; below it what to do. `columns`: where lines are broken. */
export function findingText(
  { check, status, summary, action }: Finding,
  style: Style,
  columns = Number.POSITIVE_INFINITY,
): string {
  const paint = { ok: style.green, warning: style.yellow, error: style.red, unknown: style.dim }[status];
  const width = Math.max(columns, NARROWEST) - MARGIN - 1;
  const [first = '', ...more] = wrap(inertText(summary), width);
  const text = status === 'unknown' ? style.dim : (line: string) => line;
  const advice = action === undefined ? [] : wrap(inertText(action), width);
  const lines = [
    `  ${paint(MARKS[status].padEnd(2))}  ${check.padEnd(MARGIN - 7)} ${text(first)}`,
    ...more.map((line) => ' '.repeat(MARGIN) + text(line)),
    ...advice.map((line, n) => `${' '.repeat(MARGIN - 2)}${n === 0 ? style.cyan('→') : ' '} ${line}`),
  ];
  return `${lines.join('\n')}\n`;
}

/** `21 ok, 1 warning, 2 errors, 8 unknown.`: what is zero is left out. */
export function findingsSum(findings: readonly Finding[]): string {
  const count = (status: FindingStatus) => findings.filter((finding) => finding.status === status).length;
  const several = (status: 'warning' | 'error') =>
    `${count(status)} ${status}${count(status) === 1 ? '' : 's'}`;
  const parts = [
    `${count('ok')} ok`,
    ...(count('warning') ? [several('warning')] : []),
    ...(count('error') ? [several('error')] : []),
    ...(count('unknown') ? [`${count('unknown')} unknown`] : []),
  ];
  return `${parts.join(', ')}.`;
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line ? `${line} ${word}` : word;
    if (line && displayWidth(longer) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}
