/**
 * Whether a request comes from the page of this server, shown by a browser of this machine. A page of another site may send
 * requests here too, and may make its own name point to this machine (DNS rebinding); then Host or Origin names that site.
 */
import type { IncomingMessage } from 'node:http';
import { isNameOfThisMachine } from '../util/loopback.ts';

/** An HTTP status and a short reason. */
export interface Refused {
  readonly status: number;
  readonly reason: string;
}

type Request = Pick<IncomingMessage, 'url' | 'method' | 'headers'>;

const METHODS = ['GET', 'HEAD', 'POST'];

/** `port` is the one that the request came to; undefined where there is nothing against it. */
export function requestRefused({ url, method = '', headers }: Request, port: number): Refused | undefined {
  if (!url?.startsWith('/')) return { status: 400, reason: 'The path must begin with a slash.' };
  if (!isNameOfThisMachine(headers.host, port)) return { status: 403, reason: WRONG_HOST };
  const { origin } = headers;
  if (origin !== undefined && origin !== `http://${headers.host}`)
    return { status: 403, reason: 'This page takes no requests from other sites.' };
  if (!METHODS.includes(method)) return { status: 405, reason: `There is no ${method} here.` };
  // A browser names the origin of whatever could change something.
  if (method === 'POST' && origin === undefined)
    return { status: 403, reason: 'The request names no origin.' };
  return undefined;
}

/** Also a page at another port of this machine is another site, although the cookies of all ports are the same. */
export function isFromAnotherSite({ headers }: Pick<Request, 'headers'>): boolean {
  const site = headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

const WRONG_HOST =
  'This page is for browsers on this machine: the host must be 127.0.0.1, localhost or [::1], with its port.';
