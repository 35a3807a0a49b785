import { describe, expect, it } from 'vitest';
import { intentEvent, outcomeEvents } from '../../src/engine/outcome-events.ts';
import type { Outcome } from '../../src/model/step.ts';
import {
  conceptNode,
  downloadNode,
  mediaNode,
  productNode,
  requestNode,
  resultFor,
  uploadNode,
} from '../support/planned-nodes.ts';

const AT = '2026-01-01T00:00:00.000Z';
const problem = { summary: 'no' };
const evidence = { summary: 'cut off' };

const NODES = {
  upload: uploadNode('u'),
  product: productNode('p'),
  update: productNode('p', { action: 'update' }),
  concept: conceptNode('c'),
  replace: conceptNode('c', { action: 'replace' }),
  request: requestNode('hero', { action: 'replace' }),
  media: mediaNode('hero', '1'),
  download: downloadNode('hero', '1'),
};

function typesFor(name: keyof typeof NODES, outcome: Outcome | 'done'): string {
  const node = NODES[name];
  const given = outcome === 'done' ? { type: 'done' as const, result: resultFor(node) } : outcome;
  const { append, note } = outcomeEvents(node, given, AT);
  return [...append.map(({ type }) => type), ...note.map(({ type }) => `(${type})`)].join(' ') || '-';
}

describe('outcomeEvents', () => {
  const outcomes: Record<string, Outcome | 'done'> = {
    done: 'done',
    retry: { type: 'wait', why: 'retry', until: 0, problem },
    throttled: { type: 'wait', why: 'throttled', until: 0 },
    failed: { type: 'failed', problem },
    rejected: { type: 'rejected', problem },
    lost: { type: 'lost', problem },
    'put-off': { type: 'put-off', problem },
    unauthorized: { type: 'unauthorized', problem },
    unknown: { type: 'unknown', evidence },
  };
  const create = {
    done: 'created',
    retry: 'not-sent',
    throttled: 'throttled',
    failed: 'rejected',
    rejected: 'rejected',
    lost: 'rejected',
    'put-off': 'not-sent',
    unauthorized: 'not-sent',
    unknown: 'unknown',
  };
  const repeatable = {
    retry: '-',
    throttled: '-',
    failed: 'failed',
    rejected: 'failed',
    lost: 'failed',
    'put-off': '-',
    unauthorized: '-',
    unknown: 'failed',
  };
  const media = { ...repeatable, failed: 'generation-failed', rejected: 'generation-failed', lost: 'lost' };
  const expected: Record<keyof typeof NODES, Record<string, string>> = {
    upload: { done: 'uploaded', ...repeatable },
    product: create,
    update: { done: 'updated', ...repeatable },
    concept: create,
    replace: create,
    request: create,
    media: { done: 'generated', ...media },
    download: { done: 'downloaded', ...repeatable },
  };

  for (const name of Object.keys(NODES) as (keyof typeof NODES)[]) {
    it(`records each outcome of: ${name}`, () => {
      const got = Object.keys(outcomes).map((key) => [key, typesFor(name, outcomes[key] ?? 'done')]);
      expect(Object.fromEntries(got)).toEqual(expected[name]);
    });
  }

  it('notes the first answer of a medium', () => {
    expect(typesFor('media', { type: 'wait', why: 'poll', until: 0, seen: true })).toBe('(seen)');
    expect(typesFor('media', { type: 'wait', why: 'poll', until: 0 })).toBe('-');
  });

  it('records what was learned, with a result and with a wait', () => {
    const learned = { name: 'media_path', value: '{item.id}' };
    expect(typesFor('media', { type: 'done', result: { id: 'm', urls: [] }, learned })).toBe(
      'generated learned',
    );
    expect(typesFor('media', { type: 'wait', why: 'poll', until: 0, learned })).toBe('learned');
  });

  it('keeps inputs and fingerprint of what it records', () => {
    const { address, inputs, fingerprint } = NODES.upload;
    const result = { url: 'https://x' };
    expect(outcomeEvents(NODES.upload, { type: 'done', result }, AT).append).toEqual([
      { type: 'uploaded', at: AT, address, inputs, fingerprint, result },
    ]);
  });
});

describe('intentEvent', () => {
  it('carries the whole request of a media configuration', () => {
    const { address, payload } = NODES.request;
    expect(intentEvent(NODES.request, 2, AT)).toEqual({
      type: 'intent',
      at: AT,
      address,
      inputs: {},
      fingerprint: '',
      attempt: 2,
      request: payload,
    });
  });

  it('carries no payload of a product', () => {
    expect(intentEvent(NODES.product, 1, AT)).not.toHaveProperty('request');
  });
});
