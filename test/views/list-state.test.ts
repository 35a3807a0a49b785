import { describe, expect, it } from 'vitest';
import { emptyState } from '../../src/log/fold.ts';
import { listState } from '../../src/views/list-state.ts';
import { countNodes } from '../../src/log/fold-state.ts';
import { createdRequest, folded, intent, PROBLEM, requested } from '../log/fold-events.ts';

const STATE = folded(
  requested(1, ['2', '1', '3']),
  createdRequest(1),
  intent('concept/night'),
  intent('product/tote'),
  { type: 'created', address: 'product/tote', result: { id: 'p-1' } },
  intent('product/mug'),
  { type: 'uploaded', address: 'upload/ab', inputs: {}, fingerprint: 'f', result: { url: 'https://x/1' } },
  { type: 'generated', address: 'media/hero/1@1', result: { id: 'm-1', urls: [] } },
  { type: 'downloaded', address: 'download/hero/1@1', result: { media: 'm-1', files: [] } },
  { type: 'generation-failed', address: 'media/hero/3@1', problem: PROBLEM },
  requested(2, ['1']),
  createdRequest(2),
  { type: 'generated', address: 'media/hero/1@2', result: { id: 'm-2', urls: [] } },
  { type: 'failed', address: 'download/hero/1@2', problem: PROBLEM },
);

describe('listState', () => {
  it('lists kind after kind, each by address, older takes with their number', () => {
    expect(listState(STATE)).toEqual([
      { address: 'upload/ab', kind: 'upload', status: 'done', id: null },
      { address: 'product/mug', kind: 'product', status: 'unknown', id: null },
      { address: 'product/tote', kind: 'product', status: 'done', id: 'p-1' },
      { address: 'concept/night', kind: 'concept', status: 'unknown', id: null },
      { address: 'media-config/hero@1', kind: 'media-config', status: 'done', id: 'c-1' },
      { address: 'media-config/hero@2', kind: 'media-config', status: 'done', id: 'c-2' },
      { address: 'media/hero/1', kind: 'media', status: 'done', id: 'm-2' },
      { address: 'media/hero/1@1', kind: 'media', status: 'done', id: 'm-1' },
      { address: 'media/hero/2', kind: 'media', status: 'pending', id: null },
      { address: 'media/hero/3', kind: 'media', status: 'failed', id: null },
      { address: 'download/hero/1', kind: 'download', status: 'failed', id: 'm-2' },
      { address: 'download/hero/1@1', kind: 'download', status: 'done', id: 'm-1' },
    ]);
  });

  it('is empty for an empty state', () => {
    expect(listState(emptyState())).toEqual([]);
  });
});

describe('countNodes', () => {
  it('counts uploads, products, concepts and posts, each once', () => {
    expect(countNodes(STATE)).toBe(STATE.objects.size + STATE.media.size);
    expect(countNodes(emptyState())).toBe(0);
  });
});
