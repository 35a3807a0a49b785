import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/service/client.ts';
import { isJsonObject, type Json, type JsonObject } from '../../src/util/json.ts';
import { realClock } from '../../src/util/clock.ts';
import { openapi, operations } from '../support/openapi-document.ts';

/** Every object below a value, itself included. */
function objectsIn(value: Json): JsonObject[] {
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap(objectsIn);
  if (!isJsonObject(value)) return [];
  return [value, ...Object.values(value).flatMap((member) => objectsIn(member ?? null))];
}

describe('schemas/service.openapi.yaml', () => {
  it('has the 14 endpoints, under the names of the client', () => {
    expect(operations.map(({ id, method, template }) => `${id}: ${method} ${template}`)).toEqual([
      'getAuthToken: POST /get_auth_token',
      'uploadMedia: POST /upload-media/',
      'createProduct: POST /products/',
      'getProduct: GET /products/{id}/',
      'putProduct: PUT /products/{id}/',
      'patchProduct: PATCH /products/{id}/',
      'deleteProduct: DELETE /products/{id}/',
      'createConcept: POST /concepts/',
      'putConcept: PUT /concepts/{id}/',
      'deleteConcept: DELETE /concepts/{id}/',
      'createMediaConfig: POST /media-config/',
      'getMediaConfig: GET /media-config/{id}/',
      'deleteMediaConfig: DELETE /media-config/{id}/',
      'getMedia: GET /media/{object_id}/{id}/',
    ]);
    const client = createClient({ baseUrl: 'http://127.0.0.1:9', apiKey: 'key', clock: realClock });
    expect(Object.keys(client)).toEqual(expect.arrayContaining(operations.map(({ id }) => id)));
    client.close();
  });

  it('has nothing beside a $ref: generators of clients pass over it, so that required fields would be optional', () => {
    const references = objectsIn(openapi).filter((object) => '$ref' in object);
    for (const reference of references) expect(Object.keys(reference)).toEqual(['$ref']);
    expect(references.length).toBeGreaterThan(50);
  });

  it('marks each gap, and says what is open', () => {
    const gaps = objectsIn(openapi).filter((object) => 'x-gap' in object);
    for (const gap of gaps) expect(gap).toMatchObject({ description: expect.stringMatching(/\.$/) });
    expect([...new Set(gaps.map((gap) => (gap as { 'x-gap': string })['x-gap']))].sort()).toEqual([
      'assets-used',
      'concept-reading',
      'delete-effect',
      'error-contents',
      'error-status',
      'estimated-duration',
      'events',
      'expires-at',
      'form-encoding',
      'image-lists',
      'item-contents',
      'item-count',
      'item-form',
      'lists',
      'media-ids',
      'media-info',
      'media-status',
      'required-fields',
      'success-status',
      'upload-answer',
      'upload-limits',
      'variants',
    ]);
  });
});
