/**
 * Of two folders with one slug, one ends in a piece of its hash. Once the other is gone, it has the slug to itself, and its
 * posts come back under it. What the other one left at that address makes room: it gets the name that it would have had.
 */
import type { Address } from '../model/address.ts';
import type { Graph } from '../model/graph.ts';
import { hasKey } from '../model/kinds.ts';
import type { Move } from '../model/plan.ts';
import type { ObjectState, RunState } from '../model/run-state.ts';
import { hashedSlug } from '../util/slug.ts';
import { isMadeWith, partOf } from './former-names.ts';
import { movePost } from './period-moves.ts';

const HASHED = /^(.+)-[0-9a-f]{6}$/;

/** Pairs of moves: what makes room first, then what comes back. Only the same content comes back. */
export function returningObjects(graph: Graph, state: RunState): Move[] {
  const taken = new Set<Address>();
  return [...state.objects.values()].flatMap((object) => {
    const { address: from, fingerprint } = object;
    const to = graph.objects.has(from) || !hasKey(from) ? undefined : HASHED.exec(from)?.[1];
    const now = to === undefined ? undefined : graph.objects.get(to);
    const left = to === undefined ? undefined : state.objects.get(to);
    if (to === undefined || !left || now?.fingerprint !== fingerprint || now.external !== undefined)
      return [];
    const room = roomFor(left);
    const isFree = !state.objects.has(room) && !graph.objects.has(room) && !taken.has(to);
    if (left.fingerprint === fingerprint || !isFree) return [];
    taken.add(to);
    return [
      { from: to, to: room },
      { from, to },
    ];
  });
}

/** The address that an object would have beside another one with its slug. */
function roomFor({ address, result }: ObjectState): Address {
  const slash = address.indexOf('/') + 1;
  const key = address.slice(slash);
  const name = result && 'name' in result && result.name !== undefined ? result.name : key;
  return address.slice(0, slash) + hashedSlug(key, name);
}

/** The posts of what made room, which go with it; a crash may have recorded that alone. */
export function postsMakingRoom(graph: Graph, state: RunState): Move[] {
  const rooms = new Map<string, ObjectState>();
  for (const object of state.objects.values()) {
    const base = graph.objects.has(object.address) ? undefined : HASHED.exec(object.address)?.[1];
    if (base !== undefined && graph.objects.has(base) && hasKey(base)) rooms.set(partOf(base), object);
  }
  if (!rooms.size) return [];
  return [...state.media.values()].flatMap((medium) => {
    const [post = '', instance = ''] = medium.post.split('/');
    const parts = instance.split('+').map((part) => {
      const room = rooms.get(part);
      const now = room && state.objects.get(HASHED.exec(room.address)?.[1] ?? '');
      const isIts = room && !isMadeWith(medium, versionsOf(now)) && isMadeWith(medium, versionsOf(room));
      return isIts ? partOf(room.address) : part;
    });
    const path = `${post}/${parts.join('+')}`;
    return instance === '' || path === medium.post ? [] : [movePost(medium, { path, period: medium.period })];
  });
}

function versionsOf(object: ObjectState | undefined): string[] {
  return [...(object?.versions.keys() ?? [])];
}
