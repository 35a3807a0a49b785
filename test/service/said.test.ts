import { describe, expect, it } from 'vitest';
import { linkWords, quoteAnswer, readServiceMessage, pageTitle } from '../../src/service/said.ts';
import { createSecrets } from '../../src/service/secrets.ts';

const TOKEN = 'canary-token-3e1f';
const secrets = createSecrets([TOKEN]);

describe('a link that is said', () => {
  it.each([
    ['https://cdn.example.com/a.png?X-Signature=1#z', 'https://cdn.example.com/a.png'],
    ['https://user:secret@cdn.example.com/a.png', 'https://cdn.example.com/a.png'],
    ['//user:secret@cdn.example.com/a.png', '//cdn.example.com/a.png'],
    ['ftp://user:secret@cdn.example.com/a.png', 'ftp://cdn.example.com/a.png'],
    ['/login?next=1', '/login'],
    [`http://cdn.example.com/${TOKEN}/a.png`, 'http://cdn.example.com/[redacted]/a.png'],
    [
      `http://cdn.example.com/${TOKEN.split('')
        .map((sign) => `%${sign.charCodeAt(0).toString(16)}`)
        .join('')}`,
      'http://cdn.example.com/[redacted]',
    ],
    ['http://cdn.example.com/100%', 'http://cdn.example.com/100%'],
    [`https://cdn.example.com/${'x'.repeat(300)}`, `https://cdn.example.com/${'x'.repeat(215)}…`],
  ])('%s', (link, words) => {
    expect(linkWords(link, secrets)).toBe(words);
  });
});

describe('the beginning of an answer', () => {
  it('is one harmless line without secrets and signatures', () => {
    const answer = JSON.stringify({
      token: TOKEN,
      hidden: 'TOKEN',
      split: TOKEN.split('').join('\u0000'),
      url: 'https://cdn.example.com/a.png?sig=1',
      text: 'a\nb\u001b[2Jc\u202e',
    }).replace(
      'TOKEN',
      TOKEN.split('')
        .map((sign) => `\\u00${sign.charCodeAt(0).toString(16)}`)
        .join(''),
    );
    expect(quoteAnswer(answer, secrets)).toBe(
      '{"token":"[redacted]","hidden":"[redacted]","split":"[redacted]","url":"https://cdn.example.com/a.png","text":"a\\nb[2Jc"}',
    );
  });

  it('is short', () => {
    expect(quoteAnswer('x'.repeat(16_000_000), secrets)).toHaveLength(300);
  });
});

it.each([
  [
    { message: 'Invalid.', data: [{ name: ['Use at most 20 characters.'] }] },
    'Invalid. (name: Use at most 20 characters.)',
  ],
  [{ message: 'Invalid.', data: { size: 3, name: ['a', 'b'] } }, 'Invalid. (size: 3; name: a, b)'],
  [{ detail: [{ loc: ['body', 'name'], msg: 'too long' }] }, 'loc: body, name; msg: too long'],
  [{ message: 'No.', errors: { name: 'taken' }, data: {} }, 'No. (name: taken)'],
  [{ message: 'No.', data: null, status: 'failed' }, 'No.'],
  [{ message: 'No.', data: [TOKEN] }, 'No. ([redacted])'],
  [{ data: [] }, undefined],
])('what a refusal says, with the reasons in its data: %j', (body, said) => {
  expect(readServiceMessage(JSON.stringify(body), secrets)).toBe(said);
});

describe('a page in the place of an answer', () => {
  it.each([
    ['<html><head><title>502 Bad Gateway</title></head><body><h1>502</h1></body></html>', '502 Bad Gateway'],
    [
      '<html><body><h1>503 Service Unavailable</h1>\nNo server is available.\n</body></html>\n',
      '503 Service Unavailable',
    ],
    ['<title></title><h1>\n  Blocked </h1>', 'Blocked'],
    ['<html><header>No</header></html>', ''],
    ['no healthy upstream\nat all', 'no healthy upstream'],
  ])('is quoted by its title, its heading or its first line: %s', (page, quoted) => {
    expect(pageTitle(page)).toBe(quoted);
  });
});
