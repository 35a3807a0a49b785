import type { Clock } from '../util/clock.ts';
import { err, ok, type Result } from '../util/result.ts';
import type { IssuedToken } from './read-token.ts';
import { serviceError, type ServiceError } from './service-error.ts';

/** Part of a token's life after which a new one is fetched. */
const REFRESH_AT = 0.8;
/** Without a success in between, a refused token is replaced at most this often. */
const RENEWAL_PAUSE_MS = 30_000;
/** Two new tokens refused in a row: the key is no good. */
const MAX_FRESH_REFUSALS = 2;

/** A token in use. */
export interface HeldToken {
  readonly value: string;
}

/** The bearer token of one client: fetched when first needed, one fetch at a time for all who wait. */
export interface TokenSource {
  /** The token to use now; a new one from 80 % of its life on. */
  current(): Promise<Result<HeldToken, ServiceError>>;
  /** The service accepted the token. */
  accepted(token: HeldToken): void;
  /** The service answered 401 to the token with this error. */
  refused(token: HeldToken, error: ServiceError): void;
  /** A newer token than the one refused, or undefined where another one is not worth a try. */
  renew(token: HeldToken): Promise<Result<HeldToken, ServiceError> | undefined>;
  /** What a 401 comes to: the end once the key is no good, else another try when a new token may be had. */
  settle(error: ServiceError): ServiceError;
  /** The token may have ended unseen: a new one is due, and this one is used only if none can be had. */
  expire(): void;
}

interface Holding extends HeldToken {
  readonly since: number;
  readonly lifeMs: number | undefined;
  /** A request with it succeeded. */
  proven: boolean;
  refused: boolean;
  /** Time has passed that was not measured. */
  outdated: boolean;
}

/** Keeps the token that `fetchToken` gets. Lifetimes are measured on the monotonic clock. */
export function createTokenSource(options: {
  fetchToken: () => Promise<Result<IssuedToken, ServiceError>>;
  clock: Clock;
}): TokenSource {
  const { fetchToken, clock } = options;
  let holding: Holding | undefined;
  let flight: Promise<Result<Holding, ServiceError>> | undefined;
  /** When a refused token was last replaced, and nothing has succeeded since. */
  let lastRenewal: number | undefined;
  let freshRefusals = 0;
  /** Set once repeating is pointless; then nothing is sent any more. */
  let dead: ServiceError | undefined;

  async function fetch(): Promise<Result<Holding, ServiceError>> {
    const since = clock.monotonic();
    const issued = await fetchToken();
    flight = undefined;
    if (issued.ok) {
      holding = { ...issued.value, since, proven: false, refused: false, outdated: false };
      return ok(holding);
    }
    if (issued.error.kind === 'unauthorized' || issued.error.kind === 'misconfigured') dead = issued.error;
    return issued;
  }

  /** How long no other token is fetched in the place of one that was refused when new. */
  function pauseMs(): number {
    return lastRenewal === undefined ? 0 : Math.max(0, lastRenewal + RENEWAL_PAUSE_MS - clock.monotonic());
  }

  function isDue(token: Holding): boolean {
    return token.outdated || ageOf(token) >= REFRESH_AT;
  }

  function ageOf(token: Holding): number {
    return token.lifeMs === undefined ? 0 : (clock.monotonic() - token.since) / token.lifeMs;
  }

  return {
    async current() {
      if (dead) return err(dead);
      const held = holding;
      if (held && !isDue(held)) return ok(held);
      const fetched = await (flight ??= fetch());
      // A token endpoint that fails for a moment is no reason to stop using a token that still lives.
      return !fetched.ok && held && !held.refused && ageOf(held) < 1 && !dead ? ok(held) : fetched;
    },
    accepted(token) {
      if (token !== holding) return;
      holding.proven = true;
      freshRefusals = 0;
      lastRenewal = undefined;
    },
    refused(token, error) {
      if (token !== holding || holding.refused) return;
      holding.refused = true;
      // A token that has outlived itself says nothing about the key.
      if (holding.proven || holding.outdated || ageOf(holding) >= 1) return;
      freshRefusals += 1;
      if (freshRefusals >= MAX_FRESH_REFUSALS) dead = error;
    },
    async renew(token) {
      if (dead) return undefined;
      if (flight) return await flight;
      if (holding && token !== holding) return ok(holding);
      const now = clock.monotonic();
      const isFresh = holding && !holding.proven && !holding.outdated && ageOf(holding) < 1;
      if (pauseMs() > 0 && isFresh) return undefined;
      const fetched = await (flight ??= fetch());
      if (fetched.ok) lastRenewal = now;
      return fetched;
    },
    settle(error) {
      if (dead) return dead;
      const { request, status, serviceMessage } = error;
      // A 401 proves that nothing was done.
      return serviceError({
        kind: 'not-sent',
        ambiguous: false,
        phase: 'token',
        request,
        status,
        serviceMessage,
        retryAfterMs: pauseMs(),
        detail: 'the token was refused',
      });
    },
    expire() {
      if (holding) holding.outdated = true;
    },
  };
}
