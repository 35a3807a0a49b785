import { expect, it } from 'vitest';
import { coverageTable } from '../../src/views/coverage-table.ts';
import { statusSymbols, statusWords, urgentStatus } from '../../src/views/status-looks.ts';
import { sheetPost } from '../support/sheet-data.ts';

const PRODUCTS = [
  { key: 'mug', name: 'Enamel mug', photos: [] },
  { key: 'tote', name: 'Canvas tote', photos: [] },
  { key: 'unused', name: 'Not in a post', photos: [] },
];
const CONCEPTS = [
  { key: 'morning', name: 'Morning' },
  { key: 'night', name: 'Night' },
];

it('counts each post at its product, concept and format, in the order of the manifest', () => {
  const table = coverageTable({
    products: PRODUCTS,
    concepts: CONCEPTS,
    posts: [
      sheetPost('hero/1'),
      sheetPost('hero/1', { status: 'failed' }),
      sheetPost('hero/1', { type: 'video', ratio: '9:16', outOfDate: true }),
      sheetPost('hero/1', { product: 'mug', concept: 'night', status: 'missing' }),
      sheetPost('hero/1', { product: null, concept: null, status: 'pending' }),
      sheetPost('hero/1', { wanted: false }),
    ],
  });
  expect(table.columns).toEqual([
    { concept: 'morning', name: 'Morning', formats: ['4:5 image', '9:16 video'] },
    { concept: 'night', name: 'Night', formats: ['4:5 image'] },
    { concept: null, name: 'without a concept of this campaign', formats: ['4:5 image'] },
  ]);
  const words = (cells: readonly ({ statuses: object; outOfDate: number } | undefined)[]) =>
    cells.map((cell) => cell && statusWords(cell));
  expect(table.rows.map(({ name, cells, sum }) => [name, words(cells), statusWords(sum)])).toEqual([
    ['Enamel mug', [undefined, undefined, '1 to request', undefined], '1 to request'],
    [
      'Canvas tote',
      ['1 done, 1 failed', '1 done, 1 out of date', undefined, undefined],
      '2 done, 1 failed, 1 out of date',
    ],
    ['without a product of this campaign', [undefined, undefined, undefined, '1 pending'], '1 pending'],
  ]);
  expect(table.rows.map(({ sum }) => [statusSymbols(sum), urgentStatus(sum)])).toEqual([
    ['+1', 'missing'],
    ['✓2 ✗1 ↻1', 'failed'],
    ['…1', 'pending'],
  ]);
  expect(urgentStatus({ statuses: { done: 1 }, outOfDate: 1 })).toBe('outdated');
  expect(words(table.sums)).toEqual([
    '1 done, 1 failed',
    '1 done, 1 out of date',
    '1 to request',
    '1 pending',
  ]);
  expect(table.sum).toEqual({
    asked: 5,
    statuses: { done: 2, failed: 1, missing: 1, pending: 1 },
    outOfDate: 1,
  });
});

it('is empty where nothing is asked for', () => {
  const { rows, columns, sum } = coverageTable({ products: PRODUCTS, concepts: CONCEPTS, posts: [] });
  expect([rows, columns, sum.asked]).toEqual([[], [], 0]);
});
