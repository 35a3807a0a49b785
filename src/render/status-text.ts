import { type Address, mediaAddress } from '../model/address.ts';
import type { Graph } from '../model/graph.ts';
import type { Plan } from '../model/plan.ts';
import type { Problem } from '../model/problem.ts';
import { currentTake, type NodeStatus, type RunState } from '../model/run-state.ts';
import { problemText } from './run-words.ts';
import type { Style } from './style.ts';

/** How far a campaign has come: posts that the manifest asks for, by what has become of them. */
export interface Coverage {
  readonly posts: number;
  readonly done: number;
  readonly pending: number;
  readonly failed: number;
  readonly unknown: number;
  /** Not requested yet, or requested with other inputs than the manifest's. */
  readonly missing: number;
  readonly by_post: readonly PostCoverage[];
  /** What needs someone: failures and unknown creates with their causes. */
  readonly open: readonly { readonly address: string; readonly status: string; readonly problem?: Problem }[];
}

interface PostCoverage {
  readonly post: string;
  readonly items: number;
  readonly done: number;
  readonly pending: number;
  readonly failed: number;
}

/** Coverage over graph, state and plan. */
export function statusOf(graph: Graph, state: RunState, plan: Plan): Coverage {
  const missing = new Set(
    plan.nodes.flatMap((node) =>
      node.kind === 'media' && node.action !== 'resume'
        ? [mediaAddress(node.payload.post, node.payload.item)]
        : [],
    ),
  );
  const statuses = statusesByPost(state, plan, missing);
  const byPost = graph.posts.map(({ path, items }): PostCoverage => {
    const count = (...wanted: string[]) =>
      (statuses.get(path) ?? []).filter((status) => wanted.includes(status)).length;
    return {
      post: path,
      items: items.length,
      done: count('done', 'skipped'),
      pending: count('pending'),
      failed: count('failed', 'lost'),
    };
  });
  const sum = (key: 'items' | 'done' | 'pending' | 'failed') =>
    byPost.reduce((total, post) => total + post[key], 0);
  return {
    posts: sum('items'),
    done: sum('done'),
    pending: sum('pending'),
    failed: sum('failed'),
    unknown: plan.unknown.reduce((total, { counts }) => total + counts, 0),
    missing: missing.size,
    by_post: byPost,
    open: [
      ...plan.failed.map(({ address, problem }) => ({
        address,
        status: 'failed',
        ...(problem ? { problem } : {}),
      })),
      ...plan.unknown.map(({ address, evidence }) => ({
        address,
        status: 'unknown',
        ...(evidence ? { problem: { summary: evidence.summary } } : {}),
      })),
    ],
  };
}

/**
 * Where each medium stands that the manifest asks for and that this plan does not request: neither what it no longer
 * names nor what the service made unasked.
 */
function statusesByPost(
  state: RunState,
  plan: Plan,
  requested: ReadonlySet<Address>,
): Map<string, NodeStatus[]> {
  const moved = new Map(plan.moves.map(({ from, to }) => [from, to]));
  const leftAlone = new Set(plan.leftAlone);
  const byPost = new Map<string, NodeStatus[]>();
  for (const media of state.media.values()) {
    const address = moved.get(media.address) ?? media.address;
    const status = currentTake(media)?.status;
    if (media.surplus || !status || leftAlone.has(address) || requested.has(address)) continue;
    const post = address.slice('media/'.length, address.lastIndexOf('/'));
    const list = byPost.get(post);
    if (list) list.push(status);
    else byPost.set(post, [status]);
  }
  return byPost;
}

/** A table of posts, then what is open. */
export function statusText(coverage: Coverage, style: Style): string {
  const width = Math.max(4, ...coverage.by_post.map(({ post }) => post.length));
  const rows = coverage.by_post.map(({ post, items, done, pending, failed }) => {
    const mark = done >= items ? style.green('✓') : failed ? style.red('✗') : style.yellow('…');
    const rest = [pending && `${pending} pending`, failed && `${failed} failed`].filter(Boolean).join(', ');
    return `  ${mark} ${post.padEnd(width)}  ${done}/${items}${rest ? `  ${rest}` : ''}`;
  });
  const open = coverage.open.map(
    ({ address, status, problem }) =>
      `  ${style.red('!')} ${address} ${status}${problem ? `: ${problemText(problem)}` : ''}`,
  );
  const parts = [
    `${coverage.done} of ${coverage.posts} posts done`,
    coverage.pending && `${coverage.pending} pending`,
    coverage.failed && `${coverage.failed} failed`,
    coverage.unknown && `${coverage.unknown} unknown`,
    coverage.missing && `${coverage.missing} to request`,
  ].filter(Boolean);
  return `${[...rows, ...open].join('\n')}\n\n${parts.join(', ')}.\n`;
}
