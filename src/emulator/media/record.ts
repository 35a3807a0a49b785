import type { FastifyRequest } from 'fastify';
import type {
  ConceptRecord,
  MediaItemRequest,
  MediaRecord,
  PostType,
  ProductRecord,
} from '../../service/wire.ts';
import { isJsonObject, type Json } from '../../util/json.ts';
import type { Behaviour } from '../behaviour.ts';
import { fileLink } from '../files/record.ts';
import type { PictureBrief } from '../pictures/brief.ts';
import { presentConcept } from '../concepts/record.ts';
import { durationText } from './duration-text.ts';
import type { Appearance, PlannedFault } from './generation-fault.ts';
import type { MediaOutcome } from './outcome.ts';

/** One post to generate. It copies everything that it is made from, so that later edits and deletes change nothing. */
export interface MediaJob {
  /** Id of the medium: its item's, or one of its own. */
  id: string;
  /** Id of the media configuration. */
  config: string;
  concept: ConceptRecord;
  created_at: string;
  /** Epoch milliseconds from which it is rendered. */
  due: number;
  post_type: PostType;
  assets: Json;
  brief: PictureBrief;
  /** The fault that it is to be generated with. */
  fault?: PlannedFault;
}

/** One post to generate for one item of a request. */
export function makeJob(
  id: string,
  item: MediaItemRequest,
  from: {
    config: string;
    concept: ConceptRecord;
    products: ReadonlyMap<string, ProductRecord>;
    at: string;
    due: number;
    fault: PlannedFault | undefined;
  },
): MediaJob {
  const { config, concept, products, at, due, fault } = from;
  const brief: PictureBrief = {
    seed: id,
    aspectRatio: item.metadata.aspect_ratio,
    concept: {
      name: concept.name ?? '',
      description: concept.description ?? '',
      images: urlsOf(concept.ref_images),
    },
    products: item.assets.map((asset) => {
      const product = products.get(asset.product_id);
      const urls = [...(asset.url === undefined ? [] : [asset.url]), ...urlsOf(product?.media_urls ?? [])];
      return {
        name: product?.name ?? '',
        labelled: (product?.variant ?? '').includes('with_label'),
        images: [...new Set(urls)],
      };
    }),
    texts: (item.descriptions ?? []).map(({ description }) => description),
  };
  const assets = item.assets.map((asset) => ({ ...asset }));
  return {
    id,
    config,
    concept,
    created_at: at,
    due,
    post_type: item.post_type,
    assets,
    brief,
    ...(fault && { fault }),
  };
}

/** The two ids of GET /media/{object_id}/{id}/ that mean this medium, its own among them. */
export function mediaPathOf(
  order: MediaJob,
  mediaPath: Behaviour['mediaPath'],
): { objectId: string; id: string } {
  switch (mediaPath) {
    case 'config-item':
      return { objectId: order.config, id: order.id };
    case 'concept-item':
      return { objectId: order.concept.id, id: order.id };
    case 'item-config':
      return { objectId: order.id, id: order.config };
  }
}

/** A medium in an answer. The form of its duration is one of the points that the interface leaves open. */
export type PresentedMedia = Omit<MediaRecord, 'estimated_duration'> & {
  estimated_duration: string | number;
};

/** The medium as the service answers it; without an outcome it is still being generated. */
export function presentMedia(
  order: MediaJob,
  outcome: MediaOutcome | undefined,
  view: {
    request: FastifyRequest;
    behaviour: Behaviour;
    now: number;
    appearance: Appearance;
    areListed: boolean;
  },
): PresentedMedia {
  const { behaviour, appearance } = view;
  const shown = appearance === 'as-it-is' ? outcome : undefined;
  const secondsLeft = shown === undefined ? Math.max(1, Math.ceil((order.due - view.now) / 1000)) : 0;
  return {
    id: order.id,
    content_pillar: presentConcept(order.concept, behaviour),
    generate_config: order.config,
    created_at: order.created_at,
    updated_at: shown?.finished_at ?? order.created_at,
    estimated_duration: durationText(secondsLeft, behaviour.estimatedDuration),
    post_type: order.post_type,
    assets_used: JSON.stringify(order.assets),
    media_info: shown?.status === 'success' && view.areListed ? presentFiles(shown.files, view) : '',
    status: appearance === 'unknown-status' ? UNKNOWN_STATUS : statusWord(shown, behaviour),
    error_message: shown?.status === 'failed' ? shown.error_message : '',
  };
}

/** A status that no client knows. */
const UNKNOWN_STATUS = 'under_review';

function statusWord(outcome: MediaOutcome | undefined, behaviour: Behaviour): string {
  if (outcome === undefined) return behaviour.pendingStatus;
  return outcome.status === 'success' ? behaviour.doneStatus : behaviour.failedStatus;
}

function presentFiles(
  files: readonly { name: string; width: number; height: number }[],
  view: { request: FastifyRequest; behaviour: Behaviour },
): string {
  const urls = files.map((file) => fileLink(file.name, view));
  switch (view.behaviour.mediaInfo) {
    case 'json-list':
      return JSON.stringify(urls);
    case 'json-object':
      return JSON.stringify({
        media: files.map(({ width, height }, index) => ({ url: urls[index], width, height })),
      });
    case 'with-previews':
      return JSON.stringify({ files: urls, previews: urls.map((url) => `${url}?width=64`) });
    case 'plain':
      return urls.join('\n');
  }
}

function urlsOf(entries: Json): string[] {
  if (!Array.isArray(entries)) return [];
  return (entries as readonly Json[]).flatMap((entry) =>
    isJsonObject(entry) && typeof entry['url'] === 'string' ? [entry['url']] : [],
  );
}
