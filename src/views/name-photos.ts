import type { Graph } from '../model/graph.ts';
import type { Address } from '../model/address.ts';
import { kindHas } from '../model/kinds.ts';
import type { Problem } from '../model/problem.ts';
import type { RunState } from '../model/run-state.ts';

/**
 * Adds the photos that a problem is about, because people know photos by their paths: those of an upload; for other
 * nodes those whose URL, or whose name at the service, is in the problem's text.
 */
export function withPhotos(
  problem: Problem,
  address: Address,
  { graph, state }: { graph: Graph; state: RunState },
): Problem {
  const own = graph.objects.get(address);
  if (own && kindHas(own, 'localFiles', 'reads')) return { ...problem, photos: [own.payload.file] };
  const said = problem.detail ?? '';
  // Most problems name no photo, and the search over many nodes and photos takes time.
  if (!/https?:|[0-9a-f]{16}/.test(said)) return problem;
  const photos = [...graph.objects.values()].flatMap((object) => {
    if (!kindHas(object, 'localFiles', 'reads')) return [];
    const names = [urlOf(state, object.address), object.payload.sha256.slice(0, 16)];
    return names.some((name) => name !== undefined && said.includes(name)) ? [object.payload.file] : [];
  });
  return photos.length ? { ...problem, photos } : problem;
}

/** Without its query, because messages have none. */
function urlOf({ objects }: RunState, address: Address): string | undefined {
  const result = objects.get(address)?.result;
  return result && 'url' in result ? result.url?.split('?')[0] : undefined;
}
