import { describe, expect, it } from 'vitest';
import { fillMediaPath, MEDIA_PATHS } from '../../src/service/media-path.ts';
import { readEnvelope } from '../../src/service/read-envelope.ts';
import { isSameId, readId } from '../../src/service/read-id.ts';
import { readMediaConfig } from '../../src/service/read-media-config.ts';
import { readMedia } from '../../src/service/read-records.ts';
import { readTokenLife } from '../../src/service/read-token.ts';
import type { Json } from '../../src/util/json.ts';

const A = 'https://cdn.example.com/a.png';

describe('readTokenLife', () => {
  const now = Date.UTC(2026, 10, 21);
  it.each<[Json, number | undefined]>([
    [3600, 3_600_000],
    [now / 1000 + 60, 60_000],
    [now + 60_000, 60_000],
    [String(now + 60_000), 60_000],
    [now / 1000 - 60, undefined],
    [0, undefined],
    [-1, undefined],
    [null, undefined],
    ['', undefined],
    ['tomorrow', undefined],
  ])('%j', (expiresAt, life) => {
    expect(readTokenLife(expiresAt, now)).toBe(life);
  });
});

describe('isSameId', () => {
  const id = '0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f';
  it.each([
    [id, id.toUpperCase(), true],
    [id, id.replace('f', 'e'), false],
    ['c-1', 'c-1', true],
    ['c-1', 'C-1', false],
    ['', id, false],
  ])('%j and %j: %j', (one, other, same) => {
    expect(isSameId(one, other)).toBe(same);
    expect(isSameId(other, one)).toBe(same);
  });
});

describe('readId', () => {
  it.each<[Json, string | undefined]>([
    ['0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f', '0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f'],
    [17, '17'],
    ['', undefined],
    [0, '0'],
    [-1, undefined],
    [2 ** 60, undefined],
    ['aZ_-9', 'aZ_-9'],
    ['x'.repeat(128), 'x'.repeat(128)],
    ['x'.repeat(129), undefined],
    ['..', undefined],
    ['../../etc/passwd', undefined],
    ['x?y=1#z', undefined],
    ['a.b', undefined],
    ['ü', undefined],
    ['__proto__', undefined],
    ['constructor', undefined],
    ['toString', undefined],
    ['hasOwnProperty', undefined],
    ['a b', undefined],
    ['a\u001Bb', undefined],
    ['x'.repeat(10_000_000), undefined],
    [1.5, undefined],
    [null, undefined],
    [{}, undefined],
  ])('%j', (value, id) => {
    expect(readId(value)).toBe(id);
  });
});

describe('fillMediaPath', () => {
  const context = { config: { id: 'cfg' }, item: { id: 'itm', post: { id: 5 } }, concept: { id: 'con' } };

  it('fills the three candidates, in order', () => {
    expect(MEDIA_PATHS.map((template) => fillMediaPath(template, context))).toEqual([
      ['cfg', 'itm'],
      ['con', 'itm'],
      ['itm', 'cfg'],
    ]);
  });

  it.each([
    ['{config.id}/{item.id}', ['cfg', 'itm']],
    ['/media/{item.post.id}/x-{item.id}', ['5', 'x-itm']],
    ['/media/{item.other}/{item.id}/', undefined],
    ['/media/{run.id}/{item.id}/', undefined],
    ['/media/{item.id}/', undefined],
    ['/media/{item.id}/a/b/', undefined],
    ['/media/../{item.id}/', undefined],
  ])('%s', (template, ids) => {
    expect(fillMediaPath(template, context)).toEqual(ids);
  });
});

describe('readEnvelope', () => {
  const record = { id: 'x', status: 'failed' };
  it.each<[string, Json | undefined]>([
    [JSON.stringify({ status: 'success', message: '', data: record }), record],
    [JSON.stringify({ data: [record] }), record],
    [JSON.stringify(record), record],
    [JSON.stringify({ status: 'success', message: 'deleted' }), undefined],
    ['', undefined],
  ])('%s', (body, data) => {
    expect(readEnvelope(body)).toMatchObject({ ok: true, value: { data } });
  });

  it.each([
    '<p>',
    '{"a":',
    JSON.stringify({ status: 'failed', data: record }),
    '['.repeat(100) + ']'.repeat(100),
  ])('no answer: %s', (body) => {
    expect(readEnvelope(body).ok).toBe(false);
  });
});

describe('readMediaConfig', () => {
  it('keeps every field of an item and reads ids that are numbers', () => {
    const data = { id: 7, content_pillar: { id: 'c' }, number_of_posts: 2, items: [{ id: 1, extra: [2] }] };
    expect(readMediaConfig(data)).toEqual({
      ok: true,
      value: { id: '7', concept_id: 'c', number_of_posts: 2, items: [{ id: '1', extra: [2] }] },
    });
  });

  it.each<[Json | undefined, string]>([
    [undefined, 'it holds no media configuration'],
    [{ items: [] }, 'it has no id'],
    [{ id: 'm' }, 'it was given the id m, but has no list of items with ids'],
    [{ id: 'm', items: [{}] }, 'it was given the id m, but has no list of items with ids'],
    [{ id: 'm', items: [{ id: '__proto__' }] }, 'it was given the id m, but has no list of items with ids'],
    [
      { id: 'm', items: [{ id: 1 }, { id: 2 }, { id: '1' }] },
      'it was given the id m, but has two items with the id 1',
    ],
  ])('%j', (data, problem) => {
    expect(readMediaConfig(data)).toEqual({ ok: false, error: problem });
  });
});

describe('readMedia', () => {
  it('reads what is embedded, an id alone, and fields of other types', () => {
    expect(
      readMedia({ generate_config: { id: 'm' }, estimated_duration: 5, media_info: [A] }, 'i'),
    ).toMatchObject({
      id: 'i',
      generate_config: 'm',
      estimated_duration: '5',
      media_info: JSON.stringify([A]),
      status: '',
    });
    expect(readMedia([], 'i')).toBeUndefined();
    for (const id of ['', null]) expect(readMedia({ id }, 'i')?.id).toBe('i');
    for (const id of ['../x', '__proto__', 1.5, {}]) expect(readMedia({ id }, 'i')).toBeUndefined();
  });
});
