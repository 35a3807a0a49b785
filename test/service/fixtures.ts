import { afterEach } from 'vitest';
import { createClient, type Client, type ClientOptions } from '../../src/service/client.ts';
import type { ServiceError } from '../../src/service/service-error.ts';
import { realClock } from '../../src/util/clock.ts';
import type { Result } from '../../src/util/result.ts';
import { startHeldService, type HeldService } from '../support/held-service.ts';

export const API_KEY = 'canary-api-key-7f3a';
export const PRODUCT = { name: 'Tote', variant: 'product_with_label', media_urls: [] };
export const CREATED = { status: 'success', message: 'created', data: { id: 'p-1', name: 'Tote' } };

/** A held service and a client of it, both closed after the test. */
export function heldFixture(): {
  start(options?: {
    service?: Parameters<typeof startHeldService>[0];
    client?: Partial<ClientOptions>;
  }): Promise<{ service: HeldService; client: Client }>;
} {
  const open: { service: HeldService; client: Client }[] = [];
  afterEach(async () => {
    for (const { service, client } of open.splice(0)) {
      client.close();
      await service.close();
    }
  });
  return {
    async start(options = {}) {
      const service = await startHeldService(options.service);
      const client = createClient({
        baseUrl: service.url,
        apiKey: API_KEY,
        clock: realClock,
        ...options.client,
      });
      open.push({ service, client });
      return { service, client };
    },
  };
}

/** The fields that say what an error means. */
export function meaning(result: Result<unknown, ServiceError>): object | 'ok' {
  if (result.ok) return 'ok';
  const { came, status, noToken } = result.error;
  return { came, ...(status === undefined ? {} : { status }), ...(noToken ? { noToken } : {}) };
}
