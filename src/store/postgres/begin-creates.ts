/** Which creates may be begun, and which were and have no end yet; asked in the transaction that records it. */
import type { Address } from '../../model/address.ts';
import { type Limit, overBudget } from '../../model/budget.ts';
import { moneyOf } from '../../model/money.ts';
import { NotBegun } from '../../model/not-begun.ts';
import type { StateEvent } from '../../model/state-event.ts';
import type { Query } from './connection.ts';
import type { JobClaim } from './queue.ts';

interface Asking {
  readonly query: Query;
  readonly run: number;
}

export type Intent = Extract<StateEvent, { type: 'intent' }>;

/** For a create that had to wait for others: it is asked for again after so long. */
const LATER_MS = 250;

/**
 * Of nodes that this process has claimed: those whose claim still counts, and of which no create was begun; with why one
 * may not be begun all the same.
 */
export async function beginCreates(
  { query, run, queue }: Asking & { readonly queue: string },
  intents: readonly Intent[],
  claimOf: (address: Address) => JobClaim | undefined,
): Promise<ReadonlyMap<Address, NotBegun | undefined>> {
  const creates = intents.flatMap(({ address, request }) => {
    const claim = claimOf(address);
    if (!claim) return [];
    const { numberOfPosts: posts = 0, cost = 0 } = request ?? {};
    return [{ address, job: claim.id, retry: claim.retryCount, posts, cost: String(moneyOf(cost)) }];
  });
  const rows = await query('select create_of, later, over, no_room from campaign.begin_creates($1, $2, $3)', [
    run,
    queue,
    JSON.stringify(creates),
  ]);
  return new Map(
    rows.map(({ create_of: address, over, later, no_room: none }) => [
      String(address),
      whyNot(over, { later: later === true, noRoom: none === true }),
    ]),
  );
}

function whyNot(over: unknown, { later, noRoom }: { later: boolean; noRoom: boolean }): NotBegun | undefined {
  if (over) return new NotBegun({ type: 'withheld', problem: overBudget(over as Limit) });
  if (noRoom) return new NotBegun({ type: 'no-room' });
  return later ? new NotBegun({ type: 'not-now', ms: LATER_MS }) : undefined;
}

export async function begunCreates(
  { query, run }: Asking,
  addresses: readonly Address[],
): Promise<ReadonlyMap<Address, undefined>> {
  const rows = await query(
    'select address from campaign.node where run = $1 and address = any ($2) and has_intent',
    [run, addresses],
  );
  return new Map(rows.map(({ address }) => [String(address), undefined]));
}
