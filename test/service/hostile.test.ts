import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import type { HeldCall } from '../support/held-service.ts';
import { API_KEY, heldFixture, PRODUCT } from './fixtures.ts';

const held = heldFixture();
const TOKEN = 'canary-token-3e1f';

/** What acts on a terminal or turns text around, and both secrets in several spellings. */
const HOSTILE =
  '\u001b[31m\u001b]52;c;aGk=\u0007\u009b2J\u202egnp\u2066\r\b\u0000' +
  `${API_KEY} ${TOKEN} ${Buffer.from(TOKEN).toString('base64')} ${TOKEN.split('').join('\u200b')}`;
/** The part of it that a header can carry. */
const IN_HEADER = `\u009b2J\u0085${TOKEN} ${API_KEY}`;

const WAYS: Record<string, (call: HeldCall) => void> = {
  'message of a refusal': (call) => call.respond(400, { status: 'failed', message: HOSTILE }),
  'detail of a failure': (call) => call.respond(500, { detail: HOSTILE }),
  'message of a 2xx that failed': (call) => call.respond(200, { status: 'failed', message: HOSTILE }),
  'text that is no JSON': (call) => call.respondRaw(502, HOSTILE),
  'an id': (call) => call.respond(201, { data: { id: HOSTILE } }),
  'a redirect': (call) => call.respond(302, {}, { location: `/${IN_HEADER}` }),
  'Retry-After': (call) => call.respond(429, {}, { 'retry-after': IN_HEADER, date: IN_HEADER }),
  'the content type': (call) => call.respondRaw(200, '<p>', { 'content-type': `text/${IN_HEADER}` }),
};

it.each(Object.entries(WAYS))('hostile text in %s reaches no error', async (_, answer) => {
  const { service, client } = await held.start({
    service: { token: () => ({ access_token: TOKEN, expires_at: 3600 }) },
  });
  const reply = client.createProduct(PRODUCT);
  answer(await service.next('POST /products/'));
  const result = await reply;
  if (result.ok) throw new Error('an error was expected');
  const { error } = result;
  for (const text of [error.problem.detail, JSON.stringify(error), ...Object.values(error).map(String)]) {
    expect(text).not.toMatch(/[\p{Cc}\p{Cf}]|\\u00|canary/u);
  }
  const everything = inspect(error, { depth: 9, showHidden: true });
  expect(everything).not.toContain('canary');
  expect(everything).not.toContain(Buffer.from(TOKEN).toString('base64'));
});
