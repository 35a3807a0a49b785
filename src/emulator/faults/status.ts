import { STATUS_CODES } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { Envelope } from '../../service/wire.ts';
import type { Clock } from '../../util/clock.ts';
import type { Fault, RetryAfter } from '../fault-rules/fault-rule.ts';

/** Makes the answer one of failure, and gives its text. */
export function makeFailure(
  reply: FastifyReply,
  fault: Extract<Fault, { fault: 'status' }>,
  clock: Clock,
): string {
  const { status, retryAfter, message = `${STATUS_CODES[status] ?? 'Failure'}.` } = fault;
  void reply.code(status).removeHeader('content-length').type('application/json; charset=utf-8');
  if (retryAfter !== undefined) void reply.header('retry-after', retryAfterText(retryAfter, clock));
  const envelope: Envelope<never> = { message, status: 'failed' };
  return JSON.stringify(envelope);
}

function retryAfterText(asked: RetryAfter, clock: Clock): string {
  if (typeof asked !== 'object') return String(asked);
  return new Date(clock.now() + asked.dateInSeconds * 1_000).toUTCString();
}
