/** What `import … from 'campaign-runner'` gives (docs/library.md): the same as the commands, without a terminal. */
import type { ExitCode } from '../model/exit.ts';
import type { Failure } from '../model/failure.ts';
import { isDay } from '../model/period.ts';
import type { Plan } from '../model/plan.ts';
import type { Problem, Refusal } from '../model/problem.ts';
import type { NodeCounts, RunEvent } from '../model/run-event.ts';
import { createEventQueue } from '../util/event-queue.ts';
import type { Result } from '../util/result.ts';
import { monthOf } from '../model/budget.ts';
import { aloneIn } from './account.ts';
import * as applying from './apply-campaign.ts';
import type * as known from './campaign.ts';
import { createRuntime } from './create-runtime.ts';
import * as loading from './load-campaign.ts';
import { missingOf } from './missing.ts';
import * as planning from './plan-campaign.ts';
import { wishesOf } from './plan-wishes.ts';
import type { LeftOver } from '../views/run-counts.ts';
import type { Stop } from './run-nodes.ts';
import { excessShown } from './saved-plan.ts';
import { lookAtCampaign } from './read-state.ts';
import type { AppEvent, ProcessVariables } from './runtime.ts';

export type { ExitCode, Failure, NodeCounts, Plan, Problem, Refusal, Result, RunEvent };

/** How a manifest is read. For what is left out the environment variables count, as for the commands. */
export interface LoadOptions {
  /** An environment of the manifest, or `emulator` for the embedded service. */
  readonly environment?: string;
  /** Where the state is: a path, or a URL whose scheme names the store. */
  readonly state?: string;
  /** Values for the variables of the manifest. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Whether images may be outside the manifest's folder; by default they may not. */
  readonly outside?: 'allow' | 'refuse';
  /** The calendar day (`2026-11-22`) whose periods are planned for; by default today. */
  readonly at?: string;
  /** Replaces the environment variables of the process: CAMPAIGN_API_KEY and all others. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export interface Campaign {
  readonly name: string;
  readonly environment: string;
  /** Where its state is kept. */
  readonly state: string;
  readonly warnings: readonly Problem[];
}

/** What belongs to a campaign and holds the key: it stands beside it, so that whoever prints a campaign prints no key. */
const inners = new WeakMap<Campaign, { campaign: known.Campaign; env: ProcessVariables | undefined }>();

function innerOf(campaign: Campaign) {
  const inner = inners.get(campaign);
  if (!inner) throw new TypeError('Only what loadCampaign gave is a campaign; a copy of it is none');
  return inner;
}

/** Reads and checks a manifest with its images; sends nothing. */
export async function loadCampaign(
  file: string,
  { environment, state, variables = {}, outside = 'refuse', at, env }: LoadOptions = {},
): Promise<Result<Campaign, Refusal>> {
  if (at !== undefined && !isDay(at)) throw new RangeError(`at is a day such as 2026-11-22, not ${at}`);
  const runtime = createRuntime({ env, emit: () => {} });
  const loaded = await loading.loadCampaign(runtime, {
    file,
    environment,
    state,
    variables: new Map(Object.entries(variables)),
    need: 'environment',
    outside,
    at,
    target: '',
  });
  if (!loaded.ok) return loaded;
  const { manifest, store, warnings } = loaded.value;
  const { name, environment: chosen } = manifest;
  const value: Campaign = { name, environment: chosen.name, state: store.name, warnings };
  inners.set(value, { campaign: loaded.value, env });
  return { ok: true, value };
}

/** What takes part; by default everything. */
export interface Selection {
  /** Globs: what matches, and everything that it depends on. */
  readonly only?: readonly string[];
  /** Globs: not what matches, nor anything that depends on it. */
  readonly exclude?: readonly string[];
  /** Addresses of finished posts to request again. */
  readonly replace?: readonly string[];
  /** A glob over failed posts to request again; `*` for all of them. */
  readonly retryFailed?: string;
  /** Requests as many posts as fit the budget, new ones first, instead of none. */
  readonly withinBudget?: true;
  /** Makes again what is gone at the service; posts whose files are here are left. */
  readonly recreateMissing?: true;
}

/** What applying would do; reads the state, sends nothing. */
export async function planCampaign(
  campaign: Campaign,
  selection: Selection = {},
): Promise<Result<Plan, Refusal>> {
  const { campaign: inner, env } = innerOf(campaign);
  const runtime = createRuntime({ env, emit: () => {} });
  const looked = await lookAtCampaign(runtime, inner);
  if (!looked.ok) return looked;
  const { campaign: found, open } = looked.value;
  const now = runtime.clock.now();
  const wishes = wishesOf(selection);
  const month = { excess: excessShown(wishes), month: monthOf(now) };
  const purse = await aloneIn(runtime).walletOf(found, open.state, month);
  if (!purse.ok) return purse;
  const missing = missingOf(runtime, found, { state: open.state, wishes });
  const options = { wishes, folders: 'check', now, purse: purse.value, missing } as const;
  return planning.planCampaign(found, open.state, options);
}

export interface ApplyOptions extends Selection {
  /**
   * What may be paid for: `first-requests` (the default) leaves finished posts whose inputs changed as they are;
   * `everything` requests them again.
   */
  readonly consent?: 'first-requests' | 'everything';
  /** `submit-only`: requested posts are neither waited for nor downloaded. */
  readonly waiting?: 'all' | 'submit-only';
  /** Milliseconds after which the run stops by itself. */
  readonly deadlineMs?: number;
  /** The longest wait for another run, in milliseconds. */
  readonly lockTimeoutMs?: number;
  /** `stop`: nothing new is started after the first failure. */
  readonly failFast?: 'stop' | 'continue';
  /** Requests at once; by default the manifest's limit. */
  readonly concurrency?: number;
  /** Stops the run as Ctrl-C does: nothing new is started, and what was sent is awaited. */
  readonly signal?: AbortSignal;
}

/** The events of `--json`, and log lines that the disk did not take and that must be kept. */
export type ApplyEvent =
  | RunEvent
  | ({ readonly type: 'diagnostic' } & Problem)
  | { readonly type: 'unrecorded'; readonly lines: string };

export interface RunEnd {
  /** The exit code that the command would have. */
  readonly exit: ExitCode;
  readonly counts: NodeCounts;
  /** What is left to another run, each kind by itself; absent where nothing is. The first three add up to `counts.pending`. */
  readonly left?: LeftOver | undefined;
  readonly failures?: readonly Failure[];
}

/** A run, which goes on whether its events are read or not. */
export interface Run extends AsyncIterable<ApplyEvent> {
  readonly end: Promise<RunEnd>;
}

/** Plans, requests, waits and downloads. It may be stopped at any moment and started again. */
export function applyCampaign(campaign: Campaign, options: ApplyOptions = {}): Run {
  const { campaign: inner, env } = innerOf(campaign);
  const { consent = 'first-requests', waiting = 'all', failFast = 'continue', lockTimeoutMs = 0 } = options;
  const { deadlineMs, concurrency, signal } = options;
  if (concurrency !== undefined && !(Number.isInteger(concurrency) && concurrency > 0))
    throw new RangeError(`concurrency is a whole number from 1 on, not ${concurrency}`);
  const events = createEventQueue<ApplyEvent>();
  const emit = (event: AppEvent) => {
    if (isTold(event)) events.push(event);
  };
  const runtime = createRuntime({ env, emit });
  const end = applying.applyCampaign(runtime, inner, {
    accounts: aloneIn(runtime),
    wishes: wishesOf(options),
    consent,
    waiting,
    failFast,
    lockTimeoutMs,
    signal,
    deadlineMs,
    concurrency,
    listen: () => stopOn(signal),
  });
  end.then(
    () => events.end(),
    (error: unknown) => events.end(error),
  );
  return { end, [Symbol.asyncIterator]: () => events[Symbol.asyncIterator]() };
}

function isTold(event: AppEvent): event is ApplyEvent {
  return !['reading', 'plan-decided', 'plan-outdated', 'work-ended'].includes(event.type);
}

function stopOn(signal: AbortSignal | undefined): Stop {
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of listeners) listener();
  };
  signal?.addEventListener('abort', tell);
  return {
    get level() {
      return signal?.aborted ? 'drain' : 'run';
    },
    exit: undefined,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    release: () => signal?.removeEventListener('abort', tell),
  };
}
