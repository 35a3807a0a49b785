/**
 * Half a year of a campaign that cron applies every night with `--prune --yes`: people edit it, and delete and change things
 * at the service; disks are not mounted, the service fails in spells of 5xx, of silence and of 404, processes and power die.
 * Some nights only wait, or refresh, or make again what is gone (`--recreate-missing`).
 */
import { pick, seededRandom } from '../../src/emulator/pictures/seeded.ts';
import type { Graph } from '../../src/model/graph.ts';
import type { Plan } from '../../src/model/plan.ts';
import type { RunState } from '../../src/model/run-state.ts';
import type { Steps } from '../../src/model/step.ts';
import { planWaiting } from '../../src/plan/plan-waiting.ts';
import { type CampaignWords, OUTPUTS } from '../support/campaign.ts';
import { applyOnce, type ProcessEnd, readState } from '../support/crash-apply.ts';
import { hiddenSecrets, unknownCreates, violations } from '../support/crash-check.ts';
import { resolveUnknowns } from '../support/crash-resolve.ts';
import { refusal } from '../support/crash-story.ts';
import { createCrashWorld, type CrashWorld } from '../support/crash-world.ts';
import { commandOnce, type UseCase } from '../support/crash-command.ts';
import { planGraph } from '../support/play-plan.ts';
import { createWatch, type Watch, wrongInTheEnd } from './half-year-check.ts';
import { editOnce, FIRST_WORDS, inWeek, unmounted } from './half-year-edits.ts';
import { confirming, type Fault, meddle, outage, refreshing } from './half-year-elsewhere.ts';

const DAY_MS = 86_400_000;
const BEGIN = Date.parse('2026-10-10');
export const NIGHTS = 183;

export interface HalfYear {
  problem?: string;
  nights: number;
  waits: number;
  refreshes: number;
  /** Nights before which somebody deleted or changed something at the service. */
  meddled: number;
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
  readonly refresh?: UseCase;
}

/** `recreate`: an apply with `--recreate-missing`. */
type Command = 'apply' | 'wait' | 'refresh' | 'recreate';

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
  const tally = {
    nights,
    waits: 0,
    refreshes: 0,
    meddled: 0,
    edits: 0,
    unmounted: 0,
    outages: 0,
    posts: 0,
    deleted: 0,
    died: 0,
  };
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
    if (random() < 0.25) {
      tally.meddled += 1;
      await quiet(life, words);
      await meddle(life, random, tally.meddled);
    }
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
  readonly tally: { waits: number; refreshes: number; outages: number };
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
  const fault = fails === 'outage' ? outage(random) : WELL;
  const commands = pick<readonly Command[]>(random, [
    ['apply'],
    ['apply', 'wait'],
    ['wait', 'apply'],
    ['wait'],
    ['refresh', 'apply'],
    ['refresh', 'recreate'],
    ['recreate'],
  ]);
  for (const command of commands) {
    tally.waits += Number(command === 'wait');
    tally.refreshes += Number(command === 'refresh');
    const todo = { command, words, gone, fault };
    const problem = await (command === 'refresh' ? refresh(life, todo) : step(life, todo));
    if (problem !== undefined) return problem;
  }
  world.disk.fault = () => undefined;
  return random() < 0.7 ? decide(life, words) : undefined;
}

interface Todo {
  readonly command: Command;
  readonly words: CampaignWords;
  readonly gone: boolean;
  readonly fault: Fault;
  readonly maxDeletes?: number;
}

/** What a process that died has sent is carried out, so that all that comes now is of somebody else. */
async function quiet({ world, watch }: Life, words: CampaignWords): Promise<void> {
  await world.clock.advance(120_000);
  watch.catchUp(inWeek(words, dayOf(world.clock.now())));
}

const WELL: Fault = () => undefined;

/** One run that may change things at the service; `gone`: it sees few of the product folders. */
async function step(
  life: Life,
  { command, words, gone, fault, maxDeletes }: Todo,
): Promise<string | undefined> {
  const { world, random, mistake } = life;
  if (command === 'wait') await quiet(life, words);
  const now = world.clock.now();
  const today = inWeek(words, dayOf(now));
  const seen = gone ? inWeek(unmounted(words), dayOf(now)) : today;
  const recreates = command === 'recreate';
  const confirmed = recreates ? await confirming(world, { words: seen, fault }) : undefined;
  if (confirmed && confirmed.end.type !== 'ended') return afterAsking(life, confirmed.end, { today, fault });
  const planApply = (graph: Graph, state: RunState) =>
    mistake.apply?.(graph, state, now) ??
    planGraph(graph, state, { now, prune: { maxDeletes }, missing: confirmed?.missing(state) });
  const planWait = (graph: Graph, state: RunState) =>
    mistake.wait?.(graph, state, now) ?? planWaiting({ state, now, ...WAITING });
  const planned = command === 'wait' ? planWait : planApply;
  const end = await applyOnce(world, { words: seen, fault, planned, recreates });
  if (end.type === 'died' && random() < 0.5) world.disk.losePower(world.random);
  return firstProblem(life, end, { words: today, may: command === 'wait' ? 'reads' : 'all' });
}

async function refresh(life: Life, { words, fault }: Omit<Todo, 'command'>): Promise<string | undefined> {
  await quiet(life, words);
  const today = inWeek(words, dayOf(life.world.clock.now()));
  const end = await commandOnce(life.world, { words: today, fault }, life.mistake.refresh ?? refreshing);
  return afterAsking(life, end, { today, fault });
}

/** A command that only reads the service concludes nothing from a night in which it fails. */
function afterAsking(
  life: Life,
  end: ProcessEnd,
  { today, fault }: { today: CampaignWords; fault: Fault },
): Promise<string | undefined> {
  if (end.type === 'died' && life.random() < 0.5) life.world.disk.losePower(life.world.random);
  const isUnread = end.type === 'refused' && ['not-read', 'mostly-gone'].includes(end.problem.code);
  const isAllowed = isUnread && fault !== WELL;
  return firstProblem(life, isAllowed ? { type: 'ended' } : end, { words: today, may: 'reads' });
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

/** Nothing is in the way any more: all that is wanted is there as it is wanted, and nothing else but what settled posts need. */
async function finish(life: Life, words: CampaignWords): Promise<string | undefined> {
  const { world } = life;
  for (let run = 0; run < 6; run += 1) {
    const todo = { words, gone: false, fault: WELL, maxDeletes: 1000 };
    const problem =
      (await decide(life, words)) ??
      (await refresh(life, todo)) ??
      (await step(life, { command: 'recreate', ...todo }));
    if (problem !== undefined) return problem;
  }
  const opened = await readState(world);
  if (!opened.ok) return opened.error.detail;
  const [wrong] = wrongInTheEnd(life, words, opened.value.state);
  return wrong ?? hiddenSecrets(world)[0];
}
