/** Uploads, products and concepts: each address is one object at the service. */
import type { Address } from '../model/address.ts';
import type { Problem } from '../model/problem.ts';
import type { ObjectState } from '../model/run-state.ts';
import type { ObjectEvent } from '../model/state-event.ts';
import type { JsonObject } from '../util/json.ts';
import { INTERRUPTED, type FoldState, markGone } from './fold-state.ts';

export function foldObject(state: FoldState, event: ObjectEvent): void {
  const { address, at } = event;
  const old = state.objects.get(address) ?? nothingAt(address);
  switch (event.type) {
    case 'uploaded':
    case 'updated': {
      const updated = made(withInputs(old, event), event);
      return set(state, old.imported ? { ...updated, imported: true } : updated);
    }
    case 'updating':
      return set(state, { ...old, status: 'failed', problem: UPDATE_INTERRUPTED, at });
    case 'accepted': {
      const { problem: _, ...rest } = withInputs(old, event);
      return set(state, { ...rest, status: old.result ? 'done' : old.status, at });
    }
    case 'intent': {
      const { inputs, fingerprint } = event;
      state.before.set(address, [state.objects.get(address) ?? null, ...(state.before.get(address) ?? [])]);
      const doubted = old.status === 'unknown' ? doubtful(old) : old;
      const attempt = { ...meaningOf(doubted), inputs, fingerprint };
      return set(state, { address, status: 'unknown', ...attempt, evidence: INTERRUPTED, at });
    }
    case 'created':
      state.before.delete(address);
      return set(state, made(withInputs(old, old), event));
    case 'rejected':
      state.before.delete(address);
      return set(state, { address, status: 'failed', ...meaningOf(old), problem: event.problem, at });
    case 'not-sent':
    case 'throttled':
      return takeBack(state, address);
    case 'unknown':
      // The time of the intent stays: it says when the service may have made it.
      return set(state, { ...old, status: 'unknown', evidence: event.evidence });
    case 'failed':
      return set(state, { ...old, status: 'failed', problem: event.problem, at });
    case 'deleting':
      return mayBeGone(state, event, DELETION_INTERRUPTED);
    case 'not-deleted':
      return mayBeGone(state, event, event.problem);
    case 'deleted':
      state.before.delete(address);
      return void state.objects.delete(address);
    case 'resolved':
      return resolve(state, old, event);
    case 'imported':
      return set(state, { ...made(withInputs(old, event), event), imported: true });
    case 'refreshed':
      return set(state, refreshed(old, event));
  }
}

const DELETION_INTERRUPTED = { summary: 'the deletion was interrupted' };
const UPDATE_INTERRUPTED = { summary: 'the update was interrupted' };

/** If it is named again, all of it is sent once more, which shows whether it is there. */
function mayBeGone(
  state: FoldState,
  { address, at }: Pick<ObjectEvent, 'address' | 'at'>,
  problem: Problem,
): void {
  const object = state.objects.get(address);
  if (object) set(state, { ...object, status: 'failed', problem, at });
}

/** What nobody has named was sent with its key. A move sends nothing, so the service says that name and not the new key. */
export function withFormerName(object: ObjectState): ObjectState {
  const { address, inputs, result } = object;
  const told = result && 'told' in result ? result.told : undefined;
  if (!told || 'name' in told || 'name' in inputs || (result && 'name' in result)) return object;
  const name = address.slice(address.indexOf('/') + 1);
  return { ...object, result: { ...result, told: { ...told, name } } };
}

function resolve(
  state: FoldState,
  old: ObjectState,
  { decision, result, at }: Extract<ObjectEvent, { type: 'resolved' }>,
): void {
  const { address } = old;
  if (decision === 'not-created') return takeBack(state, address);
  // Without the object's id there is nothing to record, so it stays unknown.
  if (decision === 'created' && !result) return;
  state.before.delete(address);
  if (decision === 'created' && result) return set(state, made(withInputs(old, old), { result, at }));
  set(state, {
    address,
    status: 'skipped',
    ...meaningOf(old),
    at,
    ...(old.result && { result: old.result }),
  });
}

function made(
  old: ObjectState,
  { result, at }: { readonly result: NonNullable<ObjectState['result']>; readonly at: string },
): ObjectState {
  return { address: old.address, status: 'done', result, ...meaningOf(old), at };
}

/** What was told before stays where nothing else was. */
function refreshed(
  old: ObjectState,
  { found, told, drift, at }: Extract<ObjectEvent, { type: 'refreshed' }>,
): ObjectState {
  const { drift: _, ...rest } = markGone(old, { found, at });
  const result = old.result && { ...old.result, ...(told && { told }) };
  return { ...rest, ...(result && { result }), ...(drift && { drift }) };
}

/** Nothing was made: the object is what it was before the intent, or is gone if it was new. */
function takeBack(state: FoldState, address: Address): void {
  const [last, ...outer] = state.before.get(address) ?? [];
  if (outer.length > 0) state.before.set(address, outer);
  else state.before.delete(address);
  // It may have been moved meanwhile.
  if (last) set(state, { ...last, address });
  else state.objects.delete(address);
}

function set(state: FoldState, object: ObjectState): void {
  state.objects.set(object.address, object);
}

/** The unknown create of an object that is sent again stays a possible duplicate, however the next one ends. */
function doubtful(object: ObjectState): ObjectState {
  const { possibleDuplicates = [], at, evidence } = object;
  const doubt = { at, ...(evidence && { evidence }) };
  return { ...object, possibleDuplicates: [...possibleDuplicates, doubt] };
}

function meaningOf({ inputs, fingerprint, versions, possibleDuplicates }: ObjectState) {
  return { inputs, fingerprint, versions, ...(possibleDuplicates && { possibleDuplicates }) };
}

function withInputs(
  old: ObjectState,
  { inputs, fingerprint }: { readonly inputs: JsonObject; readonly fingerprint: string },
): ObjectState {
  const isKnown = old.versions.has(fingerprint);
  const versions = isKnown ? old.versions : new Map(old.versions).set(fingerprint, inputs);
  return { ...old, inputs, fingerprint, versions };
}

const NO_VERSIONS: ObjectState['versions'] = new Map();

/** An object without an intent or a success: its first upload failed. */
function nothingAt(address: Address): ObjectState {
  return { address, status: 'failed', inputs: {}, fingerprint: '', versions: NO_VERSIONS, at: '' };
}
