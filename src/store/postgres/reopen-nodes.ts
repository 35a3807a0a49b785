/**
 * What a late answer opens again: a create had no answer, what depends on it ended as blocked, and then the process that
 * had sent it recorded how it ended after all. All of it goes on in the same run.
 */
import type { Address } from '../../model/address.ts';
import type { PlannedNode } from '../../model/plan.ts';
import { queueOf, within } from './queue.ts';
import { insertJobs, type Target } from './shared-nodes.ts';

/**
 * To be called in the transaction that records the answers; `late`: the creates that they are for. What depends on them
 * has a new job, which waits for what it depends on; whoever has claimed the old one can neither end the node nor send
 * anything for it. A request that is under way goes its way: it went without what was unknown.
 */
export async function reopenNodes(target: Target, late: readonly Address[]): Promise<void> {
  const { query, boss, run } = target;
  const queue = queueOf(run);
  // A create that was made stays done; one that was not may be sent.
  const rows = await query(
    `with recursive again (address) as (
        select u.address from unnest($2::text[]) u (address)
        union
        select below.address from again join (
          select n.address, d.above from campaign.node n, unnest(n.depends_on) d (above)
          where n.run = $1 and (n.ended = 'blocked' or (n.ended is null and not n.has_intent))
        ) below on below.above = again.address
      ), reopened as (
        update campaign.node n set ended = null from again
        where n.run = $1 and n.address = again.address and n.ended is distinct from 'done'
        returning n.planned, n.place
      )
      select planned from reopened order by place`,
    [run, late],
  );
  const nodes = rows.map(({ planned }) => planned as PlannedNode);
  if (nodes.length === 0) return;
  const old = await query(
    `select id from campaign_queue.job where name = $1 and state < 'completed' and data ->> 'address' = any ($2)`,
    [queue, nodes.map(({ address }) => address)],
  );
  if (old.length > 0)
    await boss.cancel(
      queue,
      old.map(({ id }) => String(id)),
      { db: within(query) },
    );
  await insertJobs(target, nodes);
}
