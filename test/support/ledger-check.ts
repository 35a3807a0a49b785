/** Compares what the service made with what the state knows: the invariants of a run that was killed. */
import type { ObjectState, RequestState } from '../../src/model/run-state.ts';
import type { StateRow } from '../../src/views/list-state.ts';
import { canonicalJson } from '../../src/util/canonical-json.ts';
import type { Json } from '../../src/util/json.ts';

/** One object that the service made, with the body that asked for it. */
export interface Creation {
  readonly kind: string;
  readonly id: string;
  readonly request: Json;
}

/** An entry of a service's own books. */
type LedgerEntry = Creation & { readonly action: string };

/** The objects that must never be made twice. */
function creations(ledger: readonly LedgerEntry[]): Creation[] {
  return ledger.filter(
    ({ kind, action }) => action === 'create' && ['product', 'concept', 'media-config'].includes(kind),
  );
}

/** D: what was created although the same had been created before. */
export function duplicates(ledger: readonly LedgerEntry[]): Creation[] {
  const seen = new Set<string>();
  return creations(ledger).filter(({ kind, request }) => {
    const { size } = seen;
    return seen.add(`${kind} ${canonicalJson(request)}`).size === size;
  });
}

/** L: what the service made and the state has no id of; each must belong to an unknown node. */
export function unrecorded(ledger: readonly LedgerEntry[], rows: readonly StateRow[]): Creation[] {
  const ids = new Set(rows.map(({ id }) => id));
  return creations(ledger).filter(({ id }) => !ids.has(id));
}

/** The id under which the service made what an unknown node asked for; undefined when it did not. */
export function madeAs(
  node: ObjectState | RequestState,
  { lost, ids }: { lost: readonly Creation[]; ids: ReadonlyMap<string, string | null> },
): string | undefined {
  const idOf = (ref: { address: string } | { id: string }) =>
    'address' in ref ? ids.get(ref.address) : ref.id;
  if ('inputs' in node) {
    const name = node.inputs['name'] ?? node.address.split('/')[1];
    return lost.find(({ request }) => (request as { name?: string }).name === name)?.id;
  }
  const { concept, items } = node.payload;
  const asked = items.map(({ payload }) => [
    payload.post_type,
    payload.metadata.aspect_ratio,
    ...payload.assets.map(({ product }) => idOf(product)),
  ]);
  return lost.find(({ kind, request }) => {
    if (kind !== 'media-config') return false;
    const sent = request as {
      content_pillar: string;
      items: { post_type: string; metadata: { aspect_ratio: string }; assets: { product_id: string }[] }[];
    };
    const made = sent.items.map(({ post_type, metadata, assets }) => [
      post_type,
      metadata.aspect_ratio,
      ...assets.map(({ product_id }) => product_id),
    ]);
    return sent.content_pillar === idOf(concept) && JSON.stringify(made) === JSON.stringify(asked);
  })?.id;
}
