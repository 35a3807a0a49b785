import { describe, expect, it } from 'vitest';
import { at, createdRequest, folded, intent, PROBLEM, requested, type Happening } from './fold-events.ts';

const FIRST = 'media-config/hero@1';
const open = requested(1, ['1', '2']);
const ended = (type: 'rejected' | 'not-sent' | 'throttled' | 'failed'): Happening => ({
  type,
  address: FIRST,
  problem: PROBLEM,
});
const decided =
  (address: string) =>
  (decision: 'created' | 'not-created' | 'skipped', id?: string): Happening => ({
    type: 'resolved',
    address,
    decision,
    ...(id && { result: { id, concept: 'k-1', items: {} } }),
  });
const resolved = decided(FIRST);
const resolvedSecond = decided('media-config/hero@2');

describe('items that are listed after the answer to their request', () => {
  const answered = (items: Record<string, { id: string }>): Happening => ({
    type: 'created',
    address: FIRST,
    result: { id: 'c-1', concept: 'k-1', items },
  });
  const notMade = (item: string): Happening => ({
    type: 'generation-failed',
    address: `media/hero/${item}@1`,
    problem: PROBLEM,
  });
  const listed = (items: Record<string, { id: string }>, surplus?: readonly string[]): Happening => ({
    type: 'listed',
    address: FIRST,
    result: { id: 'c-1', concept: 'k-1', items, ...(surplus && { surplus }) },
  });
  const stateOf = (state: ReturnType<typeof folded>, item: string) => state.media.get(`media/hero/${item}`);

  it('let their takes wait again, but for those that were given up or are known', () => {
    const skip: Happening = { type: 'resolved', address: 'media/hero/2@1', decision: 'skipped' };
    const all = { '1': { id: 'i-1' }, '2': { id: 'i-2' }, '3': { id: 'i-9' } };
    const before = [requested(1, ['1', '2', '3']), answered({ '3': { id: 'i-3' } })];
    const state = folded(...before, notMade('1'), notMade('2'), notMade('3'), skip, listed(all));
    expect(state.requests.get(FIRST)?.result).toEqual({
      id: 'c-1',
      concept: 'k-1',
      items: { '1': { id: 'i-1' }, '2': { id: 'i-2' }, '3': { id: 'i-3' } },
      surplus: [],
    });
    expect(stateOf(state, '1')?.takes).toMatchObject([{ status: 'pending', seen: false }]);
    expect(stateOf(state, '1')?.takes[0]).not.toHaveProperty('problem');
    expect(stateOf(state, '2')?.takes).toMatchObject([{ status: 'skipped' }]);
    expect(stateOf(state, '3')?.takes).toMatchObject([{ status: 'failed' }]);
  });

  it('are each of one name, and those beyond what was asked are added once', () => {
    const twice = listed({ '1': { id: 'i-3' }, '12': { id: 'i-4' } }, ['11', '12']);
    const state = folded(open, answered({}), notMade('1'), listed({ '11': { id: 'i-3' } }, ['11']), twice);
    expect(state.requests.get(FIRST)?.result).toMatchObject({
      items: { '11': { id: 'i-3' }, '12': { id: 'i-4' } },
      surplus: ['11', '12'],
    });
    expect(stateOf(state, '1')?.takes).toMatchObject([{ status: 'failed' }]);
    for (const item of ['11', '12'])
      expect(stateOf(state, item)).toMatchObject({ surplus: true, takes: [{ status: 'pending' }] });
  });

  it('say nothing of a request that has no result, or no takes any more', () => {
    expect(folded(open, listed({ '1': { id: 'i-1' } })).requests.get(FIRST)).toMatchObject({
      status: 'unknown',
    });
    const gone = ['1', '2'].map((item): Happening => ({ type: 'forgotten', address: `media/hero/${item}` }));
    const state = folded(open, answered({}), ...gone, listed({ '11': { id: 'i-1' } }, ['11']));
    expect(stateOf(state, '11')).toMatchObject({ post: 'hero', surplus: true });
  });
});

describe('a request', () => {
  it('makes its items unknown with the intent', () => {
    const state = folded(open);
    expect(state.requests.get(FIRST)).toMatchObject({
      status: 'unknown',
      payload: { post: 'hero', n: 1 },
      evidence: { summary: 'interrupted' },
    });
    expect([...state.media.keys()]).toEqual(['media/hero/1', 'media/hero/2']);
    expect(state.media.get('media/hero/1')).toEqual({
      address: 'media/hero/1',
      post: 'hero',
      item: '1',
      surplus: false,
      takes: [
        {
          n: 1,
          request: FIRST,
          requestedAs: '1',
          status: 'unknown',
          inputs: { item: '1' },
          fingerprint: 'f-1',
          seen: false,
          requestedAt: at(0),
        },
      ],
    });
  });

  it('lets its items wait once it was made, and adds what was made beyond', () => {
    const state = folded(open, createdRequest(1, ['10']));
    expect(state.requests.get(FIRST)).toMatchObject({ status: 'done', result: { id: 'c-1' }, at: at(1) });
    expect(state.requests.get(FIRST)).not.toHaveProperty('evidence');
    expect(state.media.get('media/hero/1')?.takes).toMatchObject([{ status: 'pending', requestedAt: at(1) }]);
    expect(state.media.get('media/hero/10')).toMatchObject({
      surplus: true,
      takes: [{ n: 1, status: 'pending', inputs: {}, fingerprint: '' }],
    });
  });

  it('adds what was made beyond to its post, whatever that is called by then', () => {
    const other = [requested(7, ['1'], 'banner'), createdRequest(7, [], 'banner')];
    const moved: Happening = { type: 'moved', moves: [{ from: 'media/hero/1', to: 'media/front/1' }] };
    const state = folded(...other, requested(1, ['1']), moved, createdRequest(1, ['10']));
    expect([...state.media.keys()]).toEqual(['media/banner/1', 'media/front/1', 'media/front/10']);
    expect(state.media.get('media/banner/1')?.takes).toMatchObject([{ n: 7, requestedAt: at(1) }]);
    expect([...folded(requested(1, []), createdRequest(1, ['10'])).media.keys()]).toEqual(['media/hero/10']);
  });

  it('adds a take to items that have one', () => {
    const state = folded(open, createdRequest(1), requested(2, ['2']), createdRequest(2));
    expect(state.media.get('media/hero/1')?.takes).toHaveLength(1);
    expect(state.media.get('media/hero/2')?.takes).toMatchObject([
      { n: 1, request: FIRST },
      { n: 2, request: 'media-config/hero@2', status: 'pending' },
    ]);
  });

  it('leaves no take when it was rejected', () => {
    const state = folded(open, createdRequest(1), requested(2, ['2', '3']), {
      type: 'rejected',
      address: 'media-config/hero@2',
      problem: PROBLEM,
    });
    expect(state.requests.get('media-config/hero@2')).toMatchObject({ status: 'failed', problem: PROBLEM });
    expect(state.media.get('media/hero/2')?.takes).toHaveLength(1);
    expect(state.media.has('media/hero/3')).toBe(false);
  });

  it.each(['not-sent', 'throttled'] as const)('keeps only its number when it was %s', (type) => {
    const state = folded(open, ended(type));
    expect(state.requests.get(FIRST)).toMatchObject({
      status: 'skipped',
      problem: PROBLEM,
      payload: { n: 1 },
    });
    expect(state.media.size).toBe(0);
    const again = folded(open, ended(type), open, createdRequest(1));
    expect(again.requests.get(FIRST)).not.toHaveProperty('problem');
    expect(again.media.get('media/hero/1')?.takes).toMatchObject([{ n: 1, status: 'pending' }]);
  });

  it('keeps the evidence of an unknown end, and its takes', () => {
    const evidence = { summary: 'no answer' };
    const state = folded(open, { type: 'unknown', address: FIRST, evidence });
    expect(state.requests.get(FIRST)).toMatchObject({ status: 'unknown', evidence });
    expect(state.media.get('media/hero/1')?.takes).toMatchObject([{ status: 'unknown' }]);
  });

  it('that exists and is bad keeps its takes, failed', () => {
    const state = folded(open, ended('failed'));
    expect(state.requests.get(FIRST)).toMatchObject({ status: 'failed', problem: PROBLEM });
    expect(state.media.get('media/hero/2')?.takes).toMatchObject([{ status: 'failed', problem: PROBLEM }]);
  });
});

describe('a decision about a request', () => {
  it('says what exists', () => {
    const state = folded(open, resolved('created', 'c-9'));
    expect(state.requests.get(FIRST)).toMatchObject({ status: 'done', result: { id: 'c-9' } });
    expect(state.media.get('media/hero/1')?.takes).toMatchObject([{ status: 'pending' }]);
  });

  it('without what exists decides nothing', () => {
    expect(folded(open, resolved('created')).requests.get(FIRST)?.status).toBe('unknown');
  });

  it('says that nothing exists', () => {
    const state = folded(open, resolved('not-created'));
    expect(state.requests.get(FIRST)).toMatchObject({ status: 'skipped' });
    expect(state.media.size).toBe(0);
  });

  it('can be corrected: what was decided as not created exists', () => {
    const state = folded(open, resolved('not-created'), resolved('created', 'c-9'));
    expect(state.media.get('media/hero/2')?.takes).toMatchObject([{ n: 1, status: 'pending' }]);
    const second = resolvedSecond('not-created');
    const again = folded(
      open,
      createdRequest(1),
      requested(2, ['1']),
      second,
      resolvedSecond('created', 'c-2'),
    );
    expect(again.media.get('media/hero/1')?.takes).toMatchObject([
      { n: 1, status: 'pending' },
      { n: 2, status: 'pending' },
    ]);
    expect(again.media.get('media/hero/2')?.takes).toMatchObject([{ n: 1 }]);
  });

  it('gives it up, and the posts that depend on it', () => {
    const state = folded(open, resolved('skipped'));
    expect(state.requests.get(FIRST)).toMatchObject({ status: 'skipped' });
    expect(state.media.get('media/hero/1')?.takes).toMatchObject([{ status: 'skipped' }]);
    const done: Happening = {
      type: 'generated',
      address: 'media/hero/1@1',
      result: { id: 'm-1', urls: [] },
    };
    const late = folded(open, createdRequest(1), done, resolved('skipped'));
    expect(late.media.get('media/hero/1')?.takes).toMatchObject([{ status: 'done' }]);
  });

  it('reaches posts that were moved while it was open', () => {
    const moved: Happening = { type: 'moved', moves: [{ from: 'media/hero/1', to: 'media/banner/7' }] };
    const state = folded(open, moved, resolved('created', 'c-9'));
    expect(state.media.get('media/banner/7')).toMatchObject({
      post: 'banner',
      item: '7',
      takes: [{ status: 'pending', request: FIRST }],
    });
    expect([...state.media.keys()].sort()).toEqual(['media/banner/7', 'media/hero/2']);
    expect(folded(open, moved, resolved('not-created')).media.size).toBe(0);
  });
});

describe('an event about a request', () => {
  it('that is not known changes nothing', () => {
    expect(folded(createdRequest(1)).requests.size).toBe(0);
    expect(folded(intent(FIRST)).requests.size).toBe(0);
  });

  it.each<Happening>([
    { type: 'accepted', address: FIRST, inputs: {}, fingerprint: 'f2' },
    { type: 'uploaded', address: FIRST, inputs: {}, fingerprint: 'f2', result: { url: 'u' } },
    { type: 'updated', address: FIRST, inputs: {}, fingerprint: 'f2', result: { id: 'p-1' } },
    { type: 'updating', address: FIRST },
    { type: 'seen', address: FIRST },
    { type: 'generated', address: FIRST, result: { id: 'm-1', urls: [] } },
    { type: 'generation-failed', address: FIRST, problem: PROBLEM },
    { type: 'lost', address: FIRST, problem: PROBLEM },
    { type: 'downloaded', address: FIRST, result: { media: 'm-1', files: [] } },
  ])('of another kind of node changes nothing: $type', (event) => {
    expect(folded(open, event)).toEqual(folded(open));
  });
});
