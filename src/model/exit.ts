/** How a run ends: the exit codes that scripts depend on. Where several hold, the first one in this list wins. */
import type { Outcome as RunOutcome } from './generated/state-record.js';

export type { Outcome as RunOutcome } from './generated/state-record.js';

export const EXIT = {
  bug: 70,
  badState: 76,
  cannotWrite: 74,
  sighup: 129,
  sigint: 130,
  sigterm: 143,
  undecided: 4,
  authentication: 77,
  configuration: 78,
  usage: 64,
  invalidManifest: 65,
  needsConsent: 5,
  failed: 1,
  unavailable: 69,
  locked: 75,
  incomplete: 3,
  changes: 2,
  ok: 0,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export function strongestExit(codes: readonly ExitCode[]): ExitCode {
  return Object.values(EXIT).find((code) => codes.includes(code)) ?? EXIT.ok;
}

const OUTCOMES: Readonly<Record<ExitCode, RunOutcome>> = {
  [EXIT.ok]: 'succeeded',
  [EXIT.failed]: 'failed',
  [EXIT.changes]: 'succeeded',
  [EXIT.incomplete]: 'incomplete',
  [EXIT.undecided]: 'undecided',
  [EXIT.needsConsent]: 'needs-consent',
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
