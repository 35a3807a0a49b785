/**
 * The emulator's data and the state of a rehearsal are worth nothing without each other: what the state knows of is found
 * nowhere else, and every request for it would be refused in every run.
 */
import { basename, join, relative } from 'node:path';
import { EXIT } from '../model/exit.ts';
import type { RunState } from '../model/run-state.ts';
import { statePaths } from '../state/work-folder.ts';
import type { Campaign } from './load-campaign.ts';
import { type Refusal, refusal } from './output.ts';

/** The name of the environment that runs inside the process, and what it has in the place of a base URL. */
export const EMULATOR = 'emulator';

/** Where the embedded emulator keeps what it made for a state. */
export function emulatorDataDir(stateFile: string): string {
  return join(statePaths(stateFile).work, `${basename(stateFile, '.state.jsonl')}.data`);
}

/** Why a rehearsal cannot go on: the emulator does not have what the state knows. Undefined where all is well. */
export async function emulatorDataGone(
  { manifest, stateFile, target }: Campaign,
  state: RunState,
): Promise<Refusal | undefined> {
  if (manifest.environment.baseUrl !== EMULATOR) return undefined;
  const known = knownObjects(state);
  if (known.length === 0) return undefined;
  const { readKeptNames } = await import('../emulator/emulator.ts');
  const folder = emulatorDataDir(stateFile);
  const isKept = readKeptNames(folder);
  const missing = known.filter(({ name }) => !isKept(name));
  const [first] = missing;
  if (first === undefined) return undefined;
  const anew = ['campaign state new', target].filter(Boolean).join(' ');
  const has =
    missing.length === known.length
      ? `none of the ${known.length} objects`
      : `${known.length - missing.length} of the ${known.length} objects (not ${first.address})`;
  return refusal(EXIT.badState, {
    code: 'emulator-data-gone',
    summary: "The emulator's data is gone",
    detail:
      `${relative('', folder)} has ${has} that the state ${stateFile} knows: it was deleted, is an older copy, or stayed ` +
      `on another machine. Bring it back, or rehearse from the beginning, which costs nothing: \`${anew}\`.`,
  });
}

/** What exists at the service, with its id or, for an upload, its URL. */
function knownObjects({ objects, requests }: RunState): { address: string; name: string }[] {
  return [...objects.values(), ...requests.values()].flatMap(({ address, result }) => {
    if (!result) return [];
    const name = 'id' in result ? result.id : result.url;
    return name === undefined ? [] : [{ address, name }];
  });
}
