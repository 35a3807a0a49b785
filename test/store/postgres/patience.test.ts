/** What waits for a database that is away is told once, however much of a run waits for it. */
import { expect, it } from 'vitest';
import { DatabaseError } from '../../../src/store/postgres/database-error.ts';
import { createPatience } from '../../../src/store/postgres/patience.ts';
import { createManualClock } from '../../support/manual-clock.ts';

const WHY = 'sorry, too many clients already. The run waits for it for up to 10 minutes';

function scene() {
  const clock = createManualClock();
  const told: string[] = [];
  const patiently = createPatience({ clock, longestMs: 600_000, waits: (why) => told.push(why) });
  const server = { isAway: true };
  const ask = () =>
    server.isAway
      ? Promise.reject(new DatabaseError('53300', 'sorry, too many clients already'))
      : Promise.resolve('answer');
  return { clock, told, server, asked: () => patiently(() => ask()) };
}

it('is told after five seconds, once for all that waits at the same time', async () => {
  const { clock, told, server, asked } = scene();
  const all = Promise.all([asked(), asked(), asked()]);
  await clock.advance(4_900);
  expect(told).toEqual([]);
  await clock.advance(60_000);
  expect(told).toEqual([WHY]);
  server.isAway = false;
  await clock.advance(2_000);
  expect(await all).toEqual(['answer', 'answer', 'answer']);
});

it('is told again when the database is away once more', async () => {
  const { clock, told, server, asked } = scene();
  for (const round of [1, 2]) {
    server.isAway = true;
    const answer = asked();
    await clock.advance(10_000);
    server.isAway = false;
    await clock.advance(2_000);
    expect(await answer).toBe('answer');
    expect(told).toHaveLength(round);
  }
});

it('ends with the error of the database once that was away for too long, and at once with any other', async () => {
  const { clock, asked } = scene();
  const waited = expect(asked()).rejects.toMatchObject({ code: '53300' });
  await clock.advance(600_000);
  await waited;
  const patiently = createPatience({ clock, longestMs: 600_000 });
  const refused = new DatabaseError('42501', 'permission denied');
  await expect(patiently(() => Promise.reject(refused))).rejects.toBe(refused);
});
