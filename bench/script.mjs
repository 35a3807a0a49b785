/**
 * What a competent user writes by hand instead: got and p-limit, each step awaits what it needs; no state, no checks.
 * `node bench/script.mjs BASE_URL FOLDER SLOTS SIZE_AS_JSON`
 */
import { createWriteStream, mkdirSync, openAsBlob, readdirSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { got } from 'got';
import pLimit from 'p-limit';
import { productsOf } from './inputs.mjs';

const [, , base, folder, slots, sizeJson] = process.argv;
const size = JSON.parse(sizeJson);
const limit = pLimit(Number(slots));
const agent = { http: new http.Agent({ keepAlive: true, maxSockets: Number(slots) }) };

const login = await got.post(`${base}/get_auth_token`, { json: { api_key: 'k' }, agent }).json();
const service = got.extend({
  prefixUrl: base,
  agent,
  responseType: 'json',
  resolveBodyOnly: true,
  headers: { authorization: `Bearer ${login.data.access_token}` },
});
const out = join(folder, 'out-of-script');
mkdirSync(out, { recursive: true });

async function upload(path) {
  const form = new FormData();
  form.set('file', await openAsBlob(path, { type: 'image/png' }), 'photo.png');
  const { data } = await limit(() => service.post('upload-media/', { body: form }));
  return data.url;
}

async function product(name) {
  const place = join(folder, 'photos', name);
  const urls = await Promise.all(readdirSync(place).map((file) => upload(join(place, file))));
  const json = {
    name,
    variant: 'product_with_label',
    media_urls: urls.map((url) => ({ type: 'image', url })),
  };
  const { data } = await limit(() => service.post('products/', { json }));
  return data.id;
}

async function concept(n) {
  const json = { name: `c${n}`, description: `Concept ${n}`, ref_images: [] };
  const { data } = await limit(() => service.post('concepts/', { json }));
  return data.id;
}

const products = Array.from({ length: size.products }, (_, n) => product(`p${n}`));
const concepts = Array.from({ length: size.concepts }, (_, n) => concept(n));

async function request(concept, batch) {
  const items = await Promise.all(
    Array.from({ length: size.posts }, async (_, post) => {
      const used = productsOf(post, { ...size, concept }).map((n) => products[n]);
      const assets = (await Promise.all(used)).map((product_id) => ({ type: 'product', product_id }));
      const descriptions = [{ description: `Batch ${batch}, post ${post}` }];
      return { post_type: 'image', assets, variants: [], descriptions, metadata: { aspect_ratio: '1:1' } };
    }),
  );
  const json = { content_pillar: await concepts[concept], number_of_posts: items.length, items };
  const { data } = await limit(() => service.post('media-config/', { json }));
  await Promise.all(data.items.map((item) => fetchPost(data.id, item.id)));
}

async function fetchPost(config, item) {
  const { data } = await limit(() => service.get(`media/${config}/${item}/`));
  if (data.status !== 'success') throw new Error(`${item} is not generated at its first poll`);
  const [url] = JSON.parse(data.media_info);
  await limit(() => pipeline(got.stream(url, { agent }), createWriteStream(join(out, `${item}.png`))));
}

const batches = size.requests / size.concepts;
await Promise.all(
  concepts.flatMap((_, concept) => Array.from({ length: batches }, (__, batch) => request(concept, batch))),
);
