import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  attemptsOf,
  type Column,
  EXIT_OF_END,
  exitOf,
  rowOf,
  OUTCOMES,
  putOffEnd,
  type Row,
} from '../../src/engine/outcome-table.ts';
import type { Came } from '../../src/model/facts.ts';

const rows = Object.entries(OUTCOMES).flatMap(([column, cells]) =>
  Object.entries(cells).map(([came, row]) => ({ column: column as Column, came: came as Came, row })),
);

describe('the outcome table', () => {
  it('has an exit code for every answer', () => {
    const codes = rows.map(({ row }) => exitOf(row));
    expect([...new Set(codes)].sort((a, b) => a - b)).toEqual([0, 1, 3, 4, 74, 77, 78]);
  });

  it('says unknown of a create alone, and of one that was sent', () => {
    const unknown = rows.filter(({ row }) => row.end === 'unknown');
    expect(new Set(unknown.map(({ column }) => column))).toEqual(new Set(['create']));
    expect(unknown.every(({ row }) => row.next === 'end')).toBe(true);
  });

  it('never sends a create again of which it is not certain that nothing was done', () => {
    const again = Object.entries(OUTCOMES.create).filter(([, { next }]) => next !== 'end');
    expect(again.map(([came]) => came).sort()).toEqual(['not-done', 'not-sent', 'throttled']);
  });

  it('ends no post that was paid for but by the answer for it', () => {
    const ended = Object.entries(OUTCOMES.poll).filter(([, { end }]) => end !== 'pending');
    const cames = ['generation-failed', 'gone', 'no-result', 'result'];
    expect(ended.map(([came]) => came).sort()).toEqual(cames);
  });

  it('is read only where it says something', () => {
    expect(rowOf('create', 'refused')).toMatchObject({ end: 'rejected' });
    expect(() => rowOf('create', 'gone')).toThrow('nobody has said what "gone" means for a create');
  });

  it('knows how often, and what is left to another run', () => {
    const columns: Column[] = ['create', 'unsent create', 'repeatable', 'recheck', 'poll'];
    expect(columns.map(attemptsOf)).toEqual([3, 3, 6, 6, Number.POSITIVE_INFINITY]);
    expect(columns.map(putOffEnd)).toEqual(['put-off', 'put-off', 'put-off', 'put-off', 'pending']);
  });
});

const COLUMNS: readonly (readonly [Column, string])[] = [
  ['create', 'create (product, concept, request of posts)'],
  ['unsent create', 'what a create needs before'],
  ['repeatable', 'upload, update, download'],
  ['poll', 'poll of a post'],
];

const ROWS: readonly (readonly [Came, string])[] = [
  ['not-sent', 'nothing was sent: no connection, no token'],
  ['no-answer', 'it was sent, and no answer came'],
  ['unusable', 'a 2xx that cannot be read'],
  ['throttled', '429'],
  ['refused', 'a 4xx that proves that nothing was done'],
  ['unproven', 'any other 4xx, a redirect'],
  ['passing', '408, 425'],
  ['server-error', '5xx'],
  ['not-done', 'a 5xx in `nothing_done`'],
  ['unauthorized', '401, also with a new token'],
  ['misconfigured', 'no endpoint for tokens, no trusted connection'],
  ['local-file', 'a file here cannot be read or written'],
];

const ENDS: Readonly<Record<Row['end'], string>> = {
  done: 'done',
  unchanged: 'unchanged',
  failed: 'failed',
  rejected: 'failed',
  lost: 'lost',
  blocked: 'blocked',
  unknown: '**unknown**',
  'put-off': 'put off',
  pending: 'pending',
};

function words(row: Row | undefined): string {
  if (!row) return '–';
  const code = exitOf(row);
  if (row.stops) return `ends the run (${code})`;
  const end = `${ENDS[row.end]} (${code})`;
  if (row.next === 'again') return row.end === 'pending' ? 'again' : `again, then ${end}`;
  if (row.next === 'slow-down') return row.end === 'pending' ? 'waits, again' : `waits, again, then ${end}`;
  return end;
}

it('is the table of docs/service.md, word for word', () => {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const table = [
    line(['what came', ...COLUMNS.map(([, name]) => name)]),
    `|${'---|'.repeat(COLUMNS.length + 1)}`,
    ...ROWS.map(([came, name]) => line([name, ...COLUMNS.map(([column]) => words(OUTCOMES[column][came]))])),
  ].join('\n');
  const page = readFileSync(join(import.meta.dirname, '../../docs/service.md'), 'utf8');
  const [, section = ''] = page.split('## When a request fails\n');
  const [found] = /^\|.*\n(?:\|.*\n)+/m.exec(section) ?? [];
  expect(found?.trim()).toBe(table);
});

it('the exit code of a run is that of its ends', () => {
  expect(EXIT_OF_END).toMatchObject({ done: 0, failed: 1, pending: 3, unknown: 4 });
});
