/**
 * The emulator's data and the state of a rehearsal are useless without each other: what the state knows is in no other
 * place, and every run would fail to find it.
 */
import { relative } from 'node:path';
import { commandText } from '../model/command-text.ts';
import { EMULATOR } from '../model/emulator.ts';
import { EXIT } from '../model/exit.ts';
import type { RunState } from '../model/run-state.ts';
import { inertText } from '../util/inert-text.ts';
import type { Campaign } from './campaign.ts';
import { refusal, type Refusal } from '../model/problem.ts';

/** Why a rehearsal cannot go on: the emulator lacks what the state knows; undefined where it can. */
export async function emulatorDataGone(
  { manifest, store, emulatorData: folder, target }: Campaign,
  state: RunState,
): Promise<Refusal | undefined> {
  if (manifest.environment.baseUrl !== EMULATOR) return undefined;
  const lack = await whatIsLacking(folder, knownObjects(state));
  if (lack === undefined) return undefined;
  const anew = commandText('state new', target);
  return refusal(EXIT.badState, {
    code: 'emulator-data-gone',
    summary: "The emulator's data is gone",
    detail:
      `${relative('', folder)} ${lack} the state ${store.name} knows: it was deleted, is an older copy, or stayed on ` +
      `another machine. Bring it back, or rehearse from the beginning, which costs nothing: \`${anew}\`.`,
  });
}

/** The verb for what is wrong with the data, which the message continues with `the state knows`. */
async function whatIsLacking(
  folder: string,
  known: ReturnType<typeof knownObjects>,
): Promise<string | undefined> {
  const { readKeptNames } = await import('../emulator/storage/kept-names.ts');
  const isKept = readKeptNames(folder);
  if (!isKept.ok) return `cannot be read (${inertText(isKept.error)}), and has to have what`;
  const missing = known.filter(({ name }) => !isKept.value(name));
  const [first] = missing;
  if (first === undefined) return undefined;
  if (missing.length === known.length) return `has none of the ${known.length} objects that`;
  const left = known.length - missing.length;
  return `has ${left} of the ${known.length} objects (not ${first.address}) that`;
}

function knownObjects({ objects, requests }: RunState) {
  return [...objects.values(), ...requests.values()].flatMap(({ address, result }) => {
    if (!result) return [];
    const name = 'id' in result ? result.id : result.url;
    return name === undefined ? [] : [{ address, name }];
  });
}
