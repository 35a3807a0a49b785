import type { FastifyRequest } from 'fastify';
import type { Behaviour } from '../behaviour.ts';
import { isLoopbackHost } from '../../util/loopback.ts';

/** Below the base URL; files are served without a token, so that a browser shows them. */
export const FILES_PATH = '/files';

/** Start of every path of the emulator, as a deployed service has one. */
export const PATH_PREFIX = '/api';

const FILE_NAME = /^[0-9a-f-]{36}(?:-\d+)?\.[a-z0-9]{2,5}$/;

/** Media types of the files that the emulator keeps, by extension. */
export const MEDIA_TYPES: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
  heic: 'image/heic',
  tif: 'image/tiff',
  mp4: 'video/mp4',
};

/** True for the names that the emulator gives; anything else is never looked up on the disk. */
export function isFileName(name: string): boolean {
  return FILE_NAME.test(name);
}

/** The URL of a file at the host and port that this request used. */
function fileUrl(request: FastifyRequest, name: string): string {
  return `http://127.0.0.1:${request.socket.localPort ?? 0}${PATH_PREFIX}${FILES_PATH}/${name}`;
}

/** What an answer says of where a file is. */
export function fileLink(
  name: string,
  { request, behaviour }: { request: FastifyRequest; behaviour: Pick<Behaviour, 'fileLinks'> },
): string {
  const url = fileUrl(request, name);
  return behaviour.fileLinks === 'paths' ? new URL(url).pathname : url;
}

/** The name of a file of this emulator, whatever port an earlier start served it on; undefined for foreign URLs. */
export function ownFileName(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { hostname, pathname } = new URL(url);
  const prefix = `${PATH_PREFIX}${FILES_PATH}/`;
  if (!isLoopbackHost(hostname) || !pathname.startsWith(prefix)) return undefined;
  const name = pathname.slice(prefix.length);
  return isFileName(name) ? name : undefined;
}
