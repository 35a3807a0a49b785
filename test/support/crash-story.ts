/** Applies a story in a world where things break, chapter by chapter, until each is done. */
import { applyOnce, type CrashApply, type ProcessEnd, readState } from './crash-apply.ts';
import {
  deletedInState,
  givenUp,
  hiddenSecrets,
  miscounted,
  unknownCreates,
  violations,
} from './crash-check.ts';
import { resolveUnknowns } from './crash-resolve.ts';
import { type CrashWorld, STATE_FILE } from './crash-world.ts';

/** More than any story needs, faults included. */
const MOST_RUNS = 25;

export interface StoryOptions {
  readonly chapters: readonly CrashApply[];
  /** Whether power goes with each process that dies, or only with those after the first. */
  readonly power: 'stays' | 'fails' | 'fails-later';
  /** What is left of what was not synced. */
  readonly luck: () => number;
  /** Whether the making of a post with such a description may fail. */
  readonly mayFail: (description: string) => boolean;
  /** What happens before each run. */
  readonly before: (world: CrashWorld) => void;
}

/** What went wrong; nothing when all rules held all the time and every chapter came to its end. */
export async function playStory(
  world: CrashWorld,
  { chapters, ...options }: StoryOptions,
): Promise<string[]> {
  for (const [index, chapter] of chapters.entries()) {
    const problems = await playChapter(world, chapter, options);
    if (problems.length > 0)
      return problems.map((problem) => `chapter ${index + 1}, run ${world.runs.length}: ${problem}`);
  }
  const opened = await readState(world);
  if (!opened.ok) return hiddenSecrets(world);
  const { state } = opened.value;
  const counted = world.replaced ? [] : miscounted(world, state);
  const forgotten = world.replaced ? [] : deletedInState(world, state);
  return [...hiddenSecrets(world), ...givenUp(state, options.mayFail), ...counted, ...forgotten];
}

async function playChapter(
  world: CrashWorld,
  chapter: CrashApply,
  { power, luck, before }: Omit<StoryOptions, 'chapters'>,
): Promise<string[]> {
  for (let runs = 0; runs < MOST_RUNS; runs += 1) {
    before(world);
    const end = await applyOnce(world, chapter);
    if (losesPower(world, end, power)) world.disk.losePower(luck);
    if (isPutBack(world, end)) continue;
    const broken = [...(await violations(world)), ...refusal(world, end)];
    if (broken.length > 0) return broken;
    if (end.type !== 'idle') continue;
    if (!(await isUnknown(world))) return [];
    const resolved = await resolveUnknowns(world);
    if (isPutBack(world, resolved)) continue;
    if (losesPower(world, resolved, power)) world.disk.losePower(luck);
    const after = [...(await violations(world)), ...refusal(world, resolved)];
    if (after.length > 0) return after;
  }
  return [`not done after ${MOST_RUNS} runs`];
}

function losesPower({ runs }: CrashWorld, end: ProcessEnd, power: StoryOptions['power']): boolean {
  if (end.type !== 'died') return false;
  return power === 'fails' || (power === 'fails-later' && runs.filter(({ died }) => died).length > 1);
}

/** Whether a run was refused because its log was replaced. Then somebody puts the newest one back in its place. */
function isPutBack(world: CrashWorld, end: ProcessEnd): boolean {
  const { replaced, disk, runs } = world;
  // A later run took what is there for the right one: it goes on from that.
  if (replaced?.run !== runs.at(-1) && (end.type === 'ended' || end.type === 'idle'))
    world.replaced = undefined;
  if (!replaced || end.type !== 'refused') return false;
  if (end.problem.code !== 'state-diverged' && end.problem.code !== 'state-vanished') return false;
  disk.put(STATE_FILE, replaced.log.data);
  world.putBack += 1;
  world.replaced = undefined;
  return true;
}

/** Why a run should not have been refused: only an error that the disk gave it is a reason. */
export function refusal({ runs }: CrashWorld, end: ProcessEnd): string[] {
  if (end.type !== 'refused') return [];
  const { code, summary, detail } = end.problem;
  const isDisk = code === 'state-unwritable' || code === 'state-unreadable';
  const faults = runs.at(-1)?.process.faults ?? [];
  const isPlayed = isDisk && faults.some(({ message }) => detail.includes(message));
  return isPlayed ? [] : [`refused: ${summary}: ${detail}`];
}

async function isUnknown(world: CrashWorld): Promise<boolean> {
  const opened = await readState(world);
  return opened.ok && unknownCreates(opened.value.state).length > 0;
}
