/** What doctor says of a database, from what that says of itself; and of a real one. */
import { describe, expect, it } from 'vitest';
import { DATABASE_CHECKS } from '../../src/doctor/files/database.ts';
import type { DatabaseFacts } from '../../src/store/database-facts.ts';
import { ok } from '../../src/util/result.ts';
import { checksOf } from '../cli/doctor-run.ts';
import { campaignFolder, SINGLE, untilTestEnds } from '../cli/small-campaign.ts';
import { startBareService } from '../support/bare-service.ts';
import { makeRoles } from '../support/documented-roles.ts';
import { hasPostgres, makeDatabase } from '../support/postgres.ts';
import { contextOf } from './context.ts';

const ROLE = {
  name: 'anna',
  canMigrate: false,
  canRead: true,
  canWrite: true,
  canChangeEvents: false,
  lacks: [],
};
const GOOD: DatabaseFacts = {
  server: '16.4',
  version: 3,
  needed: 3,
  connection: 'encrypted',
  role: ROLE,
  isStandby: false,
  unsafe: [],
  lateCopies: 0,
  isPooled: false,
  freeConnections: 50,
  aheadMs: 100,
};

async function findings(facts: Partial<DatabaseFacts>) {
  const context = { ...contextOf(), examineDatabase: () => Promise.resolve(ok({ ...GOOD, ...facts })) };
  const found = await Promise.all(
    DATABASE_CHECKS.map(async (check) => [check.id, await check.look(context)] as const),
  );
  return new Map(found);
}

describe('the checks of a database', () => {
  it('are all ok where nothing is wrong', async () => {
    expect(
      [...(await findings({}))].map(([id, { status, summary }]) => `${status} ${id}: ${summary}`),
    ).toEqual([
      'ok database: Postgres 16.4, tables of version 3, over TLS',
      'ok db_role: anna may add to the state, and change nothing of it',
      'ok db_durability: what is acknowledged is on disk, and no standby gets it late',
      'ok db_pooler: each connection is a session of its own',
      'ok db_room: has room for more connections',
      'ok db_clock: agrees with the database',
    ]);
  });

  it.each<[Partial<DatabaseFacts>, string, string, number?]>([
    [
      { server: '12.9', connection: 'plain' },
      'database',
      'warning Postgres 12.9, tables of version 3, not encrypted',
    ],
    [
      { version: 0 },
      'database',
      'error Postgres 16.4, no tables yet, over TLS, and anna may not make them',
      78,
    ],
    [
      { version: 0, role: { ...ROLE, canMigrate: true } },
      'database',
      'ok Postgres 16.4, no tables yet, over TLS; the next apply makes them',
    ],
    [{ version: 2 }, 'database', 'error Postgres 16.4, tables of version 2, over TLS', 76],
    [{ version: 4 }, 'database', 'error Postgres 16.4, tables of version 4, over TLS', 76],
    [{ version: 0 }, 'db_role', 'unknown not seen before the tables are there'],
    [{ role: { ...ROLE, canRead: false } }, 'db_role', 'error anna may not read the state', 77],
    [
      { role: { ...ROLE, canWrite: false } },
      'db_role',
      'warning anna may read the state, but add nothing to it: apply ends with 77',
    ],
    [
      { role: { ...ROLE, canChangeEvents: true } },
      'db_role',
      'warning anna may change and remove what was recorded',
    ],
    [
      { role: { ...ROLE, lacks: ['campaign.part', 'campaign.spent'] } },
      'db_role',
      'warning anna lacks rights for runs that workers share, on campaign.part, campaign.spent',
    ],
    [
      { role: { ...ROLE, lacks: ['a', 'b', 'c', 'd'] } },
      'db_role',
      'warning anna lacks rights for runs that workers share, on a, b, c and 1 more',
    ],
    [{ isStandby: true }, 'db_durability', 'error this server is a standby: it takes no records', 74],
    [
      { unsafe: ['fsync = off', 'synchronous_commit = off'] },
      'db_durability',
      'warning fsync = off: after a crash of the server, records of what was made may be gone',
    ],
    [
      { unsafe: ['synchronous_commit = off'] },
      'db_durability',
      'ok what is acknowledged is on disk, and no standby gets it late',
    ],
    [
      { lateCopies: undefined },
      'db_durability',
      'unknown this role may not see whether there are standbys (grant it pg_monitor)',
    ],
    [
      { lateCopies: 1 },
      'db_durability',
      'warning a standby may be behind: a failover to one can lose the newest records, and creates that they were about are made twice',
    ],
    [
      { lateCopies: 2 },
      'db_durability',
      'warning 2 standbys may be behind: a failover to one can lose the newest records, and creates that they were about are made twice',
    ],
    [
      { isPooled: true },
      'db_pooler',
      'warning a connection is not a session of its own: a pooler in transaction mode is in between',
    ],
    [
      { freeConnections: 1 },
      'db_room',
      'warning room for 1 more connection; an apply needs up to four, a worker one and two for each run',
    ],
    // Four of an apply, and three of each of two workers with one run.
    [{ freeConnections: 10 }, 'db_room', 'ok has room for more connections'],
    [
      { freeConnections: 9 },
      'db_room',
      'warning room for 9 more connections; an apply needs up to four, a worker one and two for each run',
    ],
    [{ aheadMs: -180_000 }, 'db_clock', 'warning this machine is 3 min behind the database'],
    [{ aheadMs: 120_000 }, 'db_clock', 'warning this machine is 2 min ahead of the database'],
  ])('say what is wrong: %j', async (facts, id, said, exit) => {
    const found = (await findings(facts)).get(id);
    expect(`${found?.status} ${found?.summary}`).toBe(said);
    expect(found?.exit).toBe(exit);
    expect(found?.action !== undefined).toBe(/^(warning|error)/.test(said));
  });
});

describe.runIf(hasPostgres)('campaign doctor', () => {
  it('says what a role may do, and why a database cannot be used', async () => {
    const service = await untilTestEnds(startBareService());
    const campaign = await campaignFolder(SINGLE, service);
    const url = await makeDatabase();
    const roles = await makeRoles(url);
    const examine = async (state: string) => {
      const end = await campaign.run(['doctor', 'm.yaml', '--json'], { CAMPAIGN_STATE: state });
      expect(end.stderr).toBe('');
      return { code: end.code, checks: checksOf(end) };
    };
    const early = await examine(roles.as('worker'));
    expect(early.code).toBe(78);
    expect(early.checks.get('database')?.summary).toMatch(
      /^Postgres \d+.*, no tables yet, on this machine, and /,
    );
    expect(await campaign.run(['db', 'migrate'], { CAMPAIGN_STATE: roles.as('owner') })).toMatchObject({
      code: 0,
    });
    await roles.grant();
    for (const [role, status, said] of [
      ['owner', 'warning', 'may change and remove what was recorded'],
      ['worker', 'ok', 'may add to the state, and change nothing of it'],
      ['reader', 'warning', 'may read the state, but add nothing to it'],
    ] as const) {
      const { checks, code } = await examine(roles.as(role));
      expect({ role, code, ...checks.get('db_role') }).toMatchObject({ code: 0, status });
      expect(checks.get('db_role')?.summary).toContain(said);
      expect(checks.get('database')).toMatchObject({ status: 'ok' });
      expect(checks.get('db_pooler')).toMatchObject({ status: 'ok' });
      expect(checks.get('db_clock')).toMatchObject({ status: 'ok' });
    }
    const wrong = new URL(url);
    wrong.password = 'canary-wrong-8Zt4';
    const refused = await examine(wrong.href);
    expect(refused.code).toBe(77);
    expect(refused.checks.get('database')).toMatchObject({ summary: 'The database refused the log-in' });
    for (const id of ['db_role', 'state', 'lock', 'kernel_lock'])
      expect(refused.checks.get(id)).toMatchObject({
        status: 'unknown',
        summary: 'not checked, see database',
      });
  });
});
