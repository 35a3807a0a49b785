/** How a run ends: the exit codes that scripts depend on, and which one wins where several hold. */
import type { Outcome as RunOutcome } from './generated/state-record.js';

export type { Outcome as RunOutcome } from './generated/state-record.js';

export const EXIT = {
  ok: 0,
  failed: 1,
  changes: 2,
  incomplete: 3,
  undecided: 4,
  refused: 5,
  usage: 64,
  invalidManifest: 65,
  unavailable: 69,
  bug: 70,
  cannotWrite: 74,
  locked: 75,
  badState: 76,
  authentication: 77,
  configuration: 78,
  sighup: 129,
  sigint: 130,
  sigterm: 143,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const PRECEDENCE: readonly ExitCode[] = [
  EXIT.bug,
  EXIT.badState,
  EXIT.cannotWrite,
  EXIT.sighup,
  EXIT.sigint,
  EXIT.sigterm,
  EXIT.undecided,
  EXIT.authentication,
  EXIT.configuration,
  EXIT.usage,
  EXIT.invalidManifest,
  EXIT.refused,
  EXIT.failed,
  EXIT.unavailable,
  EXIT.locked,
  EXIT.incomplete,
];

export function strongestExit(codes: readonly ExitCode[]): ExitCode {
  return PRECEDENCE.find((code) => codes.includes(code)) ?? EXIT.ok;
}

const OUTCOMES: Readonly<Record<ExitCode, RunOutcome>> = {
  [EXIT.ok]: 'succeeded',
  [EXIT.failed]: 'failed',
  [EXIT.changes]: 'succeeded',
  [EXIT.incomplete]: 'incomplete',
  [EXIT.undecided]: 'undecided',
  [EXIT.refused]: 'refused',
  [EXIT.usage]: 'invalid',
  [EXIT.invalidManifest]: 'invalid',
  [EXIT.unavailable]: 'unavailable',
  [EXIT.bug]: 'error',
  [EXIT.cannotWrite]: 'error',
  [EXIT.locked]: 'locked',
  [EXIT.badState]: 'error',
  [EXIT.authentication]: 'refused',
  [EXIT.configuration]: 'invalid',
  [EXIT.sighup]: 'cancelled',
  [EXIT.sigint]: 'cancelled',
  [EXIT.sigterm]: 'cancelled',
};

export function outcomeOf(code: ExitCode): RunOutcome {
  return OUTCOMES[code];
}

/** A shell sees a process that a signal ended with 128 + the signal's number. */
export function signalOf(code: ExitCode): 'SIGHUP' | 'SIGINT' | 'SIGTERM' | undefined {
  if (code === EXIT.sighup) return 'SIGHUP';
  if (code === EXIT.sigint) return 'SIGINT';
  return code === EXIT.sigterm ? 'SIGTERM' : undefined;
}
