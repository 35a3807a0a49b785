/**
 * A process that is cut off from the database for longer than it waits: what was paid for is in a file of its folder, and
 * whoever comes there later records it, as long as nobody has decided about it.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { StateEvent } from '../../src/model/state-event.ts';
import { takePart } from '../../src/store/postgres/share-run.ts';
import { takeSeat } from '../../src/store/postgres/worker-seat.ts';
import { type Clock, realClock } from '../../src/util/clock.ts';
import { startCutProxy } from '../support/cut-proxy.ts';
import { createHurriedClock } from '../support/hurried-clock.ts';
import { conceptNode, uploadNode } from '../support/planned-nodes.ts';
import { hasPostgres, runSql } from '../support/postgres.ts';
import {
  CREATED,
  databaseOf,
  decide,
  endWithoutOthers,
  INTENT,
  shareOf,
  writeInto,
} from './two-processes.ts';

/** It hurries from then on only: on it, the commit of an intent would take too long for the create to leave. */
function hurriedLater(): Clock & { hurry: () => void } {
  const hurried = createHurriedClock({ speed: 2_000 });
  let paced: Clock = realClock;
  return {
    ...hurried,
    after: (ms, fire) => paced.after(ms, fire),
    hurry: () => {
      paced = hurried;
    },
  };
}

/** One process has begun a create, and then it cannot reach the database any more. */
async function scene() {
  const { both, store, storeIn, url } = await shareOf([conceptNode('c'), uploadNode('a')]);
  const [apply, other] = both;
  if (!apply || !other) throw new Error('there are two');
  await other.close();
  // The slots of one that is cut off count for a while.
  await runSql(url, 'delete from campaign.part');
  const folder = await mkdtemp(path.join(tmpdir(), 'campaign-cut-off-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const proxy = await startCutProxy(new URL(url));
  const lines: string[] = [];
  const keeping = { work: path.join(folder, '.campaign'), tell: (text: string) => void lines.push(text) };
  const clock = hurriedLater();
  const joined = await takePart(databaseOf(proxy.url), { run: apply.id, clock, keeping });
  if (!joined.ok || !joined.value) throw new Error('it does not take part');
  const run = joined.value;
  expect((await run.claim({ wanted: 8, busy: 0 })).claimed).toHaveLength(2);
  await run.recorder.append([INTENT]);
  proxy.cut();
  clock.hurry();
  const seat = takeSeat(databaseOf(url));
  onTestFinished(() => seat.leave());
  const files = async () => (await readdir(keeping.work)).filter((name) => name.startsWith('errored-'));
  const takeUp = async (by = seat) => {
    const taken = await by.takeUp(folder, realClock);
    if (!taken.ok) throw new Error(taken.error.detail);
    const { told, left } = taken.value;
    return [...told, ...left.map(({ summary }) => summary)];
  };
  /** Of the create, which came too late for the run; the run is over. */
  const keptAnswer = async () => {
    await run.recorder.append([CREATED]).catch(() => undefined);
    await run.close();
    await endWithoutOthers(url, apply);
    await apply.close();
    return (await files())[0] ?? '';
  };
  return {
    apply,
    run,
    store,
    storeIn,
    ours: storeIn(folder),
    work: keeping.work,
    url,
    lines,
    files,
    takeUp,
    keptAnswer,
  };
}

/** For good: a refusal that may pass is waited for. */
const REFUSING = `
  create function refuse() returns trigger language plpgsql as $$
  begin raise exception 'not now' using errcode = '42501'; end $$;
  create trigger refuse before insert on campaign.event for each row execute function refuse()`;

describe.runIf(hasPostgres)('a process that is cut off from the database for good', () => {
  it.each(['nobody', 'somebody'])(
    'keeps the answer of a create in its folder, and it is recorded after the run, if %s has decided meanwhile',
    async (who) => {
      const { apply, run, store, url, lines, files, takeUp } = await scene();
      const refused: unknown = await run.recorder.append([CREATED]).catch((error: unknown) => error);
      const [file = ''] = await files();
      expect(refused).toMatchObject({
        name: 'StateWriteError',
        keptIn: expect.stringContaining(file) as string,
      });
      expect(lines.join('')).toContain('"result":{"id":"c-1"}');
      await run.close();

      // As long as others write the log, it waits.
      expect(await takeUp()).toEqual([]);
      expect(await files()).toEqual([file]);
      await endWithoutOthers(url, apply);
      await apply.close();
      if (who === 'somebody') await decide(store);
      expect(await takeUp()).toEqual([expect.stringContaining(file)]);
      expect(await files()).toEqual([`${file}.imported`]);
      expect(await takeUp()).toEqual([]);
      const read = await store.read();
      if (!read.ok) throw new Error(read.error.detail);
      const object = read.value.state.objects.get('concept/c');
      expect(object?.status).toBe(who === 'nobody' ? 'done' : undefined);
      expect(await store.holder()).toBeUndefined();
    },
  );

  it.each(['nobody', 'somebody'])(
    'has its answers taken in by the next command that writes from its folder, if %s has decided meanwhile',
    async (who) => {
      const { store, ours, files, keptAnswer } = await scene();
      const file = await keptAnswer();
      if (who === 'somebody') await decide(store);
      expect(await writeInto(ours, [])).toEqual([expect.stringContaining(file)]);
      expect(await files()).toEqual([`${file}.imported`]);
      const read = await store.read();
      if (!read.ok) throw new Error(read.error.detail);
      expect(read.value.state.objects.get('concept/c')?.status).toBe(who === 'nobody' ? 'done' : undefined);
    },
  );

  it('keeps its file as long as the database takes nothing, which the next command that writes says', async () => {
    const { ours, url, files, keptAnswer } = await scene();
    const file = await keptAnswer();
    await runSql(url, REFUSING);
    await expect(writeInto(ours, [])).rejects.toThrow(/not now.*Nothing was sent/);
    expect(await files()).toEqual([file]);
    expect(await ours.holder()).toBeUndefined();
    await runSql(url, 'drop trigger refuse on campaign.event');
    expect(await writeInto(ours, [])).toEqual([expect.stringContaining(file)]);
  });

  it('says each time what of its answers is damaged, and changes nothing', async () => {
    const { work, files, takeUp, keptAnswer } = await scene();
    const file = await keptAnswer();
    const kept = path.join(work, file);
    const lines = await readFile(kept, 'utf8');
    await writeFile(kept, lines.replace('c-1', 'c-2'));
    const damaged = ['What an earlier run could not write into the state is damaged'];
    expect(await takeUp()).toEqual(damaged);
    expect(await takeUp()).toEqual(damaged);
    expect(await files()).toEqual([file]);
    await writeFile(kept, lines);
    expect(await takeUp()).toEqual([expect.stringContaining(file)]);
  });

  it('lets no worker of its folder take part in a log that has come back older, until somebody decides', async () => {
    const { apply, work, url, storeIn, takeUp, keptAnswer } = await scene();
    await keptAnswer();
    // As in a backup of the open run, from before the create was begun.
    const campaign = `(select campaign from campaign.run where id = ${apply.id})`;
    const openAgain = `update campaign.run set ended_at = null, ended_how = null where id = ${apply.id}`;
    await runSql(
      url,
      `delete from campaign.event where campaign = ${campaign} and seq > 1;
        update campaign.campaign set head_seq = 1 where id = ${campaign}; ${openAgain}`,
    );
    const seat = takeSeat(databaseOf(url));
    onTestFinished(() => seat.leave());
    const takePartIn = (folder: string) =>
      seat.takePart({
        run: apply.id,
        clock: realClock,
        keeping: { work: folder },
        waits: () => undefined,
        heads: [],
        pointer: path.join(folder, 'none'),
      });
    const diverged = { ok: false, error: { code: 'state-diverged' } };
    expect(await takePartIn(work)).toMatchObject(diverged);
    expect(await runSql(url, `select ended_how from campaign.run where id = ${apply.id}`)).toEqual([
      { ended_how: 'older' },
    ]);
    const runs = () => runSql(url, 'select id from campaign.run');
    const begun = await runs();
    expect(await takeUp()).toEqual(['The state lacks what an earlier run recorded']);
    // As it is tried again and again, nobody who decides is kept out by it.
    expect(await runs()).toEqual(begun);
    const elsewhere = await mkdtemp(path.join(tmpdir(), 'campaign-elsewhere-'));
    onTestFinished(() => rm(elsewhere, { recursive: true }));
    const rebound = { type: 'rebound', at: new Date().toISOString() } as const;
    const [row] = await runSql(
      url,
      `select name, environment, base_url from campaign.campaign where id = ${campaign}`,
    );
    const { name, environment, base_url } = row as Record<'name' | 'environment' | 'base_url', string>;
    await writeInto(storeIn(elsewhere), [{ ...rebound, campaign: name, environment, base_url }]);
    await runSql(url, openAgain);
    const joined = await takePartIn(work);
    expect(joined).toMatchObject({ ok: true, value: { id: apply.id } });
    if (joined.ok) await joined.value?.close();
  });

  it.each(['a worker', 'the next command that writes'])(
    'brings back the create, too, that a log lacks which has come back older, once somebody has decided for it: by %s',
    async (who) => {
      const { apply, url, store, storeIn, ours, files, takeUp, keptAnswer } = await scene();
      const file = await keptAnswer();
      const campaign = `(select campaign from campaign.run where id = ${apply.id})`;
      await runSql(
        url,
        `delete from campaign.event where campaign = ${campaign} and seq > 1;
          update campaign.campaign set head_seq = 1 where id = ${campaign}`,
      );
      const elsewhere = await mkdtemp(path.join(tmpdir(), 'campaign-elsewhere-'));
      onTestFinished(() => rm(elsewhere, { recursive: true }));
      const [row] = await runSql(
        url,
        `select name as campaign, environment, base_url from campaign.campaign where id = ${campaign}`,
      );
      const rebound = { type: 'rebound', at: new Date().toISOString(), ...row } as unknown as StateEvent;
      await writeInto(storeIn(elsewhere), [rebound]);
      const told = who === 'a worker' ? await takeUp() : await writeInto(ours, []);
      expect(told).toEqual([expect.stringContaining(file)]);
      expect(await files()).toEqual([`${file}.imported`]);
      const read = await store.read();
      if (!read.ok) throw new Error(read.error.detail);
      expect(read.value.state.objects.get('concept/c')).toMatchObject({
        status: 'done',
        result: { id: 'c-1' },
      });
    },
  );

  it('leaves to the next command that writes what a run of one process has kept, which may add all of it', async () => {
    const { ours, work, files, takeUp, keptAnswer } = await scene();
    const file = await keptAnswer();
    const alone = 'errored-0a1b2c3d.jsonl';
    await rename(path.join(work, file), path.join(work, alone));
    expect(await takeUp()).toEqual([]);
    expect(await files()).toEqual([alone]);
    expect(await writeInto(ours, [])).toEqual([expect.stringContaining(alone)]);
  });

  it('has its answers taken in by one of the workers of its folder, however many look at once', async () => {
    const { apply, run, url, files, takeUp } = await scene();
    for (const event of [CREATED, { ...CREATED, at: '2026-01-01T00:00:09.000Z' } as StateEvent])
      await run.recorder.append([event]).catch(() => undefined);
    await run.close();
    await endWithoutOthers(url, apply);
    await apply.close();
    expect(await files()).toHaveLength(2);
    const seats = [1, 2, 3, 4].map(() => takeSeat(databaseOf(url)));
    onTestFinished(async () => void (await Promise.all(seats.map((seat) => seat.leave()))));
    const told: string[] = [];
    for (let round = 0; round < 10; round++)
      told.push(...(await Promise.all(seats.map((seat) => takeUp(seat)))).flat());
    expect(told).toHaveLength(2);
    expect(new Set(told).size).toBe(2);
    expect((await files()).every((name) => name.endsWith('.imported'))).toBe(true);
  });

  it('keeps also that a create was never sent whose intent may be recorded', async () => {
    const { run, lines, files } = await scene();
    const again = { ...INTENT, address: 'concept/d' } as StateEvent;
    await expect(run.recorder.append([again])).rejects.toMatchObject({ name: 'StateWriteError' });
    expect(await files()).toHaveLength(1);
    expect(lines.join('')).toMatch(/"type":"not-sent".*"address":"concept\/d"/);
    await run.close();
  });

  it('is told so by whatever it asks where its rights are taken away meanwhile, as by an error that writing has', async () => {
    const { both, url } = await shareOf([conceptNode('c'), uploadNode('a')]);
    const [apply, other] = both;
    if (!apply || !other) throw new Error('there are two');
    onTestFinished(async () => void (await Promise.all(both.map((run) => run.close()))));
    const role = `refused_${randomUUID().slice(0, 8)}`;
    await runSql(url, `create role ${role} superuser login password 'canary-role-3Kx9'`);
    const login = new URL(url);
    login.username = role;
    login.password = 'canary-role-3Kx9';
    const joined = await takePart(databaseOf(login.href), { run: apply.id, clock: realClock });
    if (!joined.ok || !joined.value) throw new Error('it does not take part');
    const run = joined.value;
    await run.look();
    await runSql(url, `alter role ${role} nosuperuser`);
    await runSql(url, 'select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [role]);
    const refused = { name: 'StateWriteError', hasNothing: true };
    await expect(run.claim({ wanted: 8, busy: 0 })).rejects.toMatchObject({ name: 'StateWriteError' });
    await expect(run.ends()).rejects.toMatchObject(refused);
    await expect(run.finish(() => Promise.resolve())).rejects.toMatchObject({ name: 'StateWriteError' });
    await run.close();
  });
});

describe.runIf(hasPostgres)('a process whose run has ended without it', () => {
  it('has nothing to keep where it waits for no answer of a create', async () => {
    const { both, url } = await shareOf([conceptNode('c'), uploadNode('a')]);
    const [apply, other] = both;
    if (!apply || !other) throw new Error('there are two');
    onTestFinished(async () => void (await Promise.all(both.map((run) => run.close()))));
    await endWithoutOthers(url, apply);
    await expect(other.recorder.append([CREATED])).rejects.toMatchObject({
      name: 'StateWriteError',
      keptIn: undefined,
      hasNothing: true,
    });
  });
});
