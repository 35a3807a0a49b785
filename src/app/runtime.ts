import type { Environment, Manifest } from '../manifest/manifest.ts';
import type { ManifestVersion } from '../model/payload.ts';
import type { Plan } from '../model/plan.ts';
import type { Problem } from '../model/problem.ts';
import type { RunEvent } from '../model/run-event.ts';
import type { Steps } from '../model/step.ts';
import type { Client, ClientOptions } from '../service/client.ts';
import type { StepIo } from '../steps/step-io.ts';
import type { ObjectStore, StoragePlace } from '../storage/object-store.ts';
import type { SeenHeads } from '../store/known-head.ts';
import type { Clock } from '../util/clock.ts';
import type { Disk } from '../util/disk.ts';
import type { AttemptNotes } from './attempt-notes.ts';
import type { Campaign, ShownCampaign } from './campaign.ts';
import type { RunEnd } from './run-end.ts';

export type ProcessVariables = Readonly<Record<string, string | undefined>>;

/** What a use case gets from outside: time, randomness, variables, the way to the service, the events' receiver. */
export interface Runtime {
  readonly clock: Clock;
  readonly random: () => number;
  readonly newId: () => string;
  readonly env: ProcessVariables;
  /** What this process has seen of logs in databases; absent where each look is for itself. */
  readonly seen?: SeenHeads | undefined;
  /** For what a plan is made of. */
  readonly disk: Disk;
  readonly connect: Connect;
  /** Sends nothing yet. */
  readonly openObjects: (place: StoragePlace) => Promise<ObjectStore>;
  readonly createSteps: (io: StepIo) => Steps | Promise<Steps>;
  readonly manifestVersion: (manifest: Pick<Manifest, 'file' | 'folder'>) => Promise<ManifestVersion>;
  readonly emit: (event: AppEvent) => void;
  /** Absent where nobody looks at when requests were sent. */
  readonly noteAttempts?: (place: Pick<Campaign, 'emulatorData'>) => AttemptNotes;
}

/** A service to send requests to; `close` drops its connections and stops the embedded emulator. */
export interface Connection {
  readonly client: Client;
  close(): Promise<void>;
}

export type Connect = (environment: Environment, options: ConnectOptions) => Promise<Connection>;

export interface ConnectOptions
  extends Pick<ClientOptions, 'observe' | 'requestTimeouts' | 'dated' | 'turn'> {
  readonly apiKey: string;
  readonly emulatorData: string;
  readonly concurrency: number;
}

/** The events of a run, which `--json` prints, and events only for those who watch it. */
export type AppEvent =
  | RunEvent
  | ({ readonly type: 'diagnostic' } & Problem)
  | {
      readonly type: 'reading';
      readonly what:
        | 'reading photos'
        | 'storing photos'
        | 'fetching files'
        | 'checking files'
        | 'looking at the storage'
        | 'asking for images'
        | 'reading the service'
        | 'making small pictures';
      readonly done: number;
      readonly total: number;
      readonly ms: number;
    }
  | PlanDecided
  /** The plan has changed since somebody agreed to it: the question is asked again. */
  | { readonly type: 'plan-outdated' }
  /** All work is done or deferred, and the state is about to be closed. */
  | { readonly type: 'work-ended'; readonly end: RunEnd; readonly plan: Plan }
  /** Lines that neither the log nor a spill file took. */
  | { readonly type: 'unrecorded'; readonly lines: string };

/** The plan that is carried out. */
export interface PlanDecided {
  readonly type: 'plan-decided';
  readonly campaign: ShownCampaign;
  readonly plan: Plan;
  /** Nodes that the state has. */
  readonly known: number;
  /** As in OpenState. */
  readonly mark?: string | undefined;
  /** Absent where there is nothing to do. */
  readonly pace?: Pace;
}

export interface Pace {
  readonly mediaInFlight: number;
  /** How long posts of earlier runs took, in milliseconds. */
  readonly usualMs: () => number | undefined;
}

/** ISO 8601. */
export function timestamp({ clock }: Pick<Runtime, 'clock'>): string {
  return new Date(clock.now()).toISOString();
}
