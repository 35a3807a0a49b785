import type { FastifyReply, FastifyRequest } from 'fastify';
import { mediaTypeOf } from '../util/media-type.ts';
import { byteRange } from './byte-range.ts';
import type { OpenPicture } from './open-picture.ts';

/** Sends a picture or a video, or the part of it that is asked for. */
export async function sendPicture(
  picture: OpenPicture | Buffer,
  { method, headers }: Pick<FastifyRequest, 'method' | 'headers'>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (Buffer.isBuffer(picture))
    return reply.type(mediaTypeOf(picture) ?? 'application/octet-stream').send(picture);
  const { handle, bytes, contentType } = picture;
  const range = byteRange(headers.range, bytes);
  if (range === 'unsatisfiable') {
    await handle.close();
    return reply.code(416).header('content-range', `bytes */${bytes}`).send();
  }
  const { start, end } = range ?? { start: 0, end: bytes - 1 };
  reply
    .code(range ? 206 : 200)
    .type(contentType)
    .headers({ 'accept-ranges': 'bytes', 'content-length': end - start + 1 });
  if (range) reply.header('content-range', `bytes ${start}-${end}/${bytes}`);
  if (contentType === OPAQUE) reply.header('content-disposition', 'attachment');
  if (method === 'HEAD' || bytes === 0) {
    await handle.close();
    return reply.send();
  }
  return reply.send(handle.createReadStream({ start, end }));
}

const OPAQUE = 'application/octet-stream';
