import { describe, expect, it } from 'vitest';
import { listState } from '../../src/views/list-state.ts';
import { createdRequest, folded, intent, requested, type Happening } from './fold-events.ts';

const at = (address: string, rest: object): Happening => ({ ...rest, address }) as Happening;
const file = (name: string) => ({ path: name, sha256: 'x', bytes: 1, contentType: 'image/png' });

/** Two requests for the first item, both finished and downloaded. */
const TWO_TAKES: readonly Happening[] = [1, 2].flatMap((n) => [
  requested(n, n === 1 ? ['1', '2'] : ['1']),
  createdRequest(n),
  at(`media/hero/1@${n}`, { type: 'generated', result: { id: `m-${n}`, urls: [] } }),
  at(`download/hero/1@${n}`, {
    type: 'downloaded',
    result: { media: `m-${n}`, files: [file(`${n}.png`)] },
  }),
]);

function after(...addresses: readonly string[]): string[] {
  const state = folded(...TWO_TAKES, ...addresses.map((address) => at(address, { type: 'forgotten' })));
  return listState(state).map(({ address, status }) => `${address} ${status}`);
}

const ALL = [
  'media-config/hero@1 done',
  'media-config/hero@2 done',
  'media/hero/1 done',
  'media/hero/1@1 done',
  'media/hero/2 pending',
  'download/hero/1 done',
  'download/hero/1@1 done',
];
const without = (...addresses: readonly string[]) =>
  ALL.filter((row) => !addresses.includes(row.split(' ')[0] ?? ''));

describe('a node that is forgotten', () => {
  it('is an item with all its takes, or one of them', () => {
    expect(after()).toEqual(ALL);
    expect(after('media/hero/1')).toEqual([ALL[0], ALL[1], ALL[4]]);
    expect(after('media/hero/1@1')).toEqual(without('media/hero/1@1', 'download/hero/1@1'));
  });

  it('is an item whose post is called download', () => {
    const post = requested(1, ['1'], 'download');
    expect(folded(post, at('media/download/1', { type: 'forgotten' })).media.size).toBe(0);
  });

  it('is the files of an item, which are downloaded again', () => {
    expect(after('download/hero/1')).toEqual(without('download/hero/1', 'download/hero/1@1'));
    expect(after('download/hero/1@2')).toEqual(without('download/hero/1'));
  });

  it('is a request with the posts that it made; its number stays taken', () => {
    expect(after('media-config/hero@2')).toEqual([
      'media-config/hero@1 done',
      'media/hero/1 done',
      'media/hero/2 pending',
      'download/hero/1 done',
    ]);
    const state = folded(...TWO_TAKES, at('media-config/hero@2', { type: 'forgotten' }));
    expect(state.requests.get('media-config/hero@2')).toMatchObject({ status: 'skipped', payload: { n: 2 } });
  });

  it('is an object, and what it was before its open intent', () => {
    const state = folded(
      intent('product/tote'),
      intent('product/tote', 'f2'),
      at('product/tote', { type: 'forgotten' }),
    );
    expect([state.objects.size, state.before.size]).toEqual([0, 0]);
  });

  it('is nothing where there is no such node', () => {
    expect(after('product/cap', 'media/hero/9', 'media-config/hero@9', 'download/hero/9@1')).toEqual(ALL);
  });
});
