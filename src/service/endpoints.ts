import { err, ok, type Result } from '../util/result.ts';
import type { Answer, Call } from './call-service.ts';
import { readMediaConfig } from './read-media-config.ts';
import { readConcept, readMedia, readProduct, whyNoProduct } from './read-records.ts';
import type { ServiceError } from './service-error.ts';
import type { ConceptRequest, MediaConfigRequest, ProductRequest } from './wire.ts';

export type Reply<T> = Promise<Result<T, ServiceError>>;

export type CallOptions = Pick<Call, 'signal'>;

/** Sends one request and reads its answer; the error of `read` says in our words what is wrong with it. */
export type SendAndRead = <T>(
  call: Pick<Call, 'method' | 'path'> & Partial<Call>,
  read: (answer: Answer) => Result<T, string>,
) => Reply<T>;

/** The endpoints whose requests and answers are JSON. */
export function createEndpoints(ask: SendAndRead) {
  const remove = (kind: string) => (id: string, options?: CallOptions) =>
    ask({ ...to('DELETE', kind, id), ...options }, () => ok(undefined));
  return {
    createProduct: (body: ProductRequest, options?: CallOptions) =>
      ask({ ...to('POST', 'products'), use: 'fresh', body, ...options }, product()),
    /** `media_urls` are as they came: links are followed, and never stored or shown in this form. */
    getProduct: (id: string, options?: CallOptions) =>
      ask({ ...to('GET', 'products', id), ...options }, ({ data, raw, askedAt }) =>
        need(withLinks(readProduct(data), 'media_urls', { as: readProduct(raw.data), askedAt })),
      ),
    /** As `getProduct`, for whoever concludes something from it: an answer that is not surely this product is none. */
    examineProduct: (id: string, options?: CallOptions) =>
      ask({ ...to('GET', 'products', id), ...options }, ({ data, raw, askedAt }) => {
        const odd = whyNoProduct(data, id);
        if (odd !== undefined) return err(odd);
        return need(withLinks(readProduct(data), 'media_urls', { as: readProduct(raw.data), askedAt }));
      }),
    putProduct: (id: string, body: ProductRequest, options?: CallOptions) =>
      ask({ ...to('PUT', 'products', id), body, ...options }, product(id)),
    patchProduct: (id: string, body: Partial<ProductRequest>, options?: CallOptions) =>
      ask({ ...to('PATCH', 'products', id), body, ...options }, product(id)),
    deleteProduct: remove('products'),

    createConcept: (body: ConceptRequest, options?: CallOptions) =>
      ask({ ...to('POST', 'concepts'), use: 'fresh', body, ...options }, concept()),
    putConcept: (id: string, body: ConceptRequest, options?: CallOptions) =>
      ask({ ...to('PUT', 'concepts', id), body, ...options }, concept(id)),
    deleteConcept: remove('concepts'),

    createMediaConfig: (body: MediaConfigRequest, options?: CallOptions) =>
      ask({ ...to('POST', 'media-config'), use: 'fresh', body, ...options }, mediaConfig),
    getMediaConfig: (id: string, options?: CallOptions) =>
      ask({ ...to('GET', 'media-config', id), ...options }, mediaConfig),
    deleteMediaConfig: remove('media-config'),
    /** GET /media/{object_id}/{id}/; media-path.ts says which ids these are. `media_info` is as it came. */
    getMedia: (objectId: string, id: string, options?: CallOptions) =>
      ask({ ...to('GET', 'media', objectId, id), ...options }, ({ data, raw, askedAt }) =>
        need(withLinks(readMedia(data, id), 'media_info', { as: readMedia(raw.data, id), askedAt })),
      ),
  };
}

export type Endpoints = ReturnType<typeof createEndpoints>;

function to(method: Call['method'], ...segments: readonly string[]): Pick<Call, 'method' | 'path'> {
  return { method, path: `/${segments.map((segment) => encodeURIComponent(segment)).join('/')}/` };
}

/** The field with its links as they came, and from where those that are paths are meant. */
function withLinks<T>(
  record: T | undefined,
  field: keyof T,
  { as, askedAt }: { as: T | undefined; askedAt: string },
): (T & { askedAt?: string | undefined }) | undefined {
  return record && { ...record, ...(as && { [field]: as[field] }), askedAt };
}

function need<T>(record: T | undefined): Result<T, string> {
  return record === undefined ? err('it holds no record with an id') : ok(record);
}

const product = (id?: string) => (answer: Answer) => need(readProduct(answer.data, id));
const concept = (id?: string) => (answer: Answer) => need(readConcept(answer.data, id));
const mediaConfig = (answer: Answer) => readMediaConfig(answer.data);
