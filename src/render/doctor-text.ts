import type { Finding, FindingStatus } from '../model/finding.ts';
import { count, nonZero } from '../util/count.ts';
import { inertText } from '../util/inert-text.ts';
import type { Style } from './style.ts';
import { wrapText } from './text-columns.ts';

const MARKS: Readonly<Record<FindingStatus, string>> = { ok: 'ok', warning: '!', error: 'x', unknown: '-' };
/** Columns before the text: the mark and the longest name of a check. */
const MARGIN = 20;
/** In a narrower terminal, lines are broken by the terminal itself. */
const NARROWEST = 60;

/** One check as text: mark, name, what was found; below it what to do. `width`: where lines are broken. */
export function findingText(
  { check, status, summary, action }: Finding,
  style: Style,
  width = Number.POSITIVE_INFINITY,
): string {
  const paint = { ok: style.green, warning: style.yellow, error: style.red, unknown: style.dim }[status];
  const columns = Math.max(width, NARROWEST) - MARGIN - 1;
  const [first = '', ...more] = wrapText(inertText(summary), { columns });
  const text = status === 'unknown' ? style.dim : (line: string) => line;
  const advice = action === undefined ? [] : wrapText(inertText(action), { columns });
  const lines = [
    `  ${paint(MARKS[status].padEnd(2))}  ${check.padEnd(MARGIN - 7)} ${text(first)}`,
    ...more.map((line) => ' '.repeat(MARGIN) + text(line)),
    ...advice.map((line, n) => `${' '.repeat(MARGIN - 2)}${n === 0 ? style.cyan('→') : ' '} ${line}`),
  ];
  return `${lines.join('\n')}\n`;
}

export function findingsSum(findings: readonly Finding[]): string {
  const number = (status: FindingStatus) => findings.filter((finding) => finding.status === status).length;
  const several = (status: FindingStatus) => (number(status) ? [count(number(status), status)] : []);
  const unknown = nonZero([[number('unknown'), 'unknown']]);
  return `${[`${number('ok')} ok`, ...several('warning'), ...several('error'), ...unknown].join(', ')}.`;
}
