/** On a server that compiles every plan, it compiles none of campaign's: what it has compiled is counted, statement by statement. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { manyProducts } from '../../cluster/shared-campaign.ts';
import { campaignFolder, untilTestEnds } from '../../cli/small-campaign.ts';
import { startBareService } from '../../support/bare-service.ts';
import { hasTool } from '../../support/has-tool.ts';
import { hasOwnPostgres, ownPostgres } from '../../support/own-postgres.ts';
import { behindPgBouncer } from '../../support/pgbouncer.ts';
import { roleIn, runSql } from '../../support/postgres.ts';
import { hasPostgresWithJit } from '../../support/start-postgres.ts';

const canRun = hasOwnPostgres && hasPostgresWithJit('THE TESTS OF JIT ARE');
const WAYS = ['directly', ...(hasTool('pgbouncer') ? ['through PgBouncer in transaction mode'] : [])];

/** Of each statement of a role: how many functions were compiled for it. */
const COMPILED = `select query, jit_functions::int as functions from pg_stat_statements s join pg_roles r on r.oid = s.userid
  where r.rolname = $1`;

describe.runIf(canRun)('a server that compiles plans', () => {
  it.each(WAYS)('compiles none of campaign, which is connected %s', async (way) => {
    const settings = {
      jit: 'on',
      jit_above_cost: '0',
      shared_preload_libraries: 'pg_stat_statements',
      // Those in functions, too.
      'pg_stat_statements.track': 'all',
    };
    const { url: owner } = await ownPostgres(() => settings, 'jit');
    const database = Object.assign(new URL(owner), { pathname: '/jit' }).href;
    await runSql(owner, 'create database jit');
    await runSql(database, 'create extension pg_stat_statements');
    const { url, role } = await roleIn(database);
    const env = { CAMPAIGN_STATE: way === 'directly' ? url : await behindPgBouncer(url) };

    const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
    const campaign = await campaignFolder(manyProducts(2), service);
    const run = async (...args: string[]) => {
      const { code, stderr } = await campaign.run(args, env);
      expect({ args, code, stderr }).toMatchObject({ code: 0 });
    };
    await run('db', 'migrate');
    const worker = campaign.start(['worker', '--json', '--slots', '2'], env);
    onTestFinished(() => void worker.process.kill('SIGKILL'));
    await worker.seen(/"ready"/);
    await run('apply', 'm.yaml');
    worker.process.kill('SIGTERM');
    expect(await worker.end).toMatchObject({ code: 0, stderr: '' });
    await campaign.write('m.yaml', manyProducts(3));
    await run('apply', 'm.yaml');
    for (const command of ['plan', 'status', 'history']) await run(command, 'm.yaml');
    // It warns of the pooler.
    expect((await campaign.run(['doctor', 'm.yaml'], env)).stdout).toContain('ok  database ');
    await run('state', 'move', 'm.yaml', '--to', 'many.default.state.jsonl');

    const ours = await runSql(database, COMPILED, [role]);
    expect(ours.length).toBeGreaterThan(50);
    expect(ours.filter(({ functions }) => Number(functions) > 0)).toEqual([]);
    const others = await runSql(database, COMPILED, ['owner']);
    expect(others.some(({ functions }) => Number(functions) > 0)).toBe(true);
  });
});
