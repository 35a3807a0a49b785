import formbody from '@fastify/formbody';
import multipart from '@fastify/multipart';
import fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import { parseJson } from '../util/json.ts';
import { conceptRoutes } from './concepts/routes.ts';
import type { EmulatorContext } from './context.ts';
import { controlRoutes, type Control } from './control/routes.ts';
import { PATH_PREFIX } from './files/record.ts';
import { fileRoutes } from './files/routes.ts';
import { mediaConfigRoutes } from './media-configs/routes.ts';
import { mediaRoutes } from './media/routes.ts';
import { playOrders, type Stage } from './orders/play-orders.ts';
import { productRoutes } from './products/routes.ts';
import { refuse } from './requests/envelope.ts';
import { readForm } from './requests/form.ts';
import { requireToken, tokenRoutes } from './tokens/routes.ts';
import { uploadRoutes } from './uploads/routes.ts';

const BODY_LIMIT = 16 * 1024 * 1024;

/** The HTTP server with all routes, not listening yet. */
export async function buildServer(
  context: EmulatorContext,
  parts: { secret: Uint8Array; stage: Stage; control: Control | undefined },
): Promise<FastifyInstance> {
  const { secret, stage, control } = parts;
  const app = fastify({
    logger: false,
    bodyLimit: BODY_LIMIT,
    forceCloseConnections: true,
    routerOptions: { ignoreTrailingSlash: true },
  });
  await app.register(multipart, { throwFileSizeLimit: false });
  await app.register(formbody, {
    parser: (text) => readForm(new URLSearchParams(text)) as Record<string, unknown>,
  });
  acceptEmptyJson(app);
  playOrders(app, stage);
  if (control !== undefined) controlRoutes(app, control);
  app.setNotFoundHandler((_request, reply) => refuse(reply, 404, 'No such endpoint.'));
  app.setErrorHandler((error: FastifyError, _request, reply) => {
    const code = error.statusCode ?? 500;
    const status = code === 400 ? context.behaviour.refusalStatus : code;
    return refuse(reply, status, code < 500 ? error.message : 'Internal server error.');
  });
  await app.register(
    async (api) => {
      tokenRoutes(api, context, secret);
      fileRoutes(api, context);
      await api.register(async (guarded) => {
        requireToken(guarded, context, secret);
        uploadRoutes(guarded, context);
        productRoutes(guarded, context);
        conceptRoutes(guarded, context);
        mediaConfigRoutes(guarded, context);
        mediaRoutes(guarded, context);
      });
    },
    { prefix: PATH_PREFIX },
  );
  return app;
}

/** Some clients send `content-type: application/json` with every request, a DELETE without a body included. */
function acceptEmptyJson(app: FastifyInstance): void {
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    const json = parseJson(body === '' ? '{}' : String(body));
    if (json.ok) done(null, json.value);
    else done(Object.assign(new Error('body: not valid JSON'), { statusCode: 400 }));
  });
}
