/** Uploads, products and concepts: one address, one object at the service. */
import type { Address } from '../model/address.ts';
import type { ObjectState } from '../model/run-state.ts';
import type { JsonObject } from '../util/json.ts';
import { INTERRUPTED, type FoldState, type NodeEvent } from './fold-state.ts';

/** Folds an event of an upload, product or concept. */
export function foldObject(state: FoldState, event: NodeEvent): void {
  const { address, at } = event;
  const old = state.objects.get(address) ?? nothingAt(address);
  const { inputs, fingerprint, versions } = old;
  switch (event.type) {
    case 'uploaded':
    case 'updated':
      return set(state, {
        address,
        status: 'done',
        result: event.result,
        inputs: event.inputs,
        fingerprint: event.fingerprint,
        versions: withVersion(versions, event.fingerprint, event.inputs),
        ...duplicatesOf(old),
        at,
      });
    case 'updating':
      return set(state, { ...old, status: 'failed', problem: UPDATE_INTERRUPTED, at });
    case 'accepted':
      return set(state, {
        ...withoutProblem(old),
        status: old.result ? 'done' : old.status,
        inputs: event.inputs,
        fingerprint: event.fingerprint,
        versions: withVersion(versions, event.fingerprint, event.inputs),
        at,
      });
    case 'intent':
      state.before.set(address, { object: state.objects.get(address), outer: state.before.get(address) });
      return set(state, {
        address,
        status: 'unknown',
        inputs: event.inputs,
        fingerprint: event.fingerprint,
        versions,
        ...duplicatesOf(old.status === 'unknown' ? doubtful(old) : old),
        evidence: INTERRUPTED,
        at,
      });
    case 'created':
      return create(state, old, { result: event.result, at });
    case 'rejected':
      state.before.delete(address);
      return set(state, {
        address,
        status: 'failed',
        inputs,
        fingerprint,
        versions,
        ...duplicatesOf(old),
        problem: event.problem,
        at,
      });
    case 'not-sent':
    case 'throttled':
      return takeBack(state, address);
    case 'unknown':
      return set(state, { ...old, status: 'unknown', evidence: event.evidence, at });
    case 'failed':
      return set(state, { ...old, status: 'failed', problem: event.problem, at });
    case 'resolved':
      if (event.decision === 'not-created') return takeBack(state, address);
      if (event.decision === 'skipped') return skip(state, old, at);
      // Without what exists there is nothing to record, so the object stays unknown.
      if (event.result) create(state, old, { result: event.result, at });
      return;
    // Of other kinds of nodes.
    case 'seen':
    case 'listed':
    case 'generated':
    case 'generation-failed':
    case 'lost':
    case 'downloaded':
  }
}

const UPDATE_INTERRUPTED = { summary: 'the update was interrupted' };

/** An object gets another address; it and what it was before keep everything else. */
export function moveObject(state: FoldState, move: { readonly from: Address; readonly to: Address }): void {
  const object = state.objects.get(move.from);
  if (!object) return;
  state.objects.delete(move.from);
  set(state, { ...object, address: move.to });
  const before = state.before.get(move.from);
  if (!before) return;
  state.before.delete(move.from);
  state.before.set(move.to, before);
}

/** What was sent exists: the inputs of the attempt are now those of the object. */
function create(
  state: FoldState,
  old: ObjectState,
  end: { readonly result: NonNullable<ObjectState['result']>; readonly at: string },
): void {
  const { address, inputs, fingerprint } = old;
  state.before.delete(address);
  const versions = withVersion(old.versions, fingerprint, inputs);
  set(state, {
    address,
    status: 'done',
    result: end.result,
    inputs,
    fingerprint,
    versions,
    ...duplicatesOf(old),
    at: end.at,
  });
}

/** Nothing was done: the object is again what it was before the intent, or is gone where it was new. */
function takeBack(state: FoldState, address: Address): void {
  const before = state.before.get(address);
  state.before.delete(address);
  // It may have been moved meanwhile.
  if (before?.object)
    set(state, before.object.address === address ? before.object : { ...before.object, address });
  else state.objects.delete(address);
  if (before?.outer) state.before.set(address, before.outer);
}

function skip(state: FoldState, old: ObjectState, at: string): void {
  const { address, inputs, fingerprint, versions, result } = old;
  state.before.delete(address);
  set(state, {
    address,
    status: 'skipped',
    inputs,
    fingerprint,
    versions,
    ...duplicatesOf(old),
    at,
    ...(result && { result }),
  });
}

function set(state: FoldState, object: ObjectState): void {
  state.objects.set(object.address, object);
}

/** An unknown create that is sent again stays in doubt, whatever comes of the next one. */
function doubtful({ possibleDuplicates = [], at, evidence }: ObjectState): Doubts {
  return { possibleDuplicates: [...possibleDuplicates, { at, evidence }] };
}

type Doubts = Pick<ObjectState, 'possibleDuplicates'>;

function duplicatesOf({ possibleDuplicates }: Doubts): Doubts {
  return possibleDuplicates ? { possibleDuplicates } : {};
}

const NO_VERSIONS: ObjectState['versions'] = new Map();

/** An object that never had an intent or a success: its first upload failed. */
function nothingAt(address: Address): ObjectState {
  return { address, status: 'failed', inputs: {}, fingerprint: '', versions: NO_VERSIONS, at: '' };
}

function withVersion(
  versions: ObjectState['versions'],
  fingerprint: string,
  inputs: JsonObject,
): ObjectState['versions'] {
  return versions.has(fingerprint) ? versions : new Map(versions).set(fingerprint, inputs);
}

function withoutProblem(object: ObjectState): ObjectState {
  const { problem: _, ...rest } = object;
  return rest;
}
