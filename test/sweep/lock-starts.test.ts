/** The lock between real processes: many that want it at once, and a holder that is killed. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { campaignFolder, SINGLE, untilTestEnds } from '../cli/small-campaign.ts';
import type { CliRun } from '../support/run-cli.ts';
import { startHeldService } from '../support/held-service.ts';
import { buildLockHolder } from './lock-holder.ts';
import { IS_FULL } from './stride.ts';

const ROUNDS = IS_FULL ? 10 : 1;
/** Fifty in `npm run test:sweep`; each is a process. */
const STARTS = IS_FULL ? 50 : 10;
const KILLS = IS_FULL ? 100 : 5;

it(`of ${STARTS} starts at once one runs, and the others end with 75, ${ROUNDS} of ${ROUNDS} rounds (scenario 9)`, {
  timeout: 900_000,
}, async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const service = await untilTestEnds(startHeldService());
    const campaign = await campaignFolder(SINGLE, service);
    const starts = Array.from({ length: STARTS }, () => campaign.start(['apply', 'm.yaml']));
    // The one that runs is held by its upload until all others have ended.
    const codes: (number | null)[] = [];
    let others: () => void = () => {};
    const allOthers = new Promise<void>((resolve) => {
      others = resolve;
    });
    const follow = async ({ end }: CliRun) => {
      codes.push((await end).code);
      if (codes.length === STARTS - 1) others();
    };
    const ended = starts.map(follow);
    await service.next('POST /upload-media/');
    await allOthers;
    expect(codes).toEqual(Array.from({ length: STARTS - 1 }, () => 75));
    for (const { process: child } of starts) child.kill('SIGKILL');
    await Promise.all(ended);
    const ends = await Promise.all(starts.map(({ end }) => end));
    expect(ends.filter(({ signal }) => signal === 'SIGKILL')).toHaveLength(1);
    expect(service.seen.filter((request) => request === 'POST /upload-media/')).toHaveLength(1);
  }
});

it(`after kill -9 of the holder the first attempt of the next start has the lock, ${KILLS} of ${KILLS} (scenario 10)`, {
  timeout: 300_000,
}, async () => {
  const { script, stateFile } = await buildLockHolder(onTestFinished);
  const start = async () => {
    const child = fork(script, [stateFile]);
    const [said] = (await once(child, 'message')) as [string];
    return { child, said };
  };
  let holder = await start();
  expect(holder.said).toBe('held');
  for (let kill = 0; kill < KILLS; kill += 1) {
    const refused = await start();
    expect(refused.said).toBe('state-locked');
    const exited = once(holder.child, 'exit');
    holder.child.kill('SIGKILL');
    await exited;
    holder = await start();
    expect(holder.said).toBe('held');
  }
  const exited = once(holder.child, 'exit');
  holder.child.kill('SIGKILL');
  await exited;
});
