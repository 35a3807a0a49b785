import multipart from '@fastify/multipart';
import fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { conceptRoutes } from './concepts/routes.ts';
import type { EmulatorContext } from './context.ts';
import { controlRoutes, type Control } from './control/routes.ts';
import { drain } from './faults/payload.ts';
import { PATH_PREFIX } from './files/record.ts';
import { fileRoutes } from './files/routes.ts';
import { mediaConfigRoutes } from './media-configs/routes.ts';
import { mediaRoutes } from './media/routes.ts';
import { playFaults, type Stage } from './fault-rules/play-faults.ts';
import { productRoutes } from './products/routes.ts';
import { isForThisMachine } from './requests/check-host.ts';
import { refuse } from './requests/envelope.ts';
import { refuseBytes, refuseExpectations } from './requests/raw-answers.ts';
import { BODY_LIMIT, readTextBodies } from './requests/read-body.ts';
import { type StrayRequest, strayRequest } from './requests/wrong-path.ts';
import { requireToken, tokenRoutes } from './tokens/routes.ts';
import { uploadRoutes } from './uploads/routes.ts';

interface ServerParts {
  readonly secret: Uint8Array;
  readonly stage: Stage;
  readonly control: Control | undefined;
  /** Called with every request that no route takes. */
  readonly onStray: (stray: StrayRequest) => void;
}

/** The HTTP server with all routes, not listening yet. It answers everything in the envelope, whatever it is sent. */
export async function buildServer(context: EmulatorContext, parts: ServerParts): Promise<FastifyInstance> {
  const { secret, stage, control, onStray } = parts;
  const answerError = (error: FastifyError, request: FastifyRequest, reply: FastifyReply) =>
    refuseError(error, { request, reply, refusalStatus: context.behaviour.refusalStatus });
  const answerStray = (request: FastifyRequest, reply: FastifyReply) => {
    onStray(strayRequest(request.method, request.url));
    return refuse(reply, 404, 'No such endpoint.');
  };
  const app = fastify({
    logger: false,
    bodyLimit: BODY_LIMIT,
    forceCloseConnections: true,
    routerOptions: { ignoreTrailingSlash: true },
    // This server answers a request without a host itself, in the envelope.
    http: { requireHostHeader: false },
    clientErrorHandler: refuseBytes,
    frameworkErrors: (error, request, reply) => {
      onStray(strayRequest(request.method, request.url));
      void answerError(error, request, reply);
    },
  });
  refuseExpectations(app.server);
  readTextBodies(app);
  await app.register(multipart, { throwFileSizeLimit: false });
  app.addHook('onRequest', async (request, reply) =>
    isForThisMachine(request) ? undefined : refuse(reply, 403, NOT_FOR_US),
  );
  playFaults(app, stage);
  if (control !== undefined) controlRoutes(app, control);
  app.setNotFoundHandler(answerStray);
  app.setErrorHandler(answerError);
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

const NOT_FOR_US =
  'This service is for programs on this machine: the host must be 127.0.0.1, localhost or [::1], with its port.';

/**
 * Statuses of requests that cannot be read; the parser of multipart bodies uses 406. They are answered as the service
 * does.
 */
const UNREADABLE: readonly number[] = [400, 406];

async function refuseError(
  error: FastifyError,
  { request, reply, refusalStatus }: { request: FastifyRequest; reply: FastifyReply; refusalStatus: number },
): Promise<FastifyReply> {
  const code = error.statusCode ?? 500;
  // A client that is still sending its body does not read the answer, so the body is read to its end first.
  if (code === 413 && Number(request.headers['content-length']) <= DRAINED) await drain(request.raw);
  return refuse(
    reply,
    UNREADABLE.includes(code) ? refusalStatus : code,
    code < 500 ? error.message : 'Internal server error.',
  );
}

/** This much of a body that is too large is read to its end. */
const DRAINED = 4 * BODY_LIMIT;
