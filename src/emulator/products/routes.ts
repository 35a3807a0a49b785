import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ProductRequest } from '../../service/wire.ts';
import { timestamp, type EmulatorContext } from '../context.ts';
import { refuse, succeed } from '../requests/envelope.ts';
import { readRequest, type Place } from '../requests/place.ts';
import { readBody } from '../requests/read-body.ts';
import { changeProduct, makeProduct, presentProduct } from './record.ts';
import { readProduct, readProductPatch } from './request.ts';

interface ById {
  Params: { id: string };
}

const NOT_FOUND = 'Product not found.';

/** POST /products/ and GET, PUT, PATCH, DELETE /products/{id}/ */
export function productRoutes(app: FastifyInstance, context: EmulatorContext): void {
  const { behaviour } = context;
  const { products } = context.records;

  app.post('/products/', async (request, reply) => {
    const body = await readBody(request);
    const asked = readRequest(body, readProduct);
    if (!asked.ok) return refuse(reply, behaviour.refusalStatus, asked.error);
    const record = makeProduct(context.newId(), asked.value, timestamp(context));
    const { id, name } = record;
    context.commit({
      kind: 'product',
      action: 'create',
      id,
      name,
      record,
      method: 'POST',
      path: '/products/',
      request: body,
    });
    const code = behaviour.createStatus;
    const data = presentProduct(record, behaviour);
    return succeed(reply, { code, message: 'Product created successfully.', data });
  });

  app.get<ById>('/products/:id/', async (request, reply) => {
    const product = products.get(request.params.id);
    if (product === undefined) return refuse(reply, 404, NOT_FOUND);
    const data = presentProduct(product, behaviour);
    return succeed(reply, { code: 200, message: 'Product retrieved successfully.', data });
  });

  app.put<ById>('/products/:id/', async (request, reply) => update({ request, reply, read: readProduct }));

  app.patch<ById>('/products/:id/', async (request, reply) =>
    update({ request, reply, read: readProductPatch }),
  );

  app.delete<ById>('/products/:id/', async (request, reply) => {
    const { id } = request.params;
    if (!products.has(id)) return refuse(reply, 404, NOT_FOUND);
    context.commit({
      kind: 'product',
      action: 'delete',
      id,
      method: 'DELETE',
      path: `/products/${id}/`,
      request: null,
    });
    return succeed(reply, { code: 200, message: 'Product deleted successfully.' });
  });

  async function update(call: {
    request: FastifyRequest<ById>;
    reply: FastifyReply;
    read: (place: Place) => Partial<ProductRequest>;
  }): Promise<FastifyReply> {
    const { request, reply, read } = call;
    const { id } = request.params;
    const body = await readBody(request);
    const product = products.get(id);
    if (product === undefined) return refuse(reply, 404, NOT_FOUND);
    const asked = readRequest(body, read);
    if (!asked.ok) return refuse(reply, behaviour.refusalStatus, asked.error);
    const record = changeProduct(product, asked.value, timestamp(context));
    const { method } = request;
    context.commit({
      kind: 'product',
      action: 'update',
      id,
      name: record.name,
      record,
      method,
      path: `/products/${id}/`,
      request: body,
    });
    const data = presentProduct(record, behaviour);
    return succeed(reply, { code: 200, message: 'Product updated successfully.', data });
  }
}
