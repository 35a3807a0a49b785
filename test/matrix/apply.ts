/** The apply command inside this process: all of it but its flags and signals, on a clock that hurries. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createConnect } from '../../src/app/connect-service.ts';
import type { Runtime } from '../../src/app/runtime.ts';
import { wishesOf } from '../../src/app/plan-wishes.ts';
import { createWholeApply } from '../../src/cli/whole-apply.ts';
import { applyOne } from '../../src/commands/apply.ts';
import type { ApplyOptions } from '../../src/cli/options.ts';
import type { Session } from '../../src/cli/session.ts';
import type { RunState } from '../../src/model/run-state.ts';
import type { RequestTimeouts } from '../../src/service/connections.ts';
import { createSteps } from '../../src/steps/create-steps.ts';
import { openToRead } from '../../src/store/file/open-to-read.ts';
import { type Clock, realClock } from '../../src/util/clock.ts';
import { realDisk } from '../../src/util/disk.ts';
import { createHurriedClock } from '../support/hurried-clock.ts';
import { NO_WITNESSES } from '../support/no-witnesses.ts';
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

const FLAGS: ApplyOptions = { color: false, wait: true, work: true, lockTimeout: 0 };

/** Applies the `m.yaml` of a place. */
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
  const { output, text } = createTestOutput();
  const machine = {
    clock: options.clock ?? createHurriedClock({ offsetMs: options.offsetMs ?? 0 }),
    random: () => 0,
    newId: randomUUID,
    disk: realDisk,
    env: { ...process.env, CAMPAIGN_API_KEY: CANARY_KEY },
  };
  // Waiting is hurried, the network is not.
  const service = { deadlines: realClock, requestTimeouts: options.timeouts };
  const runtime: Runtime = {
    ...machine,
    connect: createConnect(machine, service),
    openObjects: () => Promise.reject(new Error('no storage is named')),
    createSteps,
    manifestVersion: ({ file }) => Promise.resolve({ file, commit: null, dirty: null }),
    emit() {},
  };
  const session: Session<ApplyOptions> = {
    args: [],
    options: { ...FLAGS, ...options.flags },
    misuse: (word) => expect.fail(word),
    output,
    runtime,
    about: () => session,
    heardBy: () => session,
    following: (emit) => ({ ...session, runtime: { ...runtime, emit } }),
  };
  const file = join(folder, 'm.yaml');
  const whole = createWholeApply([file], session, {
    service: {},
    wishes: wishesOf(session.options),
    agreed: new Map(),
  });
  const { exit } = await applyOne(file, session, whole);
  await whole.close();
  const opened = await openToRead({
    stateFile: join(folder, 'matrix.held.state.jsonl'),
    identity: { campaign: 'matrix', environment: 'held', baseUrl: url },
    witnesses: NO_WITNESSES,
  });
  if (!opened.ok) throw new Error(opened.error.summary);
  const { state } = opened.value;
  return { exit, text: text(), state };
}
