import type { FastifyInstance } from 'fastify';
import type { ConceptRecord, MediaConfigRecord, MediaConfigRequest } from '../../service/wire.ts';
import { timestamp, type EmulatorContext } from '../context.ts';
import { makeJob, type MediaJob } from '../media/record.ts';
import { refuse, succeed } from '../requests/envelope.ts';
import { readRequest } from '../requests/place.ts';
import { readBody } from '../requests/read-body.ts';
import { makeMediaConfig, mediumOf, presentMediaConfig } from './record.ts';
import { readMediaConfig } from './request.ts';

interface ById {
  Params: { id: string };
}

const NOT_FOUND = 'Media configuration not found.';

/** POST /media-config/ and GET, DELETE /media-config/{id}/ */
export function mediaConfigRoutes(app: FastifyInstance, context: EmulatorContext): void {
  const { behaviour, generation, records } = context;

  app.post('/media-config/', async (request, reply) => {
    const body = await readBody(request);
    const rules = { form: behaviour.acceptedForm, records };
    const asked = readRequest(body, (place) => readMediaConfig(place, rules));
    if (!asked.ok) return refuse(reply, behaviour.refusalStatus, asked.error);
    const concept = records.concepts.get(asked.value.content_pillar);
    if (concept === undefined)
      return refuse(reply, behaviour.refusalStatus, 'content_pillar: no such concept');
    const id = context.newId();
    const record = makeMediaConfig(id, asked.value, { concept, behaviour, newId: () => context.newId() });
    const orders = orderPosts(asked.value, record, concept);
    const items = record.items.map((item) => item.id);
    const made = { method: 'POST', path: '/media-config/', request: body };
    context.commit({ kind: 'media-config', action: 'create', id, items, record, orders, ...made });
    for (const order of orders) generation.schedule(order);
    const code = behaviour.createStatus;
    const data = presentMediaConfig(record, concept, behaviour);
    return succeed(reply, { code, message: 'Media configuration created successfully.', data });
  });

  app.get<ById>('/media-config/:id/', async (request, reply) => {
    const record = records.mediaConfigs.get(request.params.id);
    if (record === undefined) return refuse(reply, 404, NOT_FOUND);
    const concept = records.concepts.get(record.content_pillar.id) ?? record.content_pillar;
    const data = presentMediaConfig(record, concept, behaviour);
    return succeed(reply, { code: 200, message: 'Media configuration retrieved successfully.', data });
  });

  app.delete<ById>('/media-config/:id/', async (request, reply) => {
    const { id } = request.params;
    const record = records.mediaConfigs.get(id);
    if (record === undefined) return refuse(reply, 404, NOT_FOUND);
    const call = { method: 'DELETE', path: `/media-config/${id}/`, request: null };
    context.commit({ kind: 'media-config', action: 'delete', id, ...call });
    for (const item of record.items) generation.cancel(mediumOf(item));
    return succeed(reply, { code: 200, message: 'Media configuration deleted successfully.' });
  });

  function orderPosts(
    asked: MediaConfigRequest,
    config: MediaConfigRecord,
    concept: ConceptRecord,
  ): MediaJob[] {
    const at = timestamp(context);
    return config.items.flatMap((item, index) => {
      const request = asked.items[index % asked.items.length];
      if (request === undefined) return [];
      const due = context.clock.now() + behaviour.generationMs[item.post_type];
      const fault = context.nextGenerationFault();
      const from = { config: config.id, concept, products: records.products, at, due, fault };
      return [makeJob(mediumOf(item), request, from)];
    });
  }
}
