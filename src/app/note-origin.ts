import { takeAddress, mediaAddress } from '../model/address.ts';
import { kindHas } from '../model/kinds.ts';
import type { StateEvent } from '../model/state-event.ts';
import type { Recorder } from '../model/step.ts';
import type { PlannedRun } from './planned-run.ts';
import type { Runtime } from './runtime.ts';

/** A recorder that notes with each request the manifest's version and lines, because these may change later. */
export async function noteOrigin(
  { manifestVersion }: Pick<Runtime, 'manifestVersion'>,
  { plan: { nodes }, recorder, campaign }: Pick<PlannedRun, 'plan' | 'recorder' | 'campaign'>,
): Promise<Recorder> {
  if (!nodes.some((node) => kindHas(node, 'stored', 'request'))) return recorder;
  const { file, folder, locate } = campaign.manifest;
  const manifest = await manifestVersion({ file, folder });
  const sources = new Map(nodes.map(({ address, source }) => [address, source]));
  const withOrigin = (event: StateEvent): StateEvent => {
    if (event.type !== 'intent' || !event.request) return event;
    const { post, n } = event.request;
    const items = event.request.items.map((item) => {
      const source = sources.get(takeAddress(mediaAddress(post, item.item), n));
      const position = source === undefined ? undefined : locate(source);
      return position ? { ...item, line: position.line } : item;
    });
    return { ...event, request: { ...event.request, items, manifest } };
  };
  return {
    get state() {
      return recorder.state;
    },
    append: (events) => recorder.append(events.map(withOrigin)),
    note: (events) => recorder.note(events),
  };
}
