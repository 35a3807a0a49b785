import { execFileSync } from 'node:child_process';
import os from 'node:os';

/** The text of RESULTS.md. */
export function resultsText(results) {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const machine = `${os.cpus().length} cores, Node ${process.version}, ${os.type()}`;
  return [
    '# What the program costs',
    '',
    `Written by \`npm run bench\` at ${commit} (${machine}). Every figure is the median over the pairs of one run, with the`,
    'smallest and the largest; a ratio is taken pair by pair. Seconds depend on the machine, ratios hardly do.',
    '',
    ...results.flatMap(caseText),
  ].join('\n');
}

export function caseText({ name, title, count, rows, bounds }) {
  return [
    `## ${name}`,
    '',
    `${title}. ${count} pairs.`,
    '',
    '| measure | median | from | to | limit | |',
    '|---|---|---|---|---|---|',
    ...rows.map(rowText),
    '',
    `What bounds it: ${bounds}`,
    '',
  ];
}

function rowText({ label, middle, min, max, limit, isOver }) {
  const verdict = limit === undefined ? '' : isOver ? '**over**' : 'met';
  return `| ${label} | ${figure(middle)} | ${figure(min)} | ${figure(max)} | ${limit ?? ''} | ${verdict} |`;
}

function figure(value) {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(2);
}
