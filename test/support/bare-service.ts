/**
 * The service once more, on bare node:http and written without a look at the emulator: what the client and the CLI
 * assume about the service is checked against two independent readings of its interface.
 */
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  BARE_DEFAULTS,
  expiresAt,
  formProblem,
  mediaInfo,
  saying,
  uploadAnswer,
  type BareOptions,
} from './bare-options.ts';
import { readFilePart } from './multipart.ts';
import { watchTraffic } from './openapi-watch.ts';

type Fields = Record<string, unknown>;

/** A request as it came; `body` is the parsed JSON, for an upload the length of its file. */
interface BareRequest {
  method: string;
  path: string;
  body: unknown;
}

/** What was created, oldest first; a deleted record stays, with `deleted`. */
interface BareCreated {
  uploads: { url: string; sha256: string; bytes: number; filename: string }[];
  products: ({ id: string } & Fields)[];
  concepts: ({ id: string } & Fields)[];
  configs: ({ id: string; items: ({ id: string } & Fields)[] } & Fields)[];
}

export interface BareService {
  /** The base URL, with a path prefix. */
  readonly url: string;
  readonly requests: readonly BareRequest[];
  readonly created: BareCreated;
  close(): Promise<void>;
}

interface Reply {
  status: number;
  json: object;
}

/** A valid PNG of 2 × 2 pixels. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAFklEQVQImWM4EWVjE3WC4cOHZyJyGgArTAXdb0BEYgAAAABJRU5ErkJggg==',
  'base64',
);
const PREFIX = '/v1/api';

function routeOf(method: string, path: string): string {
  return `${method} ${path.replaceAll(/[0-9a-f-]{36}/g, '{id}')}`;
}

/** Starts one on a free port of 127.0.0.1. */
export async function startBareService(given: Partial<BareOptions> = {}): Promise<BareService> {
  const options: BareOptions = { ...BARE_DEFAULTS, ...given };
  const requests: BareRequest[] = [];
  const created: BareCreated = { uploads: [], products: [], concepts: [], configs: [] };
  const tokens = new Set<string>();
  const polls = new Map<string, number>();
  // The interface fixes 201 for this one answer; clients should take any 2xx all the same.
  const watch = watchTraffic(
    options.createStatus === 200 ? [/^POST \/media-config\/ 200 is not an answer/] : [],
  );
  let origin = '';

  const success = (status: number, data?: unknown): Reply => ({
    status,
    json: { status: 'success', message: 'ok', ...(data === undefined ? {} : { data }) },
  });
  const failure = (status: number, message: string): Reply => ({
    status,
    json: { status: 'failed', message },
  });
  const now = () => new Date().toISOString();

  function issueToken(body: Fields): Reply {
    const key = body['api_key'];
    if (typeof key !== 'string' || key === '') return failure(400, 'api_key is required');
    if (options.apiKey !== undefined && key !== options.apiKey) return failure(401, 'Invalid API key');
    const token = `bare.${randomUUID()}`;
    tokens.add(token);
    return success(200, {
      access_token: token,
      token_type: 'Bearer',
      expires_at: expiresAt(options.expiresAt),
    });
  }

  function storeUpload(file: { bytes: Buffer; filename: string }): Reply {
    const url = `${origin}${PREFIX}/uploads/${created.uploads.length + 1}`;
    const sha256 = createHash('sha256').update(file.bytes).digest('hex');
    created.uploads.push({ url, sha256, bytes: file.bytes.length, filename: file.filename });
    return { status: options.createStatus, json: uploadAnswer(options.uploadAnswer, url) };
  }

  function createConfig(body: Fields): Reply {
    const problem = formProblem(options.form, body);
    if (problem !== undefined) return failure(400, problem);
    const concept = created.concepts.find((record) => record.id === body['content_pillar']);
    if (!concept) return failure(400, 'content_pillar: no such concept');
    const items = (body['items'] as Fields[]).map((item) => ({ ...item, id: randomUUID() }));
    const config = {
      id: randomUUID(),
      number_of_posts: body['number_of_posts'],
      content_pillar: concept,
      items,
    };
    created.configs.push(config);
    return success(options.createStatus, config);
  }

  function readMedia(objectId: string, id: string): Reply {
    for (const config of created.configs) {
      for (const item of config.items) {
        const concept = (config['content_pillar'] as { id: string }).id;
        const path = {
          'config-item': [config.id, item.id],
          'concept-item': [concept, item.id],
          'item-config': [item.id, config.id],
        }[options.mediaPath];
        if (path[0] === objectId && path[1] === id) return pollMedia(config, item);
      }
    }
    return failure(404, 'Not found');
  }

  function pollMedia(config: BareCreated['configs'][number], item: { id: string } & Fields): Reply {
    const poll = (polls.get(item.id) ?? 0) + 1;
    polls.set(item.id, poll);
    const { pendingPolls } = options;
    const isDone = poll > (typeof pendingPolls === 'number' ? pendingPolls : pendingPolls());
    if (!isDone && options.pending === 'not-found') return failure(404, 'Not found');
    const ratio = (item['metadata'] as Fields | undefined)?.['aspect_ratio'];
    const done = options.failing.includes(String(ratio)) ? 'failed' : 'success';
    const count = item['post_type'] === 'carousel' ? 3 : 1;
    const urls = Array.from({ length: count }, (_, n) => `${origin}${PREFIX}/files/${item.id}-${n + 1}.png`);
    return success(200, {
      id: item.id,
      content_pillar: config['content_pillar'],
      generate_config: config.id,
      created_at: now(),
      updated_at: now(),
      estimated_duration: '0',
      post_type: item['post_type'],
      assets_used: '',
      media_info: isDone && done === 'success' ? mediaInfo(options.mediaInfo, urls) : '',
      status: isDone ? done : 'processing',
      error_message: isDone && done === 'failed' ? 'The model gave up' : '',
    });
  }

  /** Creates, reads, changes and deletes the records of one list. */
  function records(
    list: ({ id: string } & Fields)[],
    request: { method: string; id: string; body: Fields },
  ): Reply {
    if (request.method === 'POST') {
      const record = { ...request.body, id: randomUUID(), created_at: now(), updated_at: now() };
      list.push(record);
      return success(options.createStatus, record);
    }
    const record = list.find((entry) => entry.id === request.id && entry['deleted'] !== true);
    if (!record) return failure(404, 'Not found');
    if (request.method === 'DELETE') record['deleted'] = true;
    if (request.method === 'PUT' || request.method === 'PATCH')
      Object.assign(record, request.body, { updated_at: now() });
    return success(200, request.method === 'DELETE' ? undefined : record);
  }

  function answer(request: http.IncomingMessage, raw: Buffer): Reply | Buffer {
    const path = (request.url ?? '').slice(PREFIX.length);
    const method = request.method ?? '';
    const isUpload = path === '/upload-media/';
    const body = isUpload || raw.length === 0 ? {} : (JSON.parse(raw.toString('utf8')) as Fields);
    const file = isUpload ? readFilePart(request.headers['content-type'] ?? '', raw) : undefined;
    requests.push({ method, path, body: file?.bytes.length ?? body });
    if (path === '/get_auth_token' && method === 'POST') return issueToken(body);
    const isCut = path.endsWith(`-${options.cutFile}.png`);
    if (path.startsWith('/files/') && method === 'GET') return isCut ? PNG.subarray(0, -12) : PNG;
    if (!tokens.has((request.headers.authorization ?? '').replace(/^Bearer /, '')))
      return failure(401, 'Unauthorized');
    const refused = options.refuses(routeOf(method, path));
    if (refused !== undefined) return failure(refused, 'not now');
    if (isUpload) return file ? storeUpload(file) : failure(400, 'file is required');
    const [, kind = '', id = '', second = ''] = path.split('/');
    if (kind === 'products') return records(created.products, { method, id, body });
    if (kind === 'concepts' && method !== 'GET') return records(created.concepts, { method, id, body });
    if (kind === 'media-config') {
      return method === 'POST' ? createConfig(body) : records(created.configs, { method, id, body });
    }
    if (kind === 'media' && method === 'GET') return readMedia(id, second);
    return failure(404, 'Not found');
  }

  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => void receive(request, response, Buffer.concat(chunks)));
  });

  async function receive(
    request: http.IncomingMessage,
    response: http.ServerResponse,
    raw: Buffer,
  ): Promise<void> {
    const [method, path] = [request.method ?? '', (request.url ?? '').slice(PREFIX.length)];
    watch.request({ method, path, requestHeaders: request.headers, requestBody: raw });
    const reply = answer(request, raw);
    await options.waits(routeOf(method, path));
    if (Buffer.isBuffer(reply)) {
      response.writeHead(200, { 'content-type': 'image/png', 'content-length': reply.length }).end(reply);
      return;
    }
    const responseBody = JSON.stringify(saying(options.says, reply.json));
    watch.answer({ method, path, status: reply.status, responseBody });
    if (options.date !== undefined) response.setHeader('date', options.date);
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(responseBody);
  }

  // A connection that it closes just as a create leaves would be a create without an answer.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${origin}${PREFIX}`,
    requests,
    created,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
      await watch.settle();
    },
  };
}
