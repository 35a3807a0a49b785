/** Files that are not as they were recorded, as nodes that fetch them again; pure. */
import path from 'node:path';
import { downloadAddress, mediaAddress, takeAddress } from '../model/address.ts';
import type { PlannedNode } from '../model/plan.ts';
import type { Problem } from '../model/problem.ts';
import type { RunState, TakeState } from '../model/run-state.ts';
import { takeNodes } from '../model/take-nodes.ts';
import type { WantedFile } from '../steps/restore.ts';
import { groupBy } from '../util/group-by.ts';
import type { OutputRow } from '../views/list-outputs.ts';

export interface BrokenOutputs {
  readonly nodes: readonly PlannedNode[];
  /** By the addresses of the nodes. */
  readonly wanted: ReadonlyMap<string, readonly WantedFile[]>;
  /** Why files cannot be fetched, by their paths. */
  readonly problems: ReadonlyMap<string, Problem>;
}

/** `mayWrite` says whether campaign writes files at a path. */
export function planBroken(
  broken: readonly OutputRow[],
  state: RunState,
  mayWrite: (path: string) => boolean,
): BrokenOutputs {
  const problems = new Map<string, Problem>();
  const nodes: PlannedNode[] = [];
  const wanted = new Map<string, WantedFile[]>();
  for (const [address, rows] of groupBy(broken, takeOf)) {
    const [row] = rows;
    const take = row && knownTake(row, state);
    const isKnown = take?.result && state.requests.get(take.request)?.result;
    for (const each of rows) {
      if (!isKnown) problems.set(each.path, FORGOTTEN);
      else if (!mayWrite(each.path)) problems.set(each.path, outside(each.path));
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

/** Whether a recorded path is where this manifest may have files: a state from elsewhere may name any path. */
export function withinFolder(file: string, dir: string | undefined): boolean {
  const normal = path.posix.normalize(file);
  const isBelow = (folder: string) =>
    normal.startsWith(`${path.posix.normalize(folder).replace(/\/$/, '')}/`);
  if (dir !== undefined && isBelow(dir)) return true;
  return !path.posix.isAbsolute(normal) && !normal.startsWith('../') && normal !== '..';
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

function outside(file: string): Problem {
  return {
    summary: 'Its path leads out of the folder of the manifest',
    detail: `${file} is not below outputs.dir either. If that is meant, say --allow-outside`,
  };
}
