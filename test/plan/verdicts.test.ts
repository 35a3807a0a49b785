import { describe, expect, it } from 'vitest';
import { currentTake } from '../../src/model/run-state.ts';
import type { Verdict, Verdicts } from '../../src/model/verdict.ts';
import { type CampaignWords, graphOf, heroOf } from '../support/campaign.ts';
import { applied, outline, planGraph, planOf, stateAfter, plain } from '../support/play-plan.ts';

const words = heroOf({ key: 'kitchen', descriptions: ['a'] }, { key: 'shelf', descriptions: ['b'] });
const edited: CampaignWords = { ...words, concepts: { morning: { description: 'Hard light' } } };

/** A verdict about the take of an item; in these states the id of a medium is made of its address. */
function verdicts(...all: readonly [string, Verdict['verdict'], string?][]): Verdicts {
  return new Map(
    all.map(([take, verdict, note]) => [
      `id of media/hero/${take}`,
      { verdict, source: 'd#/decisions/0', ...(note === undefined ? {} : { note }) },
    ]),
  );
}

const state = stateAfter(words);

describe('a rejected post', () => {
  const rejected = verdicts(['kitchen@1', 'rejected', 'handle is cut off']);

  it('is requested again, and no other, without a question', () => {
    for (const replacements of ['make', 'hold'] as const) {
      const plan = planOf(words, state, { verdicts: rejected, replacements });
      expect(plan).toMatchObject({ newPosts: 1, rejected: 1, held: [] });
      const [post] = plan.nodes.filter(({ kind }) => kind === 'media');
      expect(post).toMatchObject({
        address: 'media/hero/kitchen@2',
        action: 'replace',
        reasons: [{ summary: 'rejected: handle is cut off', source: 'd#/decisions/0' }],
      });
    }
  });

  it('is not, once it has a newer take: the verdict is spent', () => {
    const plan = planOf(words, state, { verdicts: rejected });
    const later = applied(plan, state);
    expect(later.media.get('media/hero/kitchen')?.takes).toHaveLength(2);
    expect(outline(planOf(words, later, { verdicts: rejected }))).toEqual([]);
    const pending = applied(plan, state, { 'media/hero/kitchen@2': 'open' });
    expect(planOf(words, pending, { verdicts: rejected }).newPosts).toBe(0);
    const unknown = applied(plan, state, { 'media-config/hero@2': 'unknown' });
    expect(planOf(words, unknown, { verdicts: rejected }).newPosts).toBe(0);
  });

  it('is tried again where the service refused the request', () => {
    const refused = applied(planOf(words, state, { verdicts: rejected }), state, {
      'media-config/hero@2': 'rejected',
    });
    expect(planOf(words, refused, { verdicts: rejected }).newPosts).toBe(1);
  });

  it('takes an edit along, which therefore needs no other consent', () => {
    const plan = planOf(edited, state, { verdicts: rejected, replacements: 'hold' });
    expect(plan.newPosts).toBe(1);
    expect(plan.held.map(({ address }) => address)).toEqual(['media/hero/shelf']);
  });

  it('is only listed after max_takes of what it is now', () => {
    const graph = graphOf(words);
    const [post] = graph.posts;
    if (!post) throw new Error('no post');
    const limited = { ...graph, posts: [{ ...post, maxTakes: 1 }] };
    const plan = planGraph(limited, state, { verdicts: rejected });
    expect(plain(plan)).toMatchObject({ newPosts: 0, nodes: [] });
    expect(plan.failed).toMatchObject([
      { address: 'media/hero/kitchen', problem: { summary: 'rejected: handle is cut off' } },
    ]);
    expect(plan.failed[0]?.problem?.detail).toContain('1 take was made of it (max_takes: 1).');
    // Counted anew after an edit.
    const after = {
      ...graphOf(edited),
      posts: [{ ...post, items: graphOf(edited).posts[0]?.items ?? [], maxTakes: 1 }],
    };
    expect(planGraph(after, state, { verdicts: rejected, replacements: 'hold' }).newPosts).toBe(1);
  });

  it('is requested three times at most, unless max_takes says otherwise', () => {
    let now = state;
    for (const n of [1, 2, 3]) {
      const plan = planOf(words, now, { verdicts: verdicts([`kitchen@${n}`, 'rejected']) });
      expect(plan.newPosts).toBe(n < 3 ? 1 : 0);
      now = applied(plan, now);
    }
    const kitchen = now.media.get('media/hero/kitchen');
    expect(kitchen && currentTake(kitchen)?.n).toBe(3);
    // It says how many there are, also where fewer are allowed by now.
    const graph = graphOf(words);
    const limited = { ...graph, posts: graph.posts.map((post) => ({ ...post, maxTakes: 2 })) };
    const plan = planGraph(limited, now, { verdicts: verdicts(['kitchen@3', 'rejected']) });
    expect(plan.failed[0]?.problem?.detail).toContain('3 takes were made of it (max_takes: 2).');
  });

  it('is only listed where its post plan is requested as a whole', () => {
    const whole = {
      ...words,
      posts: { hero: { numberOfPosts: 3, items: words.posts?.['hero']?.items ?? [] } },
    };
    const made = stateAfter(whole);
    const plan = planOf(whole, made, { verdicts: rejected });
    expect(plan).toMatchObject({ newPosts: 0, failed: [{ address: 'media/hero/kitchen' }] });
  });
});

describe('an approved post', () => {
  const approved = verdicts(['kitchen@1', 'approved']);

  it('is kept through an edit of its concept, and listed', () => {
    const plan = planOf(edited, state, { verdicts: approved });
    expect(plan.nodes.filter(({ kind }) => kind === 'media').map(({ address }) => address)).toEqual([
      'media/hero/shelf@2',
    ]);
    expect(plan.kept).toMatchObject([
      { address: 'media/hero/kitchen', reasons: [{ summary: 'concept/morning changed' }] },
    ]);
    expect(planOf(words, state, { verdicts: approved }).kept).toEqual([]);
  });

  it('is bought again only by its name', () => {
    const replace = ['media/hero/kitchen'];
    expect(planOf(words, state, { verdicts: approved, replace }).newPosts).toBe(1);
  });

  it('keeps the whole post plan where that is requested as a whole', () => {
    const items = words.posts?.['hero']?.items ?? [];
    const whole = { ...words, posts: { hero: { numberOfPosts: 3, items } } };
    const made = stateAfter(whole);
    const changed = { ...whole, concepts: edited.concepts ?? {} };
    const plan = planOf(changed, made, { verdicts: approved });
    expect(plan.newPosts).toBe(0);
    expect(plan.failed).toMatchObject([
      { address: 'media/hero/shelf', problem: { summary: 'not requested' } },
    ]);
    const replace = ['media/hero/kitchen'];
    expect(planOf(changed, made, { verdicts: approved, replace }).newPosts).toBe(3);
  });
});

it('a verdict about something else changes nothing', () => {
  const other = verdicts(['kitchen@7', 'rejected'], ['nothing@1', 'approved']);
  expect(outline(planOf(words, state, { verdicts: other }))).toEqual([]);
  const failed = stateAfter(words, { 'media/hero/kitchen@1': 'failed' });
  expect(planOf(words, failed, { verdicts: verdicts(['kitchen@1', 'rejected']) }).newPosts).toBe(0);
});
