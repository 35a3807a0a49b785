/** What the service has of a product, in the words of a manifest: equal to those of the manifest, it needs no update. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fingerprint } from '../graph/objects.ts';
import type { GraphObject } from '../model/graph.ts';
import type { Refusal } from '../model/problem.ts';
import type { ProductResult } from '../model/result.ts';
import type { RunState } from '../model/run-state.ts';
import type { Client } from '../service/client.ts';
import { readMediaUrls } from '../service/read-media-urls.ts';
import { createLinks, storedUrl } from '../steps/links.ts';
import { type ProductSaid, toldOf } from '../steps/product-told.ts';
import type { JsonObject } from '../util/json.ts';
import { err, ok, type Result } from '../util/result.ts';
import { notFound } from './resolve-look-up.ts';

export type ProductNode = Extract<GraphObject, { readonly kind: 'product' }>;

interface Found {
  readonly inputs: JsonObject;
  readonly fingerprint: string;
  readonly result: ProductResult;
}

/** `uploads`: the state that may know where its photos are. */
export async function readImportedProduct(
  id: string,
  { product, state }: { readonly product: ProductNode; readonly state: RunState },
  client: Client,
): Promise<Result<Found, Refusal>> {
  const answer = await client.examineProduct(id);
  if (!answer.ok) return err(notFound(id, answer.error.problem.detail));
  const said = answer.value;
  const { plain } = createLinks(client.redact);
  const links = readMediaUrls(said.media_urls, said);
  const images = await contentsOf(links, { product, state, client, plain });
  const texts = textsOf(said, product);
  const isNamed = 'name' in product.inputs;
  const inputs: JsonObject = {
    ...(isNamed ? { name: texts.name } : {}),
    ...(texts.description || product.inputs['description'] === '' ? { description: texts.description } : {}),
    variant: texts.variant,
    images,
  };
  const told = toldOf(said, texts, plain);
  const result = {
    id,
    ...storedUrl(links[0], { plain }),
    ...(isNamed ? {} : { name: texts.name }),
    ...(told && { told }),
  };
  return ok({ inputs, fingerprint: fingerprint('product', inputs), result });
}

/** A name or a variant that the service does not say counts as that of the manifest. */
function textsOf({ name, description, variant }: ProductSaid, { payload }: ProductNode) {
  return { name: name || payload.name, description, variant: variant || payload.variant };
}

interface Looking {
  readonly product: ProductNode;
  readonly state: RunState;
  readonly client: Client;
  readonly plain: (link: string) => string;
}

/** An image of the manifest stays as it is written there; any other is known by its content, else by its URL. */
async function contentsOf(links: readonly string[], looking: Looking): Promise<string[]> {
  const { product, state, plain } = looking;
  const written = new Set(product.payload.images.flatMap((image) => ('url' in image ? [image.url] : [])));
  const uploaded = new Map(
    [...state.objects.values()].flatMap(({ result, inputs: { sha256 } }) =>
      result && 'url' in result && result.url !== undefined && typeof sha256 === 'string'
        ? [[result.url, sha256] as const]
        : [],
    ),
  );
  // Without a photo of the manifest there is nothing that a content could be equal to.
  const hasPhotos = product.payload.images.some((image) => 'upload' in image);
  const contents: string[] = [];
  for (const link of links) {
    const known = written.has(link) ? link : uploaded.get(plain(link));
    contents.push(known ?? (hasPhotos ? await hashOf(link, looking) : undefined) ?? plain(link));
  }
  return contents;
}

/** The SHA-256 of what is at a link; undefined where it cannot be fetched. */
async function hashOf(link: string, { client }: Looking): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'campaign-'));
  try {
    const file = await client.download({ url: link, path: join(folder, 'image') });
    return file.ok ? file.value.sha256 : undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
