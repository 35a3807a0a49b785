import type { Client } from '../../src/service/client.ts';
import type { ServiceError } from '../../src/service/service-error.ts';
import type { Result } from '../../src/util/result.ts';
import { ENDPOINTS, type Ids } from './endpoints.ts';

/** Makes one record of each kind with a client that nothing goes wrong for. */
export async function makeRecords(client: Client): Promise<Ids> {
  const ids = { product: '', concept: '', config: '', item: '' };
  const product = (await create(client, 'POST /products/', ids)) as { id: string };
  const concept = (await create(client, 'POST /concepts/', ids)) as { id: string };
  const known = { ...ids, product: product.id, concept: concept.id };
  const config = (await create(client, 'POST /media-config/', known)) as {
    id: string;
    items: { id: string }[];
  };
  return { ...known, config: config.id, item: config.items[0]?.id ?? '' };
}

async function create(client: Client, route: string, ids: Ids): Promise<unknown> {
  const answer: Result<unknown, ServiceError> | undefined = await ENDPOINTS.find(
    (endpoint) => endpoint.route === route,
  )?.call(client, ids);
  if (!answer?.ok) throw new Error(answer?.error.problem.detail ?? `no endpoint ${route}`);
  return answer.value;
}
