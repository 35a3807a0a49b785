/** What events of the log mean for the nodes of a shared run. */
import type { Address } from '../../model/address.ts';
import { storedAs } from '../../model/kinds.ts';
import type { PlannedNode } from '../../model/plan.ts';
import type { NodeEnd } from '../../model/run-event.ts';
import { type RunState, type TakeState, takeOf } from '../../model/run-state.ts';
import type { StateEvent } from '../../model/state-event.ts';
import type { Query } from './connection.ts';

type Types = ReadonlySet<StateEvent['type']>;

/** Events that say that the node of their address is done. */
const DONE: Types = new Set(['created', 'uploaded', 'updated', 'generated', 'downloaded']);
/** How a create ends: after all but the last one another attempt may begin, or none is needed. */
const ENDS: Types = new Set(['created', 'rejected', 'not-sent', 'throttled', 'unknown']);
const NO_MORE_GENERATED: Types = new Set(['generated', 'generation-failed', 'lost']);

/** `done`: its nodes are done. `late`: creates that had ended without an answer, and now have one. */
interface Settled {
  readonly done: readonly Address[];
  readonly late: readonly Address[];
}

interface Settling {
  readonly query: Query;
  readonly run: number;
  /** As the log says before these events. */
  readonly state: Pick<RunState, 'media'>;
}

/** To be called in the transaction that records them. */
export async function settleNodes(
  { query, run, state }: Settling,
  events: readonly StateEvent[],
): Promise<Settled> {
  const done = addressesOf(events, DONE);
  const ends = endsOf(events);
  const late = ends.length > 0 ? await endCreates(query, [run, JSON.stringify(ends)]) : [];
  const posts = changedPosts(state, events);
  // A post that was waited for in vain was counted off when its node ended.
  if (posts.length > 0)
    await query(
      `update campaign.run set generating = greatest(0, generating + (
          select coalesce(sum(u.more), 0) from json_to_recordset($2) u (address text, more int) where not exists (
            select from campaign.node n where n.run = $1 and n.address = u.address and n.ended is not null
          )
        )) where id = $1`,
      [run, JSON.stringify(posts)],
    );
  if (done.length > 0)
    await query(`update campaign.node set ended = 'done' where run = $1 and address = any ($2)`, [run, done]);
  return { done, late };
}

/** Without an event. A post that was waited for in vain is generated no more, for all that is known. */
export async function endNode(
  query: Query,
  [run, address, end]: readonly [number, Address, NodeEnd],
): Promise<void> {
  const ended = await query(
    'update campaign.node set ended = $3 where run = $1 and address = $2 and ended is null returning address',
    [run, address, end],
  );
  if (ended.length > 0 && end === 'pending' && storedAs(address) === 'take')
    await query('update campaign.run set generating = greatest(0, generating - 1) where id = $1 and polls', [
      run,
    ]);
}

/** Begun creates that nobody works on any more: gives their nodes. */
export async function endLost(query: Query, run: number): Promise<PlannedNode[]> {
  const rows = await query(
    `update campaign.node set ended = 'unknown' where run = $1 and ended is null and has_intent returning planned`,
    [run],
  );
  return rows.map(({ planned }) => planned as PlannedNode);
}

/** Gives those that had ended without an answer. */
async function endCreates(query: Query, values: readonly unknown[]): Promise<Address[]> {
  const rows = await query('select campaign.end_creates($1, $2) as address', values);
  return rows.map(({ address }) => String(address));
}

/** `made`: posts that are generated from now on. */
function endsOf(events: readonly StateEvent[]) {
  return events.flatMap((event) => {
    if (!ENDS.has(event.type) || !('address' in event)) return [];
    const made =
      event.type === 'created' && 'items' in event.result ? Object.keys(event.result.items).length : 0;
    return [{ address: event.address, came: event.type, made }];
  });
}

/**
 * Posts that are generated from here on (`more`: 1), and those that are no more (-1). Two processes may have polled one, and
 * one that had failed is looked for again: what the log says already changes nothing.
 */
function changedPosts(state: Settling['state'], events: readonly StateEvent[]) {
  const isGenerated = new Map<Address, boolean>();
  const statusOf = (address: Address) => takeOf(state, address)?.status;
  for (const event of events) {
    if (NO_MORE_GENERATED.has(event.type) && 'address' in event) isGenerated.set(event.address, false);
    if (event.type === 'seen' && GIVEN_UP.has(statusOf(event.address))) isGenerated.set(event.address, true);
  }
  return [...isGenerated].flatMap(([address, is]) => {
    const was = statusOf(address) === 'pending';
    return was === is ? [] : [{ address, more: is ? 1 : -1 }];
  });
}

const GIVEN_UP: ReadonlySet<TakeState['status'] | undefined> = new Set(['failed', 'lost']);

function addressesOf(events: readonly StateEvent[], types: Types): Address[] {
  return events.flatMap((event) => (types.has(event.type) && 'address' in event ? [event.address] : []));
}
