/**
 * Half a year of a campaign that cron applies every night with `--prune --yes`: people edit it, disks are not mounted, the
 * service fails in spells of 5xx, of silence and of 404, processes and power die, and some nights only wait.
 */
import { pick, seededRandom } from '../../src/emulator/pictures/seeded.ts';
import type { Graph } from '../../src/model/graph.ts';
import type { Plan } from '../../src/model/plan.ts';
import type { RunState } from '../../src/model/run-state.ts';
import type { Steps } from '../../src/model/step.ts';
import { planWaiting } from '../../src/plan/plan-waiting.ts';
import { type CampaignWords, OUTPUTS } from '../support/campaign.ts';
import { applyOnce, type ProcessEnd, readState } from '../support/crash-apply.ts';
import { firstName, hiddenSecrets, unknownCreates, violations } from '../support/crash-check.ts';
import { resolveUnknowns } from '../support/crash-resolve.ts';
import { refusal } from '../support/crash-story.ts';
import { createCrashWorld, type CrashWorld } from '../support/crash-world.ts';
import { planGraph } from '../support/play-plan.ts';
import type { SimulatedCall, SimulatedFault } from '../support/simulated-client.ts';
import { createWatch, type Watch } from './half-year-check.ts';
import { editOnce, FIRST_WORDS, inWeek, unmounted } from './half-year-edits.ts';

const DAY_MS = 86_400_000;
const BEGIN = Date.parse('2026-10-10');
export const NIGHTS = 183;

export interface HalfYear {
  problem?: string;
  nights: number;
  waits: number;
  edits: number;
  unmounted: number;
  outages: number;
  posts: number;
  deleted: number;
  died: number;
}

/** A mistake that campaign could make, so that the checks can show that they notice it. */
export interface Mistake {
  readonly apply?: (graph: Graph, state: RunState, now: number) => Plan;
  readonly wait?: (graph: Graph, state: RunState, now: number) => Plan;
  readonly steps?: (steps: Steps) => Steps;
}

type Command = 'apply' | 'wait';
type Fault = (call: SimulatedCall) => SimulatedFault | undefined;

interface Life {
  readonly world: CrashWorld;
  readonly watch: Watch;
  readonly random: () => number;
  readonly mistake: Mistake;
}

export async function playHalfYear(seed: number, nights: number, mistake: Mistake = {}): Promise<HalfYear> {
  const random = seededRandom(`half a year ${seed}`);
  const world = createCrashWorld(seededRandom(`world of half a year ${seed}`));
  const life: Life = { world: mistaken(world, mistake), watch: createWatch(world), random, mistake };
  const tally = { nights, waits: 0, edits: 0, unmounted: 0, outages: 0, posts: 0, deleted: 0, died: 0 };
  let words = FIRST_WORDS;
  let problem: string | undefined;
  for (let night = 0; night < nights && problem === undefined; night += 1) {
    const ms = Math.max(0, BEGIN + (night + random()) * DAY_MS - world.clock.now());
    world.clock.jump({ wall: ms, monotonic: ms });
    for (let edits = night === 0 ? 0 : Math.floor(random() * 2.6); edits > 0; edits -= 1) {
      tally.edits += 1;
      words = editOnce(words, random, tally.edits);
    }
    const gone = night > 0 && random() < 0.08;
    tally.unmounted += Number(gone);
    const found = await playNight(life, { words, gone, tally });
    if (found !== undefined) problem = `night ${night}, run ${world.runs.length}: ${found}`;
    // What was renamed is written down until it was done.
    else if (world.runs.at(-1)?.died === false && !gone) words = { ...words, moved: [] };
  }
  problem ??= await finish(life, words);
  const posts = world.made.flatMap(({ media }) => media).length;
  const died = world.runs.filter((run) => run.died).length;
  return {
    ...tally,
    posts,
    deleted: life.watch.deletions(),
    died,
    ...(problem !== undefined && { problem }),
  };
}

function mistaken(world: CrashWorld, { steps }: Mistake): CrashWorld {
  if (!steps) return world;
  return {
    ...world,
    // It changes during the runs.
    get replaced() {
      return world.replaced;
    },
    watch: (own, run) => steps(world.watch(own, run)),
  };
}

interface Night {
  readonly words: CampaignWords;
  readonly gone: boolean;
  readonly tally: { waits: number; outages: number };
}

async function playNight(life: Life, { words, gone, tally }: Night): Promise<string | undefined> {
  const { world, random } = life;
  const fails = pick(random, [
    'nothing',
    'nothing',
    'nothing',
    'outage',
    'outage',
    'crash',
    'crash',
  ] as const);
  const dies = world.disk.operations + 1 + Math.floor(60 * random());
  const when = random() < 0.5 ? 'before' : 'after';
  world.disk.fault = ({ n }) => (fails === 'crash' && n === dies ? { type: 'die', when } : undefined);
  if (fails === 'outage') tally.outages += 1;
  const fault = fails === 'outage' ? outage(random) : () => undefined;
  const commands = pick<readonly Command[]>(random, [
    ['apply'],
    ['apply', 'wait'],
    ['wait', 'apply'],
    ['apply'],
    ['wait'],
  ]);
  for (const command of commands) {
    tally.waits += Number(command === 'wait');
    const problem = await step(life, { command, words, gone, fault });
    if (problem !== undefined) return problem;
  }
  world.disk.fault = () => undefined;
  return random() < 0.7 ? decide(life, words) : undefined;
}

/** From a call on, for some calls or for the rest of the night. A gateway that says 404 still gives tokens. */
function outage(random: () => number): Fault {
  const kind = pick<SimulatedFault>(random, [
    'refused',
    'cut',
    'cut-done',
    'silent',
    { status: 503 },
    { status: 404 },
    { status: 404 },
  ]);
  const isDenial = typeof kind === 'object' && kind.status === 404;
  const from = Math.floor(12 * random());
  const until = random() < 0.5 ? from + 1 + Math.floor(20 * random()) : Number.POSITIVE_INFINITY;
  let calls = 0;
  return ({ route }) => {
    calls += 1;
    const isOut = calls > from && calls <= until && !(isDenial && route === 'POST /get_auth_token');
    return isOut ? kind : undefined;
  };
}

interface Todo {
  readonly command: Command;
  readonly words: CampaignWords;
  readonly gone: boolean;
  readonly fault: Fault;
  readonly maxDeletes?: number;
}

/** One command; `gone`: it sees few of the product folders. */
async function step(
  { world, watch, random, mistake }: Life,
  { command, words, gone, fault, maxDeletes }: Todo,
): Promise<string | undefined> {
  if (command === 'wait') {
    // What a process that died has sent is carried out, so that all that comes now is of the wait.
    await world.clock.advance(120_000);
    watch.catchUp(inWeek(words, dayOf(world.clock.now())));
  }
  const now = world.clock.now();
  const today = inWeek(words, dayOf(now));
  const planApply = (graph: Graph, state: RunState) =>
    mistake.apply?.(graph, state, now) ?? planGraph(graph, state, { now, prune: { maxDeletes } });
  const planWait = (graph: Graph, state: RunState) =>
    mistake.wait?.(graph, state, now) ?? planWaiting({ state, now, ...WAITING });
  const end = await applyOnce(world, {
    words: gone ? inWeek(unmounted(words), dayOf(now)) : today,
    fault,
    planned: command === 'wait' ? planWait : planApply,
  });
  if (end.type === 'died' && random() < 0.5) world.disk.losePower(world.random);
  return firstProblem({ world, watch }, end, { words: today, may: command === 'wait' ? 'reads' : 'all' });
}

const WAITING = { outputs: OUTPUTS, selection: { only: [], exclude: [] }, present: new Map() };

function dayOf(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}

async function firstProblem(
  { world, watch }: Pick<Life, 'world' | 'watch'>,
  end: ProcessEnd,
  seen: { words: CampaignWords; may: 'all' | 'reads' },
): Promise<string | undefined> {
  const [broken] = [...refusal(world, end), ...(await violations(world))];
  if (broken !== undefined) return broken;
  const opened = await readState(world);
  return opened.ok ? watch.look({ ...seen, state: opened.value.state })[0] : opened.error.detail;
}

async function decide({ world, watch }: Life, words: CampaignWords): Promise<string | undefined> {
  const opened = await readState(world);
  if (opened.ok && !unknownCreates(opened.value.state).length) return undefined;
  const end = await resolveUnknowns(world);
  const today = inWeek(words, dayOf(world.clock.now()));
  return firstProblem({ world, watch }, end, { words: today, may: 'all' });
}

/** Nothing is in the way any more: all that is wanted is there, and nothing else but what settled posts need. */
async function finish(life: Life, words: CampaignWords): Promise<string | undefined> {
  const { world } = life;
  for (let run = 0; run < 6; run += 1) {
    const todo = { command: 'apply', words, gone: false, fault: () => undefined, maxDeletes: 1000 } as const;
    const problem = (await decide(life, words)) ?? (await step(life, todo));
    if (problem !== undefined) return problem;
  }
  const opened = await readState(world);
  if (!opened.ok) return opened.error.detail;
  const { media } = opened.value.state;
  for (const { address, takes } of media.values())
    for (const { status } of takes) if (status !== 'done') return `R: ${address} is ${status} in the end`;
  const deleted = new Set(
    world.service.ledger.flatMap(({ action, id }) => (action === 'delete' ? [id] : [])),
  );
  const wanted = new Set(
    [
      ...Object.keys(words.products ?? {}).map((key) => `product/${key}`),
      ...Object.keys(words.concepts ?? {}).map((key) => `concept/${key}`),
    ].map(firstName),
  );
  const left = world.made.find(
    ({ id, kind, node }) =>
      kind !== 'media-config' &&
      !deleted.has(id) &&
      !life.watch.isNeeded(id) &&
      !wanted.has(firstName(node.address)),
  );
  if (left) return `P: ${left.node.address} is still there in the end`;
  return hiddenSecrets(world)[0];
}
