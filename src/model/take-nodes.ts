import { downloadAddress, mediaAddress, takeAddress } from './address.ts';
import type { DownloadPayload, MediaPayload } from './payload.ts';
import type { PlannedAs, PlannedNode } from './plan.ts';

interface TakeNodes extends Pick<PlannedNode, 'action' | 'reasons' | 'source'> {
  readonly take: MediaPayload;
  /** Absent where it is generated already. */
  readonly poll?: Pick<PlannedAs<'take'>, 'inputs' | 'seen' | 'again'>;
  readonly download: Pick<DownloadPayload, 'path' | 'older'> | false;
}

export function takeNodes({ take, poll, download, ...common }: TakeNodes): PlannedNode[] {
  const address = takeAddress(mediaAddress(take.post, take.item), take.take);
  const { request } = take;
  const nodes: PlannedNode[] = [];
  if (poll) nodes.push({ ...common, ...poll, address, kind: 'media', dependsOn: [request], payload: take });
  if (download) {
    nodes.push({
      ...common,
      address: downloadAddress(address),
      kind: 'download',
      dependsOn: [address, request],
      payload: { ...take, ...download },
    });
  }
  return nodes;
}
