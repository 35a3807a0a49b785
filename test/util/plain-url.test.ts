import { describe, expect, it } from 'vitest';
import { isPlainUrl, plainUrl, plainUrls } from '../../src/util/plain-url.ts';

describe('a plain URL', () => {
  it.each([
    ['https://x.example/a.png', 'https://x.example/a.png'],
    ['HTTPS://X.example/%7e;v=1/@b', 'HTTPS://X.example/%7e;v=1/@b'],
    ['https://x.example/a.png?sig=1#page', 'https://x.example/a.png'],
    ['https://x.example/a.png#page?sig=1', 'https://x.example/a.png'],
    ['https://x.example?sig=a@b', 'https://x.example'],
    ['https://user:pass@x.example/a', 'https://x.example/a'],
    ['https://us@er:pass@x.example/a?b', 'https://x.example/a'],
    ['https://x.example/a?b=1\n2', 'https://x.example/a'],
    ['/relative?sig=1', '/relative'],
  ])('%s', (url, plain) => {
    expect(plainUrl(url)).toBe(plain);
    expect(isPlainUrl(url)).toBe(url === plain);
    expect(isPlainUrl(plain)).toBe(true);
  });
});

describe('a text with plain URLs', () => {
  const inJson = (value: unknown) => JSON.stringify(value);

  it.each([
    ['no URL: why? #1', 'no URL: why? #1'],
    [
      'see https://x.example/a?sig=1 and http://y.example/b#c.',
      'see https://x.example/a and http://y.example/b',
    ],
    ['see <https://x.example/a?sig=1>', 'see <https://x.example/a>'],
    [
      "{'url': 'https://x.example/a'}, 'https://y.example/b?sig=1'",
      "{'url': 'https://x.example/a'}, 'https://y.example/b",
    ],
    [
      inJson({ url: "https://u:p@x.example/a?s=1&t='2'", n: 1 }),
      inJson({ url: 'https://x.example/a', n: 1 }),
    ],
    [inJson(inJson({ url: 'https://x.example/a?s=1' })), inJson(inJson({ url: 'https://x.example/a' }))],
    [
      inJson(inJson([inJson(['https://x.example/a?s=1'])])),
      inJson(inJson([inJson(['https://x.example/a'])])),
    ],
    [String.raw`{"url":"https:\/\/x.example\/a?s=1\u0026t=2"}`, String.raw`{"url":"https:\/\/x.example\/a"}`],
    [
      String.raw`"{\"url\":\"https:\\/\\/x.example\\/a?s=1\"}"`,
      String.raw`"{\"url\":\"https:\\/\\/x.example\\/a\"}"`,
    ],
    [String.raw`{"note":"https://x.example/a\\"}`, String.raw`{"note":"https://x.example/a\\"}`],
  ])('%s', (text, plain) => {
    expect(plainUrls(text)).toBe(plain);
    expect(plainUrls(plain)).toBe(plain);
  });

  it('is done in no time, however long it is', () => {
    const long = `https://x.example/${'\\'.repeat(1_000_000)} ${"https://a'".repeat(100_000)}`;
    expect(plainUrls(long).length).toBe(long.length);
  });
});
