import { describe, expect, it } from 'vitest';
import type { Known, Reading } from '../../src/app/read-back.ts';
import { doubtPosts, eventsOf, findingsOf, isSpell, sameTwice } from '../../src/app/refresh-findings.ts';
import { emptyState } from '../../src/log/fold.ts';
import type { ObjectState, TakeState } from '../../src/model/run-state.ts';

const AT = '2026-11-22T10:00:00.000Z';

function product(key: string, more: Partial<ObjectState> = {}): Known {
  const address = `product/${key}`;
  const object = {
    address,
    status: 'done' as const,
    inputs: {},
    fingerprint: 'f',
    versions: new Map(),
    at: AT,
    ...more,
  };
  return { type: 'product', address, id: key, object };
}

function post(more: Partial<TakeState> = {}): Known {
  const take = {
    n: 1,
    request: 'media-config/hero@1',
    requestedAs: '1',
    status: 'done' as const,
    inputs: {},
    fingerprint: 'f',
    seen: true,
    requestedAt: AT,
    ...more,
  };
  const request = { id: 'c-1', concept: 'k-1', items: {} };
  return { type: 'post', address: 'media/hero/1@1', take, request, item: {} };
}

const absent = (known: Known): Reading => ({ known, came: 'absent' });
const here = (known: Known, more: Partial<Extract<Reading, { came: 'here' }>> = {}): Reading => ({
  known,
  came: 'here',
  ...more,
});
const events = (...readings: readonly Reading[]) => eventsOf(readings, emptyState(), AT);
const [a, b, c, d, e] = ['a', 'b', 'c', 'd', 'e'].map((key) => product(key)) as [
  Known,
  Known,
  Known,
  Known,
  Known,
];

describe('a spell of 404', () => {
  it('is more than half of what was read, and more than two, without what was known to be gone', () => {
    expect(isSpell([absent(a), absent(b)])).toBe(false);
    expect(isSpell([absent(a), absent(b), absent(c)])).toBe(true);
    expect(isSpell([absent(a), absent(b), absent(c), here(d), here(e), here(a)])).toBe(false);
    const gone = (key: string) => absent(product(key, { goneAt: AT }));
    expect(isSpell([gone('a'), gone('b'), gone('c'), here(d)])).toBe(false);
    expect(isSpell([gone('a'), absent(b), absent(c), absent(d), here(e)])).toBe(true);
  });
});

describe('404 for every post', () => {
  const request = (): Known => {
    const address = 'media-config/hero@1';
    return { type: 'request', address, id: 'c-1', request: { address } as never };
  };

  it('is not clear while their requests are there, and no post shows that their path is', () => {
    const lost = post();
    const doubted = doubtPosts([here(a), here(request()), absent(lost)]);
    expect(doubted.map(({ came }) => came)).toEqual(['here', 'here', 'unclear']);
    const gone = [here(a), absent(request()), absent(lost)];
    expect(doubtPosts(gone)).toEqual(gone);
    const another = [here(request()), absent(lost), here(post())];
    expect(doubtPosts(another)).toBe(another);
    const known = [here(request()), absent(post({ status: 'lost' }))];
    expect(doubtPosts(known)).toEqual(known);
  });
});

describe('two readings', () => {
  it('count as far as they say the same', () => {
    expect(sameTwice(absent(a), absent(a))).toEqual(absent(a));
    expect(sameTwice(absent(a), here(a)).came).toBe('unclear');
    const unclear: Reading = { known: a, came: 'unclear', problem: { summary: 'no' } };
    expect(sameTwice(absent(a), unclear)).toBe(unclear);
    // A URL that is another one each time was not changed by anybody.
    const first = here(a, { drift: { name: 'x', images: ['https://cdn.example.com/1'] } });
    const second = here(a, { drift: { name: 'x', images: ['https://cdn.example.com/2'] } });
    expect(sameTwice(first, second)).toEqual(here(a, { drift: { name: 'x' } }));
    expect(sameTwice(here(a, { drift: { name: 'x' } }), here(a))).toEqual(here(a));
  });
});

describe('what is recorded of a reading', () => {
  it('is what the state does not say yet', () => {
    const told = { images: '0f' };
    const result = { id: 'a', told };
    const known = product('a', { result });
    expect(events(here(known, { told }))).toEqual([]);
    expect(events(here(a, { told }))).toEqual([
      { type: 'refreshed', at: AT, address: 'product/a', found: 'here', told },
    ]);
    const drift = { name: 'x' };
    expect(events(here(known, { told, drift }))).toMatchObject([{ found: 'here', drift }]);
    expect(events(here(product('a', { result, drift }), { told, drift }))).toEqual([]);
    expect(events(absent(known))).toEqual([
      { type: 'refreshed', at: AT, address: 'product/a', found: 'gone' },
    ]);
    const gone = product('a', { result, goneAt: AT });
    expect(events(absent(gone))).toEqual([]);
    expect(events(here(gone, { told }))).toMatchObject([{ found: 'here' }]);
  });

  it('leaves a post done whose files came, and takes back one that was lost', () => {
    const file = { path: 'a.png', sha256: 'x', bytes: 1, contentType: 'image/png' };
    expect(events(absent(post({ files: [file] })))).toMatchObject([{ type: 'refreshed', found: 'gone' }]);
    expect(events(absent(post()))).toMatchObject([{ type: 'lost', address: 'media/hero/1@1' }]);
    const media = { id: 'm-1', urls: [] };
    expect(events(here(post(), { media }))).toEqual([]);
    const learned = { name: 'media_path', value: '/media/{config.id}/{item.id}/' };
    expect(events(here(post({ status: 'lost' }), { media, learned })).map(({ type }) => type)).toEqual([
      'learned',
      'generated',
    ]);
    expect(findingsOf([absent(post({ files: [file] })), here(post({ status: 'lost' }))])).toMatchObject({
      read: 2,
      gone: [{ hasFiles: true }],
      back: ['media/hero/1@1'],
    });
  });
});
