/** The HTTP server of the live page (docs/ui.md): every request is checked here before anything answers it. */
import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import sse from '@fastify/sse';
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply } from 'fastify';
import type { Clock } from '../util/clock.ts';
import type { Result } from '../util/result.ts';
import type { SavedDecisions, SentDecision } from '../views/live-data.ts';
import { createAdmission } from './admission.ts';
import { isFromAnotherSite, type Refused, requestRefused } from './check-request.ts';
import { createEvents, STUCK_MS } from './events.ts';
import type { Feed } from './feed.ts';
import { createPictureOpener, type PictureFile } from './open-picture.ts';
import { readSentDecisions } from './read-sent-decisions.ts';
import { sendPicture } from './send-picture.ts';

/** What the server shows, and what it hands on. */
export interface LivePage {
  /** The page itself, the same for everybody and without anything about the campaign; `policy` is its CSP. */
  readonly html: string;
  readonly policy: string;
  readonly feed: Feed;
  /** Undefined for what nobody has recorded; a text says why it cannot be had. `size`: as the page asks for it. */
  readonly picture: (sha256: string, size: string) => Promise<PictureFile | Buffer | string | undefined>;
  /** Writes what somebody decided in the page; the error says why nothing was written. */
  readonly decide: (sent: readonly SentDecision[]) => Promise<Result<SavedDecisions, string>>;
}

export interface UiServer {
  /** With the token: for the person who started it alone. */
  readonly link: string;
  close(): Promise<void>;
}

interface Serving {
  readonly port: number;
  readonly clock: Clock;
  /** How long a page may take nothing of what is sent to it, in milliseconds. */
  readonly stuckMs?: number;
}

/** Decisions about thousands of posts at once, with notes. */
const BODY_LIMIT = 4 << 20;

export async function serveUi(
  page: LivePage,
  { port, clock, stuckMs = STUCK_MS }: Serving,
): Promise<UiServer> {
  const folder = `/${randomBytes(8).toString('hex')}/`;
  const admission = createAdmission({ path: folder });
  const events = createEvents(page.feed, clock, stuckMs);
  const app = fastify({
    logger: false,
    bodyLimit: BODY_LIMIT,
    requestTimeout: 30_000,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    frameworkErrors: (error, _, reply) => void refuseError(error, reply),
  });
  app.addHook('onRequest', async (request, reply) => {
    secure(reply);
    const refused = requestRefused(request.raw, request.socket.localPort ?? 0);
    return refused && refuse(reply, refused);
  });
  app.setNotFoundHandler((_, reply) => refuse(reply, NOTHING_HERE));
  app.setErrorHandler((error: FastifyError, _, reply) => refuseError(error, reply));
  await app.register(sse);
  pageRoutes(app, folder, { page, admission });
  await app.register(
    async (own) => {
      own.addHook('onRequest', async (request, reply) => {
        if (isFromAnotherSite(request.raw)) return refuse(reply, OTHER_SITE);
        return admission.admits(request.headers.cookie) ? undefined : refuse(reply, NOT_ADMITTED);
      });
      dataRoutes(own, page, events);
    },
    { prefix: folder },
  );
  await app.listen({ host: '127.0.0.1', port });
  const { port: taken } = app.server.address() as AddressInfo;
  return {
    link: `http://127.0.0.1:${taken}${folder}#${admission.token}`,
    async close() {
      events.close();
      await app.close();
    },
  };
}

interface Entrance {
  readonly page: LivePage;
  readonly admission: ReturnType<typeof createAdmission>;
}

/** Open to everybody on this machine: there is nothing to see without the token. */
function pageRoutes(app: FastifyInstance, folder: string, { page, admission }: Entrance): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: folder,
    handler: (_, reply) =>
      reply.header('content-security-policy', page.policy).type('text/html; charset=utf-8').send(page.html),
  });
  app.post<{ Body: { token?: unknown } | null }>(`${folder}session`, async (request, reply) => {
    if (isFromAnotherSite(request.raw)) return refuse(reply, OTHER_SITE);
    if (admission.admits(request.headers.cookie)) return reply.code(204).send();
    const { token } = request.body ?? {};
    const exchanged = admission.exchange(typeof token === 'string' ? token : '');
    if (exchanged.type === 'used') return refuse(reply, USED);
    if (exchanged.type === 'wrong') return refuse(reply, NOT_ADMITTED);
    return reply.header('set-cookie', exchanged.cookie).code(204).send();
  });
}

function dataRoutes(app: FastifyInstance, page: LivePage, events: ReturnType<typeof createEvents>): void {
  app.get<{ Querystring: { after?: unknown } }>(
    '/events',
    { sse: { kind: 'only', heartbeat: false, serializer: String } },
    async (request, reply) =>
      events.follow({ stream: reply.sse, raw: reply.raw }, textOf(request.query.after)),
  );
  const openPicture = createPictureOpener();
  app.route<{ Params: { sha256: string }; Querystring: { size?: unknown } }>({
    method: ['GET', 'HEAD'],
    url: '/picture/:sha256([0-9a-f]{64})',
    handler: async (request, reply) => {
      const found = await page.picture(request.params.sha256, textOf(request.query.size));
      if (!found)
        return refuse(reply, { status: 404, reason: 'No picture of this campaign has this content.' });
      const isFile = typeof found !== 'string' && !Buffer.isBuffer(found);
      const picture = isFile ? await openPicture(found) : found;
      if (typeof picture === 'string') return refuse(reply, { status: 404, reason: picture });
      return sendPicture(picture, request, reply);
    },
  });
  app.post<{ Body: unknown }>('/decisions', async ({ body }, reply) => {
    const sent = readSentDecisions(body);
    if (!sent) return refuse(reply, { status: 422, reason: 'This is no list of decisions.' });
    const decided = await page.decide(sent);
    return decided.ok ? reply.send(decided.value) : refuse(reply, { status: 409, reason: decided.error });
  });
}

/** A name that occurs twice in a query is a list. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Of every answer. The page has a policy of its own; nothing else may run or be shown in a frame. */
function secure(reply: FastifyReply): void {
  reply.headers({
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'cross-origin-resource-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
  });
}

function refuse(reply: FastifyReply, { status, reason }: Refused): FastifyReply {
  return reply.code(status).type('text/plain; charset=utf-8').send(`${reason}\n`);
}

/** What the server itself finds wrong with a request; anything else is a bug, which is not told to strangers. */
function refuseError({ statusCode = 500, message }: FastifyError, reply: FastifyReply): FastifyReply {
  const reason = statusCode < 500 ? message : 'Something went wrong in campaign.';
  secure(reply);
  return refuse(reply, { status: statusCode, reason });
}

const NOTHING_HERE = { status: 404, reason: 'There is nothing here.' };
const OTHER_SITE = { status: 403, reason: 'This page takes no requests from other sites.' };
const NOT_ADMITTED = {
  status: 401,
  reason: 'Open the link that `campaign ui` printed: it belongs to this page alone.',
};
const USED = {
  status: 401,
  reason: 'This link was used before, and it opens the page once. Start `campaign ui` again for a new one.',
};
