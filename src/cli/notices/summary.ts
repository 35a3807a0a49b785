/** The heartbeat and what --notify gets, as values (schemas/heartbeat.schema.json, schemas/notification.schema.json); pure. */
import { sumOfNodes } from '../../model/node-counts.ts';
import { type ExitCode, outcomeOf } from '../../model/exit.ts';
import { amountOf, moneyOf } from '../../model/money.ts';
import { count, nonZero } from '../../util/count.ts';
import { leftParts } from '../../render/run-words.ts';
import { inertText } from '../../util/inert-text.ts';
import { type LeftOver, sumOfLeft } from '../../views/run-counts.ts';
import { diagnosticJson } from '../output.ts';
import type { EndedRun } from './collect-runs.ts';

/** How a command ended; times in epoch milliseconds. */
export interface CommandEnded {
  readonly exit: ExitCode;
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly runs: readonly EndedRun[];
}

/** For one manifest its own; for several the sum, and one of each under `manifests`. */
export function heartbeatJson(ended: CommandEnded): object {
  const { runs } = ended;
  const [alone, ...others] = runs;
  if (alone && !others.length) return beatOf({ ...alone, ...ended });
  const manifests = runs.map((run) => ({ manifest: run.manifest, ...beatOf({ exit: ended.exit, ...run }) }));
  return { ...beatOf({ ...ended, ...sumOf(runs) }), manifests };
}

export function notificationJson(ended: CommandEnded): object {
  const { manifests: _, ...beat } = heartbeatJson(ended) as { manifests?: unknown };
  const { postsMade, hasChanged } = sumOf(ended.runs);
  return {
    format_version: '1.0',
    ...beat,
    posts_made: postsMade,
    changed: hasChanged,
    text: summaryText(ended),
    manifests: ended.runs.map((run) => campaignJson({ exit: ended.exit, ...run })),
  };
}

type Ended = EndedRun & Required<Pick<EndedRun, 'exit'>>;

function beatOf({
  campaign,
  environment,
  startedAt,
  finishedAt,
  exit,
  isNotStarted,
  nodes,
  left,
  cost,
}: Omit<Ended, 'problems' | 'postsMade' | 'hasChanged' | 'currency'>): object {
  return {
    campaign: campaign ?? null,
    environment: environment ?? null,
    started_at: new Date(startedAt).toISOString(),
    finished_at: new Date(finishedAt).toISOString(),
    outcome: isNotStarted ? 'not-started' : outcomeOf(exit),
    exit_code: exit,
    nodes,
    ...(isAny(left) && { left }),
    cost,
  };
}

function isAny(left: LeftOver): boolean {
  return Object.values(left).some((number) => number > 0);
}

function campaignJson(run: Ended): object {
  const { manifest, currency, postsMade, hasChanged, problems, next } = run;
  return {
    manifest: manifest ?? null,
    ...beatOf(run),
    currency,
    posts_made: postsMade,
    changed: hasChanged,
    failures: problems.flatMap((problem) =>
      problem.addresses ? [{ ...diagnosticJson(problem), addresses: problem.addresses }] : [],
    ),
    problems: problems.flatMap((problem) => (problem.addresses ? [] : [diagnosticJson(problem)])),
    next: next ?? null,
  };
}

/** Costs in different currencies, or a cost that nobody knows, have no sum. */
function sumOf(runs: readonly EndedRun[]) {
  const isOne = new Set(runs.map(({ currency }) => currency)).size === 1;
  const isKnown = isOne && runs.every(({ cost }) => cost !== null);
  return {
    nodes: sumOfNodes(runs.map(({ nodes }) => nodes)),
    left: sumOfLeft(runs.map(({ left }) => left)),
    postsMade: runs.reduce((sum, run) => sum + run.postsMade, 0),
    hasChanged: runs.some(({ hasChanged }) => hasChanged),
    cost: isKnown ? amountOf(runs.reduce((sum, { cost }) => sum + moneyOf(cost ?? 0), 0n)) : null,
  };
}

const SAID_BY_COUNTS = new Set(['succeeded', 'failed', 'incomplete', 'undecided']);

/** One line, such as `12 posts made, 1 failed (spring-launch, production)`. */
export function summaryText({ exit, runs }: CommandEnded): string {
  const { nodes, left, postsMade } = sumOf(runs);
  const { created, replaced, downloaded, unchanged: _, pending, ...others } = nodes;
  const made = postsMade
    ? [`${count(postsMade, 'post')} made`]
    : nonZero([
        [created, 'created'],
        [replaced, 'replaced'],
      ]);
  const fetched = downloaded && !postsMade ? [`${count(downloaded, 'file')} downloaded`] : [];
  const counts = [
    ...made,
    ...fetched,
    ...nonZero(Object.entries(others).map(([name, number]) => [number, name])),
    ...nonZero(leftParts(pending, left)),
  ];
  const outcome = outcomeOf(exit);
  const said = [...(SAID_BY_COUNTS.has(outcome) && counts.length ? [] : [outcome]), ...counts];
  const words = outcome === 'succeeded' && !counts.length ? 'nothing changed' : said.join(', ');
  return `${words} (${namesOf(runs)})`;
}

/** For a shell that does not want to read JSON. */
export function variablesOf(ended: CommandEnded): Readonly<Record<string, string>> {
  return {
    CAMPAIGN_OUTCOME: outcomeOf(ended.exit),
    CAMPAIGN_CHANGED: String(sumOf(ended.runs).hasChanged),
    CAMPAIGN_SUMMARY: inertText(summaryText(ended)),
  };
}

function namesOf(runs: readonly EndedRun[]): string {
  const [alone, ...others] = runs;
  if (!alone || others.length) return count(runs.length, 'manifest');
  const names = [alone.campaign, alone.environment].filter((name) => name !== undefined);
  return names.join(', ') || alone.manifest || 'no manifest';
}
