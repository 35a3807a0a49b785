/** Hears what a command tells, and keeps what goes into the heartbeat and to --notify: one entry for each manifest. */
import type { ShownCampaign } from '../../app/campaign.ts';
import { NO_NODES } from '../../model/node-counts.ts';
import type { ExitCode } from '../../model/exit.ts';
import { KINDS } from '../../model/kinds.ts';
import type { Problem } from '../../model/problem.ts';
import type { NodeCounts } from '../../model/run-event.ts';
import type { Clock } from '../../util/clock.ts';
import { type LeftOver, NOTHING_LEFT } from '../../views/run-counts.ts';
import { noticeWords } from '../tell-end.ts';
import type { Listener, Subject, Told } from '../listener.ts';

export interface EndedRun extends Subject {
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly finishedAt: number;
  /** Absent where the command ended before it could be told. */
  readonly exit?: ExitCode;
  /** It never had its turn. */
  readonly isNotStarted?: true;
  readonly nodes: NodeCounts;
  /** What is left to another run. */
  readonly left: LeftOver;
  readonly postsMade: number;
  /** Whether anything was made, changed, deleted, renamed or fetched, or may have been. */
  readonly hasChanged: boolean;
  /** What its requests cost; null where no prices are known. */
  readonly cost: number | null;
  readonly currency: string | null;
  /** Warnings and errors; those of nodes name all of these. */
  readonly problems: readonly Problem[];
  /** What somebody should do now. */
  readonly next?: string | undefined;
}

type Open = { -readonly [Member in keyof EndedRun]: EndedRun[Member] } & {
  problems: Problem[];
  campaignShown?: ShownCampaign | undefined;
};

/** `known`: what the command was told about its campaign, for manifests that are never read. */
export function collectRuns(clock: Pick<Clock, 'now'>, known: Subject) {
  const inputs: string[] = [];
  const variables = new Map<string, string>();
  let files: readonly string[] = [];
  const open = new Map<string | undefined, Open>();
  let since = clock.now();

  const runOf = (manifest: string | undefined): Open => {
    const found = open.get(manifest);
    if (found) return found;
    const spent = { postsMade: 0, hasChanged: false, cost: null, currency: null };
    const run = {
      ...known,
      startedAt: since,
      finishedAt: since,
      nodes: NO_NODES,
      left: NOTHING_LEFT,
      ...spent,
      problems: [],
    };
    open.set(manifest, run);
    return run;
  };

  const hear: Listener = (told, about) => {
    if (told.type === 'turns') {
      files = told.files;
      return;
    }
    if (told.type === 'variables') {
      for (const [name, value] of told.given) variables.set(name, value);
      return;
    }
    if (told.type === 'input') inputs.push(told.text);
    const run = runOf(about.manifest);
    Object.assign(run, about);
    takeIn(run, told);
    if (told.type === 'run-finished') since = run.finishedAt = clock.now();
  };

  return {
    hear,
    /** The texts of manifests that came on standard input. */
    inputs: inputs as readonly string[],
    variables: variables as ReadonlyMap<string, string>,
    /** In the order of the manifests. What was told before any of them counts only where there is none. */
    runs(): readonly EndedRun[] {
      if (!files.length) return [runOf(undefined)];
      const isWaiting = files.length > 1 ? ({ isNotStarted: true } as const) : {};
      return files.map((manifest) => open.get(manifest) ?? { ...runOf(manifest), manifest, ...isWaiting });
    },
  };
}

function takeIn(run: Open, told: Told): void {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the other events are not kept
  switch (told.type) {
    case 'problems':
      return void run.problems.push(...told.problems);
    case 'warning':
      return void run.problems.push({ ...told, code: 'warning', severity: 'warning' });
    case 'plan-decided':
      run.campaignShown = told.campaign;
      return;
    case 'node-moved':
      run.hasChanged = true;
      return;
    case 'node-finished':
      if (told.end === 'done' || told.end === 'unknown') run.hasChanged = true;
      if (told.end === 'done' && KINDS[told.kind].stored === 'take') run.postsMade += 1;
      return;
    case 'work-ended': {
      const { end, plan } = told;
      run.cost = end.cost ?? plan.cost?.amount ?? null;
      run.currency = plan.cost?.currency ?? null;
      run.next = run.campaignShown && noticeWords({ end, plan }, run.campaignShown);
      delete run.campaignShown;
      return;
    }
    case 'run-finished':
      run.exit = told.exit_code as ExitCode;
      run.nodes = told.nodes;
      run.left = told.left ?? { ...NOTHING_LEFT, pending: told.nodes.pending };
      return;
  }
}
