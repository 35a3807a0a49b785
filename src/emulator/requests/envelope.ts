import type { FastifyReply } from 'fastify';
import type { Envelope } from '../../service/wire.ts';

/** Answers in the envelope of success; `data` is left out after a delete. */
export function succeed(
  reply: FastifyReply,
  answer: { code: number; message: string; data?: unknown },
): FastifyReply {
  const envelope: Envelope<unknown> = { message: answer.message, status: 'success' };
  if (answer.data !== undefined) envelope.data = answer.data;
  return reply.code(answer.code).send(envelope);
}

/** Answers in the envelope of failure; with several problems `data` lists them one by one. */
export function refuse(
  reply: FastifyReply,
  code: number,
  problems: string | readonly string[],
): FastifyReply {
  const list = typeof problems === 'string' ? [problems] : problems;
  const envelope: Envelope<readonly string[]> = { message: list.join('; '), status: 'failed' };
  if (list.length > 1) envelope.data = list;
  return reply.code(code).send(envelope);
}
