import { dirname } from 'node:path';
import { mediaOf, splitTake } from '../model/address.ts';
import type { OutputFile } from '../model/payload.ts';
import type { FileMove } from '../model/plan.ts';
import type { StateEvent } from '../model/state-event.ts';
import type { Recorder } from '../model/step.ts';
import { groupBy } from '../util/group-by.ts';
import { syncFolder } from '../util/atomic-file.ts';
import { isThere, unlessMissing } from '../util/new-file.ts';
import { type OutputFolder, placeOf } from '../files/own-place.ts';
import { moveFile } from '../files/name-files.ts';

interface MoveContext {
  readonly place: OutputFolder;
  readonly recorder: Recorder;
  readonly now: () => string;
}

/**
 * Renames downloaded files on disk, then in the state; safe to repeat after a crash in between. Where two posts swap
 * names, a file gets a temporary name first, which the state knows, too. Before the state says so, those names survive a
 * power cut: otherwise it would know the file of one post as that of the other.
 */
export async function moveOutputs(moves: readonly FileMove[], context: MoveContext): Promise<void> {
  const leaving = new Set(moves.map(({ from }) => from));
  const isTaken = ({ to }: FileMove) => leaving.has(to);
  const later = moves.filter(isTaken);
  const first = moves.map((move) => (isTaken(move) ? { ...move, to: between(move.to) } : move));
  const second = later.map((move) => ({ ...move, from: between(move.to) }));
  for (const renames of [first, second]) {
    const events = await renameAll(renames, context);
    await syncNames(renames, context.place);
    if (events.length) await context.recorder.append(events);
  }
}

/** `hero/1-image.png` → `hero/1-image.moving.png` */
function between(path: string): string {
  return path.replace(/(\.[a-z0-9]+)?$/, '.moving$1');
}

async function renameAll(
  moves: readonly FileMove[],
  { place, recorder, now }: MoveContext,
): Promise<StateEvent[]> {
  const byTake = groupBy(moves, ({ address }) => address);
  const events: StateEvent[] = [];
  for (const [address, renames] of byTake) {
    const { address: plain, take } = splitTake(mediaOf(address));
    const known = recorder.state.media.get(plain)?.takes.find(({ n }) => n === take);
    if (!known?.files) continue;
    const targets = new Map(renames.map(({ from, to }) => [from, to]));
    const files: OutputFile[] = [];
    for (const file of known.files) {
      const to = targets.get(file.path) ?? file.path;
      // Of the records of such a rename, a power cut may have left the first ones only.
      const isInBetween = to !== file.path && !(await isThere(placeOf(place, file.path)));
      await moveFile(place, isInBetween ? between(to) : file.path, to);
      files.push({ ...file, path: to });
    }
    events.push({ type: 'downloaded', at: now(), address, result: { media: known.result?.id ?? '', files } });
  }
  return events;
}

/** A folder that became empty is removed, and has no names. */
async function syncNames(moves: readonly FileMove[], place: OutputFolder): Promise<void> {
  const folders = new Set(moves.flatMap(({ from, to }) => [dirname(to), dirname(from)]));
  for (const each of folders) await syncFolder(placeOf(place, each)).catch(unlessMissing);
}
