import type { ConceptRecord, MediaConfigRecord, ProductRecord } from '../../service/wire.ts';
import type { Json } from '../../util/json.ts';
import type { MediaJob } from '../media/record.ts';
import type { UploadRecord } from '../uploads/record.ts';

interface Request {
  readonly method: string;
  /** Relative to the base URL, as `/products/`. */
  readonly path: string;
  /** Id of the record that was made, changed or deleted. */
  readonly id: string;
  /** The body as parsed, whatever its encoding. */
  readonly request: Json;
}

/** One effect of one request: the request, and the record afterwards (absent after a delete). */
export type Change = Request &
  (
    | { kind: 'upload'; action: 'create'; name: string; sha256: string; record: UploadRecord }
    | { kind: 'product'; action: 'create' | 'update'; name: string; record: ProductRecord }
    | { kind: 'concept'; action: 'create' | 'update'; name: string | null; record: ConceptRecord }
    | {
        kind: 'media-config';
        action: 'create';
        /** Ids of the items that were made, in their order. */
        items: readonly string[];
        record: MediaConfigRecord;
        /** One post to generate for each item. */
        orders: readonly MediaJob[];
      }
    | { kind: 'product' | 'concept' | 'media-config'; action: 'delete' }
  );
