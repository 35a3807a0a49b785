import { splitTake } from '../model/address.ts';
import type { OutputFile } from '../model/payload.ts';
import type { FileMove } from '../model/plan.ts';
import type { StateEvent } from '../model/state-event.ts';
import type { Recorder } from '../model/step.ts';
import { groupBy } from '../util/group-by.ts';
import type { OutputFolder } from '../steps/output-folder.ts';
import { moveFile } from '../steps/rename-older.ts';

/** Gives downloaded files their new names on disk, then in the state; safe to repeat after a crash in between. */
export async function moveOutputs(
  moves: readonly FileMove[],
  { place, recorder, now }: { place: OutputFolder; recorder: Recorder; now: () => string },
): Promise<void> {
  const byTake = groupBy(moves, ({ address }) => address);
  const events: StateEvent[] = [];
  for (const [address, renames] of byTake) {
    const { address: plain, take } = splitTake(address.replace(/^download\//, 'media/'));
    const known = recorder.state.media.get(plain)?.takes.find(({ n }) => n === take);
    if (!known?.files) continue;
    const targets = new Map(renames.map(({ from, to }) => [from, to]));
    const files: OutputFile[] = [];
    for (const file of known.files) {
      const to = targets.get(file.path) ?? file.path;
      await moveFile(place, file.path, to);
      files.push({ ...file, path: to });
    }
    events.push({ type: 'downloaded', at: now(), address, result: { media: known.result?.id ?? '', files } });
  }
  await recorder.append(events);
}
