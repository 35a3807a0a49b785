import { describe, expect, it } from 'vitest';
import type { MediaState, NodeStatus } from '../../src/model/run-state.ts';
import { NO_VERDICTS } from '../../src/model/verdict.ts';
import { type DecisionContext, decideItem } from '../../src/plan/decide-item.ts';
import { graphOf, heroOf } from '../support/campaign.ts';
import { AT } from '../support/play-plan.ts';

const graph = graphOf(heroOf({ ratio: '4:5' }));
const [post] = graph.posts;
const item = post?.items[0];
if (!post || !item) throw new Error('no item');

/** The item as the state knows it; `changed`: with another ratio. */
function known(status: NodeStatus, meaning: 'same' | 'changed'): MediaState {
  const inputs = meaning === 'same' ? item?.inputs : { ...item?.inputs, metadata: { aspect_ratio: '1:1' } };
  const take = {
    n: 1,
    request: 'media-config/hero@1',
    requestedAs: '1',
    status,
    inputs: inputs ?? {},
    fingerprint: meaning === 'same' ? (item?.fingerprint ?? '') : 'another',
    seen: true,
    requestedAt: AT,
  };
  return { address: 'media/hero/1', post: 'hero', item: '1', surplus: false, takes: [take] };
}

const RATIO = [
  {
    summary: 'changed',
    field: 'metadata.aspect_ratio',
    from: '1:1',
    to: '4:5',
    source: '#/posts/hero/items/0/metadata/aspect_ratio',
  },
];

describe('an item', () => {
  const decide = (
    media?: MediaState,
    wishes: DecisionContext['wishes'] = { replace: [], retryFailed: undefined },
  ) =>
    decideItem({ name: '1', item, address: 'media/hero/1', ...(media ? { known: media } : {}) }, post, {
      graph,
      versions: new Map(),
      verdicts: NO_VERDICTS,
      deletedTakes: () => 0,
      holdersOf: () => [],
      shown: { of: () => [], by: () => [], areSame: () => true },
      wishes,
    });

  it('is created where nothing is known of it', () => {
    expect(decide()).toEqual({ type: 'create', reasons: [{ summary: 'new' }] });
  });

  it('is created where nothing is left of it', () => {
    expect(decide({ ...known('done', 'same'), takes: [] })).toEqual({
      type: 'create',
      reasons: [{ summary: 'new' }],
    });
  });

  it.each(['done', 'pending', 'skipped'] as const)('is kept where it is %s', (status) => {
    expect(decide(known(status, 'same'))).toEqual({ type: 'keep' });
  });

  it.each(['failed', 'lost'] as const)('waits for a decision where it is %s', (status) => {
    expect(decide(known(status, 'same'))).toEqual({ type: 'failed' });
  });

  it.each(['same'] as const)('is left alone while it is unknown, %s', (meaning) => {
    expect(decide(known('unknown', meaning))).toEqual({ type: 'unknown' });
  });

  it.each(['done', 'pending'] as const)('is replaced where it is %s and was changed', (status) => {
    expect(decide(known(status, 'changed'))).toEqual({ type: 'replace', reasons: RATIO });
  });

  it.each(['failed', 'lost', 'skipped'] as const)('is created where it is %s and was changed', (status) => {
    expect(decide(known(status, 'changed'))).toEqual({ type: 'create', reasons: RATIO });
  });

  const replace = { replace: ['media/hero/1'], retryFailed: undefined };
  it.each(['done', 'pending', 'failed', 'skipped'] as const)(
    'is replaced by name where it is %s',
    (status) => {
      expect(decide(known(status, 'same'), replace)).toEqual({
        type: 'replace',
        asked: 'by-name',
        reasons: [{ summary: 'asked for with --replace' }],
      });
    },
  );

  it('is not replaced by the name of another, nor while it is unknown, nor before it is there', () => {
    expect(decide(known('done', 'same'), { ...replace, replace: ['media/hero/2'] })).toEqual({
      type: 'keep',
    });
    expect(decide(known('unknown', 'same'), replace)).toEqual({ type: 'unknown' });
    expect(decide(undefined, replace)).toMatchObject({ type: 'create' });
  });

  it('is replaced by a glob only where it is finished, and not without consent', () => {
    const all = { ...replace, replace: ['media/h*'] };
    const asked = { summary: 'asked for with --replace' };
    expect(decide(known('done', 'same'), all)).toEqual({ type: 'replace', reasons: [asked] });
    expect(decide(known('done', 'changed'), all)).toEqual({ type: 'replace', reasons: [asked, ...RATIO] });
    for (const status of ['pending', 'skipped'] as const)
      expect(decide(known(status, 'same'), all)).toEqual({ type: 'keep' });
    expect(decide(known('failed', 'same'), all)).toEqual({ type: 'failed' });
    expect(decide(known('done', 'same'), { ...replace, replace: ['media/x*'] })).toEqual({ type: 'keep' });
  });

  const retry = (retryFailed: string) => ({ replace: [], retryFailed });
  it.each(['failed', 'lost'] as const)('is retried by a glob where it is %s', (status) => {
    const reasons = [{ summary: 'retried after a failure' }];
    expect(decide(known(status, 'same'), retry('media/h*'))).toEqual({ type: 'create', reasons });
    expect(decide(known(status, 'same'), retry('media/x*'))).toEqual({ type: 'failed' });
  });

  it('is not retried where it did not fail', () => {
    expect(decide(known('done', 'same'), retry('*'))).toEqual({ type: 'keep' });
  });
});
