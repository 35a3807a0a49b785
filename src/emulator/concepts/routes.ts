import type { FastifyInstance } from 'fastify';
import { timestamp, type EmulatorContext } from '../context.ts';
import { deleteUsed } from '../media-configs/delete-used.ts';
import { refuse, succeed } from '../requests/envelope.ts';
import { readRequest } from '../requests/place.ts';
import { readBody } from '../requests/read-body.ts';
import { changeConcept, makeConcept, presentConcept } from './record.ts';
import { readConcept } from './request.ts';

interface ById {
  Params: { id: string };
}

const NOT_FOUND = 'Concept not found.';

/** POST /concepts/ and PUT, DELETE /concepts/{id}/; the interface has no GET of a concept. */
export function conceptRoutes(app: FastifyInstance, context: EmulatorContext): void {
  const { behaviour } = context;
  const { concepts } = context.records;

  app.post('/concepts/', async (request, reply) => {
    const body = await readBody(request);
    const asked = readRequest(body, readConcept);
    if (!asked.ok) return refuse(reply, behaviour.refusalStatus, asked.error);
    const record = makeConcept(context.newId(), asked.value, timestamp(context));
    const { id, name } = record;
    const call = { method: 'POST', path: '/concepts/', request: body };
    context.commit({ kind: 'concept', action: 'create', id, name, record, ...call });
    const code = behaviour.createStatus;
    const data = presentConcept(record, behaviour);
    return succeed(reply, { code, message: 'Concept created successfully.', data });
  });

  app.put<ById>('/concepts/:id/', async (request, reply) => {
    const { id } = request.params;
    const body = await readBody(request);
    const concept = concepts.get(id);
    if (concept === undefined) return refuse(reply, 404, NOT_FOUND);
    const asked = readRequest(body, readConcept);
    if (!asked.ok) return refuse(reply, behaviour.refusalStatus, asked.error);
    const record = changeConcept(concept, asked.value, timestamp(context));
    const { name } = record;
    const call = { method: 'PUT', path: `/concepts/${id}/`, request: body };
    context.commit({ kind: 'concept', action: 'update', id, name, record, ...call });
    const data = presentConcept(record, behaviour);
    return succeed(reply, { code: 200, message: 'Concept updated successfully.', data });
  });

  app.delete<ById>('/concepts/:id/', async (request, reply) => {
    const { id } = request.params;
    if (!concepts.has(id)) return refuse(reply, 404, NOT_FOUND);
    const used = deleteUsed(context, { kind: 'concept', id, path: `/concepts/${id}/` });
    if (used === 'in-use') return refuse(reply, 409, 'Concept is used by a media configuration.');
    return succeed(reply, { code: 200, message: 'Concept deleted successfully.' });
  });
}
