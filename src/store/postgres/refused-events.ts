/** Which events may not be recorded, asked in the transaction that would record them. */
import type { Address } from '../../model/address.ts';
import type { StateEvent } from '../../model/state-event.ts';
import { TakenOver } from '../shared-run.ts';
import type { Intent } from './begin-creates.ts';
import type { Query } from './connection.ts';

type Allowed = ReadonlyMap<Address, Error | undefined>;

export interface Allowing {
  /** The addresses of those intents that may be recorded, or why not; another process works on what is missing. */
  readonly begin: (query: Query, intents: readonly Intent[]) => Promise<Allowed>;
  /** The addresses of those creates that have no end yet: a late answer may have come. */
  readonly begun: (query: Query, addresses: readonly Address[]) => Promise<Allowed>;
}

interface Entry {
  readonly events: readonly StateEvent[];
}

export async function refusedOf<E extends Entry>(
  query: Query,
  { begin, begun }: Allowing,
  batch: readonly E[],
): Promise<ReadonlyMap<E, Error>> {
  const refused = new Map<E, Error>();
  const all = batch.flatMap(({ events }) => events);
  const intents = all.filter((event) => event.type === 'intent');
  const unknown = addressesIn(all, 'unknown');
  if (intents.length > 0) refuse(await begin(query, intents), 'intent');
  if (unknown.length > 0) refuse(await begun(query, unknown), 'unknown');
  return refused;

  function refuse(allowed: Allowed, type: 'intent' | 'unknown'): void {
    for (const entry of batch)
      for (const address of addressesIn(entry.events, type)) {
        const why = allowed.has(address) ? allowed.get(address) : new TakenOver('another process has it');
        if (why) refused.set(entry, why);
      }
  }
}

export function addressesIn(events: readonly StateEvent[], type: 'intent' | 'unknown'): Address[] {
  return events.flatMap((event) => (event.type === type ? [event.address] : []));
}
