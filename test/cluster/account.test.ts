/** What the runs of one account share in a database, as its processes are told. */
import { describe, expect, it, vi } from 'vitest';
import type { Limit, Spent } from '../../src/model/budget.ts';
import { NotBegun } from '../../src/model/not-begun.ts';
import type { StateEvent } from '../../src/model/state-event.ts';
import type { SharedRun, Sharing } from '../../src/store/shared-run.ts';
import { request } from '../log/fold-events.ts';
import { AT } from '../store/file/sample-log.ts';
import { postNodes, requestNode, resultFor } from '../support/planned-nodes.ts';
import { hasPostgres, runSql } from '../support/postgres.ts';
import { shareOf } from './two-processes.ts';

const COUNT = 12;
const ITEMS = request(1, ['1']).items;
const REQUESTS = Array.from({ length: COUNT }, (_, n) => requestNode(`r${n}`));

let accounts = 0;

async function runsOf(...sharing: Partial<Sharing>[]) {
  const account = `account-${++accounts}`;
  const runs: SharedRun[] = [];
  let url = '';
  for (const each of sharing) {
    const shared = await shareOf(REQUESTS, { sharing: { account, ...each } });
    url = shared.url;
    for (const run of shared.both) runs.push(run);
  }
  const end = async () => {
    for (const run of runs) {
      await run.stop(['stopped']);
      await run.finish(() => Promise.resolve());
      await run.close();
    }
  };
  return { url, account, runs, end };
}

describe.runIf(hasPostgres)('the requests a second of an account', () => {
  it('are those of its strictest run, in times that are nobody else’s', async () => {
    const { runs, url, account, end } = await runsOf({}, { perSecond: 20 }, { perSecond: 50 });
    await Promise.all(runs.map((run) => run.claim({ wanted: 1, busy: 0 })));
    expect((await runs[0]?.claim({ wanted: 1, busy: 0 }))?.isPaced).toBe(true);
    const times = async () =>
      Number(
        (
          await runSql(
            url,
            `select extract(epoch from next_request) * 1000 as ms from campaign.account where id = $1`,
            [account],
          )
        )[0]?.['ms'],
      );
    const first = await runs[0]?.takeTimes(3);
    const before = await times();
    // A quarter of a second at most, whatever is asked for.
    const taken = await Promise.all(runs.map((run) => run.takeTimes(99)));
    expect(taken.map(({ length }) => length)).toEqual([5, 5, 5, 5, 5, 5]);
    expect((await times()) - before).toBeGreaterThanOrEqual(6 * 250 - 1);
    const gaps = taken.flatMap((some) => some.slice(1).map((ms, n) => Math.round(ms - (some[n] ?? 0))));
    expect(new Set(gaps)).toEqual(new Set([50]));
    expect(first).toHaveLength(3);
    await end();
  });

  it('are not limited where no run does, and a clock that was turned back makes nobody wait', async () => {
    const free = await runsOf({});
    // A process may ask that has not heard yet that the run that limited them has ended.
    expect(await free.runs[0]?.takeTimes(5)).toEqual([0, 0, 0, 0, 0]);
    expect((await free.runs[0]?.claim({ wanted: 1, busy: 0 }))?.isPaced).toBe(false);
    await free.end();
    const { runs, url, account, end } = await runsOf({ perSecond: 10 });
    await runSql(url, `update campaign.account set next_request = now() + interval '1 day' where id = $1`, [
      account,
    ]);
    expect((await runs[0]?.takeTimes(1))?.[0]).toBeLessThan(1_000);
    await end();
  });
});

async function claimedOf(runs: readonly SharedRun[], wanted = COUNT) {
  const all = await Promise.all(runs.map((run) => run.claim({ wanted, busy: 0 })));
  return all.flatMap(({ claimed }, n) => claimed.map((each) => ({ run: runs[n], ...each })));
}

type Claimed = Awaited<ReturnType<typeof claimedOf>>[number];

/** Claims all that is left, and begins it at once; gives what was begun, and why the others were not. */
async function beginAll(runs: readonly SharedRun[], cost = 0.1) {
  return begin(await claimedOf(runs), cost);
}

async function begin(nodes: readonly Pick<Claimed, 'run' | 'node'>[], cost = 0.1) {
  const begun = await Promise.all(
    nodes.map(async ({ run, node }) => {
      const body = { ...(node as ReturnType<typeof requestNode>).payload, items: ITEMS, cost };
      const intent = {
        type: 'intent',
        at: AT,
        address: node.address,
        inputs: {},
        fingerprint: '',
        attempt: 1,
        request: body,
      };
      try {
        await run?.recorder.append([intent as StateEvent]);
        return { run, node, why: undefined };
      } catch (error) {
        if (!(error instanceof NotBegun)) throw error;
        return { run, node, why: error.why };
      }
    }),
  );
  const sent = begun.filter(({ why }) => why === undefined);
  return { sent, whys: begun.flatMap(({ why }) => why ?? []) };
}

type Sent = Awaited<ReturnType<typeof beginAll>>['sent'];

async function end(
  sent: Sent,
  type: 'rejected' | 'throttled' | 'not-sent' | 'unknown' | 'created',
): Promise<void> {
  for (const { run, node } of sent) {
    const { address } = node;
    const rest = type === 'created' ? { result: { ...resultFor(node), items: { 1: { id: address } } } } : {};
    const problem = { summary: 'x' };
    const event = { type, at: AT, address, problem, evidence: problem, error: problem, ...rest };
    await run?.recorder.append([event as unknown as StateEvent]);
  }
}

function budgetOf(limits: readonly Limit[], run: Spent = { posts: 0, cost: 0n }): Partial<Sharing> {
  return { atOnce: 100, budget: { limits, run, states: [] } };
}

const MONTH = new Date().toISOString().slice(0, 7);

describe.runIf(hasPostgres)('the budget of an account', () => {
  it('is one for two runs of two campaigns, exactly, whoever asks at once', async () => {
    const limit = { per: 'month', of: 'posts', most: 7 } as const;
    const { runs, end: over } = await runsOf(budgetOf([limit]), { atOnce: 100 });
    const { sent, whys } = await beginAll(runs);
    expect(sent).toHaveLength(7);
    expect(whys.length).toBeGreaterThan(0);
    expect(whys[0]).toEqual({
      type: 'withheld',
      problem: { summary: 'over budget', detail: 'per_month.posts of the budget is 7' },
    });
    await over();
  });

  it('counts what money has cost, to the millionth, and what the states have spent before', async () => {
    const limit = { per: 'month', of: 'cost', most: 0.8 } as const;
    const months = new Map([
      [MONTH, { posts: 1, cost: 100_000n }],
      ['2001-01', { posts: 9, cost: 9_000_000n }],
    ]);
    const { runs, end: over } = await runsOf({
      atOnce: 100,
      budget: {
        limits: [limit],
        run: { posts: 1, cost: 0n },
        states: [{ lineage: `elsewhere-${accounts}`, months }],
      },
    });
    expect((await beginAll(runs)).sent).toHaveLength(7);
    await over();
  });

  it('of a run is its own, and begins with what an apply that was killed has spent', async () => {
    const limit = { per: 'run', of: 'posts', most: 5 } as const;
    const { runs, end: over } = await runsOf(
      budgetOf([limit], { posts: 2, cost: 0n }),
      budgetOf([limit], { posts: 0, cost: 0n }),
    );
    expect((await beginAll(runs.slice(0, 2))).sent).toHaveLength(3);
    expect((await beginAll(runs.slice(2))).sent).toHaveLength(5);
    await over();
  });

  it.each(['rejected', 'throttled', 'not-sent'] as const)(
    'gets back what was %s, and not what is unknown',
    async (type) => {
      const { runs, url, account, end: over } = await runsOf({ atOnce: 100 });
      const { sent } = await beginAll(runs);
      expect(sent).toHaveLength(COUNT);
      await end(sent.slice(0, 4), type);
      await end(sent.slice(4, 6), 'unknown');
      await end(sent.slice(6), 'created');
      const rows = () =>
        runSql(url, 'select month, posts, cost from campaign.spent where account = $1', [account]);
      expect(await rows()).toEqual([{ month: MONTH, posts: 8, cost: '800000' }]);
      // A late answer that it was refused.
      await end(sent.slice(4, 5), type);
      expect(await rows()).toEqual([{ month: MONTH, posts: 7, cost: '700000' }]);
      const [row] = await runSql(
        url,
        'select run_posts, run_cost, generating from campaign.run where account = $1',
        [account],
      );
      expect(row).toEqual({ run_posts: 7, run_cost: '700000', generating: 6 });
      await over();
    },
  );
});

describe.runIf(hasPostgres)('what the service allows an account', () => {
  it('is so many posts at once over all of its runs, the fewest that one of them allows', async () => {
    const { runs, end: over } = await runsOf(
      { atOnce: 100, mediaInFlight: 5 },
      { atOnce: 100, mediaInFlight: 50 },
    );
    const { sent, whys } = await beginAll(runs);
    expect(sent).toHaveLength(5);
    expect(new Set(whys.map(({ type }) => type))).toEqual(new Set(['not-now']));
    await end(sent.slice(0, 2), 'rejected');
    await end(sent.slice(2), 'created');
    const { claimed } = (await runs.at(-1)?.claim({ wanted: COUNT, busy: 0 })) ?? { claimed: [] };
    expect(claimed.length).toBeLessThanOrEqual(COUNT);
    await over();
  });

  it('is an equal part of its slots for each run, however many processes the others have', async () => {
    const { runs, end: over } = await runsOf({ atOnce: 2 }, { atOnce: 2 });
    const slotsOf = async (n: number) => (await runs[n]?.claim({ wanted: 8, busy: 0 }))?.slots;
    expect([await slotsOf(0), await slotsOf(0), await slotsOf(1)]).toEqual([2, 2, 0]);
    expect([await slotsOf(0), await slotsOf(1)]).toEqual([1, 1]);
    // Another run begins: one of the two gives its slot back as soon as it is free.
    expect(await slotsOf(2)).toBe(0);
    expect([await slotsOf(0), await slotsOf(2), await slotsOf(1)]).toEqual([0, 1, 1]);
    await over();
  });

  it('is not held by a run whose processes are all gone', async () => {
    const sharing = { atOnce: 100, mediaInFlight: 5 };
    const { runs, url, account, end: over } = await runsOf(sharing, sharing);
    const [gone, live] = [runs.slice(0, 2), runs.slice(2)];
    const { sent } = await beginAll(gone);
    expect(sent).toHaveLength(5);
    await end(sent, 'created');
    expect((await beginAll(live)).sent).toHaveLength(0);
    await runSql(url, `update campaign.part set beat = 'epoch' where account = $1`, [account]);
    expect((await beginAll(live)).sent).toHaveLength(5);
    await over();
  });

  it('is waited for while a run polls its posts, and not where no run does', async () => {
    const sharing = { atOnce: 100, mediaInFlight: 5 };
    const { runs, end: over } = await runsOf(sharing, { ...sharing, polls: false });
    const [polling, leaving] = [runs.slice(0, 2), runs.slice(2)];
    const { sent } = await begin(await claimedOf(leaving.slice(0, 1), 5));
    expect(sent).toHaveLength(5);
    // Their creates are under way: they may be refused.
    expect((await beginAll(polling)).whys).toEqual([]);
    await end(sent.slice(0, 1), 'rejected');
    const { sent: one, whys: held } = await beginAll(polling);
    expect(one).toHaveLength(1);
    expect(new Set(held.map(({ type }) => type))).toEqual(new Set(['not-now']));
    await end(sent.slice(1), 'created');
    await end(one, 'created');
    // One is polled.
    expect(await claimedOf(leaving)).toEqual([]);
    await polling[0]?.recorder.append([
      {
        type: 'generated',
        at: AT,
        address: one[0]?.node.address.replace(/^media-config(.*)@/, 'media$1/1@'),
        result: { id: 'x', urls: [] },
      } as unknown as StateEvent,
    ]);
    const { sent: last } = await begin(await claimedOf(leaving.slice(0, 1), 1));
    expect(last).toHaveLength(1);
    await end(last, 'created');
    const claimed = await claimedOf(leaving);
    expect(claimed.length).toBeGreaterThan(0);
    expect(claimed.every(({ hasNoRoom }) => hasNoRoom)).toBe(true);
    await over();
  });

  it('has no room for what was claimed before, either, once no run polls what is generated', async () => {
    const { runs, end: over } = await runsOf({ atOnce: 100, mediaInFlight: 2, polls: false });
    const claimed = await claimedOf(runs);
    expect(claimed).toHaveLength(COUNT);
    const { sent } = await begin(claimed.slice(0, 3));
    expect(sent).toHaveLength(2);
    await end(sent, 'created');
    expect((await begin(claimed.slice(3))).whys).toContainEqual({ type: 'no-room' });
    await over();
  });

  it('has room again after posts that were waited for in vain, and not after those that nobody waited for', async () => {
    for (const polls of [true, false]) {
      const nodes = postNodes('hero', 2);
      const { both, url } = await shareOf(nodes, { sharing: { generating: 2, polls } });
      const [run] = both as [SharedRun, SharedRun];
      const [request] = (await run.claim({ wanted: 1, busy: 0 })).claimed;
      expect(await run.end(request?.node.address ?? '', 'done')).toBe(true);
      await vi.waitUntil(async () => (await run.claim({ wanted: 8, busy: 0 })).claimed.length > 0, {
        timeout: 60_000,
      });
      await run.end('media/hero/1@1', 'pending');
      const [row] = await runSql(url, 'select generating from campaign.run where id = $1', [run.id]);
      expect(row).toEqual({ generating: polls ? 1 : 2 });
      for (const each of both) await each.close();
    }
  });

  it('is claimed by others where the process is lost that had begun it, also while there is no room for more', async () => {
    const { runs, url, end: over } = await runsOf({ atOnce: 100, mediaInFlight: 1 });
    const [lost, other] = runs;
    const [first] = await claimedOf([lost as SharedRun], 1);
    const { sent } = await begin([first as Claimed]);
    expect(sent).toHaveLength(1);
    expect(await claimedOf([other as SharedRun])).toEqual([]);
    await runSql(
      url,
      `update campaign_queue.job set state = 'retry', retry_count = retry_count + 1, heartbeat_on = null
        where state = 'active' and name = $1`,
      [`run-${lost?.id}`],
    );
    const begun = (await claimedOf([other as SharedRun])).filter(({ wasBegun }) => wasBegun);
    expect(begun).toMatchObject([{ node: first?.node }]);
    await over();
  });

  it('is nothing of a kind for a while: all processes hear of it, and a run that begins after them does not', async () => {
    const { runs, account, end: over } = await runsOf({}, {});
    const hold = { kind: 'media-config', problem: { summary: 'quota', detail: 'come tomorrow' } } as const;
    runs[0]?.hold({ ...hold, ms: 3_600_000 });
    runs[0]?.hold({ ...hold, ms: 7_200_000 });
    runs[0]?.tellCreates({ inARow: 2, ms: 60_000 });
    runs[1]?.tellCreates({ inARow: 1, ms: 60_000 });
    await runs[0]?.claim({ wanted: 1, busy: 0 });
    await runs[1]?.claim({ wanted: 1, busy: 0 });
    const heard = await runs[3]?.claim({ wanted: 1, busy: 0 });
    expect(heard).toMatchObject({ holds: [hold], ambiguous: { inARow: 2 } });
    expect(heard?.holds[0]?.ms).toBeGreaterThan(7_000_000);
    await over();
    const later = await shareOf(REQUESTS, { sharing: { account } });
    expect(await later.both[0]?.claim({ wanted: 1, busy: 0 })).toMatchObject({
      holds: [],
      ambiguous: { inARow: 0, ms: 0 },
    });
    for (const run of later.both) await run.close();
  });

  it('is one create at a time after one without an answer, and all again after one that was made', async () => {
    const { runs, end: over } = await runsOf({ atOnce: 100 }, { atOnce: 100 });
    runs[0]?.tellCreates({ inARow: 1, ms: 0 });
    await runs[0]?.look();
    const { sent, whys } = await beginAll(runs);
    expect(sent).toHaveLength(1);
    expect(new Set(whys.map(({ type }) => type))).toEqual(new Set(['not-now']));
    await end(sent, 'created');
    runs[0]?.tellCreates({ inARow: 0, ms: 0 });
    const { ambiguous } = (await runs[0]?.claim({ wanted: COUNT, busy: COUNT })) ?? {};
    expect(ambiguous?.inARow).toBe(0);
    await over();
  });

  it('is one more try for a run that begins after three creates without an answer, while the run that had them goes on', async () => {
    const { runs, account, end: over } = await runsOf({ atOnce: 100 });
    await runs[0]?.claim({ wanted: 1, busy: 0 });
    runs[0]?.tellCreates({ inARow: 3, ms: 0 });
    await runs[0]?.look();
    const later = await shareOf(REQUESTS, { sharing: { account, atOnce: 100 } });
    const heard = await later.both[0]?.claim({ wanted: 0, busy: 0 });
    expect(heard?.ambiguous).toEqual({ inARow: 2, ms: 0 });
    expect((await beginAll(later.both)).sent).toHaveLength(1);
    for (const run of later.both) await run.close();
    await over();
  });
});
