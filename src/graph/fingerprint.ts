import type { NodeKind } from '../model/kinds.ts';
import { hashJson } from '../util/canonical-json.ts';
import type { JsonObject } from '../util/json.ts';

/** Equal meaning, equal fingerprint: 32 hex digits over the kind and the canonical inputs. */
export function fingerprint(kind: NodeKind, inputs: JsonObject): string {
  return hashJson({ kind, ...inputs });
}

/** An object that exists already means its id and nothing else, whether the manifest has a key for it or not. */
export function externalInputs(id: string): JsonObject {
  return { id: id.toLowerCase() };
}
