/** The apply command inside this process: all of it but its flags and signals, on a clock that hurries. */
import { join } from 'node:path';
import { applyOne } from '../../src/commands/apply.ts';
import type { ApplyOptions } from '../../src/cli/options.ts';
import type { RunState } from '../../src/model/run-state.ts';
import type { RequestTimeouts } from '../../src/service/connections.ts';
import { openState } from '../../src/store/file/open-state.ts';
import { type Clock, realClock } from '../../src/util/clock.ts';
import { createHurriedClock } from '../support/hurried-clock.ts';
import { createTestOutput } from '../support/test-output.ts';
import type { Place } from './place.ts';

/** The API key of every cell: it must turn up nowhere but on the wire. */
export const CANARY_KEY = 'canary-key-5f1d9c';

/** What a run left behind. */
export interface Applied {
  readonly exit: number;
  /** All that the user read, standard output and standard error together. */
  readonly text: string;
  readonly state: RunState;
}

const FLAGS: ApplyOptions = { color: false, wait: true, lockTimeout: 0 };

/** Applies the `m.yaml` of a place; the API key stands in the environment of this process. */
export async function applyPlace(
  { folder, url }: Place,
  options: {
    flags?: Partial<ApplyOptions>;
    /** How wrong the clock is. */
    offsetMs?: number;
    /** The clock of the service, where both have to agree. */
    clock?: Clock;
    timeouts?: Partial<RequestTimeouts> | undefined;
  } = {},
): Promise<Applied> {
  process.env['CAMPAIGN_API_KEY'] = CANARY_KEY;
  const { output, text } = createTestOutput();
  const world = {
    clock: options.clock ?? createHurriedClock({ offsetMs: options.offsetMs ?? 0 }),
    // Waiting is hurried, the network is not.
    deadlines: realClock,
    random: () => 0,
    requestTimeouts: options.timeouts,
  };
  const exit = await applyOne(join(folder, 'm.yaml'), { ...FLAGS, ...options.flags }, { output, world });
  const opened = await openState({
    mode: 'read',
    stateFile: join(folder, 'm.held.state.jsonl'),
    identity: { campaign: 'matrix', environment: 'held', baseUrl: url },
  });
  if (!opened.ok) throw new Error(opened.error.summary);
  const { state } = opened.value;
  return { exit, text: text(), state };
}
