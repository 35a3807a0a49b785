/** Applies a story in a world where things break, chapter by chapter, until each is done. */
import { applyOnce, type CrashApply, type ProcessEnd, READING } from './crash-apply.ts';
import { unknownCreates, violations } from './crash-check.ts';
import { asProcess } from './crash-fs.ts';
import { resolveUnknowns } from './crash-resolve.ts';
import type { CrashWorld } from './crash-world.ts';
import { openState } from '../../src/state/open-state.ts';

/** More than any story needs, faults included. */
const MOST_RUNS = 25;

export interface StoryOptions {
  readonly chapters: readonly CrashApply[];
  /** Whether power goes with each process that dies, or only with those after the first. */
  readonly power: 'stays' | 'fails' | 'fails-later';
  /** What is left of what was not synced. */
  readonly luck: () => number;
  /** Problems that the faults of this story may lead to: the disk refused. */
  readonly mayRefuse: boolean;
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
  return [];
}

async function playChapter(
  world: CrashWorld,
  chapter: CrashApply,
  { power, luck, mayRefuse }: Omit<StoryOptions, 'chapters'>,
): Promise<string[]> {
  for (let runs = 0; runs < MOST_RUNS; runs += 1) {
    const end = await applyOnce(world, chapter);
    if (losesPower(world, end, power)) world.disk.losePower(luck);
    const broken = [...(await violations(world)), ...refusal(end, mayRefuse)];
    if (broken.length > 0) return broken;
    if (end.type !== 'idle') continue;
    if (!(await isUnknown(world))) return [];
    const resolved = await resolveUnknowns(world);
    if (losesPower(world, resolved, power)) world.disk.losePower(luck);
    const after = [...(await violations(world)), ...refusal(resolved, mayRefuse)];
    if (after.length > 0) return after;
  }
  return [`not done after ${MOST_RUNS} runs`];
}

function losesPower({ runs }: CrashWorld, end: ProcessEnd, power: StoryOptions['power']): boolean {
  if (end.type !== 'died') return false;
  return power === 'fails' || (power === 'fails-later' && runs.filter(({ died }) => died).length > 1);
}

function refusal(end: ProcessEnd, mayRefuse: boolean): string[] {
  if (end.type === 'unwritable') return mayRefuse ? [] : [`cannot write: ${end.error.message}`];
  if (end.type !== 'refused') return [];
  const isDisk = end.problem.code === 'unwritable' || end.problem.code === 'unreadable';
  return isDisk && mayRefuse ? [] : [`refused: ${end.problem.summary}: ${end.problem.detail}`];
}

async function isUnknown(world: CrashWorld): Promise<boolean> {
  const opened = await asProcess(world.disk.start(), () => openState(READING));
  return opened.ok && unknownCreates(opened.value.state).length > 0;
}
