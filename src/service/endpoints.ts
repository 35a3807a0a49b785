import { err, ok, type Result } from '../util/result.ts';
import type { SendAndRead, CallOptions } from './ask.ts';
import { readMediaConfig } from './read-media-config.ts';
import { readConcept, readMedia, readProduct } from './read-records.ts';
import type { ConceptRequest, MediaConfigRequest, ProductRequest } from './wire.ts';

/** The endpoints whose requests and answers are JSON. */
export function createEndpoints(ask: SendAndRead) {
  const create = { method: 'POST', use: 'fresh' } as const;

  return {
    createProduct: (body: ProductRequest, options?: CallOptions) =>
      ask({ ...create, path: '/products/', body, ...options }, ({ data }) => need(readProduct(data))),
    /** `media_urls` are as they came: links are followed, and never stored or shown in this form. */
    getProduct: (id: string, options?: CallOptions) =>
      ask({ method: 'GET', path: pathOf('products', id), ...options }, ({ data, raw }) =>
        need(withField(readProduct(data), 'media_urls', readProduct(raw.data))),
      ),
    putProduct: (id: string, body: ProductRequest, options?: CallOptions) =>
      ask({ method: 'PUT', path: pathOf('products', id), body, ...options }, ({ data }) =>
        need(readProduct(data, id)),
      ),
    patchProduct: (id: string, body: Partial<ProductRequest>, options?: CallOptions) =>
      ask({ method: 'PATCH', path: pathOf('products', id), body, ...options }, ({ data }) =>
        need(readProduct(data, id)),
      ),
    deleteProduct: (id: string, options?: CallOptions) =>
      ask({ method: 'DELETE', path: pathOf('products', id), ...options }, nothing),

    createConcept: (body: ConceptRequest, options?: CallOptions) =>
      ask({ ...create, path: '/concepts/', body, ...options }, ({ data }) => need(readConcept(data))),
    putConcept: (id: string, body: ConceptRequest, options?: CallOptions) =>
      ask({ method: 'PUT', path: pathOf('concepts', id), body, ...options }, ({ data }) =>
        need(readConcept(data, id)),
      ),
    deleteConcept: (id: string, options?: CallOptions) =>
      ask({ method: 'DELETE', path: pathOf('concepts', id), ...options }, nothing),

    createMediaConfig: (body: MediaConfigRequest, options?: CallOptions) =>
      ask({ ...create, path: '/media-config/', body, ...options }, ({ data }) => readMediaConfig(data)),
    getMediaConfig: (id: string, options?: CallOptions) =>
      ask({ method: 'GET', path: pathOf('media-config', id), ...options }, ({ data }) =>
        readMediaConfig(data),
      ),
    deleteMediaConfig: (id: string, options?: CallOptions) =>
      ask({ method: 'DELETE', path: pathOf('media-config', id), ...options }, nothing),
    /** GET /media/{object_id}/{id}/; media-path.ts says which ids these are. `media_info` is as it came. */
    getMedia: (objectId: string, id: string, options?: CallOptions) =>
      ask({ method: 'GET', path: pathOf('media', objectId, id), ...options }, ({ data, raw }) =>
        need(withField(readMedia(data, id), 'media_info', readMedia(raw.data, id))),
      ),
  };
}

export type Endpoints = ReturnType<typeof createEndpoints>;

function pathOf(...segments: readonly string[]): string {
  return `/${segments.map((segment) => encodeURIComponent(segment)).join('/')}/`;
}

/** A record with one field of another. */
function withField<T>(record: T | undefined, field: keyof T, other: T | undefined): T | undefined {
  return record && other ? { ...record, [field]: other[field] } : record;
}

function need<T>(record: T | undefined): Result<T, string> {
  return record === undefined ? err('it holds no record with an id') : ok(record);
}

function nothing(): Result<undefined, string> {
  return ok(undefined);
}
