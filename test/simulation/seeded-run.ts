import { seededRandom } from '../../src/emulator/pictures/seeded.ts';
import type { RunState } from '../../src/model/run-state.ts';
import type { CampaignWords } from '../support/campaign.ts';
import { applyOnce, type ProcessEnd, readState } from '../support/crash-apply.ts';
import { givenUp, hiddenSecrets, unknownCreates, violations } from '../support/crash-check.ts';
import { refusal } from '../support/crash-story.ts';
import { resolveUnknowns } from '../support/crash-resolve.ts';
import { createCrashWorld, type CrashWorld, type Storage } from '../support/crash-world.ts';
import type { SimulatedCall } from '../support/simulated-client.ts';
import { edited } from './seeded-edits.ts';
import type { Script } from './seeded-script.ts';

/** More than any script needs: a spell of 404 may last for 63 requests, and a run in it may send a single one. */
const MOST_RUNS = 100;

/** Plays a script to its end; what went wrong first, and in which run. */
export async function playScript(script: Script, storage: Storage): Promise<string | undefined> {
  const world = createCrashWorld(
    seededRandom(`world ${script.seed}`),
    (description) => script.fates[description],
    storage,
  );
  const power = new Set(script.disk.filter(({ power: goes }) => goes).map(({ n }) => n));
  world.disk.fault = ({ n }) => script.disk.find((one) => one.n === n)?.fault;
  let calls = 0;
  const network = ({ route }: SimulatedCall) => {
    calls += 1;
    const { from, until } = script.spell ?? { from: 0, until: 0 };
    const denied = calls >= from && calls < until && route !== 'POST /get_auth_token';
    return script.network.find(({ n }) => n === calls)?.fault ?? (denied ? { status: 404 } : undefined);
  };

  /** One process and what may have become of the disk; undefined where all rules hold. */
  async function step(
    run: () => Promise<ProcessEnd>,
  ): Promise<{ end: ProcessEnd; problem: string | undefined }> {
    const end = await run();
    if (end.type === 'died' && power.has(world.disk.operations)) world.disk.losePower(world.random);
    const [problem] = [...refusal(world, end), ...(await violations(world))];
    return { end, problem: problem === undefined ? undefined : `run ${world.runs.length}: ${problem}` };
  }

  const mayFail = (description: string) => script.fates[description] === 'fails';
  let words: CampaignWords = script.words;
  const apply = () => applyOnce(world, { words, fault: network });
  for (const { edits, runs, decides } of script.chapters) {
    words = edits.reduce(edited, words);
    for (let run = 0; run < runs; run += 1) {
      const { problem } = await step(apply);
      if (problem !== undefined) return problem;
    }
    if (!decides) continue;
    const { problem } = await step(() => resolveUnknowns(world));
    if (problem !== undefined) return problem;
  }
  for (let run = 0; run < MOST_RUNS; run += 1) {
    const { end, problem } = await step(apply);
    if (problem !== undefined) return problem;
    if (end.type !== 'idle') continue;
    const open = await stateOf(world);
    if (!open || unknownCreates(open).length === 0)
      return hiddenSecrets(world)[0] ?? (open && givenUp(open, mayFail)[0]);
    const decided = await step(() => resolveUnknowns(world));
    if (decided.problem !== undefined) return decided.problem;
  }
  return `not done after ${MOST_RUNS} runs`;
}

async function stateOf(world: CrashWorld): Promise<RunState | undefined> {
  const opened = await readState(world);
  return opened.ok ? opened.value.state : undefined;
}
