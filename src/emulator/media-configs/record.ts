import type {
  ConceptRecord,
  MediaConfigRecord,
  MediaConfigRequest,
  MediaItemRecord as WireItem,
} from '../../service/wire.ts';

import type { Behaviour } from '../behaviour.ts';
import { presentConcept } from '../concepts/record.ts';

/**
 * A new media configuration. If `number_of_posts` is larger than the number of items, the items are repeated in turn
 * until there are as many, so that the answer names every post that will be generated. The switch `items_answer` may
 * make one item fewer or more.
 */
export function makeMediaConfig(
  id: string,
  asked: MediaConfigRequest,
  made: { concept: ConceptRecord; behaviour: Behaviour; newId: () => string },
): MediaConfigRecord {
  const { itemsAnswer, mediaId } = made.behaviour;
  const count = Math.max(asked.number_of_posts, asked.items.length) + (SURPLUS[itemsAnswer] ?? 0);
  const items = Array.from({ length: count }, (_, index) => asked.items[index % asked.items.length]).flatMap(
    (item) => {
      if (item === undefined) return [];
      const id = made.newId();
      return [{ ...makeItem(id, item), ...(mediaId === 'own' && { media_id: made.newId() }) }];
    },
  );
  return { id, number_of_posts: asked.number_of_posts, content_pillar: made.concept, items };
}

const SURPLUS: Readonly<Partial<Record<Behaviour['itemsAnswer'], number>>> = { fewer: -1, more: 1 };

/** An item, and the id of its medium where that is not its own. */
type MediaItemRecord = WireItem & { readonly media_id?: string };

/** The id of the medium that is made of an item. */
export function mediumOf(item: MediaItemRecord): string {
  return item.media_id ?? item.id;
}

/** The media configuration as the service answers it, with the present content of its concept. */
export function presentMediaConfig(
  config: MediaConfigRecord,
  concept: ConceptRecord,
  behaviour: Behaviour,
): Omit<MediaConfigRecord, 'items'> & { items: readonly Partial<MediaItemRecord>[] } {
  const items = behaviour.itemsAnswer === 'reversed' ? config.items.toReversed() : config.items;
  const isBare = behaviour.itemShape === 'bare';
  return {
    ...config,
    content_pillar: presentConcept(concept, behaviour),
    items: isBare ? items.map(bareItem) : items,
  };
}

function bareItem({ id, post_type: type, media_id: medium }: MediaItemRecord): Partial<MediaItemRecord> {
  return { id, post_type: type, ...(medium !== undefined && { media_id: medium }) };
}

function makeItem(id: string, asked: MediaConfigRequest['items'][number]): WireItem {
  return {
    id,
    post_type: asked.post_type,
    assets: asked.assets.map((asset) => ({ ...asset })),
    metadata: asked.metadata,
    variants: asked.variants ?? [],
    descriptions: (asked.descriptions ?? []).map(({ description }) => ({ description })),
  };
}
