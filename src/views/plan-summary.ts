import { mediaAddress, mediaOf } from '../model/address.ts';
import { kindHas } from '../model/kinds.ts';
import { isDeletion, type Plan, type PlannedNode } from '../model/plan.ts';

/** Counts of uploads, products, concepts and posts; requests and downloads are not counted. */
export function summarise(plan: Plan) {
  const { create, update, replace, delete: deleted, move, unchanged } = planNumbers(plan);
  return { create, update, replace, delete: deleted, move, unchanged };
}

/** All numbers that a plan says, wherever it says them; posts that wait count by what they wait for. */
export function planNumbers(plan: Plan) {
  const counts = { create: 0, update: 0, replace: 0, delete: 0, move: 0, resume: 0, blocked: 0 };
  let blocked = 0;
  // The nodes of new posts are made each time that somebody goes through them, so that is done once.
  for (const node of plan.nodes) {
    if (isCounted(node)) counts[node.action] += 1;
    counts.create += surplusOf(node);
    if (kindHas(node, 'stored', 'take') && node.action === 'blocked') blocked += 1;
  }
  const pending = pendingPosts(plan);
  const recheck = rechecksOf(plan).length;
  const gone = countGone(plan);
  return {
    create: counts.create,
    update: counts.update,
    replace: counts.replace,
    delete: counts.delete,
    move: plan.moves.length,
    unchanged: plan.unchanged + leftPosts(plan),
    new_posts: plan.newPosts,
    pending,
    to_download: countToDownload(plan),
    failed: countNoted(plan.failed) - gone,
    gone,
    to_recheck: recheck,
    unknown: countNoted(plan.unknown),
    blocked,
    held: leftPosts(plan),
    held_up: plan.held.length - leftPosts(plan),
    not_deleted: plan.deletions?.withheld.length ?? 0,
    over_budget: plan.beyondBudget.length,
    not_selected: plan.notSelected,
  };
}

/** Finished posts that are left as they are. What is held up has no post of its own yet. */
export function leftPosts({ held }: Pick<Plan, 'held'>): number {
  return held.filter(({ heldBy }) => !heldBy).length;
}

export type PlanNumbers = ReturnType<typeof planNumbers>;

/** Posts that a request asks for besides those of its items (`number_of_posts`): they get an address when they are made. */
export function surplusOf(node: PlannedNode): number {
  if (!kindHas(node, 'stored', 'request') || node.action === 'blocked') return 0;
  return node.payload.numberOfPosts - node.payload.items.length;
}

/** Whether a node is counted. A request is not, unless it is deleted, and a download is counted with its post. */
export function isCounted(node: PlannedNode): boolean {
  return isDeletion(node) || kindHas(node, 'counted', 'itself');
}

/** Posts that were generated before, and of which only the files are missing. */
export function countToDownload({ nodes: { listed } }: Plan): number {
  const files = listed.filter((node) => kindHas(node, 'stored', 'files'));
  if (!files.length) return 0;
  const takes = new Set(
    listed.filter((node) => kindHas(node, 'stored', 'take')).map(({ address }) => address),
  );
  return files.filter(({ address }) => !takes.has(mediaOf(address))).length;
}

export function pendingPosts(plan: Plan): number {
  return polls(plan).filter(({ again }) => !again).length;
}

/** Posts that failed or were lost, and are rechecked. */
export function rechecksOf(plan: Plan): PlannedNode[] {
  return polls(plan).filter(({ again }) => again);
}

/** What a request brings in is no poll of an earlier run. */
function polls({ nodes: { listed } }: Plan) {
  return listed.filter((node) => node.action === 'resume').filter((node) => kindHas(node, 'stored', 'take'));
}

/** How many uploads, products, concepts and posts the entries stand for. */
export function countNoted(noted: Plan['failed']): number {
  return noted.reduce((sum, { counts }) => sum + counts, 0);
}

/** Of what failed, that which the service had and has no more. */
export function countGone({ failed }: Plan): number {
  return countNoted(failed.filter(({ isGone }) => isGone));
}

/** True when a run would send something other than polls and downloads. */
export function sendsChanges(plan: Plan): boolean {
  return plan.nodes.some(({ action }) => action !== 'resume' && action !== 'blocked');
}

/** Whether a run has anything to do; waiting for a decision is no work. */
export function hasWork(plan: Plan): boolean {
  return asksService(plan) || hasMoves(plan);
}

/** Whether the state says more after a run of it; a run without work notes what it lets go of. */
export function isRecorded(plan: Plan): boolean {
  return hasWork(plan) || plan.letGo !== undefined;
}

export function asksService({ nodes }: Plan): boolean {
  return nodes.some(({ action }) => action !== 'blocked');
}

export function hasMoves({ moves, fileMoves }: Pick<Plan, 'moves' | 'fileMoves'>): boolean {
  return moves.length > 0 || fileMoves.length > 0;
}

/** The node at an address, be it the planned one or its own. */
export function plannedAt(address: string, { nodes }: Plan): PlannedNode | undefined {
  return nodes.find((node) => plannedAddress(node) === address || node.address === address);
}

/** A new take has the address of its item in a plan. */
export function plannedAddress(node: PlannedNode): string {
  if (!kindHas(node, 'stored', 'take') || node.action === 'resume') return node.address;
  return mediaAddress(node.payload.post, node.payload.item);
}
