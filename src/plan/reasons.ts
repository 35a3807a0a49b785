import { type Address, uploadAddress } from '../model/address.ts';
import type { Graph, GraphItem } from '../model/graph.ts';
import { kindHas } from '../model/kinds.ts';
import type { Reason } from '../model/plan.ts';
import type { RunState } from '../model/run-state.ts';
import { memberOf, type SourceRef } from '../model/source.ts';
import { canonicalJson } from '../util/canonical-json.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject, textOf } from '../util/json.ts';
import { isSha256 } from '../util/sha256.ts';

/** The fields in which two canonical inputs differ, one reason for each, sorted by name. `objects`: for the paths of photos. */
export function differences(
  from: JsonObject,
  to: JsonObject,
  { source, objects }: { readonly source: SourceRef; readonly objects: Graph['objects'] },
): Reason[] {
  return compare(from, to, []).map(({ path, before, after }) => ({
    summary: before === undefined ? 'added' : after === undefined ? 'removed' : 'changed',
    field: fieldName(path),
    ...(before === undefined ? {} : { from: before }),
    ...(after === undefined ? {} : { to: after }),
    source: memberOf(source, ...path),
    ...photosAmong([before, after], objects),
  }));
}

/** Of images, inputs have the content only, and people know photos by their paths. */
function photosAmong(
  values: readonly (Json | undefined)[],
  objects: Graph['objects'],
): Pick<Reason, 'photos'> {
  const hashes = values
    .flatMap((value) => (value !== undefined && isJsonArray(value) ? [...value] : [value]))
    .filter(isSha256);
  const photos = hashes.flatMap((sha256) => {
    const upload = objects.get(uploadAddress(sha256));
    return upload && kindHas(upload, 'localFiles', 'reads') ? [[sha256, upload.payload.file]] : [];
  });
  return photos.length ? { photos: Object.fromEntries(photos) as Record<string, string> } : {};
}

export function changedFields(from: JsonObject, to: JsonObject): string[] {
  return [...new Set(compare(from, to, []).map(({ path: [field] }) => String(field)))];
}

interface Difference {
  readonly path: readonly (string | number)[];
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

/** Compares the members of objects, and of lists with equal length; other values are compared as a whole. */
function compare(before: Json | undefined, after: Json | undefined, path: Difference['path']): Difference[] {
  if (before === after) return [];
  if (isJsonObject(before) && isJsonObject(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
    return keys.flatMap((key) => compare(before[key], after[key], [...path, key]));
  }
  if (isJsonArray(before) && isJsonArray(after) && before.length === after.length) {
    return before.flatMap((_, index) => compare(before[index], after[index], [...path, index]));
  }
  const equal = before !== undefined && after !== undefined && canonicalJson(before) === canonicalJson(after);
  return equal ? [] : [{ path, before, after }];
}

function fieldName(path: Difference['path']): string {
  return path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : index ? `.${step}` : step))
    .join('');
}

/** Which object a fingerprint belongs to: any version of any object, past or present. */
export interface Versions {
  readonly get: (fingerprint: string) => Version | undefined;
}

interface Version {
  readonly address: Address;
  readonly inputs: JsonObject;
}

/** They are collected when the first edit is explained: most plans explain none. */
export function knownVersions(graph: Graph, state: RunState): Versions {
  let versions: ReadonlyMap<string, Version> | undefined;
  return { get: (fingerprint) => (versions ??= collectVersions(graph, state)).get(fingerprint) };
}

function collectVersions(graph: Graph, state: RunState): ReadonlyMap<string, Version> {
  const versions = new Map<string, Version>();
  for (const { address, versions: past } of state.objects.values()) {
    for (const [fingerprint, inputs] of past) versions.set(fingerprint, { address, inputs });
  }
  for (const { address, fingerprint, inputs } of graph.objects.values()) {
    versions.set(fingerprint, { address, inputs });
  }
  return versions;
}

/** Why a finished item no longer is what the manifest asks for; each upstream change is explained by its fields. */
export function itemReasons(before: JsonObject, item: GraphItem, graph: Graph, versions: Versions): Reason[] {
  const place = { source: item.source, objects: graph.objects };
  return differences(before, item.inputs, place).map((reason) => {
    if (reason.field === 'assets') return withAddresses(reason, versions);
    if (reason.field !== 'concept' && !/^assets\[\d+\]\.product$/.test(reason.field ?? '')) return reason;
    return upstreamReason(reason, graph, versions);
  });
}

/** Lists of assets with products by their address, as people know them. */
function withAddresses({ from, to, ...rest }: Reason, versions: Versions): Reason {
  const named = (assets: Json | undefined) =>
    (isJsonArray(assets) ? assets : []).filter(isJsonObject).map((asset) => {
      const product = versions.get(textOf(asset['product']));
      return product ? { ...asset, product: product.address } : asset;
    });
  return { ...rest, from: named(from), to: named(to) };
}

/** The upstream object has another fingerprint: either another object is used now, or the object itself changed. */
function upstreamReason(reason: Reason, graph: Graph, versions: Versions): Reason {
  const { from, to, ...rest } = reason;
  const old = versions.get(textOf(from));
  const now = versions.get(textOf(to));
  if (!now) return rest;
  if (!old || old.address !== now.address) {
    return { ...rest, ...(old ? { from: old.address } : {}), to: now.address };
  }
  const source = graph.objects.get(now.address)?.source;
  const because = differences(old.inputs, now.inputs, { source: source ?? '#', objects: graph.objects });
  return { ...rest, summary: `${now.address} changed`, address: now.address, because };
}
