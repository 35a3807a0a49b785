import type { Manifest } from '../manifest/manifest.ts';
import { mediaAddress } from '../model/address.ts';
import { kindHas } from '../model/kinds.ts';
import type { PlannedNode } from '../model/plan.ts';
import type { SourceRef } from '../model/source.ts';
import type { Runtime } from './runtime.ts';

/** The nodes of a plan, their requests with the text and the lines that ask for them: the manifest may change later. */
export async function noteOrigin(
  { manifestVersion }: Pick<Runtime, 'manifestVersion'>,
  nodes: readonly PlannedNode[],
  { file, folder, locate }: Pick<Manifest, 'file' | 'folder' | 'locate'>,
): Promise<readonly PlannedNode[]> {
  if (!nodes.some((node) => kindHas(node, 'stored', 'request'))) return nodes;
  const manifest = await manifestVersion({ file, folder });
  const sources = new Map<string, SourceRef | undefined>();
  for (const node of nodes) {
    if (!kindHas(node, 'stored', 'take') || node.action === 'resume') continue;
    sources.set(mediaAddress(node.payload.post, node.payload.item), node.source);
  }
  return nodes.map((node) => {
    if (!kindHas(node, 'stored', 'request')) return node;
    const items = node.payload.items.map((item) => {
      const source = sources.get(mediaAddress(node.payload.post, item.item));
      const position = source === undefined ? undefined : locate(source);
      return position ? { ...item, line: position.line } : item;
    });
    return { ...node, payload: { ...node.payload, items, manifest } };
  });
}
