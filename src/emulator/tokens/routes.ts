import type { FastifyInstance } from 'fastify';
import type { EmulatorContext } from '../context.ts';
import { refuse, succeed } from '../requests/envelope.ts';
import { readRequest, requiredText } from '../requests/place.ts';
import { readBody } from '../requests/read-body.ts';
import { isValidToken, issueToken } from './record.ts';

/** POST /get_auth_token: the one endpoint without a token. */
export function tokenRoutes(app: FastifyInstance, context: EmulatorContext, secret: Uint8Array): void {
  const { behaviour, clock } = context;
  app.post('/get_auth_token', async (request, reply) => {
    const key = readRequest(await readBody(request), (place) => requiredText(place, 'api_key'));
    if (!key.ok) return refuse(reply, behaviour.refusalStatus, key.error);
    if (behaviour.apiKey !== undefined && key.value !== behaviour.apiKey)
      return refuse(reply, 401, 'Invalid API key.');
    const data = await issueToken({ secret, clock, behaviour });
    return succeed(reply, { code: 200, message: 'Authentication successful.', data });
  });
}

/** Answers 401 to every request of this scope that carries no valid bearer token. */
export function requireToken(app: FastifyInstance, context: EmulatorContext, secret: Uint8Array): void {
  app.addHook('onRequest', async (request, reply) => {
    const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (token === undefined) return refuse(reply, 401, 'Authentication credentials were not provided.');
    if (await isValidToken(token, { secret, clock: context.clock })) return undefined;
    return refuse(reply, 401, 'The token is invalid or has expired.');
  });
}
