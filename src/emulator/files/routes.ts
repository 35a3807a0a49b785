import { open } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { EmulatorContext } from '../context.ts';
import { refuse } from '../requests/envelope.ts';
import { FILES_PATH, isFileName, MEDIA_TYPES } from './record.ts';

/** GET /files/{name}: uploads and generated files. */
export function fileRoutes(app: FastifyInstance, context: EmulatorContext): void {
  app.get<{ Params: { name: string } }>(`${FILES_PATH}/:name`, async (request, reply) => {
    const { name } = request.params;
    const file = isFileName(name)
      ? await open(join(context.filesDir, name)).catch(() => undefined)
      : undefined;
    if (file === undefined) return refuse(reply, 404, 'No such file.');
    const { size } = await file.stat();
    return reply
      .type(MEDIA_TYPES[extname(name).slice(1)] ?? 'application/octet-stream')
      .header('content-length', size)
      .header('cache-control', 'public, max-age=31536000, immutable')
      .send(file.createReadStream());
  });
}
