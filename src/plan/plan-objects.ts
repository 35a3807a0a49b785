import type { Address } from '../model/address.ts';
import type { Graph, GraphObject } from '../model/graph.ts';
import { hasKey, kindHas, KINDS, type NodeKind } from '../model/kinds.ts';
import type { Noted, PlannedNode, Reason } from '../model/plan.ts';
import type { Problem } from '../model/problem.ts';
import type { ObjectState, RunState } from '../model/run-state.ts';
import { isPlainUrl } from '../util/plain-url.ts';
import type { IsSelected } from './select.ts';
import { driftOf, ELSEWHERE } from './drift.ts';
import { changedFields, differences } from './reasons.ts';

interface ObjectOptions {
  readonly retryUnknown: readonly NodeKind[];
  readonly isSelected: IsSelected;
  /** Whether an object that is gone at the service is made again. */
  readonly isMadeAgain: (gone: ObjectState) => boolean;
}

/**
 * Nothing may depend on what is `blocked`, with words on why that is; `givenUp` are creates that somebody gave up, `gone`
 * what the service has no more.
 */
export function planObjects(
  graph: Graph,
  state: RunState,
  { retryUnknown, isSelected, isMadeAgain }: ObjectOptions,
) {
  const nodes: PlannedNode[] = [];
  const unknown: Noted[] = [];
  const givenUp: Noted[] = [];
  const gone: Noted[] = [];
  const blocked = new Map<Address, string>();
  const needed = new Set<Address>();
  let unchanged = 0;
  for (const object of graph.objects.values()) {
    if (!hasKey(object.address) || object.external !== undefined) continue;
    const known = state.objects.get(object.address);
    if (!isSelected(object.address)) {
      // A post that is requested as a whole may need what was not selected.
      if (!known?.result) blocked.set(object.address, '');
      continue;
    }
    if (known && isGone(known) && !isMadeAgain(known)) {
      blocked.set(object.address, BLOCKED_BY_GONE);
      gone.push({ ...note(object, known), problem: GONE, isGone: true });
      continue;
    }
    if (known && waitsForDecision(object, known, retryUnknown)) {
      blocked.set(object.address, '');
      if (known.status === 'unknown') unknown.push(note(object, known));
      else givenUp.push({ ...note(object, known), problem: GIVEN_UP });
      continue;
    }
    // After a failed update nobody knows what the service has, so it is sent again even if the edit was taken back.
    const isSame = known?.fingerprint === object.fingerprint && !renamed(object, known);
    const isHere = known?.result !== undefined && !isGone(known);
    if (isHere && known.status !== 'failed' && isSame && !driftOf(object, known).length) {
      unchanged += 1;
      continue;
    }
    const node = isHere ? update(object, known, { result: known.result, graph }) : create(object, known);
    nodes.push(node);
    if (sendsImages(node)) for (const upload of object.dependsOn) needed.add(upload);
  }
  const uploads: PlannedNode[] = [];
  for (const object of graph.objects.values()) {
    if (hasKey(object.address) || !isSelected(object.address)) continue;
    const known = state.objects.get(object.address);
    if (hasUrl(known) || !needed.has(object.address)) unchanged += 1;
    else uploads.push(create(object, known));
  }
  return { nodes: [...uploads, ...nodes], unknown, givenUp, gone, blocked, unchanged };
}

/** Nothing is known to exist, and a person has to decide, or gave it up with these same inputs. */
function waitsForDecision(
  { kind, fingerprint }: GraphObject,
  known: ObjectState,
  retryUnknown: readonly NodeKind[],
): boolean {
  if (known.result) return false;
  if (known.status === 'unknown') return !retryUnknown.includes(kind);
  return known.status === 'skipped' && known.fingerprint === fingerprint;
}

const GIVEN_UP: Problem = {
  summary: 'given up by `resolve --skip`',
  detail: 'What builds on it waits until it changes, or until `campaign resolve` decides otherwise.',
};

function isGone({ goneAt }: ObjectState): boolean {
  return goneAt !== undefined;
}

const GONE: Problem = {
  summary: 'The service has it no more',
  detail: 'New posts that need it wait. `apply --recreate-missing` looks once more, and makes it again.',
};

const BLOCKED_BY_GONE = ', which is gone at the service: `--recreate-missing` makes it again';

function create(object: GraphObject, known: ObjectState | undefined): PlannedNode {
  return { ...planned(object), action: 'create', reasons: [createReason(known)] };
}

function sendsImages(node: PlannedNode): boolean {
  return !kindHas(node, 'update', 'changes') || node.changed === undefined || node.changed.includes('images');
}

/** The state keeps no signed URL: it would expire. */
function hasUrl(known: ObjectState | undefined): boolean {
  const result = known?.result;
  return result !== undefined && 'url' in result && result.url !== undefined && isPlainUrl(result.url);
}

function createReason(known: ObjectState | undefined): Reason {
  if (known && isGone(known)) return { summary: 'made again: it is gone at the service' };
  if (known?.result)
    return { summary: 'uploaded again: its URL is signed, and the state keeps none that is' };
  if (known?.status === 'unknown')
    return { summary: 'sent again though the last outcome is unknown (on_unknown: retry)' };
  return { summary: known?.problem ? `tried again: ${known.problem.summary}` : 'new' };
}

function update(
  object: GraphObject,
  known: ObjectState,
  { result, graph: { objects } }: { readonly result: object; readonly graph: Graph },
): PlannedNode {
  const name = renamed(object, known);
  const drift = driftOf(object, known);
  const drifted = new Set(drift.map(({ field }) => field));
  const edited = [
    ...differences(known.inputs, object.inputs, { source: object.source, objects }),
    ...(name ? [{ summary: 'changed', field: 'name', ...name, source: object.source }] : []),
  ].filter(({ field = '' }) => !drifted.has(field.replace(/\[.*/, '')));
  const differing = [...(drift.length ? [{ summary: ELSEWHERE, because: drift }] : []), ...edited];
  const failed = known.status === 'failed';
  const again: Reason[] = failed
    ? [{ summary: `the last update did not succeed: ${known.problem?.summary ?? 'unknown'}` }]
    : [];
  const fieldsOf = [...changedFields(known.inputs, object.inputs), ...(name ? ['name'] : []), ...drifted];
  // All fields are sent where nobody knows what the service has.
  const isUnread = known.imported === true && Object.keys(known.inputs).length === 0;
  if (isUnread) again.push({ summary: 'imported without a look at what the service has' });
  const fields = failed || isUnread ? {} : { changed: [...new Set(fieldsOf)] };
  const id = 'id' in result ? { id: String(result.id) } : {};
  return {
    ...planned(object),
    action: 'update',
    reasons: [...again, ...differing],
    ...(KINDS[object.kind].update === 'changes' ? fields : {}),
    ...id,
  };
}

/** A name that nobody wrote is no input, but the service is told: the name last sent, and the present one. */
function renamed({ address, inputs, payload }: GraphObject, known: ObjectState) {
  if (!known.result || !('name' in payload) || 'name' in inputs || 'name' in known.inputs) return undefined;
  const recorded = 'name' in known.result ? known.result.name : undefined;
  const from = recorded ?? address.slice(address.indexOf('/') + 1);
  return from === payload.name ? undefined : { from, to: payload.name };
}

function planned(object: GraphObject) {
  const { external: _, ...node } = object;
  return node;
}

function note({ address, source }: GraphObject, { evidence }: ObjectState): Noted {
  return { address, source, counts: 1, evidence };
}
