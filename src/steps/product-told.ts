/**
 * What the service says of a product, beside what was sent. `refresh` compares with what it said after the last write, or
 * at the first reading: a service may shorten a text or copy a photo, and that was no change by somebody else.
 */
import type { Drift, Told } from '../model/result.ts';
import { readMediaUrls } from '../service/read-media-urls.ts';
import type { ProductRecord } from '../service/wire.ts';
import { hashJson } from '../util/canonical-json.ts';
import { defined } from '../util/defined.ts';

/** The texts of a product; none is the empty one. */
export interface ProductTexts {
  readonly name: string;
  readonly description: string;
  readonly variant: string;
}

export type ProductSaid = Pick<ProductRecord, keyof ProductTexts | 'media_urls' | 'updated_at'>;

type Plain = (link: string) => string;

const TEXTS = ['name', 'description', 'variant'] as const;

/** Nothing where the answer says nothing, as that to an update may. */
export function toldOf(said: ProductSaid, sent: ProductTexts, plain: Plain): Told | undefined {
  const images = imagesOf(said, plain);
  const isSilent = TEXTS.every((field) => said[field] === '') && images === undefined;
  if (isSilent) return undefined;
  const texts = TEXTS.filter((field) => said[field] !== sent[field]).map(
    (field) => [field, said[field] === '' ? null : said[field]] as const,
  );
  return {
    ...Object.fromEntries(texts),
    ...defined({ images: images && digestOf(images), updated_at: said.updated_at || undefined }),
  };
}

/** What a reading shows: what is told from now on, and the fields that somebody else has changed. */
export function compareProduct(
  said: ProductSaid,
  {
    sent,
    told,
    plain,
  }: { readonly sent: ProductTexts; readonly told: Told | undefined; readonly plain: Plain },
): { readonly told: Told; readonly drift?: Drift } {
  const first = toldOf(said, sent, plain) ?? {};
  // A description that was told before and is empty now was removed.
  const read = (field: keyof ProductTexts) =>
    field === 'description' || said[field] !== '' ? said[field] : undefined;
  const base = (field: keyof ProductTexts) =>
    told && told[field] !== null ? (told[field] ?? sent[field]) : undefined;
  const changed = TEXTS.filter((field) => {
    const now = read(field);
    return now !== undefined && base(field) !== undefined && now !== base(field) && now !== sent[field];
  });
  const isUntouched = told?.updated_at !== undefined && told.updated_at === said.updated_at;
  const hasOtherImages =
    told?.images !== undefined && first.images !== undefined && told.images !== first.images && !isUntouched;
  const drift = {
    ...Object.fromEntries(changed.map((field) => [field, said[field]])),
    ...(hasOtherImages && { images: imagesOf(said, plain) ?? [] }),
  };
  if (Object.keys(drift).length === 0) return { told: merged(first, told) };
  return { told: told ?? first, drift };
}

/** What this reading does not say stays as it was told before. */
function merged(now: Told, before: Told | undefined): Told {
  if (!before) return now;
  const { images = before.images, updated_at = before.updated_at } = now;
  const texts = TEXTS.flatMap((field) => {
    const value = now[field] === null ? before[field] : now[field];
    return value === undefined ? [] : [[field, value] as const];
  });
  const all = { ...Object.fromEntries(texts), ...defined({ images, updated_at }) };
  // A time alone is no news: some services change it with every post that shows the product.
  return hashJson({ ...all, updated_at: '' }) === hashJson({ ...before, updated_at: '' }) ? before : all;
}

/** Their URLs without what may be a signature; undefined where the answer does not say them. */
export function imagesOf(
  { media_urls }: Pick<ProductSaid, 'media_urls'>,
  plain: Plain,
): string[] | undefined {
  return Array.isArray(media_urls) || typeof media_urls === 'string'
    ? readMediaUrls(media_urls).map(plain)
    : undefined;
}

function digestOf(urls: readonly string[]): string {
  return hashJson([...urls]).slice(0, 16);
}
