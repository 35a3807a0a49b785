import { randomUUID } from 'node:crypto';
import type { RunEvent } from '../../model/run-event.ts';
import type { Query } from './connection.ts';

/** What a process tells about a shared run: in its order, each event once, with the next transaction of the log. */
export function createTeller(run: number) {
  const by = randomUUID();
  let waiting: { readonly part: number; readonly event: RunEvent }[] = [];
  let sent = 0;
  let parts = 0;
  return {
    /** Gives how many wait. */
    take(event: RunEvent): number {
      waiting.push({ part: ++parts, event });
      return waiting.length;
    },
    /** The last transaction is durable. */
    written(): void {
      waiting = waiting.filter(({ part }) => part > sent);
    },
    async write(query: Query): Promise<void> {
      sent = parts;
      if (waiting.length === 0) return;
      const events = waiting.map(({ event }) => JSON.stringify(event));
      await query(
        `insert into campaign.told (run, n, event, by, part)
          select $1, (select coalesce(max(n), 0) from campaign.told where run = $1) + row_number() over (order by u.part),
            u.event, $2, u.part
          from unnest($3::int[], $4::json[]) u (part, event) on conflict (run, by, part) do nothing`,
        [run, by, waiting.map(({ part }) => part), events],
      );
    },
  };
}
