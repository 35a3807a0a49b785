import { csvLine } from '../util/csv-line.ts';
import { inertText } from '../util/inert-text.ts';
import type { OutputRow } from '../views/list-outputs.ts';
import type { Problem } from '../model/problem.ts';
import { problemText } from '../views/cause-words.ts';

/** What `--verify` and `--fetch` add to a row. */
export interface Verified {
  readonly status?: string;
  readonly problem?: Problem;
  readonly backup?: string;
}

interface Owner {
  readonly campaign?: string;
  readonly environment?: string;
}

/** Of what is a list, the members are joined as in a table of products. */
const LISTED = '|';

type Cell = string | number | boolean | null;
type Column = readonly [name: string, cellOf: (row: OutputRow & Verified, owner: Owner) => Cell];

const COLUMNS: readonly Column[] = [
  ['campaign', (_, { campaign }) => campaign ?? ''],
  ['environment', (_, { environment }) => environment ?? ''],
  ['address', ({ address }) => address],
  ['post', ({ post }) => post],
  ['item', ({ item }) => item],
  ['take', ({ take }) => take],
  ['current', ({ current }) => current],
  ['post_type', ({ post_type }) => post_type],
  ['aspect_ratio', ({ aspect_ratio }) => aspect_ratio],
  ['products', ({ products }) => products.join(LISTED)],
  ['concept', ({ concept }) => concept],
  ['path', ({ path }) => path],
  ['sha256', ({ sha256 }) => sha256],
  ['bytes', ({ bytes }) => bytes],
  ['content_type', ({ content_type }) => content_type],
  ['unverified', ({ unverified = '' }) => inertText(unverified)],
  ['manifest', ({ manifest }) => manifest?.file ?? ''],
  ['commit', ({ manifest }) => manifest?.commit ?? ''],
  ['dirty', ({ manifest }) => manifest?.dirty ?? ''],
  ['line', ({ manifest }) => manifest?.line ?? ''],
  ['concept_id', ({ concept_id }) => concept_id],
  ['product_ids', ({ product_ids }) => product_ids.map((id) => id ?? '').join(LISTED)],
  ['media_config_id', ({ media_config_id }) => media_config_id],
  ['item_id', ({ item_id }) => item_id],
  ['media_id', ({ media_id }) => media_id],
  ['fingerprint', ({ fingerprint }) => fingerprint],
  ['images', ({ images }) => images.join(LISTED)],
  ['requested_at', ({ requested_at }) => requested_at],
  ['generated_at', ({ generated_at }) => generated_at],
  ['downloaded_at', ({ downloaded_at }) => downloaded_at],
  ['status', ({ status = '' }) => status],
  ['problem', ({ problem }) => (problem ? problemText(problem) : '')],
  ['backup', ({ backup = '' }) => backup],
];

/** Always the same columns, so that files of several campaigns can be put together. */
export function csvHead(): string {
  return csvLine(COLUMNS.map(([name]) => name));
}

export function csvRows(rows: readonly (OutputRow & Verified)[], owner: Owner): string {
  return rows.map((row) => csvLine(COLUMNS.map(([, cellOf]) => cellOf(row, owner)))).join('');
}
