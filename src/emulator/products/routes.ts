import type { FastifyInstance } from 'fastify';
import type { ProductRequest } from '../../service/wire.ts';
import { timestamp, type EmulatorContext } from '../context.ts';
import { deleteUsed } from '../media-configs/delete-used.ts';
import { refuse, succeed } from '../requests/envelope.ts';
import { readRequest } from '../requests/place.ts';
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
    const call = { method: 'POST', path: '/products/', request: body };
    context.commit({ kind: 'product', action: 'create', id, name, record, ...call });
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

  for (const [method, read] of [
    ['PUT', readProduct],
    ['PATCH', readProductPatch],
  ] as const) {
    app.route<ById>({
      method,
      url: '/products/:id/',
      async handler(request, reply) {
        const { id } = request.params;
        const body = await readBody(request);
        const product = products.get(id);
        if (product === undefined) return refuse(reply, 404, NOT_FOUND);
        const asked = readRequest<Partial<ProductRequest>>(body, read);
        if (!asked.ok) return refuse(reply, behaviour.refusalStatus, asked.error);
        const record = changeProduct(product, asked.value, timestamp(context));
        const call = { method, path: `/products/${id}/`, request: body };
        context.commit({ kind: 'product', action: 'update', id, name: record.name, record, ...call });
        const data = presentProduct(record, behaviour);
        return succeed(reply, { code: 200, message: 'Product updated successfully.', data });
      },
    });
  }

  app.delete<ById>('/products/:id/', async (request, reply) => {
    const { id } = request.params;
    if (!products.has(id)) return refuse(reply, 404, NOT_FOUND);
    const used = deleteUsed(context, { kind: 'product', id, path: `/products/${id}/` });
    if (used === 'in-use') return refuse(reply, 409, 'Product is used by a media configuration.');
    return succeed(reply, { code: 200, message: 'Product deleted successfully.' });
  });
}
