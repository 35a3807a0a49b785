import { describe, expect, it } from 'vitest';
import { readMediaStatus } from '../../src/service/read-media-status.ts';
import { readMediaUrls } from '../../src/service/read-media-urls.ts';
import { readUploadUrl } from '../../src/service/read-upload-url.ts';
import { guessDuration } from '../../src/util/duration.ts';
import type { Json } from '../../src/util/json.ts';

const A = 'https://cdn.example.com/a.png';
/** The URL that was asked. */
const AT = 'https://visuals.example.com/api/media/c/i/';
const B = 'https://cdn.example.com/b.png?sig=1,2(3)&x=%20';

describe('readUploadUrl', () => {
  it.each<[Json, string | undefined]>([
    [{ data: A }, A],
    [{ data: { url: A } }, A],
    [{ data: { media_url: A } }, A],
    [{ data: { file_url: A } }, A],
    [{ data: { url: A, file_url: A } }, A],
    [{ data: [A] }, A],
    [{ data: [{ url: A }] }, A],
    [{ data: { file: { name: 'x', url: A } } }, A],
    [{ data: { url: A, thumbnail: { url: B } } }, A],
    [{ url: A, message: 'ok' }, A],
    [{ data: null, url: A }, A],
    [A, A],
    [{ data: [A, B] }, undefined],
    [{ data: { url: A, media_url: B } }, undefined],
    [{ data: { link: A } }, undefined],
    [{ data: { url: 'ftp://x/y' } }, undefined],
    [{ data: { url: '/relative.png' } }, undefined],
    [{ data: {} }, undefined],
    [null, undefined],
  ])('%j', (answer, url) => {
    expect(readUploadUrl(answer)).toBe(url);
  });

  it('takes the place that the setting names', () => {
    const pointer = '/data/links/0/a~1b';
    expect(readUploadUrl({ data: { url: A, links: [{ 'a/b': B }] } }, { pointer })).toBe(B);
    expect(readUploadUrl({ data: { url: A } }, { pointer })).toBeUndefined();
    expect(readUploadUrl({ data: { links: [{ 'a/b': '/f/1' }] } }, { pointer, askedAt: AT })).toBe(
      'https://visuals.example.com/f/1',
    );
  });

  it.each<[Json, string | undefined]>([
    [{ data: { url: '/files/a.png?x=1' } }, 'https://visuals.example.com/files/a.png?x=1'],
    [{ data: { url: '//cdn.example.com/a.png' } }, A],
    [{ data: '/files/7' }, 'https://visuals.example.com/files/7'],
    [{ data: { file: { url: 'files/a' } } }, `${AT}files/a`],
    [{ data: { url: './a.png' } }, `${AT}a.png`],
    [{ data: { url: A, file_url: '/files/a.png' } }, A],
    [{ data: { url: '/a.png', media_url: '/b.png' } }, undefined],
    [{ data: { url: 'pending' } }, undefined],
    [{ data: 'stored' }, undefined],
    [{ data: { url: 'ftp://x/y' } }, undefined],
    [{ data: { url: 'javascript:alert(1)' } }, undefined],
    [{ data: { url: '\\\\host\\a.png' } }, undefined],
    [{ data: { url: '/' } }, undefined],
  ])('a path is meant from the request: %j', (answer, url) => {
    expect(readUploadUrl(answer, { askedAt: AT })).toBe(url);
  });
});

describe('readMediaStatus', () => {
  it.each([
    ['success', 'done'],
    ['SUCCESS ', 'done'],
    ['failed', 'failed'],
    ['Failure', 'failed'],
    ['ERROR', 'failed'],
    ['rejected', 'failed'],
    ['cancelled', 'failed'],
    ['processing', 'pending'],
    ['', 'pending'],
  ])('%s: %s', (status, meaning) => {
    expect(readMediaStatus(status)).toBe(meaning);
  });

  it('knows the names in the manifest, which outrank the usual ones', () => {
    const names = { done: ['Ready', 'failed'], failed: ['expired'] };
    expect(
      ['ready', 'failed', 'EXPIRED', 'error', 'queued'].map((status) => readMediaStatus(status, names)),
    ).toEqual(['done', 'done', 'failed', 'failed', 'pending']);
  });
});

describe('readMediaUrls', () => {
  it.each<[Json, string[]]>([
    [A, [A]],
    [B, [B]],
    [JSON.stringify([A, B, A]), [A, B]],
    [JSON.stringify({ files: [{ url: B }, { url: A }], id: 7 }), [B, A]],
    [JSON.stringify(JSON.stringify({ url: A })), [A]],
    [JSON.stringify({ inner: JSON.stringify([B]) }), [B]],
    [
      [A, { b: B }],
      [A, B],
    ],
    [`${A},${B}`, [A, B]],
    [`${A}, ${A};${B}`, [A, B]],
    [`see ${A}. Or (${A}); <a href="${B}">`, [A, B]],
    [`['${A}', '${A}2']`, [A, `${A}2`]],
    ['ftp://x/y and nothing', []],
    ['', []],
  ])('%j', (info, urls) => {
    expect(readMediaUrls(info)).toEqual(urls);
  });

  it('takes the part that the setting names', () => {
    const info = JSON.stringify({ final: [A], draft: [B] });
    expect(readMediaUrls(info, { pointer: '/final' })).toEqual([A]);
    expect(readMediaUrls(info, { pointer: '/none' })).toEqual([]);
    const ids = JSON.stringify({ final: ['f/1', 'f/2'], draft: [B] });
    expect(readMediaUrls(ids, { pointer: '/final', askedAt: AT })).toEqual([`${AT}f/1`, `${AT}f/2`]);
  });

  const ROOT = 'https://visuals.example.com';
  it.each<[Json, string[]]>([
    ['/files/a.jpg', [`${ROOT}/files/a.jpg`]],
    ['//cdn.example.com/a.png', [A]],
    ['files/a.jpg', [`${AT}files/a.jpg`]],
    ['/files/1', [`${ROOT}/files/1`]],
    [JSON.stringify(['/f/a.jpg?s=1,2', '/f/b.mp4', A]), [`${ROOT}/f/a.jpg?s=1,2`, `${ROOT}/f/b.mp4`, A]],
    ['/f/a.jpg, /f/b.jpg', [`${ROOT}/f/a.jpg`, `${ROOT}/f/b.jpg`]],
    [
      JSON.stringify([{ url: '/f/1.jpg', name: 'front.jpg', type: 'image/jpeg', size: { w: 3 } }]),
      [`${ROOT}/f/1.jpg`],
    ],
    [JSON.stringify({ url: A, path: '/data/a.png', name: 'a.png' }), [A]],
    [JSON.stringify({ self: '/media/1/', file: '/f/1.jpg' }), [`${ROOT}/f/1.jpg`]],
    ['image/jpeg', []],
    ['done', []],
    ['see the 2 files in /files/a.jpg', []],
    ['javascript:alert(1)', []],
    ['/', []],
  ])('a path is meant from the request: %j', (info, urls) => {
    expect(readMediaUrls(info, { askedAt: AT })).toEqual(urls);
    expect(readMediaUrls(info)).toEqual(urls.filter((url) => url === A && JSON.stringify(info).includes(A)));
  });

  it('survives any nesting and any length', () => {
    const deep = `${'['.repeat(50_000)}"${A}"${']'.repeat(50_000)}`;
    // Too deep to be walked, so it is a text that holds a URL.
    expect(readMediaUrls(deep)).toEqual([A]);
    const [url = ''] = readMediaUrls(`see ${A}${')'.repeat(1_000_000)}`);
    expect(url.length).toBe(A.length);
  });
});

describe('guessDuration', () => {
  it.each<[string | number, number | undefined]>([
    [90, 90_000],
    ['90', 90_000],
    ['1.5', 1500],
    ['PT2M', 120_000],
    ['PT1H30M2.5S', 5_402_500],
    ['P1DT1S', 86_401_000],
    ['00:02:30', 150_000],
    ['02:30', 150_000],
    ['1 00:00:01.5', 86_401_500],
    ['2 minutes', 120_000],
    ['1 min 30 s', 90_000],
    ['1 hour, 2 minutes and 3 seconds', 3_723_000],
    ['about 30 seconds', 30_000],
    ['2h30m', 9_000_000],
    ['500 ms', 500],
    ['', undefined],
    ['P', undefined],
    ['PT', undefined],
    ['soon', undefined],
    ['-5', undefined],
    ['3 parsecs', undefined],
    ['NaN', undefined],
  ])('%s', (text, ms) => {
    expect(guessDuration(text)).toBe(ms);
  });
});
