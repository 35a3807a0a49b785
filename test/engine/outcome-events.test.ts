import { describe, expect, it } from 'vitest';
import { eventBefore, outcomeEvents } from '../../src/engine/outcome-events.ts';
import { judge } from '../../src/engine/judge.ts';
import type { Column } from '../../src/engine/outcome-table.ts';
import type { Came, Facts, FailureKind } from '../../src/model/facts.ts';
import { done, failed, pending, PROBLEM } from '../support/facts.ts';
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

type Name = keyof typeof NODES;

const COLUMNS: Readonly<Record<Name, Column>> = {
  upload: 'repeatable',
  product: 'create',
  update: 'repeatable',
  concept: 'create',
  replace: 'create',
  request: 'create',
  media: 'poll',
  download: 'repeatable',
};

/** The types of the events of a first attempt, those that are only noted in brackets. */
function typesFor(name: Name, facts: Facts): string {
  const node = NODES[name];
  const verdict = judge({ column: COLUMNS[name], facts, attempt: 1, isPaid: true, random: () => 0 });
  const { append, note } = outcomeEvents(node, { facts, verdict }, AT);
  return [...append.map(({ type }) => type), ...note.map(({ type }) => `(${type})`)].join(' ') || '-';
}

describe('outcomeEvents', () => {
  const create = {
    result: 'created',
    'not-sent': 'not-sent',
    'no-answer': 'unknown',
    throttled: 'throttled',
    refused: 'rejected',
    aborted: 'not-sent',
    unauthorized: 'not-sent',
  };
  const repeatable = {
    'not-sent': '-',
    'no-answer': '-',
    throttled: '-',
    refused: 'failed',
    aborted: '-',
    unauthorized: '-',
  };
  const expected: Record<Name, Partial<Record<Came, string>>> = {
    upload: { result: 'uploaded', ...repeatable },
    product: create,
    update: { result: 'updated', ...repeatable },
    concept: create,
    replace: create,
    request: create,
    media: {
      result: 'generated',
      ...repeatable,
      refused: '-',
      'generation-failed': 'generation-failed',
      'no-result': 'generation-failed',
      gone: 'lost',
    },
    download: { result: 'downloaded', ...repeatable, 'no-result': 'failed' },
  };

  it.each(Object.keys(NODES) as Name[])('records what came of: %s', (name) => {
    const got = Object.keys(expected[name]).map((came) => [
      came,
      typesFor(name, came === 'result' ? done(resultFor(NODES[name])) : failed(came as FailureKind)),
    ]);
    expect(Object.fromEntries(got)).toEqual(expected[name]);
  });

  it('notes the first answer of a medium', () => {
    expect(typesFor('media', pending(0, { seen: true }))).toBe('(seen)');
    expect(typesFor('media', pending(0))).toBe('-');
  });

  it('records what was learned, with a result and with a wait', () => {
    const learned = { name: 'media_path', value: '{item.id}' };
    expect(typesFor('media', done({ id: 'm', urls: [] }, { learned }))).toBe('generated learned');
    expect(typesFor('media', pending(0, { learned }))).toBe('learned');
  });

  it('keeps of a create without an answer what was sent and what came back', () => {
    const problem = { summary: 'cut off', detail: 'after 3 bytes', status: 201 };
    const facts = failed('unusable', { problem, request: 'POST /products/', quote: '{' });
    const evidenceOf = (given: Facts) =>
      outcomeEvents(NODES.product, { facts: given, verdict: { log: 'unknown' } }, AT);
    expect(evidenceOf(facts).append).toMatchObject([
      { evidence: { ...problem, detail: 'after 3 bytes. The answer: {', request: 'POST /products/' } },
    ]);
    expect(evidenceOf(failed('no-answer')).append).toEqual([
      { type: 'unknown', at: AT, address: 'product/p', evidence: PROBLEM },
    ]);
  });

  it('keeps inputs and fingerprint of what it records', () => {
    const { address, inputs, fingerprint } = NODES.upload;
    const result = { url: 'https://x' };
    expect(outcomeEvents(NODES.upload, { facts: done(result), verdict: { log: 'done' } }, AT).append).toEqual(
      [{ type: 'uploaded', at: AT, address, inputs, fingerprint, result }],
    );
  });
});

describe('eventBefore', () => {
  it('carries the whole request of a media configuration', () => {
    const { address, payload } = NODES.request;
    expect(eventBefore({ node: NODES.request, attempt: 2 }, () => AT)).toEqual({
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
    expect(eventBefore({ node: NODES.product, attempt: 1 }, () => AT)).not.toHaveProperty('request');
  });
});
