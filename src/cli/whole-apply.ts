/**
 * What the manifests of one apply, or wait, have in common: budget, services, places; one signal stops all of them, and so do one
 * deadline and, with --fail-fast, the first that fails. A single manifest has all this to itself.
 */
import type { Accounts } from '../app/account.ts';
import { type Claims, createClaims } from '../app/claimed-places.ts';
import type { ServiceSettings } from '../app/connect-service.ts';
import type { PlanWishes } from '../app/plan-wishes.ts';
import type { Stop } from '../app/run-nodes.ts';
import type { SharedServices } from '../app/shared-services.ts';
import type { ManifestEnd } from '../model/command-summary.ts';
import { EXIT, type ExitCode } from '../model/exit.ts';
import type { Agreements } from './ask-for-all.ts';
import type { ApplyOptions, SharedOptions } from './options.ts';
import { accountsOf, type Session } from './session.ts';
import { stopOnSignals } from './signals.ts';

export interface WholeApply {
  readonly service: ServiceSettings;
  readonly wishes: PlanWishes;
  readonly agreed?: Agreements;
  readonly accounts: Accounts;
  readonly claims: Claims;
  /** Made when the first of them sends something. */
  readonly services: () => Promise<SharedServices>;
  readonly listen: () => Stop;
  /** Aborts what waits outside of a run. */
  readonly signal: AbortSignal | undefined;
  /** What is left of the deadline. */
  readonly deadlineMs: () => number | undefined;
  /** The exit code of what keeps the next manifest from being started. */
  readonly whyNot: (ends: readonly ManifestEnd[]) => ExitCode | undefined;
  readonly close: () => Promise<void>;
}

export function createWholeApply(
  files: readonly string[],
  session: Session<SharedOptions & Pick<ApplyOptions, 'deadline' | 'failFast' | 'plan'>>,
  asked: Pick<WholeApply, 'service' | 'wishes' | 'agreed'>,
): WholeApply {
  const { options, runtime } = session;
  const { clock } = runtime;
  const stop = files.length > 1 ? stopOnSignals() : undefined;
  const endsAt = options.deadline === undefined ? undefined : clock.monotonic() + options.deadline;
  const leftMs = () => (endsAt === undefined ? undefined : Math.max(0, endsAt - clock.monotonic()));
  let services: Promise<SharedServices> | undefined;
  return {
    ...asked,
    accounts: accountsOf(session, files),
    claims: createClaims(runtime.disk),
    services: () =>
      (services ??= import('../app/shared-services.ts').then(({ createSharedServices }) =>
        createSharedServices(runtime),
      )),
    listen: stop ? () => heldOn(stop) : stopOnSignals,
    signal: stop && abortedBy(stop),
    // A saved plan may come through a pipe, and waiting for that counts.
    deadlineMs: stop || options.plan !== undefined ? leftMs : () => options.deadline,
    whyNot(ends) {
      if (!stop) return undefined;
      if (stop.exit !== undefined) return stop.exit;
      const isFailed = options.failFast && ends.some(({ exit_code }) => !GOES_ON.has(exit_code));
      return isFailed || leftMs() === 0 ? EXIT.incomplete : undefined;
    },
    async close() {
      stop?.release();
      await (await services)?.close();
    },
  };
}

/** Ends that are no failures: with --fail-fast the next manifest has its turn after them. */
const GOES_ON: ReadonlySet<ExitCode> = new Set([EXIT.ok, EXIT.incomplete, EXIT.needsConsent]);

/** A run that ends releases what it listens to, and the next one still needs it. */
function heldOn(stop: Stop): Stop {
  return {
    get level() {
      return stop.level;
    },
    get exit() {
      return stop.exit;
    },
    onChange: (listener) => stop.onChange(listener),
    release() {},
  };
}

function abortedBy(stop: Stop): AbortSignal {
  const controller = new AbortController();
  stop.onChange(() => controller.abort());
  return controller.signal;
}
