import type {
  ConceptRecord,
  MediaConfigRecord,
  MediaConfigRequest,
  MediaItemRecord,
} from '../../service/wire.ts';

/**
 * A new media configuration. Where more posts are asked than items are listed, the items are made again in turn
 * until there are as many: the answer names every post that will be generated.
 */
export function makeMediaConfig(
  id: string,
  asked: MediaConfigRequest,
  made: { concept: ConceptRecord; newId: () => string },
): MediaConfigRecord {
  const count = Math.max(asked.number_of_posts, asked.items.length);
  const items = Array.from({ length: count }, (_, index) => asked.items[index % asked.items.length]).flatMap(
    (item) => (item === undefined ? [] : [makeItem(made.newId(), item)]),
  );
  return { id, number_of_posts: asked.number_of_posts, content_pillar: made.concept, items };
}

function makeItem(id: string, asked: MediaConfigRequest['items'][number]): MediaItemRecord {
  return {
    id,
    post_type: asked.post_type,
    assets: asked.assets.map((asset) => ({ ...asset })),
    metadata: asked.metadata,
    variants: asked.variants ?? [],
    descriptions: (asked.descriptions ?? []).map(({ description }) => ({ description })),
  };
}
