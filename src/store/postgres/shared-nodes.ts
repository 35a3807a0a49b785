/** The nodes of a shared run, and their jobs: a job can be claimed once all that its node depends on have ended. */
import type { PgBoss } from 'pg-boss';
import { isSubmitting } from '../../model/kinds.ts';
import type { PlannedNode } from '../../model/plan.ts';
import type { Query } from './connection.ts';
import { JOB_OPTIONS, queueOf, within } from './queue.ts';

/** Jobs of polls and downloads have a lower priority than all others, which have this one. */
export const SUBMITTING = 10;

/** So that no statement becomes longer than a few megabytes. */
const ROWS = 2_000;

export interface Target {
  readonly query: Query;
  readonly boss: PgBoss;
  readonly run: number;
}

/** To be called in a transaction: what comes up during a run. */
export async function addNodes(target: Target, nodes: readonly PlannedNode[]): Promise<void> {
  // Where the answer to a commit was lost, they are there, and their jobs, too.
  const isNew = new Set(await insertNodes(target, nodes));
  const added = nodes.filter(({ address }) => isNew.has(address));
  if (added.length > 0) await insertJobs(target, added);
}

/** The nodes without their jobs; gives the addresses of those that were not there. */
export async function insertNodes(
  { query, run }: Omit<Target, 'boss'>,
  nodes: readonly PlannedNode[],
): Promise<string[]> {
  const inserted: string[] = [];
  const [row] = await query('select coalesce(max(place), 0)::int as last from campaign.node where run = $1', [
    run,
  ]);
  const last = Number(row?.['last']);
  for (let at = 0; at < nodes.length; at += ROWS) {
    const part = nodes.slice(at, at + ROWS).map((node, index) => ({
      address: node.address,
      place: last + 1 + at + index,
      kind: node.kind,
      depends_on: node.dependsOn,
      planned: node,
    }));
    const rows = await query(
      `insert into campaign.node (run, address, place, kind, depends_on, planned)
        select $1, u.address, u.place, u.kind, u.depends_on, u.planned
        from json_to_recordset($2) u (address text, place int, kind text, depends_on text[], planned json)
        on conflict do nothing returning address`,
      [run, JSON.stringify(part)],
    );
    for (const { address } of rows) inserted.push(String(address));
  }
  return inserted;
}

export async function insertJobs({ query, boss, run }: Target, nodes: readonly PlannedNode[]): Promise<void> {
  await (await prepareJobs({ boss, run }, nodes))(query);
}

/** What is to be asked in a transaction: of many nodes it takes seconds to write it down, and locks are not kept so long. */
export async function prepareJobs(
  { boss, run }: Omit<Target, 'query'>,
  nodes: readonly PlannedNode[],
): Promise<(query: Query) => Promise<void>> {
  const addresses = new Set(nodes.map(({ address }) => address));
  const jobs = nodes.map((node) => ({
    ref: node.address,
    name: queueOf(run),
    data: { address: node.address },
    dependsOn: node.dependsOn.filter((address) => addresses.has(address)),
    // A process may take only some kinds.
    options: {
      ...JOB_OPTIONS,
      priority: isSubmitting(node.kind) ? SUBMITTING : 1,
      group: { id: node.kind },
    },
  }));
  const asked: Parameters<Query>[] = [];
  const db = within(async (...one) => (asked.push(one), []));
  // Jobs none of which waits for another one are refused as a flow.
  if (jobs.some(({ dependsOn }) => dependsOn.length > 0)) await boss.flow(jobs, { db });
  else
    await boss.insert(
      queueOf(run),
      jobs.map(({ data, options }) => ({ data, ...options })),
      { db },
    );
  return async (query) => {
    for (const one of asked) await query(...one);
  };
}
