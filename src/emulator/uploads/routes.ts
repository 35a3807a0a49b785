import type { FastifyInstance } from 'fastify';
import { timestamp, type EmulatorContext } from '../context.ts';
import { refuse } from '../requests/envelope.ts';
import { presentUpload, type UploadRecord } from './record.ts';
import { receiveFile } from './receive-file.ts';

/** POST /upload-media/ */
export function uploadRoutes(app: FastifyInstance, context: EmulatorContext): void {
  const { behaviour } = context;
  app.post('/upload-media/', async (request, reply) => {
    const id = context.newId();
    const received = await receiveFile(request, { dir: context.filesDir, id });
    if (!received.ok) return refuse(reply, behaviour.refusalStatus, received.error);
    const { filename, file, sha256, bytes } = received.value;
    const record: UploadRecord = { id, file, sha256, bytes, created_at: timestamp(context) };
    const asked = { method: 'POST', path: '/upload-media/', request: { file: filename } };
    context.commit({ kind: 'upload', action: 'create', id, name: filename, sha256, record, ...asked });
    const where = presentUpload(record, { request, behaviour });
    return reply
      .code(behaviour.createStatus)
      .send({ ...where, message: 'Media uploaded successfully.', status: 'success' });
  });
}
