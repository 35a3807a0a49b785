/** Which creates may be begun, and which were and have no end yet; asked in the transaction that records it. */
import type { Address } from '../../model/address.ts';
import type { Query } from './connection.ts';
import type { JobClaim } from './queue.ts';

interface Asking {
  readonly query: Query;
  readonly run: number;
}

/** Of nodes that this process has claimed: those whose claim still counts, and of which no create was begun. */
export async function beginCreates(
  { query, run, queue }: Asking & { readonly queue: string },
  held: readonly (JobClaim & { readonly address: Address })[],
): Promise<ReadonlySet<Address>> {
  const rows = await query('select campaign.begin_creates($1, $2, $3, $4, $5) as address', [
    run,
    queue,
    held.map(({ address }) => address),
    held.map(({ id }) => id),
    held.map(({ retryCount }) => retryCount),
  ]);
  return new Set(rows.map(({ address }) => String(address)));
}

export async function begunCreates(
  { query, run }: Asking,
  addresses: readonly Address[],
): Promise<ReadonlySet<Address>> {
  const rows = await query(
    'select address from campaign.node where run = $1 and address = any ($2) and has_intent',
    [run, addresses],
  );
  return new Set(rows.map(({ address }) => String(address)));
}
