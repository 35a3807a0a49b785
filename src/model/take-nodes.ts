import { downloadAddress, mediaAddress, takeAddress } from './address.ts';
import type { DownloadPayload, MediaPayload } from './payload.ts';
import type { PlannedAs, PlannedNode } from './plan.ts';

interface TakeNodes extends Pick<PlannedNode, 'action' | 'reasons' | 'source'> {
  readonly take: MediaPayload;
  /** Absent where it is generated already. */
  readonly poll?: Pick<PlannedAs<'take'>, 'inputs' | 'seen' | 'again'>;
  readonly download: Pick<DownloadPayload, 'path' | 'older'> | false;
}

/**
 * Members are named one by one: V8 gives each object that begins with a spread and goes on with members a hidden class of
 * its own, which takes 240 bytes and ten times as long, and a plan has a million of them.
 */
export function takeNodes({ take, poll, download, action, reasons, source }: TakeNodes): PlannedNode[] {
  const address = takeAddress(mediaAddress(take.post, take.item), take.take);
  const { post, item, take: n, request, requestedAs } = take;
  const written = source === undefined ? undefined : { source };
  const nodes: PlannedNode[] = [];
  if (poll) {
    const dependsOn = [request];
    nodes.push({ address, kind: 'media', action, reasons, dependsOn, payload: take, ...poll, ...written });
  }
  if (download) {
    const { path, older } = download;
    const payload = { post, item, take: n, request, requestedAs, path, older };
    const dependsOn = [address, request];
    nodes.push({
      address: downloadAddress(address),
      kind: 'download',
      action,
      reasons,
      dependsOn,
      payload,
      ...written,
    });
  }
  return nodes;
}
