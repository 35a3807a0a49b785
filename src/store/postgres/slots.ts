/** How many nodes a process of a shared run may have under way: its part of what the account allows. */
import type { Query } from './connection.ts';

interface Whose {
  readonly query: Query;
  readonly run: number;
  /** The process. */
  readonly by: string;
}

/** `part`: which part of all slots of the account that is. */
export async function takeSlots(
  { query, run, by }: Whose,
  { wanted, busy }: { readonly wanted: number; readonly busy: number },
): Promise<{ readonly slots: number; readonly part: number }> {
  const [row] = await query('select slots, total from campaign.take_slots($1, $2, $3, $4)', [
    run,
    by,
    wanted,
    busy,
  ]);
  const slots = Number(row?.['slots']);
  return { slots, part: slots / Math.max(1, Number(row?.['total'])) };
}

/** It may be busy for long, and takes no more meanwhile: what it has is not given to others. */
export async function keepSlots({ query, run, by }: Whose): Promise<void> {
  await query('update campaign.part set beat = clock_timestamp() where run = $1 and by = $2', [run, by]);
}

export async function giveSlotsBack({ query, run, by }: Whose): Promise<void> {
  await query('delete from campaign.part where run = $1 and by = $2', [run, by]);
}

/** How many other processes work at the run. */
export async function countOthers({ query, run, by }: Whose): Promise<number> {
  const [row] = await query(
    `select count(*)::int as n from campaign.part
      where run = $1 and by <> $2 and beat > clock_timestamp() - interval '15 seconds'`,
    [run, by],
  );
  return Number(row?.['n']);
}
