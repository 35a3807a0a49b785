import type { NodeKind } from '../model/kinds.ts';
import { hashJson } from '../util/canonical-json.ts';
import type { JsonObject } from '../util/json.ts';

/** 32 hex digits over the kind and the canonical inputs, so that equal inputs have equal fingerprints. */
export function fingerprint(kind: NodeKind, inputs: JsonObject): string {
  return hashJson({ kind, ...inputs });
}

/** The only input of an object that exists already is its id, whether the manifest has a key for it or not. */
export function externalInputs(id: string): JsonObject {
  return { id: id.toLowerCase() };
}
