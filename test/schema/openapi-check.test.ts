import { describe, expect, it } from 'vitest';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../src/util/json.ts';
import { checkExchange, type GivenAnswer, type SentRequest } from '../support/openapi-check.ts';
import { at, operations, type Operation } from '../support/openapi-document.ts';

const UUID = '00000000-0000-4000-8000-000000000001';

/** An exchange as the examples of the document have it. */
interface Sample {
  readonly request: Json | undefined;
  readonly answer: Json;
  readonly exchange: SentRequest & GivenAnswer;
}

function sampleOf(operation: Operation): Sample {
  const { pointer, template, method } = operation;
  const status = '201' in at(`${pointer}/responses`) ? '201' : '2XX';
  const json = 'content/application~1json';
  const request = at(`${pointer}/requestBody/${json}`)['example'];
  const answer = at(`${pointer}/responses/${status}/${json}`)['example'] ?? null;
  const form = template === '/upload-media/' ? uploadForm('file') : undefined;
  return {
    request,
    answer,
    exchange: {
      method,
      path: template.replace(/\{\w+\}/g, UUID),
      requestHeaders: {
        ...(operation.needsToken && { authorization: 'Bearer a.b.c' }),
        ...(request !== undefined && { 'content-type': 'application/json' }),
        ...form?.headers,
      },
      requestBody: form?.body ?? bytes(request),
      status: status === '201' ? 201 : 200,
      responseBody: JSON.stringify(answer),
    },
  };
}

function bytes(json: Json | undefined): Buffer {
  return Buffer.from(json === undefined ? '' : JSON.stringify(json));
}

function uploadForm(part: string) {
  const body = `--cut\r\ncontent-disposition: form-data; name="${part}"; filename="a.jpg"\r\ncontent-type: image/jpeg\r\n\r\n\u0001\u0002\r\n--cut--\r\n`;
  return { headers: { 'content-type': 'multipart/form-data; boundary=cut' }, body: Buffer.from(body) };
}

/** A value with one thing changed: a member left out, or anything replaced by another type. */
interface Mutant {
  readonly what: string;
  readonly value: Json;
}

function mutantsOf(value: Json, place = ''): Mutant[] {
  const retyped = { what: `retyped ${place}`, value: typeof value === 'string' ? { other: true } : 'other' };
  const within = (name: string | number, inner: Json, put: (changed: Json) => Json) =>
    mutantsOf(inner, `${place}/${name}`).map((mutant) => ({ ...mutant, value: put(mutant.value) }));
  if (isJsonArray(value)) {
    return [
      retyped,
      ...value.flatMap((item, index) => within(index, item, (changed) => value.with(index, changed))),
    ];
  }
  if (!isJsonObject(value)) return [retyped];
  const members = Object.entries(value).flatMap(([name, member = null]) => {
    const { [name]: _dropped, ...rest } = value;
    const inner = within(name, member, (changed) => ({ ...value, [name]: changed }));
    return [{ what: `without ${place}/${name}`, value: rest }, ...inner];
  });
  return [retyped, ...members];
}

/**
 * What the interface leaves open, and no check can find: `without` a field that may be absent, and anything `in` a
 * field of open shape. All other mutants must be found.
 */
const PRODUCT = ['without /data/description', 'in /data/media_urls'];
const MEDIA_CONFIG = [
  'in /data/content_pillar/ref_images',
  ...['assets', 'metadata', 'descriptions'].flatMap((field) => [
    `without /data/items/0/${field}`,
    `in /data/items/0/${field}`,
  ]),
  'without /data/items/0/variants',
];
const OPEN: Record<string, { request?: readonly string[]; answer?: readonly string[] }> = {
  createProduct: {
    request: ['without /description'],
    answer: ['without /data/name', 'without /data/variant'],
  },
  getProduct: { answer: PRODUCT },
  putProduct: { request: ['without /description'], answer: PRODUCT },
  patchProduct: {
    request: ['without /name', 'without /variant', 'without /description', 'without /media_urls'],
    answer: PRODUCT,
  },
  createConcept: { request: ['without /ref_images'], answer: ['in /data/ref_images'] },
  putConcept: { request: ['without /ref_images'], answer: ['in /data/ref_images'] },
  createMediaConfig: { request: ['without /items/0/assets/0/url'], answer: MEDIA_CONFIG },
  getMediaConfig: { answer: MEDIA_CONFIG },
  getMedia: { answer: ['in /data/content_pillar/ref_images'] },
};

function isOpen(what: string, open: readonly string[] = []): boolean {
  const place = what.slice(what.indexOf('/'));
  return open.some((entry) => {
    if (!entry.startsWith('in ')) return what === entry;
    const field = entry.slice(3);
    return place.startsWith(`${field}/`) || what === `retyped ${field}`;
  });
}

/** Which of the mutants pass, and which must. */
async function passing(
  mutants: readonly Mutant[],
  open: readonly string[] | undefined,
  exchangeOf: (value: Json) => SentRequest & GivenAnswer,
) {
  const passed: string[] = [];
  for (const { what, value } of mutants) {
    if ((await checkExchange(exchangeOf(value))).length === 0) passed.push(what);
  }
  return { passed, expected: mutants.map(({ what }) => what).filter((what) => isOpen(what, open)) };
}

describe.each(
  operations.map((operation) => [`${operation.method} ${operation.template}`, operation] as const),
)('%s', (_name, operation) => {
  const { request, answer, exchange } = sampleOf(operation);
  const open = OPEN[operation.id] ?? {};

  it('is as its examples have it', async () => {
    expect(await checkExchange(exchange)).toEqual([]);
  });

  it('finds what is wrong in an answer', async () => {
    const mutants = mutantsOf(answer);
    expect(mutants.length).toBeGreaterThanOrEqual(5);
    const { passed, expected } = await passing(mutants, open.answer, (value) => ({
      ...exchange,
      responseBody: JSON.stringify(value),
    }));
    expect(passed).toEqual(expected);
    for (const responseBody of ['', '<html>', '[]', 'null'])
      expect(await checkExchange({ ...exchange, responseBody })).not.toEqual([]);
    for (const status of [302, 400]) expect(await checkExchange({ ...exchange, status })).not.toEqual([]);
  });

  // A request without a body, or of a file, has no fields: its head is below.
  if (request !== undefined)
    it('finds what is wrong in a request', async () => {
      const mutants = mutantsOf(request);
      const { passed, expected } = await passing(mutants, open.request, (value) => ({
        ...exchange,
        requestBody: bytes(value),
      }));
      expect(passed).toEqual(expected);
      const unknown = bytes({ ...(request as JsonObject), more: 1 });
      expect(await checkExchange({ ...exchange, requestBody: unknown })).toEqual([
        `${operation.method} ${exchange.path} request  must NOT have additional properties: "more"`,
      ]);
    });

  it('finds a wrong head', async () => {
    const { requestHeaders } = exchange;
    const other = operation.needsToken ? undefined : 'Bearer a.b.c';
    const wrong: Partial<SentRequest>[] = [
      { path: exchange.path.replace(/\/?$/, '/more/') },
      { method: 'TRACE' },
      { requestHeaders: { ...requestHeaders, authorization: other } },
      { requestHeaders: { ...requestHeaders, authorization: 'Basic YTpi' } },
    ];
    if (exchange.path.includes(UUID)) wrong.push({ path: exchange.path.replace(UUID, '7') });
    if (exchange.requestBody.length === 0) wrong.push({ requestBody: Buffer.from('{}') });
    else wrong.push({ requestHeaders: { ...requestHeaders, 'content-type': 'text/plain' } });
    for (const change of wrong) expect(await checkExchange({ ...exchange, ...change })).not.toEqual([]);
  });
});

describe('forms', () => {
  const create = operations.find(({ id }) => id === 'createMediaConfig');
  const { exchange } = sampleOf(create as Operation);
  const item = 'items[0][post_type]=image&items[0][assets]=[{"type":"product","product_id":"UUID"}]';
  const form = (text: string) => ({
    ...exchange,
    requestHeaders: { ...exchange.requestHeaders, 'content-type': 'application/x-www-form-urlencoded' },
    requestBody: Buffer.from(encodeURI(text.replaceAll('UUID', UUID))),
  });

  it('are read in all their spellings', async () => {
    const head = `content_pillar=UUID&number_of_posts=1&${item}&items[0][metadata][aspect_ratio]=4:5`;
    expect(await checkExchange(form(head))).toEqual([]);
    const lists = '&items[0][variants]=a&items[0][variants]=b&items[0][descriptions][][description]=c';
    expect(await checkExchange(form(head + lists))).toEqual([]);
    expect(await checkExchange(form(head.replace('number_of_posts=1', 'number_of_posts=one')))).toEqual([
      'POST /media-config/ request /number_of_posts must be integer',
    ]);
    expect(await checkExchange(form(head.replace('product_id', 'product')))).not.toEqual([]);
    expect(await checkExchange(form(head.replace('[aspect_ratio]', '[ratio]')))).not.toEqual([]);
  });

  it('must hold the file of an upload', async () => {
    const upload = operations.find(({ template }) => template === '/upload-media/') as Operation;
    const sample = sampleOf(upload).exchange;
    const requestBody = uploadForm('photo').body;
    expect(await checkExchange({ ...sample, requestBody })).toEqual([
      "POST /upload-media/ request  must have required property 'file'",
      'POST /upload-media/ request  must NOT have additional properties: "photo"',
    ]);
    expect(await checkExchange({ ...sample, requestBody: Buffer.from('--cut') })).toEqual([
      'POST /upload-media/ request is not multipart/form-data',
    ]);
  });
});
