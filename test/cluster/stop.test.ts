/** `campaign stop`: a run that several processes carry out, or that nobody carries out any more, comes to its end. */
import { describe, expect, it } from 'vitest';
import { type CampaignFolder, campaignFolder, untilTestEnds } from '../cli/small-campaign.ts';
import { deferred } from '../../src/util/deferred.ts';
import { startBareService } from '../support/bare-service.ts';
import { hasPostgres, makeDatabase, runSql } from '../support/postgres.ts';
import { checkComplete, checkLedger, madeAtLeast, manyProducts } from './shared-campaign.ts';
import { serverIsOldEnough } from './two-processes.ts';

const COUNT = 8;

async function stopped(campaign: CampaignFolder, env: Readonly<Record<string, string>>): Promise<unknown> {
  const { code, stdout, stderr } = await campaign.run(['stop', 'm.yaml', '--json'], env);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

interface Given {
  readonly pendingPolls?: number | (() => number);
  readonly waits?: (route: string) => Promise<unknown> | undefined;
  readonly more?: string;
}

async function scene({ pendingPolls = 0, waits = () => undefined, more }: Given = {}) {
  const service = await untilTestEnds(startBareService({ pendingPolls, waits }));
  const campaign = await campaignFolder(manyProducts(COUNT, more), service);
  return { service, campaign, env: { CAMPAIGN_STATE: await makeDatabase() } };
}

describe.runIf(hasPostgres)('campaign stop', () => {
  it('ends a run that was handed over to nobody, so that the next command may write', async () => {
    const { service, campaign, env } = await scene();
    expect(await campaign.run(['stop', 'm.yaml'], env)).toMatchObject({ code: 0 });
    const detached = await campaign.run(['apply', 'm.yaml', '--detach'], env);
    expect({ code: detached.code, err: detached.stderr }).toEqual({ code: 0, err: '' });
    expect(detached.stdout).toContain(
      '\nThe run goes on without this process.\nNo worker is there yet: `campaign worker` carries it out, or another ' +
        '`campaign apply m.yaml`. `campaign status m.yaml --watch` shows it, `campaign stop m.yaml` ends it.\n',
    );
    const second = await campaign.run(['wait', 'm.yaml'], env);
    expect(second.code).toBe(75);
    expect(second.stderr).toContain('campaign stop');
    expect(service.requests).toEqual([]);
    const all = COUNT * 4 + 2;
    const names = { campaign: 'many', environment: 'default' };
    const counts = { run: 1, done: 0, unknown: 0, left: all };
    expect(await stopped(campaign, env)).toEqual({ ...names, stopped: true, ...counts });
    expect(await stopped(campaign, env)).toEqual({ ...names, stopped: false });
    const said = await campaign.run(['stop', 'm.yaml'], env);
    expect(said.stdout).toMatch(/^postgres:.*: no run is under way, so there is nothing to stop\.\n$/);
    const history = await campaign.run(['history', 'm.yaml', '--json'], env);
    expect(history.stdout).toContain('"outcome":"incomplete"');
    expect(await campaign.run(['apply', 'm.yaml'], env)).toMatchObject({ code: 0 });
    await checkComplete(service, campaign, { env, count: COUNT });
  });

  it('is named by an apply that leaves a run to workers, which has nothing to be decided and is not over', async () => {
    let pendingPolls = Number.POSITIVE_INFINITY;
    const { service, campaign, env } = await scene({ pendingPolls: () => pendingPolls });
    expect(await campaign.run(['db', 'migrate'], env)).toMatchObject({ code: 0 });
    const worker = campaign.start(['worker', '--json', '--slots', '2'], env);
    await worker.seen(/"ready"/);
    const first = campaign.start(['apply', 'm.yaml', '--no-work'], env);
    await madeAtLeast(service, 2);
    const second = campaign.start(['apply', 'm.yaml', '--json'], env);
    await second.seen(/takes part in it/);
    await madeAtLeast(service, 2 * COUNT);
    const [text, json] = await Promise.all(
      [first, second].map(({ process, end }) => {
        process.kill('SIGINT');
        return end;
      }),
    );
    expect(text).toMatchObject({ code: null, signal: 'SIGINT' });
    expect(text?.stdout).toMatch(/\nThe run goes on without this process; so far .* created.*\.\n/);
    expect(text?.stdout).toContain(
      'Workers carry it out; another `campaign apply m.yaml` takes part in it. `campaign status m.yaml --watch` shows it, ' +
        '`campaign stop m.yaml` ends it.',
    );
    expect(text?.stdout).not.toMatch(/put off|Run again|Next:|resolve/);
    expect(JSON.parse(json?.stdout.trim().split('\n').at(-1) ?? '')).not.toHaveProperty('next');
    pendingPolls = 0;
    await worker.seen(/"left"/);
    worker.process.kill('SIGTERM');
    expect(await worker.end).toMatchObject({ code: 0 });
    await checkComplete(service, campaign, { env, count: COUNT });
  });

  it('awaits what workers have sent, and the next apply goes on', async () => {
    // Until then the run does not end by itself.
    let pendingPolls = Number.POSITIVE_INFINITY;
    const { service, campaign, env } = await scene({ pendingPolls: () => pendingPolls });
    expect(await campaign.run(['db', 'migrate'], env)).toMatchObject({ code: 0 });
    const worker = campaign.start(['worker', '--json', '--slots', '2'], env);
    await worker.seen(/"ready"/);
    const apply = campaign.start(['apply', 'm.yaml', '--no-work'], env);
    await madeAtLeast(service, 2);
    expect(await stopped(campaign, env)).toMatchObject({ stopped: true, unknown: 0 });
    const ended = await apply.end;
    expect(ended).toMatchObject({ code: 3, signal: null });
    expect(ended.stderr).toContain('The run was ended by `campaign stop`');
    expect(await checkLedger(service, campaign, env)).toEqual([]);
    pendingPolls = 0;
    expect(await campaign.run(['apply', 'm.yaml'], env)).toMatchObject({ code: 0 });
    worker.process.kill('SIGTERM');
    expect(await worker.end).toMatchObject({ code: 0 });
    await checkComplete(service, campaign, { env, count: COUNT });
  });

  it('is not needed after Ctrl-C where nobody else works: what was not sent is left to the next apply', async () => {
    const answers = deferred<void>();
    const waits = (route: string) => (route === 'POST /products/' ? answers.promise : undefined);
    const { service, campaign, env } = await scene({ waits });
    // Only what was handed over is shared while nobody else is there.
    expect(await campaign.run(['apply', 'm.yaml', '--detach'], env)).toMatchObject({ code: 0 });
    const apply = campaign.start(['apply', 'm.yaml'], env);
    await madeAtLeast(service, 2);
    apply.process.kill('SIGINT');
    await apply.seen(/[Ss]topp/);
    const sent = service.created.products.length;
    answers.resolve();
    expect(await apply.end).toMatchObject({ signal: 'SIGINT' });
    expect(service.created.products).toHaveLength(sent);
    expect(service.created.configs).toEqual([]);
    expect(await campaign.run(['apply', 'm.yaml'], env)).toMatchObject({ code: 0 });
    await checkComplete(service, campaign, { env, count: COUNT });
  });

  it('tells of creates that a killed process had begun: nobody knows what came of them', async () => {
    const answers = deferred<void>();
    const waits = (route: string) => (route === 'POST /products/' ? answers.promise : undefined);
    const { service, campaign, env } = await scene({ waits });
    expect(await campaign.run(['apply', 'm.yaml', '--detach'], env)).toMatchObject({ code: 0 });
    const worker = campaign.start(['worker', '--json', '--slots', '2'], env);
    await madeAtLeast(service, 2);
    worker.process.kill('SIGKILL');
    await worker.end;
    answers.resolve();
    await serverIsOldEnough(env.CAMPAIGN_STATE);
    const silent = `update campaign_queue.job set heartbeat_on = 'epoch' where state = 'active'`;
    await runSql(env.CAMPAIGN_STATE, silent);
    expect(await stopped(campaign, env)).toMatchObject({ stopped: true, unknown: 2 });
    const history = await campaign.run(['history', 'm.yaml', '--json'], env);
    expect(history.stdout).toMatch(/"unknown":2\b/);
    expect(await checkLedger(service, campaign, env)).toHaveLength(2);
  });

  it('ends a run whose apply waits for room', async () => {
    let pendingPolls = Number.POSITIVE_INFINITY;
    const more = 'limits: { media_in_flight: 1 }\n';
    const { service, campaign, env } = await scene({ pendingPolls: () => pendingPolls, more });
    expect(await campaign.run(['apply', 'm.yaml', '--detach'], env)).toMatchObject({ code: 0 });
    const apply = campaign.start(['apply', 'm.yaml'], env);
    await madeAtLeast(service, COUNT + 1);
    expect(await stopped(campaign, env)).toMatchObject({ stopped: true, unknown: 0 });
    expect(await apply.end).toMatchObject({ code: 3 });
    expect(service.created.configs).toHaveLength(1);
    pendingPolls = 0;
    expect(await campaign.run(['apply', 'm.yaml'], env)).toMatchObject({ code: 0 });
    await checkComplete(service, campaign, { env, count: COUNT });
  });

  it.each([[[]], [['--no-work']]])('comes by itself with a deadline: %j', async (args) => {
    let pendingPolls = Number.POSITIVE_INFINITY;
    const { service, campaign, env } = await scene({ pendingPolls: () => pendingPolls });
    const both = await campaign.run(['apply', 'm.yaml', '--deadline', '1s', '--detach'], env);
    expect(both).toMatchObject({ code: 64 });
    expect(await campaign.run(['apply', 'm.yaml', '--detach'], env)).toMatchObject({ code: 0 });
    const apply = await campaign.run(['apply', 'm.yaml', '--deadline', '1s', ...args], env);
    expect(apply).toMatchObject({ code: 3 });
    pendingPolls = 0;
    expect(await campaign.run(['apply', 'm.yaml'], env)).toMatchObject({ code: 0 });
    await checkComplete(service, campaign, { env, count: COUNT });
  });

  it('says of a state in a file that there is nothing to stop', async () => {
    const campaign = await campaignFolder(manyProducts(1));
    const { code, stdout } = await campaign.run(['stop', 'm.yaml'], {
      CAMPAIGN_BASE_URL: 'https://a.example',
    });
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'many.default.state.jsonl: no run is under way, so there is nothing to stop.\n',
    });
  });
});
