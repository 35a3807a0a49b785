import type { Address } from '../../model/address.ts';
import { kindHas } from '../../model/kinds.ts';
import type { PlannedNode } from '../../model/plan.ts';
import type { ClaimedNode } from '../shared-run.ts';
import type { Connection, Query } from './connection.ts';
import type { JobClaims } from './job-claims.ts';
import { SUBMITTING } from './shared-nodes.ts';
import type { PostsInFlight } from './slots.ts';

interface Wanted {
  readonly run: number;
  readonly most: number;
  /** Where as many are being generated as may be, no more of them is begun. */
  readonly posts: PostsInFlight;
  /** Takes in what was recorded until the jobs were claimed. */
  readonly look: () => Promise<void>;
}

/** `over`: nodes that a late answer has ended meanwhile; their jobs are to be completed. */
export async function claimNodes(
  { query }: Pick<Connection, 'query'>,
  claims: Pick<JobClaims, 'fetch' | 'drop'>,
  { run, most, posts, look }: Wanted,
): Promise<{ readonly claimed: readonly ClaimedNode[]; readonly over: readonly Address[] }> {
  if (most <= 0) return { claimed: [], over: [] };
  // What gets no room in this run is claimed all the same, because it ends; and so is what a lost process had begun.
  const isFull = posts.comes && !posts.has_lost && !fits(posts, posts.asked);
  const addresses = await claims.fetch(most, isFull ? SUBMITTING - 1 : undefined);
  if (addresses.length === 0) return { claimed: [], over: [] };
  const described = Promise.all([describe(query, [run, addresses]), look()]);
  const [rows] = await described.catch((error: unknown) => {
    // Nobody will work on them: without signs of life they are given to others.
    for (const address of addresses) claims.drop(address);
    throw error;
  });
  const open = rows.map(({ planned, has_intent: wasBegun, ends, waits }) => ({
    node: planned as PlannedNode,
    wasBegun: wasBegun === true,
    hasNoRoom: !posts.comes && !fits(posts, postsOf(planned as PlannedNode)),
    ends: (ends ?? {}) as ClaimedNode['ends'],
    waits: waits === true,
  }));
  const known = new Set(open.map(({ node }) => node.address));
  const claimed = open.filter(({ waits }) => !waits);
  // It was opened again meanwhile, and has another job.
  for (const { node, waits } of open) if (waits) claims.drop(node.address);
  return { claimed, over: addresses.filter((address) => !known.has(address)) };
}

function fits({ generated, most }: PostsInFlight, posts: number): boolean {
  return posts === 0 || generated === 0 || generated + posts <= most;
}

function postsOf(node: PlannedNode): number {
  return kindHas(node, 'limit', 'media in flight') ? node.payload.numberOfPosts : 0;
}

function describe(query: Query, values: readonly unknown[]) {
  return query(
    `select n.planned, n.has_intent, (
        select json_object_agg(d.address, d.ended) from campaign.node d
        where d.run = n.run and d.address = any (n.depends_on) and d.ended is not null
      ) as ends, exists (
        select from campaign.node d where d.run = n.run and d.address = any (n.depends_on) and d.ended is null
      ) as waits
      from campaign.node n where n.run = $1 and n.address = any ($2) and n.ended is null order by n.place`,
    values,
  );
}
