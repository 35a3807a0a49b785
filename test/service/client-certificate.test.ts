import { readFile } from 'node:fs/promises';
import { expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../src/service/client.ts';
import { realClock } from '../../src/util/clock.ts';
import { startHeldService } from '../support/held-service.ts';
import { startTlsFront, TEST_AUTHORITY } from '../support/tls-front.ts';
import { API_KEY, CREATED, meaning, PRODUCT } from './fixtures.ts';

const ROUTE = 'POST /products/';

it('a gateway that begins to want client certificates proves that a create was not carried out', async () => {
  const service = await startHeldService();
  onTestFinished(() => service.close());
  const open = await startTlsFront(service);
  const client = createClient({
    baseUrl: `https://localhost:${open.port}${new URL(service.url).pathname}`,
    apiKey: API_KEY,
    clock: realClock,
    tls: { ca: await readFile(TEST_AUTHORITY, 'utf8') },
  });
  onTestFinished(() => client.close());
  const first = client.createProduct(PRODUCT);
  (await service.next(ROUTE)).respond(201, CREATED);
  expect(meaning(await first)).toBe('ok');
  await open.close();
  const strict = await startTlsFront(service, { clients: 'known', port: open.port });
  onTestFinished(() => strict.close());
  expect(await client.createProduct(PRODUCT)).toMatchObject({
    error: { came: 'misconfigured', code: 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED' },
  });
  expect(service.seen).toEqual(['POST /get_auth_token', ROUTE]);
});
