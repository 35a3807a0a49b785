/** What is known of a shared run besides its log. */
import type { Address } from '../../model/address.ts';
import type { PlannedNode } from '../../model/plan.ts';
import type { NodeEnd, RunEvent } from '../../model/run-event.ts';
import type { Progress } from '../shared-run.ts';
import type { Query } from './connection.ts';
import { queueOf } from './queue.ts';

export async function progressOf(query: Query, run: number): Promise<Progress> {
  const [row] = await query(
    `select stop, ended_at is not null as is_over,
      (select count(*)::int from campaign.node n where n.run = r.id and n.ended is null) as left,
      (select count(*)::int from campaign_queue.job j where j.name = $2 and j.state = 'active') as active
      from campaign.run r where id = $1`,
    [run, queueOf(run)],
  );
  return {
    left: Number(row?.['left']),
    active: Number(row?.['active']),
    stop: (row?.['stop'] ?? []) as string[],
    isOver: row?.['is_over'] === true,
  };
}

export async function toldIn(
  query: Query,
  { run, after }: { readonly run: number; readonly after: number },
): Promise<{ readonly events: readonly RunEvent[]; readonly last: number }> {
  const rows = await query(
    'select n::float8 as n, event from campaign.told where run = $1 and n > $2 order by n limit 10000',
    [run, after],
  );
  return { events: rows.map(({ event }) => event as RunEvent), last: Number(rows.at(-1)?.['n'] ?? after) };
}

export async function endsIn(query: Query, run: number): Promise<ReadonlyMap<Address, NodeEnd>> {
  const rows = await query('select address, ended from campaign.node where run = $1 and ended is not null', [
    run,
  ]);
  return new Map(rows.map(({ address, ended }) => [String(address), ended as NodeEnd]));
}

export async function nodesIn(query: Query, run: number): Promise<readonly PlannedNode[]> {
  const rows = await query('select planned from campaign.node where run = $1 order by place', [run]);
  return rows.map(({ planned }) => planned as PlannedNode);
}
