import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { realClock } from '../../src/util/clock.ts';
import { startHeldService } from '../support/held-service.ts';
import { finishMedium, makeRequest, medium, POLL } from './held-answers.ts';
import { campaignFolder, SINGLE, untilTestEnds } from './small-campaign.ts';

const TOKEN_LIFE_SECONDS = 6;

/** Resolves once the kernel says that the process stands still. */
async function stopped(pid: number): Promise<void> {
  while (!/\) T /.test(await readFile(`/proc/${pid}/stat`, 'utf8'))) continue;
}

it('stopped beyond the life of its token (SIGSTOP), a run gets a new one before it polls again, and finishes', async () => {
  let issued = 0;
  const service = await untilTestEnds(
    startHeldService({
      token() {
        issued += 1;
        return { access_token: `token-${issued}`, token_type: 'Bearer', expires_at: TOKEN_LIFE_SECONDS };
      },
    }),
  );
  const campaign = await campaignFolder(SINGLE, service);
  const run = campaign.start(['apply', 'm.yaml']);
  await makeRequest(service);
  const poll = await service.next(POLL);
  const pid = run.process.pid ?? 0;
  run.process.kill('SIGSTOP');
  await stopped(pid);
  // A token that the service gave out now would end while nobody is there to see it.
  await new Promise<void>((tokenEnded) => {
    realClock.after(TOKEN_LIFE_SECONDS * 1000, tokenEnded);
  });
  const before = issued;
  poll.respond(200, medium('processing'));
  run.process.kill('SIGCONT');
  const next = await service.next(POLL);
  expect(next.headers.authorization).toBe(`Bearer token-${issued}`);
  expect(issued).toBe(before + 1);
  next.respond(200, medium('processing'));
  await finishMedium(service);
  expect(await run.end).toMatchObject({ code: 0 });
}, 120_000);
