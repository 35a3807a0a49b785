import type { FastifyRequest } from 'fastify';
import type { Behaviour } from '../behaviour.ts';
import { fileLink } from '../files/record.ts';

export interface UploadRecord {
  id: string;
  /** Name in the folder of files: the id, and the extension of the content's type. */
  file: string;
  sha256: string;
  bytes: number;
  created_at: string;
}

export function presentUpload(
  upload: UploadRecord,
  view: { request: FastifyRequest; behaviour: Behaviour },
): { data?: unknown; url?: string } {
  const url = fileLink(upload.file, view);
  switch (view.behaviour.uploadAnswer) {
    case 'data':
      return { data: url };
    case 'data.url':
      return { data: { url } };
    case 'data.media_url':
      return { data: { media_url: url } };
    case 'data.file_url':
      return { data: { file_url: url } };
    case 'nested':
      return { data: { file: { url } } };
    case 'list':
      return { data: [{ url }] };
    case 'top-url':
      return { url };
  }
}
