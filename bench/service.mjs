/**
 * The service that is measured against, in a process of its own: bare node:http, every answer after a fixed latency, every
 * post generated at its first poll. `node bench/service.mjs LATENCY_MS` prints its base URL. GET /stats gives what came
 * since the last call, and begins anew. With `photos` as second argument, each result is another picture of 512 × 640 pixels.
 */
import http from 'node:http';
import sharp from 'sharp';
import { picture } from './picture.mjs';

const latencyMs = Number(process.argv[2] ?? 0);
const FILE = picture(1);
const arePhotos = process.argv[3] === 'photos';
let origin = '';
let made = 0;
/** Concepts, and the configuration of each generated item, by id. */
const concepts = new Map();
const configs = new Map();
let stats = freshStats();

function freshStats() {
  return { requests: 0, bytes: 0, firstMs: undefined, lastMs: undefined, connections: 0, kinds: {} };
}

function id() {
  return `00000000-0000-4000-8000-${(++made).toString(16).padStart(12, '0')}`;
}

function createConfig(body) {
  const { content_pillar: conceptId, items, number_of_posts } = JSON.parse(body);
  const config = {
    id: id(),
    number_of_posts,
    content_pillar: concepts.get(conceptId),
    items: items.map((item) => ({ ...item, id: id() })),
  };
  for (const item of config.items) configs.set(item.id, { config: config.id, type: item.post_type });
  return config;
}

function medium(itemId) {
  const { config, type } = configs.get(itemId);
  return {
    id: itemId,
    generate_config: config,
    post_type: type,
    status: 'success',
    media_info: JSON.stringify([`${origin}/files/${itemId}.png`]),
    error_message: '',
  };
}

/** Status and data of an answer. */
function answer(method, path, body) {
  const [, kind, , last] = path.split('/');
  switch (`${method} ${kind}`) {
    case 'POST get_auth_token': {
      const expires_at = Math.floor(Date.now() / 1000) + 3600;
      return [200, { access_token: `token-${id()}`, token_type: 'Bearer', expires_at }];
    }
    case 'POST upload-media':
      return [200, { url: `${origin}/uploads/${id()}` }];
    case 'POST products':
      return [200, { ...JSON.parse(body), id: id() }];
    case 'POST concepts': {
      const concept = { ...JSON.parse(body), id: id() };
      concepts.set(concept.id, concept);
      return [200, concept];
    }
    case 'POST media-config':
      return [201, createConfig(body)];
    case 'GET media':
      return configs.has(last) ? [200, medium(last)] : [404, undefined];
    default:
      return [404, undefined];
  }
}

const server = http.createServer((request, response) => {
  const { method, url: path } = request;
  if (path === '/stats') {
    response.end(JSON.stringify(stats));
    stats = freshStats();
    return;
  }
  stats.firstMs ??= performance.now();
  stats.requests++;
  const kind = path.split('/')[1];
  stats.kinds[kind] = (stats.kinds[kind] ?? 0) + 1;
  const isUpload = kind === 'upload-media';
  const chunks = [];
  request.on('data', (chunk) => {
    stats.bytes += chunk.length;
    if (!isUpload) chunks.push(chunk);
  });
  request.on('end', () => {
    const send = () => {
      const body = Buffer.concat(chunks).toString();
      if (kind !== 'files') reply(response, answer(method, path, body));
      else if (arePhotos) void photo(path).then((file) => sendFile(response, file));
      else sendFile(response, FILE);
      stats.lastMs = performance.now();
    };
    if (latencyMs === 0) send();
    else setTimeout(send, latencyMs);
  });
});

function sendFile(response, file) {
  response.writeHead(200, { 'content-type': 'image/png', 'content-length': file.length }).end(file);
}

/** Soft spots, as different from others and as easy to compress as a photo; the same for the same name. */
function photo(name) {
  let seed = Number.parseInt(/([\da-f]{8})\.png$/.exec(name)[1], 16) * 2_654_435_761;
  const [width, height] = [24, 30];
  const pixels = Buffer.alloc(width * height * 3);
  for (let at = 0; at < pixels.length; at++) {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    pixels[at] = 64 + (seed >>> 25);
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .resize(512, 640)
    .jpeg()
    .toBuffer();
}

function reply(response, json) {
  const [status, data] = json;
  const text = JSON.stringify({ status: data ? 'success' : 'failed', message: 'ok', data });
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  response.writeHead(status, headers).end(text);
}

server.on('connection', () => stats.connections++);
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  origin = `http://127.0.0.1:${server.address().port}`;
  console.log(origin);
});
