import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyExample, type ExampleCopy } from '../support/example.ts';
import { checkInvariants, resolveUnknowns, stateRows } from '../support/resolve-unknowns.ts';
import { startCli } from '../support/run-cli.ts';
import { runHere } from '../support/run-here.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { IS_FULL } from '../sweep/stride.ts';

/** The large example and ten kills in `npm run test:sweep`, the small one as a part of `npm run test:system`. */
const {
  name,
  posts,
  kills: KILLS,
} = IS_FULL ? { name: 'matrix', posts: 40, kills: 10 } : { name: 'quickstart', posts: 6, kills: 2 };
const APPLY = ['apply', 'campaign.yaml', '--env', 'emulator', '--json'];

let example: ExampleCopy;
beforeAll(async () => {
  example = await copyExample(name, { photos: 'stand-ins' });
});
afterAll(() => example.remove());

/** Starts an apply and kills it once so many nodes are done; undefined when it ended before. */
async function killAfter(steps: number): Promise<string | undefined> {
  const cli = startCli(APPLY, { cwd: example.folder });
  let left = steps;
  let open = '';
  cli.process.stdout?.on('data', (text: string) => {
    const lines = (open + text).split('\n');
    open = lines.pop() ?? '';
    left -= lines.filter((line) => /"end":"done"/.test(line)).length;
    if (left <= 0) cli.process.kill('SIGKILL');
  });
  const { signal, stdout } = await cli.end;
  return signal === 'SIGKILL' ? stdout.trimEnd().split('\n').at(-1) : undefined;
}

describe('kill -9', () => {
  it(`${KILLS} times during an apply: nothing is made twice, nothing is lost`, {
    timeout: 240_000,
  }, async () => {
    const seed = Number(process.env['KILL_SEED'] ?? Date.now() % 2 ** 31);
    console.log(`KILL_SEED=${seed}`);
    const random = seededRandom(seed);
    let resolved = 0;
    for (let kills = 0; kills < KILLS; ) {
      const steps = 1 + Math.floor(random() * 8);
      const last = await killAfter(steps);
      await checkInvariants(example);
      if (last === undefined) {
        // What is left waits for a decision: take it, so that there is something to kill again.
        const decided = await resolveUnknowns(example);
        expect(decided).toBeGreaterThan(0);
        resolved += decided;
        continue;
      }
      kills += 1;
      console.log(`kill ${kills}, after ${steps} steps: ${last}`);
    }

    let end = await runHere(APPLY, { cwd: example.folder });
    // A request may only become possible, and be cut, once what it builds on is decided.
    for (let round = 0; end.code === 4 && round < 3; round++) {
      resolved += await resolveUnknowns(example);
      end = await runHere(APPLY, { cwd: example.folder });
    }
    console.log(`${resolved} unknown creates resolved from the ledger`);
    expect(end.code).toBe(0);
    await checkInvariants(example);
    const rows = await stateRows(example);
    expect(rows.filter(({ status }) => status !== 'done')).toEqual([]);
    expect(rows.filter(({ kind }) => kind === 'media')).toHaveLength(posts);
    expect((await runHere(['plan', '--env', 'emulator'], { cwd: example.folder })).stdout).toContain(
      'No changes.',
    );
  });
});
