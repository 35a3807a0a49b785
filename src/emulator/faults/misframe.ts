import type { FastifyReply } from 'fastify';
import type { Framing } from '../fault-rules/fault-rule.ts';
import type { Waits } from './waits.ts';

/** Pause between two headers of a head that never ends. */
const HEADER_MS = 20;
/** So many bytes fewer than the body has are declared as Content-Length. */
const FORGOTTEN = 2;

/**
 * Sends an answer whose head and body contradict each other. It writes to the socket, because node refuses to send
 * such an answer.
 */
export function misframe(
  reply: FastifyReply,
  body: Buffer,
  { how, waits }: { how: Framing; waits: Waits },
): void {
  const { socket } = reply.raw;
  if (socket === null) return;
  const length = (bytes: number) => ({ 'content-length': String(bytes) });
  const whole = () => head(reply, length(body.length));
  switch (how) {
    case 'short-length':
      return void socket.write(join(head(reply, length(Math.max(0, body.length - FORGOTTEN))), body));
    case 'zero-length':
      return void socket.write(join(head(reply, length(0)), body));
    case 'no-content':
      return void socket.write(join(head(reply.code(204), {}), body));
    case 'chunk-size':
      return void socket.write(
        join(head(reply, { 'transfer-encoding': 'chunked' }), Buffer.from('zz\r\n'), body),
      );
    case 'upgrade':
      return void socket.write(head(reply.code(101), { connection: 'upgrade', upgrade: 'websocket' }));
    case 'garbage':
      return void socket.write(join(whole(), body, Buffer.from('garbage')));
    case 'twice':
      return void socket.write(join(whole(), body, whole(), body));
    case 'endless-head': {
      socket.write(`HTTP/1.1 ${reply.statusCode} \r\n`);
      const goOn = (): void => {
        if (!socket.writable) return;
        socket.write('x-more: to come\r\n');
        void waits.wait(HEADER_MS).then(goOn);
      };
      goOn();
    }
  }
}

function head(reply: FastifyReply, framing: Readonly<Record<string, string>>): Buffer {
  const headers = { ...reply.getHeaders(), 'content-length': undefined, ...framing };
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${String(value)}\r\n`],
  );
  return Buffer.from(`HTTP/1.1 ${reply.statusCode} \r\n${lines.join('')}\r\n`);
}

function join(...parts: readonly Buffer[]): Buffer {
  return Buffer.concat(parts);
}
