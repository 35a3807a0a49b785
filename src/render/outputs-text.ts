import { count, nonZero } from '../util/count.ts';
import { inertText } from '../util/inert-text.ts';
import type { OutputRow } from '../views/list-outputs.ts';
import type { Verified } from './outputs-csv.ts';
import { problemText } from '../views/cause-words.ts';
import type { Style } from './style.ts';
import { tableText } from './text-columns.ts';

/** Of a path that is relative to the manifest's folder, as people see it. */
export type ShowPath = (path: string) => string;

export function outputsText(rows: readonly OutputRow[], show: ShowPath, columns?: number): string {
  const names = ['address', 'take', 'type', 'ratio', 'path'];
  const isNoted = rows.some(({ unverified }) => unverified !== undefined);
  const cells = rows.map(({ address, take, post_type, aspect_ratio, path, unverified = [] }) =>
    [address, String(take), post_type, aspect_ratio, show(path)].concat(unverified),
  );
  return tableText(isNoted ? [...names, 'unverified'] : names, cells, columns);
}

const WORDS: Readonly<Record<string, string>> = {
  fetched: 'fetched',
  missing: 'missing',
  differs: 'differs from its SHA-256',
  unreadable: 'cannot be read as a file',
};

/** What is not as it was recorded, or was fetched, and the sum. */
export function verifiedText(rows: readonly (OutputRow & Verified)[], show: ShowPath, style: Style): string {
  const lines = rows.flatMap(({ address, path, status = 'ok', problem, backup }) => {
    if (status === 'ok') return [];
    const mark = status === 'fetched' ? style.green('✓') : style.red('✗');
    const before = backup === undefined ? '' : `; what stood there is ${inertText(show(backup))}`;
    const head = `  ${mark} ${address}  ${inertText(show(path))}  ${WORDS[status] ?? status}${before}\n`;
    return [head, ...(problem ? [`        ${problemText(problem)}\n`] : [])];
  });
  return `${lines.join('')}${sumText(rows)}\n`;
}

function sumText(rows: readonly Verified[]): string {
  const counted = (wanted: string) => rows.filter(({ status }) => status === wanted).length;
  const parts = nonZero([
    [counted('ok'), 'as recorded'],
    [counted('fetched'), 'fetched'],
    [counted('missing'), 'missing'],
    [counted('differs'), counted('differs') === 1 ? 'differs' : 'differ'],
    [counted('unreadable'), 'unreadable'],
  ]);
  return rows.length ? `${count(rows.length, 'file')}: ${parts.join(', ')}.` : 'No finished file yet.';
}
