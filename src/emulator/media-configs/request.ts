import type { MediaAsset, MediaConfigRequest, MediaItemRequest, PostType } from '../../service/wire.ts';
import type { Behaviour } from '../behaviour.ts';
import { parseAspectRatio } from '../pictures/frame.ts';
import {
  complain,
  has,
  objectList,
  requiredInteger,
  requiredObject,
  requiredText,
  requiredUrl,
  requiredUuid,
  textList,
  type Place,
} from '../requests/place.ts';
import type { Records } from '../storage/records.ts';
import { isUuid } from '../uuid.ts';

/** The service's bound is 2^31-1; this one keeps a typing error from filling the disk. */
const MOST_POSTS = 1000;

const POST_TYPES: readonly PostType[] = ['image', 'video', 'carousel'];

/** The body of a create, in the guide form or the schema form as the behaviour allows. */
export function readMediaConfig(
  place: Place,
  rules: { form: Behaviour['acceptedForm']; records: Records },
): MediaConfigRequest {
  const concept = requiredUuid(place, 'content_pillar');
  if (isUuid(concept) && !rules.records.concepts.has(concept))
    complain(place, 'content_pillar', 'no such concept');
  const items = objectList(place, 'items', 'required');
  if (Array.isArray(place.fields['items']) && items.length === 0)
    complain(place, 'items', 'must not be empty');
  return {
    content_pillar: concept,
    number_of_posts: requiredInteger(place, 'number_of_posts', { min: 1, max: MOST_POSTS }),
    items: items.map((item) => readItem(item, rules)),
  };
}

function readItem(
  place: Place,
  rules: { form: Behaviour['acceptedForm']; records: Records },
): MediaItemRequest {
  const presence = rules.form === 'schema' ? 'required' : 'optional';
  return {
    post_type: readPostType(place),
    assets: objectList(place, 'assets', 'required').map((asset) => readAsset(asset, rules)),
    variants: textList(place, 'variants', presence),
    descriptions: objectList(place, 'descriptions', presence).map((entry) => ({
      description: requiredText(entry, 'description'),
    })),
    metadata: readMetadata(requiredObject(place, 'metadata')),
  };
}

function readPostType(place: Place): PostType {
  const value = requiredText(place, 'post_type');
  const type = POST_TYPES.find((known) => known === value);
  if (type === undefined && value !== '')
    complain(place, 'post_type', `must be one of ${POST_TYPES.join(', ')}`);
  return type ?? 'image';
}

function readAsset(place: Place, rules: { form: Behaviour['acceptedForm']; records: Records }): MediaAsset {
  const type = requiredText(place, 'type');
  const product = requiredUuid(place, 'product_id');
  if (isUuid(product) && !rules.records.products.has(product))
    complain(place, 'product_id', 'no such product');
  if (has(place, 'url') && rules.form === 'guide')
    complain(place, 'url', 'an asset has type and product_id only');
  if (!has(place, 'url') && rules.form !== 'schema') return { type, product_id: product };
  return { type, product_id: product, url: requiredUrl(place, 'url') };
}

function readMetadata(place: Place): MediaItemRequest['metadata'] {
  const ratio = requiredText(place, 'aspect_ratio');
  if (ratio !== '' && parseAspectRatio(ratio) === undefined) {
    complain(place, 'aspect_ratio', 'must be width:height, as 4:5, at most 8 times as long as wide');
  }
  return { ...place.fields, aspect_ratio: ratio };
}
