/** Posts that failed, or that the service no longer showed, were paid: they are looked for once more. */
import { describe, expect, it } from 'vitest';
import type { Plan } from '../../src/model/plan.ts';
import { heroOf, type ItemWords } from '../support/campaign.ts';
import { after, AT, downloads, outline, planOf, PROBLEM, stateAfter, listed } from '../support/play-plan.ts';

const A = { descriptions: ['a'] };
const B = { descriptions: ['b'] };
const HERO = heroOf(A, B);
const DAY = 24 * 3_600_000;
const days = (count: number) => ({ now: Date.parse(AT) + count * DAY });

const looks = ({ nodes }: Plan) =>
  nodes.flatMap((node) =>
    node.kind === 'media' && node.again ? [{ address: node.address, ...node.again }] : [],
  );

describe('a post that failed or was lost', () => {
  it.each(['failed', 'lost'] as const)('is looked for once more, and listed all the same (%s)', (end) => {
    const plan = planOf(HERO, stateAfter(HERO, { 'media/hero/1@1': end }), days(29.9));
    expect(looks(plan)).toEqual([{ address: 'media/hero/1@1', was: end, before: 'nothing' }]);
    expect(outline(plan)).toEqual(['… media/hero/1@1']);
    expect(downloads(plan)).toEqual(['… download/hero/1@1 out/hero/1-image']);
    expect(listed(plan)[0]?.reasons).toEqual([{ summary: `rechecked: ${PROBLEM.summary}` }]);
    expect(plan).toMatchObject({
      newPosts: 0,
      failed: [{ address: 'media/hero/1', recheck: 'media/hero/1@1' }],
    });
  });

  it('is looked for until 30 days after its request', () => {
    const state = stateAfter(HERO, { 'media/hero/1@1': 'lost' });
    expect(looks(planOf(HERO, state, days(30)))).toEqual([]);
    expect(looks(planOf(HERO, state, days(-400)))).toHaveLength(1);
  });

  it('is not looked for where nothing was made that could be asked for, or a person gave it up', () => {
    expect(looks(planOf(HERO, stateAfter(HERO, { 'media-config/hero@1': 'rejected' }), days(1)))).toEqual([]);
    expect(looks(planOf(HERO, stateAfter(HERO, { 'media-config/hero@1': 'unknown' }), days(1)))).toEqual([]);
    const failed = stateAfter(HERO, { 'media/hero/1@1': 'failed' });
    const skipped = after(failed, {
      type: 'resolved',
      at: AT,
      address: 'media/hero/1@1',
      decision: 'skipped',
    });
    expect(listed(planOf(HERO, skipped, days(1)))).toEqual([]);
    const made = { id: 'c', concept: 'k', items: {} };
    const notMade = after(failed, {
      type: 'resolved',
      at: AT,
      address: 'media-config/hero@1',
      decision: 'created',
      result: made,
    });
    const without = after(notMade, {
      type: 'generation-failed',
      at: AT,
      address: 'media/hero/1@1',
      problem: PROBLEM,
    });
    // Its request is asked for it: a service may list its items later.
    expect(looks(planOf(HERO, without, days(1)))).toEqual([
      { address: 'media/hero/1@1', was: 'failed', before: 'nothing' },
    ]);
    expect(looks(planOf(HERO, without, { ...days(100), retryFailed: 'media/hero/1' }))).toEqual([
      { address: 'media/hero/1@1', was: 'failed', before: 'paying' },
    ]);
  });

  it('is not looked for where it is not selected', () => {
    const state = stateAfter(HERO, { 'media/hero/1@1': 'lost' });
    const selection = { only: ['media/hero/2'], exclude: [] };
    expect(listed(planOf(HERO, state, { ...days(1), selection }))).toEqual([]);
  });

  it('of a removed post is looked for as well', () => {
    const state = stateAfter(HERO, { 'media/hero/1@1': 'lost' });
    expect(looks(planOf({ ...HERO, posts: {} }, state, days(1)))).toHaveLength(1);
  });

  it('that a newer take has superseded goes under the name of an older take', () => {
    const first = stateAfter(HERO, { 'media/hero/1@1': 'lost' });
    const state = stateAfter(heroOf({ ...A, ratio: '4:5' }, B), { 'media/hero/1@1': 'lost' }, first);
    const plan = planOf(heroOf({ ...A, ratio: '4:5' }, B), state, days(1));
    expect(looks(plan)).toEqual([{ address: 'media/hero/1@1', was: 'lost', before: 'nothing' }]);
    expect(downloads(plan)).toEqual(['… download/hero/1@1 out/hero/1-image.take1']);
    expect(plan.failed).toEqual([]);
  });
});

describe('what pays again for it', () => {
  const state = stateAfter(HERO, { 'media/hero/1@1': 'lost', 'media/hero/2@1': 'failed' });
  const edited: readonly ItemWords[] = [{ ...A, ratio: '4:5' }, B];

  it.each([
    ['--retry-failed', HERO, { retryFailed: 'media/hero/1' }],
    ['--replace', HERO, { replace: ['media/hero/1'] }],
    ['a changed input', heroOf(...edited), {}],
  ])('comes after the recheck, however old the request is: %s', (_, words, wishes) => {
    const plan = planOf(words, state, { ...days(100), ...wishes });
    const [request] = listed(plan);
    expect(request).toMatchObject({
      kind: 'media-config',
      after: ['media/hero/1@1'],
      payload: { numberOfPosts: 1 },
    });
    expect(looks(plan)).toEqual([{ address: 'media/hero/1@1', was: 'lost', before: 'paying' }]);
    expect(plan.nodes.find(({ address }) => address === 'media/hero/1@1')?.reasons).toEqual([
      { summary: `rechecked before it is requested again: ${PROBLEM.summary}` },
    ]);
    // Found, it is the newest: nothing is paid for again.
    expect(downloads(plan)).toContain('… download/hero/1@1 out/hero/1-image');
  });

  it('looks for the others as well, which nothing pays for', () => {
    const plan = planOf(HERO, state, { ...days(1), retryFailed: 'media/hero/1' });
    expect(looks(plan).map(({ address, before }) => `${address} ${before}`)).toEqual([
      'media/hero/1@1 paying',
      'media/hero/2@1 nothing',
    ]);
  });

  it('does not wait for looks where it is blocked itself', () => {
    const blocked = after(
      state,
      { type: 'intent', at: AT, address: 'concept/night', attempt: 1, inputs: {}, fingerprint: 'n' },
      { type: 'unknown', at: AT, address: 'concept/night', evidence: { summary: 'No answer' } },
    );
    const words = {
      ...HERO,
      concepts: { ...HERO.concepts, night: {} },
      posts: { hero: { concept: 'night', items: [A, B] } },
    };
    const plan = planOf(words, blocked, days(1));
    expect(plan.nodes.find(({ kind }) => kind === 'media-config')).toMatchObject({ action: 'blocked' });
    expect(looks(plan).map(({ before }) => before)).toEqual(['nothing', 'nothing']);
  });
});
