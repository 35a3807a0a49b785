import { STATUS_CODES } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { Fault } from '../fault-rules/fault-rule.ts';

type Length = Extract<Fault, { fault: 'half-body' }>['length'];

/**
 * Sends the head and the first half of the body, then ends the connection. It writes to the socket, because node
 * would notice that the body is too short.
 */
export function sendHalf(reply: FastifyReply, body: Buffer, length: Length): void {
  const { socket } = reply.raw;
  if (socket === null) return;
  const half = body.subarray(0, Math.floor(body.length / 2));
  const headers = { ...reply.getHeaders(), 'content-length': undefined, ...framing(length, body) };
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${String(value)}`],
  );
  const { statusCode } = reply;
  socket.write(`HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}\r\n${lines.join('\r\n')}\r\n\r\n`);
  if (length === 'chunked') socket.write(`${half.length.toString(16)}\r\n`);
  socket.write(half);
  // The last chunk, of length zero, never comes.
  if (length === 'chunked') socket.write('\r\n');
  socket.destroySoon();
}

function framing(length: Length, body: Buffer): Record<string, string> {
  switch (length) {
    case 'declared':
      return { 'content-length': String(body.length) };
    case 'chunked':
      return { 'transfer-encoding': 'chunked' };
    case 'none':
      return { connection: 'close' };
  }
}
