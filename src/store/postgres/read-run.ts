/** What is known of a shared run besides its log. */
import type { Address } from '../../model/address.ts';
import { type NodeKind, orderOf } from '../../model/kinds.ts';
import type { PlannedNode } from '../../model/plan.ts';
import type { NodeEnd, RunEvent } from '../../model/run-event.ts';
import type { RunSummary } from '../../model/run-summary.ts';
import type { Progress } from '../shared-run.ts';
import type { Query } from './connection.ts';
import { OlderLog } from './database-error.ts';
import type { Joining } from './joining.ts';
import { queueOf } from './queue.ts';

/** Of the run r, whose queue is the second parameter. */
export const PROGRESS = `r.stop, r.ended_at is not null as is_over, r.ended_how = 'older' as is_older,
  -- By the index, whatever is thought of how many there are.
  (select n.place from campaign.node n where n.run = r.id and n.ended is null order by n.place desc limit 1) as last,
  (select count(*)::int from campaign_queue.job j where j.name = $2 and j.state = 'active') as active`;

export async function progressOf(query: Query, run: number): Promise<Progress> {
  const [row] = await query(`select ${PROGRESS} from campaign.run r where r.id = $1`, [run, queueOf(run)]);
  return progressIn(row);
}

export function progressIn(row: Readonly<Record<string, unknown>> | undefined): Progress {
  if (row?.['is_older'] === true) throw new OlderLog();
  return {
    isLeft: row?.['last'] !== null,
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

/** How the run ended by its log, if nothing is left of its nodes. */
export async function endInLog(
  query: Query,
  { run, runId, runs }: Pick<Joining, 'run' | 'runId' | 'runs'>,
): Promise<RunSummary['end']> {
  const nodes = await query('select from campaign.node where run = $1 limit 1', [run]);
  return nodes.length > 0 ? undefined : runs.list().find((one) => one.run === runId)?.end;
}

export async function nodesIn(
  query: Query,
  {
    run,
    kept = (node) => node,
  }: { readonly run: number; readonly kept?: ((node: PlannedNode) => PlannedNode) | undefined },
): Promise<readonly PlannedNode[]> {
  const nodes: { readonly place: number; readonly node: PlannedNode }[] = [];
  let after = '';
  for (;;) {
    const rows = await query(
      'select address, place, planned from campaign.node where run = $1 and address > $2 order by address limit $3',
      [run, after, NODES_AT_ONCE],
    );
    for (const { place, planned } of rows)
      nodes.push({ place: Number(place), node: kept(planned as PlannedNode) });
    if (rows.length < NODES_AT_ONCE) break;
    after = String(rows.at(-1)?.['address']);
  }
  return nodes.sort((a, b) => a.place - b.place).map(({ node }) => node);
}

/** So that the text of all of them is never in memory beside what was read from it. */
const NODES_AT_ONCE = 2_000;

/** The kinds of nodes that are still to be carried out, and that no process of the run takes. */
export async function untakenIn(query: Query, run: number): Promise<readonly NodeKind[]> {
  const rows = await query(
    `select open.kind from (select distinct kind from campaign.node where run = $1 and ended is null) open
      where not exists (
        select from campaign.part p where p.run = $1 and p.beat > clock_timestamp() - interval '15 seconds'
          and (p.kinds is null or open.kind = any (p.kinds))
      )`,
    [run],
  );
  return rows.map(({ kind }) => kind as NodeKind).sort((a, b) => orderOf(a) - orderOf(b));
}
