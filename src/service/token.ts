import type { Clock } from '../util/clock.ts';
import { err, ok, type Result } from '../util/result.ts';
import { onAbort } from './on-abort.ts';
import type { IssuedToken } from './read-token.ts';
import { beforeService, isRefused, serviceError, type ServiceError } from './service-error.ts';

/** The part of a token's life after which a new one is fetched. */
const REFRESH_AT = 0.8;
/** Without a success in between, a refused token is replaced at most this often. */
const RENEWAL_PAUSE_MS = 30_000;
/** After two new tokens in a row were refused, the key counts as refused. */
const MAX_FRESH_REFUSALS = 2;

export type HeldToken = Pick<IssuedToken, 'value'>;

interface Holding extends IssuedToken {
  readonly since: number;
  proven: boolean;
  refused: boolean;
  /** Time has passed that the monotonic clock did not measure. */
  outdated: boolean;
}

type Fetched = Result<HeldToken, ServiceError>;

interface TokenSourceOptions {
  readonly fetchToken: () => Promise<Result<IssuedToken, ServiceError>>;
  readonly clock: Clock;
}

/** The bearer token of one client: fetched when it is first needed, once for all requests that wait for it. */
export class TokenSource {
  readonly #options: TokenSourceOptions;
  #holding: Holding | undefined;
  #flight: Promise<Fetched> | undefined;
  /** When a refused token was last replaced without any success since. */
  #lastRenewal: number | undefined;
  #freshRefusals = 0;
  /** Set once repeating is of no use; then nothing is sent any more. */
  #dead: ServiceError | undefined;

  constructor(options: TokenSourceOptions) {
    this.#options = options;
  }

  /** The token to use now; after 80 % of its life a new one is fetched. */
  async current(): Promise<Fetched> {
    if (this.#dead) return err(this.#dead);
    const held = this.#holding;
    if (held && !held.outdated && this.#ageOf(held) < REFRESH_AT) return ok(held);
    const fetched = await (this.#flight ??= this.#fetch());
    // While the token endpoint fails temporarily, a token that has not expired is still used.
    const isUsable = held && !held.refused && this.#ageOf(held) < 1 && !this.#dead;
    return !fetched.ok && isUsable ? ok(held) : fetched;
  }

  accepted(token: HeldToken): void {
    if (token !== this.#holding) return;
    this.#holding.proven = true;
    this.#freshRefusals = 0;
    this.#lastRenewal = undefined;
  }

  refused(token: HeldToken, error: ServiceError): void {
    const held = this.#holding;
    if (!held || token !== held || held.refused) return;
    held.refused = true;
    // A refused token that has expired says nothing about the key.
    if (!this.#isFresh(held)) return;
    this.#freshRefusals += 1;
    if (this.#freshRefusals < MAX_FRESH_REFUSALS) return;
    this.#dead = error.foreign === undefined ? error : beforeService(error);
  }

  /** Undefined where another token is not worth a try. */
  async renew(token: HeldToken): Promise<Fetched | undefined> {
    if (this.#dead) return undefined;
    if (this.#flight) return this.#flight;
    const held = this.#holding;
    if (held && token !== held) return ok(held);
    const now = this.#options.clock.monotonic();
    if (this.#pauseMs() > 0 && held && this.#isFresh(held)) return undefined;
    const fetched = await (this.#flight ??= this.#fetch());
    if (fetched.ok) this.#lastRenewal = now;
    return fetched;
  }

  /** What follows from a 401: the end if the key is refused, else another attempt once a token may be fetched. */
  settle({ request, status, serviceMessage }: ServiceError): ServiceError {
    if (this.#dead) return this.#dead;
    // A 401 proves that nothing was done.
    const facts = { request, status, serviceMessage, retryAfterMs: this.#pauseMs() };
    return serviceError({ came: 'not-sent', noToken: true, ...facts, detail: 'the token was refused' });
  }

  /** The token may have expired unnoticed: a new one is due, and this one is used only if none can be had. */
  expire(): void {
    if (this.#holding) this.#holding.outdated = true;
  }

  async #fetch(): Promise<Fetched> {
    const since = this.#options.clock.monotonic();
    const issued = await this.#options.fetchToken();
    this.#flight = undefined;
    if (issued.ok) {
      this.#holding = { ...issued.value, since, proven: false, refused: false, outdated: false };
      return ok(this.#holding);
    }
    const { came } = issued.error;
    if (came === 'unauthorized' || came === 'misconfigured') this.#dead = issued.error;
    return issued;
  }

  /** How long no other token is fetched after a new one was refused. */
  #pauseMs(): number {
    const since = this.#lastRenewal;
    return since === undefined ? 0 : Math.max(0, since + RENEWAL_PAUSE_MS - this.#options.clock.monotonic());
  }

  #isFresh(token: Holding): boolean {
    return !token.proven && !token.outdated && this.#ageOf(token) < 1;
  }

  /** The part of its life that has passed. */
  #ageOf({ lifeMs, since }: Holding): number {
    return lifeMs === undefined ? 0 : (this.#options.clock.monotonic() - since) / lifeMs;
  }
}

interface Waiting {
  readonly label: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends with the current token, and after a 401 once more, at once, with a new one. A second 401 is final only if the
 * key is refused; else it counts as not sent. Waiting for a token ends when the request's own signal aborts, and others
 * who wait for the token are not disturbed.
 */
export async function withToken<T>(
  tokens: TokenSource,
  request: Waiting,
  send: (token: string) => Promise<Result<T, ServiceError>>,
): Promise<Result<T, ServiceError>> {
  const sendWith = async (token: HeldToken) => {
    const answer = await send(token.value);
    if (answer.ok || isRefused(answer.error)) tokens.accepted(token);
    else if (isUnauthorized(answer.error)) tokens.refused(token, answer.error);
    return answer;
  };
  const token = await unlessAborted(tokens.current(), request);
  if (!token.ok) return token;
  const answer = await sendWith(token.value);
  if (answer.ok || !isUnauthorized(answer.error)) return answer;
  const renewed = await unlessAborted(tokens.renew(token.value), request);
  if (renewed === undefined) return err(tokens.settle(answer.error));
  if (!renewed.ok) return renewed;
  const second = await sendWith(renewed.value);
  return second.ok || !isUnauthorized(second.error) ? second : err(tokens.settle(second.error));
}

function isUnauthorized({ came }: ServiceError): boolean {
  return came === 'unauthorized';
}

async function unlessAborted<T>(
  waiting: Promise<T>,
  { label, signal }: Waiting,
): Promise<T | Result<never, ServiceError>> {
  if (!signal) return waiting;
  let release = () => {};
  const aborted = new Promise<Result<never, ServiceError>>((resolve) => {
    const stop = () => resolve(err(serviceError({ came: 'aborted', noToken: true, request: label })));
    if (signal.aborted) stop();
    else release = onAbort(signal, stop);
  });
  try {
    return await Promise.race([aborted, waiting]);
  } finally {
    release();
  }
}
