/** Reads what the state knows from the service, and records what is gone, back, or changed elsewhere; makes nothing. */
import type { Address } from '../model/address.ts';
import { EXIT, type ExitCode } from '../model/exit.ts';
import { kindOf } from '../model/kinds.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import type { RunState } from '../model/run-state.ts';
import type { Client } from '../service/client.ts';
import type { ServiceError } from '../service/service-error.ts';
import { createMediaLookup, LEARNED_MEDIA_PATH } from '../steps/media-lookup.ts';
import { err, ok, type Result } from '../util/result.ts';
import type { Campaign } from './campaign.ts';
import { changeState, type Consenting } from './change-state.ts';
import { createReads } from './patient-reads.ts';
import { type Known, knownThings, type ReadBack, readBack, type Reading } from './read-back.ts';
import { doubtPosts, eventsOf, type Findings, findingsOf, isSpell, sameTwice } from './refresh-findings.ts';
import type { Runtime } from './runtime.ts';
import { withService } from './resolve-look-up.ts';

export interface Refreshed extends Findings {
  /** What the interface has no way to read. */
  readonly notReadable: readonly Address[];
}

export function refreshCampaign(
  runtime: Runtime,
  campaign: Campaign,
  change: Consenting,
): Promise<Result<{ readonly known: number; readonly found: Refreshed }, Refusal>> {
  return changeState(runtime, { ...change, campaign, command: 'refresh' }, async ({ state, known }, at) => {
    const things = knownThings(state);
    const notReadable = [...state.objects.values()].flatMap(({ address, result }) =>
      result && kindOf(address) === 'concept' ? address : [],
    );
    if (!things.length) return ok({ value: { known, found: { ...findingsOf([]), notReadable } } });
    const read = await withService(runtime, campaign, state, (client) =>
      readAll(things, readsOf(runtime, campaign, { state, client }), runtime),
    );
    if (!read.ok) return read;
    const events = eventsOf(read.value, state, at);
    const value = { known, found: { ...findingsOf(read.value), notReadable } };
    return ok({ value, ...(events.length && { events }) });
  });
}

export function readsOf(
  runtime: Runtime,
  { manifest: { environment, limits } }: Campaign,
  { state, client }: { readonly state: RunState; readonly client: Client },
): ReadBack {
  const { mediaPath, statuses = {}, mediaUrls } = environment.gaps;
  const lookup = createMediaLookup(mediaPath ?? state.learned.get(LEARNED_MEDIA_PATH));
  return { client, read: createReads(runtime, limits), lookup, statuses, mediaUrls };
}

/** Twice, where the first reading shows something else than the state has. */
async function readAll(
  things: readonly Known[],
  back: ReadBack,
  runtime: Runtime,
): Promise<Result<Reading[], Refusal>> {
  const first = await readOnce(things, back, runtime);
  if (!first.ok) return first;
  if (isSpell(first.value)) return err(spell(first.value));
  const again = first.value.filter(
    (reading) => reading.came === 'absent' || (reading.came === 'here' && reading.drift),
  );
  const second = await readOnce(
    again.map(({ known }) => known),
    back,
    runtime,
  );
  if (!second.ok) return second;
  const now = new Map(second.value.map((reading) => [reading.known, reading]));
  const twice = first.value.map((reading) => {
    const next = now.get(reading.known);
    return next ? sameTwice(reading, next) : reading;
  });
  const readings = doubtPosts(twice);
  const silent = readings.find((reading) => reading.came === 'unclear');
  const isSilent = silent && readings.every(({ came }) => came === 'unclear');
  return isSilent ? err(unavailable(silent.problem.detail ?? silent.problem.summary)) : ok([...readings]);
}

/** So many in a row without an answer that can be used, and the rest is not asked. */
const MOST_SILENT = 10;

/** Ends at the first sign that no reading can succeed: a key that is refused, or a service that is down. */
export async function readOnce(
  things: readonly Known[],
  back: ReadBack,
  { clock, emit }: Pick<Runtime, 'clock' | 'emit'>,
): Promise<Result<Reading[], Refusal>> {
  const began = clock.monotonic();
  let done = 0;
  let silent = 0;
  let stopped: Refusal | undefined;
  const one = async (known: Known): Promise<Reading> => {
    if (stopped) return { known, came: 'unclear', problem: { summary: 'not read' } };
    const reading = await readBack(known, back);
    const error = reading.came === 'unclear' ? reading.error : undefined;
    silent = error ? silent + 1 : 0;
    stopped ??= whyStopped(error, silent);
    done += 1;
    emit({
      type: 'reading',
      what: 'reading the service',
      done,
      total: things.length,
      ms: clock.monotonic() - began,
    });
    return reading;
  };
  const posts = things.filter(({ type }) => type === 'post');
  const readings = await Promise.all(things.filter(({ type }) => type !== 'post').map(one));
  // As long as nobody knows where posts are, one after the other finds it out.
  for (let next = posts.shift(); next; next = posts.shift()) {
    readings.push(await one(next));
    if (back.lookup.template !== undefined) break;
  }
  readings.push(...(await Promise.all(posts.map(one))));
  return stopped ? err(stopped) : ok(readings);
}

function whyStopped(error: ServiceError | undefined, silent: number): Refusal | undefined {
  const exit = error && STOPS[error.came];
  if (exit !== undefined) return withNothing(exit, error?.problem.detail ?? '', error?.problem.summary);
  return error && silent >= MOST_SILENT ? unavailable(error.problem.detail) : undefined;
}

const STOPS: Readonly<Partial<Record<ServiceError['came'], ExitCode>>> = {
  unauthorized: EXIT.authentication,
  misconfigured: EXIT.configuration,
};

function unavailable(detail: string): Refusal {
  return withNothing(EXIT.unavailable, detail);
}

function withNothing(exit: ExitCode, detail: string, summary = 'The service cannot be read'): Refusal {
  return refusal(exit, { code: 'not-read', summary, detail: `${detail}. Nothing was recorded.` });
}

function spell(readings: readonly Reading[]): Refusal {
  const absent = readings.filter(({ came }) => came === 'absent').map(({ known }) => known.address);
  const some = `${absent.slice(0, 3).join(', ')}${absent.length > 3 ? ', …' : ''}`;
  return refusal(EXIT.unavailable, {
    code: 'mostly-gone',
    summary: 'The service says 404 for most of what it had',
    detail:
      `It says so for ${absent.length} of ${readings.length} (${some}). That looks like an outage, another account (API ` +
      'key) or another base URL, and not like things that were deleted, so nothing was recorded.',
  });
}
