/** The rows of a run that have a length: posts, requests, files. Their numbers are those of the summary. */
import { type Address, requestAddress, splitMedia, splitTake } from '../model/address.ts';
import { KINDS } from '../model/kinds.ts';
import type { NodeEnd, RunEvent } from '../model/run-event.ts';
import type { countParts } from './run-parts.ts';
import { countedEnd, endOfPost } from './run-counts.ts';

/** `done` has ended, well or not; what is pending (requested) or put off (not begun) is left to another run. */
export interface Part {
  readonly done: number;
  readonly all: number;
  readonly failed: number;
  readonly unknown: number;
  readonly blocked: number;
  readonly pending: number;
  readonly putOff: number;
}

/** `done` were downloaded; `ready`: of all posts that are generated. How many files a carousel has shows when they come. */
export interface Files {
  readonly done: number;
  readonly all: number;
  readonly failed: number;
  readonly ready: number;
}

const NONE = { done: 0, failed: 0, unknown: 0, blocked: 0, pending: 0, putOff: 0 };

export function createParts(totals: ReturnType<typeof countParts>) {
  const posts = { ...NONE };
  const requests = { ...NONE };
  /** `generated`: posts that have files; `ended`: those whose download has ended. */
  const files = { done: 0, failed: 0, ended: 0, generated: totals.unfetched };
  /** How requests of posts ended that did not succeed: their posts end as they did. */
  const refused = new Map<Address, NodeEnd>();
  /** How those are counted that did not succeed: in a run of several processes a late answer lets them go on. */
  const counted = new Map<Address, { readonly part: typeof NONE; readonly end: NodeEnd }>();

  function countOnce(part: typeof NONE, address: Address, end: NodeEnd): void {
    const before = counted.get(address);
    if (before) count(before.part, before.end, -1);
    count(part, end, 1);
    if (end === 'done') counted.delete(address);
    else counted.set(address, { part, end });
  }

  return {
    add({ kind, address, end, files: came = [] }: Extract<RunEvent, { type: 'node-finished' }>): void {
      const { stored } = KINDS[kind];
      const isFailed = end !== 'done' && countedEnd(end) === 'failed';
      if (stored === 'files') {
        files.done += came.length;
        if (isFailed) files.failed += 1;
        // Files that are left to another run are still to come.
        if (end === 'done' || isFailed) files.ended += 1;
      } else if (stored === 'take') {
        if (end === 'done') files.generated += 1;
        countOnce(posts, address, endOfPost(end, refused.get(requestOf(address))));
      } else {
        if (stored === 'request' && end !== 'done') refused.set(address, end);
        else refused.delete(address);
        countOnce(requests, address, end);
      }
    },
    posts: (): Part => ({
      ...posts,
      all: Math.max(totals.posts, posts.done + posts.pending + posts.putOff),
    }),
    requests: (): Part => ({
      ...requests,
      all: Math.max(totals.requests, requests.done + requests.pending + requests.putOff),
    }),
    files(): Files {
      const { done, failed, ended, generated } = files;
      const seen = done + failed - ended;
      const all = seen + Math.max(totals.files, generated);
      return { done, failed, ready: seen + generated, all };
    },
  };
}

function requestOf(take: Address): Address {
  const { address, take: n = 0 } = splitTake(take);
  return requestAddress(splitMedia(address).post, n);
}

function count(part: typeof NONE, end: NodeEnd, by: 1 | -1): void {
  const counted = end === 'done' ? undefined : countedEnd(end);
  if (counted !== 'pending') part.done += by;
  if (counted) part[end === 'put-off' ? 'putOff' : counted] += by;
}
