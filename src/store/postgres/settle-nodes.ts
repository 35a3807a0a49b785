/** What events of the log mean for the nodes of a shared run. */
import type { Address } from '../../model/address.ts';
import type { StateEvent } from '../../model/state-event.ts';
import type { Query } from './connection.ts';

type Types = ReadonlySet<StateEvent['type']>;

/** Events that say that the node of their address is done. */
const DONE: Types = new Set(['created', 'uploaded', 'updated', 'generated', 'downloaded']);
/** Those after which another attempt of a create may begin, or none is needed. */
const CLOSED: Types = new Set(['created', 'rejected', 'not-sent', 'throttled']);
const NO_MORE_GENERATED: Types = new Set(['generated', 'generation-failed', 'lost']);

/** `done`: its nodes are done. `late`: creates that had ended without an answer, and now have one. */
interface Settled {
  readonly done: readonly Address[];
  readonly late: readonly Address[];
}

/** To be called in the transaction that records them. */
export async function settleNodes(
  { query, run }: { readonly query: Query; readonly run: number },
  events: readonly StateEvent[],
): Promise<Settled> {
  const done = addressesOf(events, DONE);
  const closed = addressesOf(events, CLOSED);
  const late = closed.length > 0 ? await closeIntents(query, [run, closed]) : [];
  if (done.length > 0)
    await query(`update campaign.node set ended = 'done' where run = $1 and address = any ($2)`, [run, done]);
  const change = requestedBy(events) - addressesOf(events, NO_MORE_GENERATED).length;
  if (change !== 0)
    await query('update campaign.run set generating = greatest(0, generating + $2) where id = $1', [
      run,
      change,
    ]);
  return { done, late };
}

/** Gives those that had ended without an answer. */
async function closeIntents(query: Query, values: readonly unknown[]): Promise<Address[]> {
  const rows = await query(
    `update campaign.node set has_intent = false where run = $1 and address = any ($2)
      returning address, ended = 'unknown' as was_unknown`,
    values,
  );
  return rows.flatMap(({ address, was_unknown: was }) => (was === true ? [String(address)] : []));
}

function addressesOf(events: readonly StateEvent[], types: Types): Address[] {
  return events.flatMap((event) => (types.has(event.type) && 'address' in event ? [event.address] : []));
}

/** Posts that are generated from now on. */
function requestedBy(events: readonly StateEvent[]): number {
  let posts = 0;
  for (const event of events)
    if (event.type === 'created' && 'items' in event.result) posts += Object.keys(event.result.items).length;
  return posts;
}
