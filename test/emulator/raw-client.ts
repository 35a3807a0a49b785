/** A client that takes every byte as it comes, so that a test sees what is on the wire. */
import * as net from 'node:net';
import type { Rig } from './harness.ts';

export interface RawAnswer {
  /** Status line and headers; empty where none came. */
  readonly head: string;
  /** The bytes behind the head, framing included. */
  readonly body: Buffer;
  /** How many times bytes came. */
  readonly pieces: number;
  readonly end: 'fin' | 'reset';
}

export interface RawRequest {
  readonly method: string;
  /** Below the base URL. */
  readonly path: string;
  readonly json?: unknown;
}

/** Sends one request over a connection of its own and waits for the end of that connection. */
export function sendRaw(rig: Rig, { method, path, json }: RawRequest): Promise<RawAnswer> {
  const { hostname, port, pathname } = new URL(rig.url);
  const content = json === undefined ? '' : JSON.stringify(json);
  const head = [
    `${method} ${pathname}${path} HTTP/1.1`,
    `host: ${hostname}:${port}`,
    `authorization: Bearer ${rig.token}`,
    'connection: close',
    ...(json === undefined
      ? []
      : ['content-type: application/json', `content-length: ${Buffer.byteLength(content)}`]),
  ];
  return sendBytes(rig, `${head.join('\r\n')}\r\n\r\n${content}`);
}

/** Sends these bytes over a connection of its own and waits for the end of that connection. */
export function sendBytes(rig: Pick<Rig, 'url'>, bytes: string): Promise<RawAnswer> {
  const { hostname, port } = new URL(rig.url);
  return new Promise((resolve) => {
    const socket = net.connect(Number(port), hostname);
    const chunks: Buffer[] = [];
    let end: RawAnswer['end'] = 'fin';
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', () => {
      end = 'reset';
    });
    socket.on('close', () => {
      const answer = Buffer.concat(chunks);
      const at = answer.indexOf('\r\n\r\n');
      resolve({
        head: at < 0 ? '' : answer.subarray(0, at).toString(),
        body: at < 0 ? Buffer.alloc(0) : answer.subarray(at + 4),
        pieces: chunks.length,
        end,
      });
    });
    socket.write(bytes);
  });
}

/** The value of a header; undefined where there is none. */
export function headerOf({ head }: RawAnswer, name: string): string | undefined {
  const line = head.split('\r\n').find((text) => text.toLowerCase().startsWith(`${name}:`));
  return line?.slice(name.length + 1).trim();
}

/** The number in the status line. */
export function statusOf({ head }: RawAnswer): number {
  return Number(head.split(' ')[1]);
}
