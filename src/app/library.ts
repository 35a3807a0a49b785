/** The library: what `import … from 'campaign'` gives (docs/library.md). It is the same as the commands, without a terminal. */
import type { ExitCode } from '../model/exit.ts';
import type { Failure } from '../model/failure.ts';
import type { Plan } from '../model/plan.ts';
import type { Problem, Refusal } from '../model/problem.ts';
import type { NodeCounts, RunEvent } from '../model/run-event.ts';
import { createEventQueue } from '../util/event-queue.ts';
import type { Result } from '../util/result.ts';
import * as applying from './apply-campaign.ts';
import type * as known from './campaign.ts';
import { createRuntime } from './create-runtime.ts';
import * as loading from './load-campaign.ts';
import * as planning from './plan-campaign.ts';
import type { Stop } from './planned-run.ts';
import { lookAtCampaign } from './read-state.ts';
import type { AppEvent, Variables } from './runtime.ts';

export type { ExitCode, Failure, NodeCounts, Plan, Problem, Refusal, Result, RunEvent };

/** How a manifest is read. What is left out is what the variables of the process say, as for the commands. */
export interface LoadOptions {
  /** An environment of the manifest, or `emulator` for the embedded service. */
  readonly environment?: string;
  /** Where the state is: a path, or a URL whose scheme says which store it is. */
  readonly state?: string;
  /** Values for the variables of the manifest. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Whether images may lie outside the manifest's folder; they may not unless told. */
  readonly outside?: 'allow' | 'refuse';
  /** In the place of the variables of the process: CAMPAIGN_API_KEY and all others. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** A checked campaign, ready to be planned and applied. */
export interface Campaign {
  readonly name: string;
  readonly environment: string;
  /** Where its state is kept. */
  readonly state: string;
  readonly warnings: readonly Problem[];
}

interface LoadedCampaign extends Campaign {
  readonly inner: known.Campaign;
  readonly env: Variables | undefined;
}

/** Reads and checks a manifest with its images; no request is sent. */
export async function loadCampaign(
  file: string,
  { environment, state, variables = {}, outside = 'refuse', env }: LoadOptions = {},
): Promise<Result<Campaign, Refusal>> {
  const runtime = createRuntime({ env, emit: () => {} });
  const loaded = await loading.loadCampaign(runtime, {
    file,
    environment,
    state,
    variables: new Map(Object.entries(variables)),
    need: 'environment',
    outside,
    target: '',
  });
  if (!loaded.ok) return loaded;
  const { manifest, store, warnings } = loaded.value;
  const value: LoadedCampaign = {
    name: manifest.name,
    environment: manifest.environment.name,
    state: store.name,
    warnings,
    inner: loaded.value,
    env,
  };
  return { ok: true, value };
}

/** What takes part; everything unless told. */
export interface Selection {
  /** Globs: what matches, and all that it builds on. */
  readonly only?: readonly string[];
  /** Globs: without what matches, and all that builds on it. */
  readonly exclude?: readonly string[];
  /** Addresses of finished posts that are to be requested again. */
  readonly replace?: readonly string[];
  /** A glob: failed posts that are to be requested again; `*` for all of them. */
  readonly retryFailed?: string;
}

/** What applying would do; reads the state, and sends no request. */
export async function planCampaign(
  campaign: Campaign,
  selection: Selection = {},
): Promise<Result<Plan, Refusal>> {
  const { inner, env } = campaign as LoadedCampaign;
  const runtime = createRuntime({ env, emit: () => {} });
  const looked = await lookAtCampaign(runtime, inner);
  if (!looked.ok) return looked;
  return planning.planCampaign(looked.value.campaign, looked.value.open.state, {
    wishes: wishesOf(selection),
    folders: 'check',
    now: runtime.clock.now(),
  });
}

export interface ApplyOptions extends Selection {
  /**
   * What may be paid: `first-requests` (the default) leaves finished posts whose inputs changed as they are; `everything`
   * requests them again too.
   */
  readonly consent?: 'first-requests' | 'everything';
  /** `submit-only`: what was requested is neither waited for nor downloaded. */
  readonly waiting?: 'all' | 'submit-only';
  /** Milliseconds after which the run stops by itself. */
  readonly deadlineMs?: number;
  /** Milliseconds that another run is waited for. */
  readonly lockTimeoutMs?: number;
  /** `stop`: nothing new is begun after the first failure. */
  readonly failFast?: 'stop' | 'continue';
  /** Requests at once; the manifest's limit unless told. */
  readonly concurrency?: number;
  /** Stops the run as Ctrl-C does: nothing new is begun, and what was sent is awaited. */
  readonly signal?: AbortSignal;
}

/** What happens during a run: the events of `--json`, and log lines that the disk did not take and that must be kept. */
export type ApplyEvent =
  | RunEvent
  | ({ readonly type: 'diagnostic' } & Problem)
  | { readonly type: 'unrecorded'; readonly lines: string };

/** How a run ended. */
export interface RunEnd {
  /** The exit code that the command would have. */
  readonly exit: ExitCode;
  readonly counts: NodeCounts;
  readonly failures?: readonly Failure[];
}

/** A run that goes on, whether somebody follows it or not. */
export interface Run extends AsyncIterable<ApplyEvent> {
  readonly end: Promise<RunEnd>;
}

/** Plans, requests, waits and downloads; resumable at any moment. */
export function applyCampaign(campaign: Campaign, options: ApplyOptions = {}): Run {
  const { inner, env } = campaign as LoadedCampaign;
  const { consent = 'first-requests', waiting = 'all', failFast = 'continue', lockTimeoutMs = 0 } = options;
  const { deadlineMs, concurrency, signal } = options;
  const events = createEventQueue<ApplyEvent>();
  const emit = (event: AppEvent) => {
    if (isTold(event)) events.push(event);
  };
  const end = applying.applyCampaign(createRuntime({ env, emit }), inner, {
    wishes: wishesOf(options),
    consent,
    waiting,
    failFast,
    lockTimeoutMs,
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
  return !['reading-photos', 'plan-decided', 'plan-outdated', 'work-ended'].includes(event.type);
}

function wishesOf({ only = [], exclude = [], replace = [], retryFailed }: Selection) {
  return { only, exclude, replace, ...(retryFailed === undefined ? {} : { retryFailed }) };
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
