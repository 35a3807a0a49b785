/** What a process needs to know of a shared run that it has not planned itself; plain data, without a secret. */
import { createHmac } from 'node:crypto';
import { EMULATOR } from '../model/emulator.ts';
import { EXIT } from '../model/exit.ts';
import type { Environment, Limits, Manifest } from '../manifest/manifest.ts';
import { requestCost } from '../model/budget.ts';
import { kindHas } from '../model/kinds.ts';
import { amountOf, moneyOf } from '../model/money.ts';
import { isDeletion, type Plan, PlannedNodes, type PlannedNode } from '../model/plan.ts';
import type { ItemPayload, RequestPayload } from '../model/payload.ts';
import type { FatalProblem } from '../model/problem.ts';
import type { OpenRun } from '../store/shared-run.ts';
import type { JsonObject } from '../util/json.ts';
import type { CarryOutOptions, Parallel, PlannedRun } from './run-nodes.ts';
import { datedBy } from './run-nodes.ts';
import { identityOf } from './state-place.ts';

/** How this version writes the spec and the nodes of a run; one that is changed so that another would misread it, has another number. */
const FORMAT = 1;

export interface RunSpec extends Pick<CarryOutOptions, 'waiting' | 'failFast'> {
  readonly format: number;
  readonly name: string;
  /** The manifest's file, for messages, and its folder, which has the photos and gets the results. */
  readonly file: string;
  readonly folder: string;
  /** The file beside the manifest that names the log, and what it names: so the folder is known again. */
  readonly pointer: string;
  readonly lineage: string;
  /** What the run is about; another apply about the same takes part in it. */
  readonly subject?: string | undefined;
  /** The URL of the storage of photos and results, if they are in none of its folders. */
  readonly files?: string | undefined;
  readonly environment: Environment;
  readonly limits: Limits;
  readonly outputs: Manifest['outputs'];
  readonly outside: Manifest['outside'];
  readonly readAt: number;
  readonly dated: ReturnType<typeof datedBy>;
  /** As they are written in the manifest. */
  readonly prices?: Readonly<Partial<Record<ItemPayload['post_type'], number>>>;
  /** What the plan says besides its nodes. */
  readonly plan: Omit<Plan, 'nodes' | 'cost'>;
}

type Planned = Pick<PlannedRun, 'campaign' | 'plan'> & Pick<Parallel, 'pointer' | 'lineage' | 'subject'>;

export function specOf(
  { campaign, plan, pointer, lineage, subject }: Planned,
  { waiting, failFast, concurrency }: Pick<CarryOutOptions, 'waiting' | 'failFast' | 'concurrency'>,
): RunSpec {
  const { manifest, readAt, files } = campaign;
  const { name, file, folder, environment, limits, budget, outside } = manifest;
  const { nodes: _, cost: __, ...rest } = plan;
  const outputs = manifest.outputs && { dir: manifest.outputs.dir, name: manifest.outputs.name };
  const prices =
    budget &&
    Object.fromEntries(Object.entries(budget.prices).map(([type, price]) => [type, amountOf(price)]));
  return {
    format: FORMAT,
    name,
    file,
    folder,
    pointer,
    lineage,
    subject: subject(),
    files,
    environment,
    limits: { ...limits, total: concurrency ?? limits.total },
    outputs,
    outside,
    readAt,
    dated: datedBy(plan, campaign),
    waiting,
    ...(failFast && { failFast }),
    ...(prices && { prices }),
    plan: rest,
  };
}

/** Why this version does not take part in a run. */
export function whyNotRead({ id, spec }: Pick<OpenRun, 'id' | 'spec'>): FatalProblem | undefined {
  const { format } = spec;
  if (format === FORMAT) return undefined;
  return {
    exit: EXIT.badState,
    code: 'run-of-other-version',
    summary: 'A run was begun by another version of campaign',
    detail:
      `Run ${id} has the format ${JSON.stringify(format)}, and this version carries out the format ${FORMAT}. It is left to ` +
      'workers of the version that has begun it, and `campaign stop` of that version ends it.',
  };
}

export function specFrom(json: JsonObject): RunSpec {
  return json as unknown as RunSpec;
}

export function specJson(spec: RunSpec): JsonObject {
  return JSON.parse(JSON.stringify(spec)) as JsonObject;
}

export function planOf({ plan }: RunSpec, nodes: readonly PlannedNode[]): Plan {
  return { ...plan, nodes: new PlannedNodes(nodes) };
}

/** Nobody learns the key from it, and whoever has the key knows it again. */
export function accountIdOf(environment: Environment, apiKey: string): string {
  const { baseUrl } = identityOf({ name: '', environment });
  return createHmac('sha256', apiKey).update(baseUrl).digest('hex');
}

/** A plan that deletes, or that waits for what it only looks for, is for one process; so is the emulator inside of it. */
export function canBeShared(
  { nodes }: Pick<Plan, 'nodes'>,
  { baseUrl }: Pick<Environment, 'baseUrl'>,
): boolean {
  return baseUrl !== EMULATOR && !nodes.listed.some((node) => isDeletion(node) || node.after?.length);
}

/** What a request costs now that it may have become smaller. */
export function withCost(request: RequestPayload, { prices }: Pick<RunSpec, 'prices'>): RequestPayload {
  if (!prices) return request;
  const money = Object.fromEntries(Object.entries(prices).map(([type, price]) => [type, moneyOf(price)]));
  const cost = requestCost(request, money);
  return cost === undefined ? request : { ...request, cost: amountOf(cost) };
}

/** The nodes as they are stored: a request has what its intent is to say of where it comes from. */
export function storedNodes(
  nodes: Iterable<PlannedNode>,
  withOrigin: (address: string, request: RequestPayload) => RequestPayload,
): PlannedNode[] {
  return [...nodes].map((node) => {
    if (!kindHas(node, 'stored', 'request')) return node;
    const { takes: _, ...rest } = node;
    return { ...rest, payload: withOrigin(node.address, node.payload) };
  });
}
