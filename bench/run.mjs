/**
 * Measures the program against limits and against other tools: `npm run bench [-- CASE ...]`. Each case runs the program
 * and its alternative in turn (A B A B), each in a process of its own, and judges by the median over the pairs, because a
 * machine that is busy is busy for both. All cases together write bench/RESULTS.md; of some alone, their parts of it are printed.
 * The exit code is 1 if a limit is broken.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cases } from './cases/all.mjs';
import { median } from './measure.mjs';
import { caseText, resultsText } from './results.mjs';

const { values, positionals } = parseArgs({ options: { pairs: { type: 'string' } }, allowPositionals: true });
const unknown = positionals.filter((name) => !cases.some((one) => one.name === name));
if (unknown.length > 0) {
  console.error(
    `There is no case ${unknown.join(', ')}. The cases are: ${cases.map((one) => one.name).join(', ')}.`,
  );
  process.exit(64);
}

const results = [];
for (const one of cases) {
  if (positionals.length > 0 && !positionals.includes(one.name)) continue;
  results.push(await measureCase(one));
}
if (positionals.length === 0) writeFileSync(new URL('RESULTS.md', import.meta.url), resultsText(results));
else console.log(`\n${results.flatMap(caseText).join('\n')}`);
if (results.some(({ rows }) => rows.some((row) => row.isOver))) process.exitCode = 1;

async function measureCase(one) {
  console.log(`${one.name}: ${one.title}`);
  const folder = mkdtempSync(join(os.tmpdir(), `campaign-bench-${one.name}-`));
  const count = Number(values.pairs ?? one.pairs ?? 5);
  const prepared = await one.prepare(folder);
  try {
    const pairs = [];
    for (let n = 0; n < count; n++) {
      const ours = await prepared.ours();
      pairs.push({ ours, other: await prepared.other?.(ours) });
    }
    // A tool that this machine lacks has no figure.
    const measures = one.measures.filter(({ value }) => pairs.every((pair) => value(pair) !== undefined));
    const rows = measures.map((measure) => rowOf(measure, pairs));
    for (const row of rows) console.log(`  ${rowText(row)}`);
    return { ...one, count, rows };
  } finally {
    await prepared.end?.();
    rmSync(folder, { recursive: true });
  }
}

/** Median, smallest and largest of a measure over the pairs; `isOver` if there is a limit and the median breaks it. */
function rowOf({ label, value, limit }, pairs) {
  const all = pairs.map(value);
  const middle = median(all);
  return {
    label,
    limit,
    middle,
    min: Math.min(...all),
    max: Math.max(...all),
    isOver: middle > (limit ?? Infinity),
  };
}

function rowText({ label, limit, middle, min, max, isOver }) {
  const verdict = limit === undefined ? '    ' : isOver ? 'OVER' : 'ok  ';
  const bound = limit === undefined ? '' : `, limit ${limit}`;
  return `${verdict} ${label}: ${middle.toFixed(2)} (${min.toFixed(2)} to ${max.toFixed(2)}${bound})`;
}
