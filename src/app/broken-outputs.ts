/** Files that are not as they were recorded, as nodes that fetch them again; pure. */
import type { NotOwn } from '../files/own-place.ts';
import { downloadAddress, mediaAddress, takeAddress } from '../model/address.ts';
import type { PlannedNode } from '../model/plan.ts';
import type { Problem } from '../model/problem.ts';
import type { RunState, TakeState } from '../model/run-state.ts';
import { takeNodes } from '../model/take-nodes.ts';
import type { WantedFile } from '../steps/restore.ts';
import { groupBy } from '../util/group-by.ts';
import type { OutputRow } from '../views/list-outputs.ts';
import { notOwn } from './not-own.ts';

export interface BrokenOutputs {
  readonly nodes: readonly PlannedNode[];
  /** By the addresses of the nodes. */
  readonly wanted: ReadonlyMap<string, readonly WantedFile[]>;
  /** Why files cannot be fetched, by their paths. */
  readonly problems: ReadonlyMap<string, Problem>;
}

/** `whyNot` is that of `ownPlaces`. */
export function planBroken(
  broken: readonly OutputRow[],
  state: RunState,
  whyNot: (path: string) => NotOwn | undefined,
): BrokenOutputs {
  const problems = new Map<string, Problem>();
  const nodes: PlannedNode[] = [];
  const wanted = new Map<string, WantedFile[]>();
  for (const [address, rows] of groupBy(broken, takeOf)) {
    const [row] = rows;
    const take = row && knownTake(row, state);
    const isKnown = take?.result && state.requests.get(take.request)?.result;
    for (const each of rows) {
      const why = whyNot(each.path);
      if (!isKnown) problems.set(each.path, FORGOTTEN);
      else if (why !== undefined) problems.set(each.path, notOwn(each.path, why));
    }
    const files = (take?.files ?? []).flatMap((file, place) =>
      rows.some((each) => each.path === file.path) && !problems.has(file.path) ? [{ ...file, place }] : [],
    );
    const [first] = files;
    if (!row || !take || !first) continue;
    const { n, request, requestedAs } = take;
    wanted.set(downloadAddress(address), files);
    nodes.push(
      ...takeNodes({
        action: 'resume',
        reasons: [{ summary: 'not as it was recorded' }],
        take: { post: row.post, item: row.item, take: n, request, requestedAs },
        download: { path: first.path, older: [] },
      }),
    );
  }
  return { nodes, wanted, problems };
}

function takeOf({ post, item, take }: OutputRow): string {
  return takeAddress(mediaAddress(post, item), take);
}

function knownTake({ post, item, take }: OutputRow, { media }: RunState): TakeState | undefined {
  return media.get(mediaAddress(post, item))?.takes.find(({ n }) => n === take);
}

const FORGOTTEN: Problem = {
  summary: 'The state does not know its request any more',
  detail: 'So nobody can ask the service for it. Take the file from a backup',
};
