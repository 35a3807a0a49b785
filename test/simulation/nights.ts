/**
 * A campaign that cron applies every night, over a winter: post plans with `every` in two time zones, nights that are
 * missed, outages, processes and power that die, edits, and now and then a missed day that somebody asks for.
 */
import { kindHas } from '../../src/model/kinds.ts';
import type { RunState } from '../../src/model/run-state.ts';
import { pick, seededRandom } from '../../src/emulator/pictures/seeded.ts';
import { type Every, type Period, periodOf, withPeriod } from '../../src/model/period.ts';
import { dayIn } from '../../src/util/time-zone.ts';
import type { CampaignWords, ItemWords } from '../support/campaign.ts';
import { applyOnce, type ProcessEnd, readState } from '../support/crash-apply.ts';
import { deletedInState, hiddenSecrets, unknownCreates, violations } from '../support/crash-check.ts';
import { resolveUnknowns } from '../support/crash-resolve.ts';
import { refusal } from '../support/crash-story.ts';
import { createCrashWorld, type CrashWorld } from '../support/crash-world.ts';
import type { SimulatedFault } from '../support/simulated-client.ts';

const DAY_MS = 86_400_000;

/** What the zones are in: clocks change on 25 October, 1 November, 14 March and 28 March; 2026 has a week 53. */
export const BEGIN = '2026-10-10';
export const NIGHTS = 200;

interface Repeated {
  readonly every: Every;
  readonly zone: string;
  readonly items: readonly ItemWords[];
}

/** The items say the same in every period, so that each set could be taken for the one before. */
const PLANS: Readonly<Record<string, Repeated>> = {
  berlin: { every: 'day', zone: 'Europe/Berlin', items: [{}, { ratio: '9:16' }] },
  york: { every: 'day', zone: 'America/New_York', items: [{ ratio: '4:5' }] },
  weekly: { every: 'week', zone: 'Europe/Berlin', items: [{ ratio: '16:9' }, { key: 'wide', ratio: '2:1' }] },
  // It has no `every` in the first nights.
  monthly: { every: 'month', zone: 'America/New_York', items: [{ ratio: '3:4' }] },
};

/** Of the nights that are played: when `monthly` gets its `every`, and from when on there are edits. */
const GETS_EVERY = 4;
const EDITS_BEGIN = 8;
/** The month in which `monthly` gets its `every`, in both forms of the test. */
const FIRST_MONTH = '2026-10';

/** Periods by post plan: of a moment, or of a day that somebody asked for. */
type Periods = Readonly<Record<string, string | undefined>>;

interface Night {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly fails: 'nothing' | 'missed' | 'outage' | 'crash';
  readonly edits: boolean;
  readonly asks: boolean;
}

export interface Tally {
  problem?: string;
  nights: number;
  missed: number;
  posts: number;
  died: number;
  asked: number;
}

export async function playNights(seed: number, which: readonly number[]): Promise<Tally> {
  const random = seededRandom(`nights ${seed}`);
  const world = createCrashWorld(seededRandom(`world of nights ${seed}`));
  const tally: Tally = { nights: 0, missed: 0, posts: 0, died: 0, asked: 0 };
  const missed: string[] = [];
  let mood = 0;
  for (const [index, n] of which.entries()) {
    const night = nightOf(n, random);
    const plans = index < GETS_EVERY ? 'some' : 'all';
    const ms = Math.max(0, night.at - world.clock.now());
    world.clock.jump({ wall: ms, monotonic: ms });
    tally.nights += 1;
    if (night.edits && index >= EDITS_BEGIN) mood += 1;
    if (night.fails === 'missed') {
      tally.missed += 1;
      missed.push(dayIn('UTC', night.at));
      continue;
    }
    const problem =
      (await playNight(world, night, { random, mood: `mood ${mood}`, plans })) ??
      (night.asks && plans === 'all'
        ? await ask(world, missed.pop(), { mood: `mood ${mood}`, tally })
        : undefined);
    if (problem !== undefined)
      return { ...tally, problem: `night ${n}, run ${world.runs.length}: ${problem}` };
  }
  const problem = await finish(world, `mood ${mood}`);
  const posts = requestsOf(world).reduce((sum, { items }) => sum + items.length, 0);
  const died = world.runs.filter((run) => run.died).length;
  return { ...tally, posts, died, ...(problem !== undefined && { problem }) };
}

function nightOf(n: number, random: () => number): Night {
  const night = Date.parse(BEGIN) + n * DAY_MS;
  // Around the midnights of both zones; now and then so shortly before one that the run goes on into the next day.
  const at = random() < 0.2 ? 23 * 3_600_000 - 300 : (21 + 10 * random()) * 3_600_000;
  const fails = pick<Night['fails']>(random, [
    'nothing',
    'nothing',
    'nothing',
    'missed',
    'outage',
    'crash',
    'crash',
  ]);
  return { at: night + at, fails, edits: random() < 0.1, asks: random() < 0.1 };
}

/** Whether all plans have `every`. */
type Repeating = 'some' | 'all';

function periodIn(plan: string, { day, plans }: Pick<Step, 'day' | 'plans'>): Period | undefined {
  const { every = 'day', zone = '' } = PLANS[plan] ?? {};
  return plan === 'monthly' && plans === 'some' ? undefined : periodOf(every, day(zone));
}

function periodsAt(step: Pick<Step, 'day' | 'plans'>): Periods {
  return Object.fromEntries(Object.keys(PLANS).map((plan) => [plan, periodIn(plan, step)?.name]));
}

function wordsOf(step: Step): CampaignWords {
  const { mood } = step;
  return {
    products: { tote: { photos: ['front'] } },
    concepts: { morning: { description: mood } },
    posts: Object.fromEntries(
      Object.entries(PLANS).map(([plan, { items }]) => {
        const period = periodIn(plan, step);
        return [plan, { items, ...(period && { period }) }];
      }),
    ),
  };
}

async function playNight(
  world: CrashWorld,
  { fails, at }: Night,
  { random, mood, plans }: { random: () => number; mood: string; plans: Repeating },
): Promise<string | undefined> {
  const dies = world.disk.operations + 1 + Math.floor(60 * random());
  const when = random() < 0.5 ? 'before' : 'after';
  world.disk.fault = ({ n }) => (fails === 'crash' && n === dies ? { type: 'die', when } : undefined);
  const outage = pick<SimulatedFault>(random, ['refused', 'cut', 'cut-done', 'silent', { status: 503 }]);
  const from = Math.floor(12 * random());
  let calls = 0;
  const fault = () => (fails === 'outage' && calls++ >= from ? outage : undefined);
  // Cron starts it once more, sometimes.
  for (let run = 0; run < 1 + Math.floor(2 * random()); run += 1) {
    // What is present is decided once, when the run begins.
    const now = run === 0 ? at : world.clock.now();
    const problem = await step(
      world,
      { day: (zone) => dayIn(zone, now), mood, plans, isGood: fails === 'nothing' },
      fault,
    );
    if (problem !== undefined) return problem;
  }
  world.disk.fault = () => undefined;
  return random() < 0.7 ? decide(world) : undefined;
}

interface Step {
  readonly day: (zone: string) => string;
  readonly mood: string;
  readonly plans: Repeating;
  /** Nothing stands in its way. */
  readonly isGood: boolean;
}

/** One apply. Whatever becomes of it, it requests posts of its own periods only. */
async function step(world: CrashWorld, todo: Step, fault: () => SimulatedFault | undefined) {
  const before = requestsOf(world).length;
  // Older takes are pruned; what belongs to another period is not.
  const plan = world.runs.length % 2 ? { prune: { maxDeletes: undefined } } : {};
  const end = await applyOnce(world, { words: wordsOf(todo), plan, fault });
  if (end.type === 'died' && world.random() < 0.5) world.disk.losePower(world.random);
  const [problem] = [...refusal(world, end), ...(await violations(world))];
  if (problem !== undefined) return problem;
  const present = periodsAt(todo);
  for (const { post } of requestsOf(world).slice(before)) {
    const [plan = '', period] = post.split('/');
    if (present[plan] !== period) return `P: ${post} was requested while it was ${present[plan]}`;
  }
  if (isBoughtAgain(world)) return 'P: the post of monthly was bought again when it got its `every`';
  return todo.isGood && isDone(end) ? incomplete(world, present) : undefined;
}

/** The post that monthly had is that of its first period: only an edit replaces it. */
function isBoughtAgain(world: CrashWorld): boolean {
  const requests = requestsOf(world).filter(({ post }) => post.split('/')[0] === 'monthly');
  const [first, ...others] = requests;
  const fingerprint = first?.items[0]?.fingerprint;
  return (
    first?.post === 'monthly' &&
    others.some(
      ({ post, items }) => post === `monthly/${FIRST_MONTH}` && items[0]?.fingerprint === fingerprint,
    )
  );
}

function isDone({ type }: ProcessEnd): boolean {
  return type === 'ended' || type === 'idle';
}

/** Nothing was in the way, so each post of the present periods was requested, if nobody has to decide before. */
async function incomplete(world: CrashWorld, present: Periods): Promise<string | undefined> {
  const opened = await readState(world);
  if (!opened.ok || unknownCreates(opened.value.state).length) return undefined;
  for (const [plan, { items }] of Object.entries(PLANS)) {
    const path = withPeriod(plan, present[plan]);
    const made = [...opened.value.state.media.values()].filter(({ post }) => post === path);
    if (made.length !== items.length) return `P: ${path} has ${made.length} of ${items.length} posts`;
  }
  return undefined;
}

/** Somebody asks for a day that was missed (`--at`). */
async function ask(
  world: CrashWorld,
  day: string | undefined,
  { mood, tally }: { mood: string; tally: Tally },
): Promise<string | undefined> {
  if (day === undefined) return undefined;
  tally.asked += 1;
  return step(world, { day: () => day, mood, plans: 'all', isGood: true }, () => undefined);
}

async function decide(world: CrashWorld): Promise<string | undefined> {
  const opened = await readState(world);
  if (opened.ok && !unknownCreates(opened.value.state).length) return undefined;
  const end = await resolveUnknowns(world);
  return [...refusal(world, end), ...(await violations(world))][0];
}

/** After everything was decided and fetched: each post that was requested has its own place, and all are done. */
async function finish(world: CrashWorld, mood: string): Promise<string | undefined> {
  const now = world.clock.now();
  for (let run = 0; run < 5; run += 1) {
    const problem =
      (await decide(world)) ??
      (await step(
        world,
        { day: (zone) => dayIn(zone, now), mood, plans: 'all', isGood: true },
        () => undefined,
      ));
    if (problem !== undefined) return problem;
  }
  const opened = await readState(world);
  if (!opened.ok) return opened.error.detail;
  const [deleted] = deletedInState(world, presentIn(opened.value.state, now));
  if (deleted !== undefined) return deleted;
  const { media } = opened.value.state;
  for (const { address, takes } of media.values())
    for (const { status } of takes) if (status !== 'done') return `P: ${address} is ${status}`;
  const asked = new Set(
    requestsOf(world).flatMap(({ post, items }) =>
      items.map(({ item }) => `media/${post === 'monthly' ? `monthly/${FIRST_MONTH}` : post}/${item}`),
    ),
  );
  const misplaced = [...media.keys()].find((address) => !asked.has(address));
  if (misplaced !== undefined || media.size !== asked.size)
    return `P: ${media.size} posts are known and ${asked.size} were requested; ${misplaced ?? 'one'} is misplaced`;
  return hiddenSecrets(world)[0];
}

/** Without settled periods: a deletion that was interrupted in one is not sent again later, so its request may be gone. */
function presentIn(state: RunState, now: number): RunState {
  const periods = periodsAt({ day: (zone) => dayIn(zone, now), plans: 'all' });
  const present = [...state.requests].filter(([, { payload }]) =>
    payload.period === undefined ? true : Object.values(periods).includes(payload.period),
  );
  return { ...state, requests: new Map(present) };
}

function requestsOf({ made }: CrashWorld) {
  return made.flatMap(({ node }) => (kindHas(node, 'stored', 'request') ? [node.payload] : []));
}
