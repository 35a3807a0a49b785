import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Manifest } from '../manifest/manifest.ts';
import { EMULATOR } from '../model/emulator.ts';
import { moveState } from '../store/file/move-state.ts';
import type { FatalProblem } from '../model/problem.ts';
import { realClock } from '../util/clock.ts';
import { ok, type Result } from '../util/result.ts';

/** Where the state of a campaign is kept. */
export interface StatePlace {
  readonly stateFile: string;
  /** Where version 0.1 kept it, if elsewhere: it is read there until the first command that writes moves it. */
  readonly formerStateFile?: string;
}

/**
 * `<manifest file without .yaml>.<env>.state.jsonl` beside the manifest; the emulator's is in `.campaign/`, with the
 * emulator's data, and is deleted with it. `named` wins.
 */
export function placeOfState(
  { file, environment }: Pick<Manifest, 'file' | 'environment'>,
  named: string | undefined,
): StatePlace {
  if (named) return { stateFile: named };
  const name = `${basename(file).replace(/\.ya?ml$/, '')}.${environment.name}.state.jsonl`;
  const beside = join(dirname(file), name);
  if (environment.baseUrl !== EMULATOR) return { stateFile: beside };
  return { stateFile: join(dirname(file), '.campaign', name), formerStateFile: beside };
}

/** Where the state is now. */
export function presentStateFile({ stateFile, formerStateFile: former }: StatePlace): string {
  return former !== undefined && existsSync(former) && !existsSync(stateFile) ? former : stateFile;
}

/** Brings the state to where it is kept, before anything is written to it. */
export async function settleState(
  place: StatePlace,
  run: { readonly lockTimeoutMs: number; readonly command: string },
): Promise<Result<void, FatalProblem>> {
  const present = presentStateFile(place);
  if (present === place.stateFile) return ok(undefined);
  return moveState(present, { ...run, to: place.stateFile, clock: realClock });
}
