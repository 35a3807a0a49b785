import type { GraphObject } from '../model/graph.ts';
import { type KeyedKind, objectAddress } from '../model/kinds.ts';
import type { SourceRef } from '../model/source.ts';
import type { JsonObject } from '../util/json.ts';
import { externalInputs, fingerprint } from './fingerprint.ts';

interface Written {
  readonly key: string;
  readonly name: string;
  readonly description?: string;
  /** It exists already under this id. */
  readonly id?: string;
  readonly source: SourceRef;
}

/** An object means its name where that is not the default, its description and `own`, or, if it exists already, its id. */
export function objectBase<Kind extends KeyedKind>(
  kind: Kind,
  { key, name, description, id, source }: Written,
  own: JsonObject,
): Omit<GraphObject, 'kind' | 'payload' | 'dependsOn'> & { readonly kind: Kind } {
  const described = description === undefined ? {} : { description };
  const inputs = id ? externalInputs(id) : { ...(name === key ? {} : { name }), ...described, ...own };
  return {
    address: objectAddress(kind, key),
    kind,
    inputs,
    fingerprint: fingerprint(kind, inputs),
    source,
    ...(id ? { external: id } : {}),
  };
}

export function named({ name, description }: Written): { name: string; description?: string } {
  return { name, ...(description === undefined ? {} : { description }) };
}
