import { err, ok, type Result } from '../util/result.ts';
import type { Ask, CallOptions, Reply } from './ask.ts';
import { readMediaConfig, type MediaConfigAnswer } from './read-media-config.ts';
import { readConcept, readMedia, readProduct } from './read-records.ts';
import type {
  ConceptRecord,
  ConceptRequest,
  MediaConfigRequest,
  MediaRecord,
  ProductRecord,
  ProductRequest,
} from './wire.ts';

/** The endpoints whose requests and answers are JSON. */
export interface Endpoints {
  createProduct(body: ProductRequest, options?: CallOptions): Reply<ProductRecord>;
  /** `media_urls` are as they came: links are followed, and never stored or shown in this form. */
  getProduct(id: string, options?: CallOptions): Reply<ProductRecord>;
  putProduct(id: string, body: ProductRequest, options?: CallOptions): Reply<ProductRecord>;
  patchProduct(id: string, body: Partial<ProductRequest>, options?: CallOptions): Reply<ProductRecord>;
  deleteProduct(id: string, options?: CallOptions): Reply<undefined>;
  createConcept(body: ConceptRequest, options?: CallOptions): Reply<ConceptRecord>;
  putConcept(id: string, body: ConceptRequest, options?: CallOptions): Reply<ConceptRecord>;
  deleteConcept(id: string, options?: CallOptions): Reply<undefined>;
  createMediaConfig(body: MediaConfigRequest, options?: CallOptions): Reply<MediaConfigAnswer>;
  getMediaConfig(id: string, options?: CallOptions): Reply<MediaConfigAnswer>;
  deleteMediaConfig(id: string, options?: CallOptions): Reply<undefined>;
  /** GET /media/{object_id}/{id}/; media-path.ts says which ids these are. `media_info` is as it came. */
  getMedia(objectId: string, id: string, options?: CallOptions): Reply<MediaRecord>;
}

export function createEndpoints(ask: Ask): Endpoints {
  const create = { method: 'POST', use: 'fresh' } as const;
  return {
    createProduct: (body, options) =>
      ask({ ...create, path: '/products/', body, ...options }, ({ data }) => need(readProduct(data))),
    getProduct: (id, options) =>
      ask({ method: 'GET', path: pathOf('products', id), ...options }, ({ data, raw }) =>
        need(withField(readProduct(data), 'media_urls', readProduct(raw.data))),
      ),
    putProduct: (id, body, options) =>
      ask({ method: 'PUT', path: pathOf('products', id), body, ...options }, ({ data }) =>
        need(readProduct(data, id)),
      ),
    patchProduct: (id, body, options) =>
      ask({ method: 'PATCH', path: pathOf('products', id), body, ...options }, ({ data }) =>
        need(readProduct(data, id)),
      ),
    deleteProduct: (id, options) =>
      ask({ method: 'DELETE', path: pathOf('products', id), ...options }, nothing),

    createConcept: (body, options) =>
      ask({ ...create, path: '/concepts/', body, ...options }, ({ data }) => need(readConcept(data))),
    putConcept: (id, body, options) =>
      ask({ method: 'PUT', path: pathOf('concepts', id), body, ...options }, ({ data }) =>
        need(readConcept(data, id)),
      ),
    deleteConcept: (id, options) =>
      ask({ method: 'DELETE', path: pathOf('concepts', id), ...options }, nothing),

    createMediaConfig: (body, options) =>
      ask({ ...create, path: '/media-config/', body, ...options }, ({ data }) => readMediaConfig(data)),
    getMediaConfig: (id, options) =>
      ask({ method: 'GET', path: pathOf('media-config', id), ...options }, ({ data }) =>
        readMediaConfig(data),
      ),
    deleteMediaConfig: (id, options) =>
      ask({ method: 'DELETE', path: pathOf('media-config', id), ...options }, nothing),
    getMedia: (objectId, id, options) =>
      ask({ method: 'GET', path: pathOf('media', objectId, id), ...options }, ({ data, raw }) =>
        need(withField(readMedia(data, id), 'media_info', readMedia(raw.data, id))),
      ),
  };
}

function pathOf(...segments: readonly string[]): string {
  return `/${segments.map((segment) => encodeURIComponent(segment)).join('/')}/`;
}

function withField<T>(record: T | undefined, field: keyof T, other: T | undefined): T | undefined {
  return record && other ? { ...record, [field]: other[field] } : record;
}

function need<T>(record: T | undefined): Result<T, string> {
  return record === undefined ? err('it holds no record with an id') : ok(record);
}

function nothing(): Result<undefined, string> {
  return ok(undefined);
}
