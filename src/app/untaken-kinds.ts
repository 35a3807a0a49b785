/** A run whose processes do not take all of its kinds of nodes does not hang without a word. */
import type { SharedRun } from '../store/shared-run.ts';
import type { Runtime } from './runtime.ts';

const LOOK_MS = 5_000;

/** For a process that only follows the run: says which kinds of nodes nobody takes, once they are that at two looks. */
export function createUntakenLook(
  { clock, emit }: Pick<Runtime, 'clock' | 'emit'>,
  run: Pick<SharedRun, 'untaken'>,
) {
  let lookAt = clock.monotonic() + LOOK_MS;
  let before = '';
  let said = '';
  return async (): Promise<void> => {
    if (clock.monotonic() < lookAt) return;
    const kinds = (await run.untaken()).join(', ');
    if (kinds !== '' && kinds === before && kinds !== said) {
      said = kinds;
      emit({
        type: 'warning',
        summary: `No process of this run takes nodes of the kind ${kinds}`,
        detail: ADVICE,
      });
    }
    before = kinds;
    lookAt = clock.monotonic() + LOOK_MS;
  };
}

const ADVICE =
  'It waits for one: start `campaign worker` with the key and the files of the run, without --kinds or with these. The same ' +
  '`campaign apply` without --no-work takes all kinds, and `campaign stop` ends the run.';
