import { describe, expect, it } from 'vitest';
import { afterRechecks, type Spared, sparedBy } from '../../src/engine/rechecks.ts';
import type { PlannedAs } from '../../src/model/plan.ts';
import type { RequestedItem } from '../../src/model/payload.ts';
import type { Problem } from '../../src/model/problem.ts';
import type { NodeEnd } from '../../src/model/run-event.ts';
import { requestNode } from '../support/planned-nodes.ts';

const item = (name: string): RequestedItem => ({
  item: name,
  fingerprint: name,
  inputs: {},
  payload: {
    post_type: 'image',
    assets: [],
    variants: [],
    descriptions: [],
    metadata: { aspect_ratio: '1:1' },
  },
});
const RECHECK = (name: string) => `media/hero/${name}@1`;

/** A request of items a, b and c, of which a and b were paid for before. */
function request(whole?: true): PlannedAs<'request'> {
  const node = requestNode('hero');
  const items = ['a', 'b', 'c'].map(item);
  return {
    ...node,
    after: [RECHECK('a'), RECHECK('b')],
    ...(whole ? { whole } : {}),
    payload: { ...node.payload, n: 2, items, numberOfPosts: whole ? 5 : 3 },
  };
}

const THERE = sparedBy({ end: 'done' });
const AS_IT_WAS = sparedBy({ end: 'failed' });
const unanswered = (problem?: Problem) => sparedBy({ end: 'put-off', problem });
const decide = (a: Spared, b: Spared, whole?: true) =>
  afterRechecks(
    request(whole),
    new Map([
      [RECHECK('a'), a],
      [RECHECK('b'), b],
    ]),
  );
const itemsOf = (node: PlannedAs<'request'> | undefined) =>
  node && {
    items: node.payload.items.map((each) => each.item),
    posts: node.payload.numberOfPosts,
    n: node.payload.n,
  };
const notPaid = (cause: string) => ({
  summary: 'Not requested again',
  detail: `Nobody could find out whether the post that was requested is there after all.${cause} Run the same command again.`,
});
const WHOLE = {
  summary: 'Not requested again',
  detail:
    'The post is requested as a whole (number_of_posts), and another part of it is there after all, or could not be looked for: plan again.',
};

describe('a request that pays again', () => {
  it('waits until all of its posts were looked for', () => {
    expect(afterRechecks(request(), new Map([[RECHECK('a'), THERE]]))).toBeUndefined();
  });

  it('goes as it is where all are as they were', () => {
    const decided = decide(AS_IT_WAS, AS_IT_WAS);
    expect(decided?.spared).toEqual(new Map());
    expect(itemsOf(decided?.request)).toEqual({ items: ['a', 'b', 'c'], posts: 3, n: 2 });
  });

  it('goes without what is there, and without what nobody could find out about', () => {
    const decided = decide(THERE, unanswered({ summary: 'No answer', detail: 'ECONNRESET' }));
    expect(itemsOf(decided?.request)).toEqual({ items: ['c'], posts: 1, n: 2 });
    expect([...(decided?.spared ?? [])]).toEqual([
      ['a', { end: 'unchanged' }],
      ['b', { end: 'put-off', problem: notPaid(' No answer: ECONNRESET.') }],
    ]);
  });

  it('says what it knows of the cause', () => {
    const causes = [undefined, { summary: 'No answer' }].map(
      (problem) => decide(unanswered(problem), AS_IT_WAS)?.spared.get('a')?.problem,
    );
    expect(causes).toEqual([notPaid(''), notPaid(' No answer.')]);
  });

  it('is not sent where nothing is left of it', () => {
    const node = { ...request(), after: ['a', 'b', 'c'].map(RECHECK) };
    const all = new Map(['a', 'b', 'c'].map((name) => [RECHECK(name), THERE]));
    expect(afterRechecks(node, all)).toMatchObject({ request: undefined, spared: { size: 3 } });
  });

  it('is all or nothing where its post is indivisible', () => {
    expect(itemsOf(decide(AS_IT_WAS, AS_IT_WAS, true)?.request)).toEqual({
      items: ['a', 'b', 'c'],
      posts: 5,
      n: 2,
    });
    expect(decide(THERE, AS_IT_WAS, true)).toEqual({
      request: undefined,
      spared: new Map([
        ['a', { end: 'unchanged' }],
        ['b', { end: 'put-off', problem: WHOLE }],
        ['c', { end: 'put-off', problem: WHOLE }],
      ]),
    });
  });
});

it.each<[NodeEnd, string | undefined]>([
  ['done', 'unchanged'],
  ['unchanged', undefined],
  ['failed', undefined],
  ['lost', undefined],
  ['put-off', 'put-off'],
  ['pending', 'put-off'],
  ['blocked', 'put-off'],
  ['rejected', 'put-off'],
  ['unknown', 'put-off'],
])('after a recheck that ends as %s, a new take ends as: %s', (end, spared) => {
  expect(sparedBy({ end })?.end).toBe(spared);
});
