/** Posts that failed or were gone are not given up: later runs look once more, and so does whatever pays again. */
import { describe, expect, it } from 'vitest';
import { startHeldService } from '../support/held-service.ts';
import { failure, FILE, finishMedium, makeRequest, medium, POLL } from './held-answers.ts';
import { campaignFolder, SINGLE, STATE, untilTestEnds } from './small-campaign.ts';

const READ_CONFIG = POLL.replace(/^GET \/media\/([^/]+)\/.*/, 'GET /media-config/$1/');

/** A campaign whose only post failed: one poll said `error`. */
async function failedCampaign() {
  const service = await untilTestEnds(startHeldService());
  const campaign = await campaignFolder(SINGLE, service);
  const run = campaign.run(['apply', 'm.yaml']);
  await makeRequest(service);
  (await service.next(POLL)).respond(200, medium('error', { error_message: 'busy' }));
  expect((await run).code).toBe(1);
  const sent = service.seen.length;
  return {
    service,
    campaign,
    /** What was sent since, but for tokens. */
    since: () => service.seen.slice(sent).filter((request) => !request.endsWith('/get_auth_token')),
  };
}

/** The last lines of a run, from the sum on. */
/** The last lines, without where the files are and what comes next where that is told elsewhere. */
const sum = (stdout: string) => /^Apply .*\n(?:Run again.*\n)?/m.exec(stdout)?.[0];

describe('a post of which one poll said error', () => {
  it('is told by plan, which sends nothing and sees no change', async () => {
    const { campaign, since } = await failedCampaign();
    const plan = await campaign.run(['plan', 'm.yaml', '--detailed-exitcode']);
    expect(plan.code).toBe(0);
    expect(plan.stdout.split('\n').slice(2).join('\n')).toBe(`    … media/hero/kitchen@1
        rechecked: The generation failed
    ! media/hero/kitchen failed: busy  m.yaml:11

No changes; 1 failed, 1 to recheck.
`);
    const json = await campaign.run(['plan', 'm.yaml', '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({
      changes: [],
      looked_for: ['media/hero/kitchen@1'],
      pending: 0,
      failed: 1,
    });
    const status = await campaign.run(['status', 'm.yaml', '--json']);
    expect(JSON.parse(status.stdout)).toMatchObject({ failed: 1, pending: 0, open: [{ status: 'failed' }] });
    expect(since()).toEqual([]);
  });

  it('is downloaded by the next run if it is there, and nothing is paid', async () => {
    const { service, campaign, since } = await failedCampaign();
    const run = campaign.run(['apply', 'm.yaml']);
    await finishMedium(service);
    const { code, stdout } = await run;
    expect([code, sum(stdout)]).toEqual([0, 'Apply complete: 1 created, 3 unchanged, 1 file downloaded.\n']);
    expect(since()).toEqual([POLL, POLL, FILE]);
    const plan = await campaign.run(['plan', 'm.yaml']);
    expect(plan.stdout).toContain('\nNo changes.\n');
  });

  it('is asked for once a run while it is as it was, and the state stays as it is', async () => {
    const { service, campaign, since } = await failedCampaign();
    const before = await campaign.read(STATE);
    const run = campaign.run(['apply', 'm.yaml']);
    (await service.next(POLL)).respond(200, medium('error', { error_message: 'busy' }));
    const { code, stdout } = await run;
    expect([code, sum(stdout)]).toEqual([1, 'Apply failed: 3 unchanged, 1 failed.\n']);
    expect(since()).toEqual([POLL]);
    expect(await campaign.read(STATE)).toBe(before);

    const gone = campaign.run(['apply', 'm.yaml', '--quiet']);
    (await service.next(POLL)).respond(404, failure('no such post'));
    expect((await gone).code).toBe(1);
    expect(since()).toEqual([POLL, POLL]);
    expect(await campaign.read(STATE)).toBe(before);
  });

  it('is polled as any post once it is being generated after all', async () => {
    const { service, campaign } = await failedCampaign();
    const left = campaign.run(['apply', 'm.yaml', '--no-wait']);
    (await service.next(POLL)).respond(200, medium('processing'));
    const { code, stdout } = await left;
    expect([code, sum(stdout)]).toEqual([3, 'Apply incomplete: 3 unchanged, 1 pending.\n']);
    const plan = await campaign.run(['plan', 'm.yaml']);
    expect(plan.stdout).toContain('\nNo changes; 1 pending.\n');
    const run = campaign.run(['apply', 'm.yaml']);
    await finishMedium(service);
    expect((await run).code).toBe(0);
  });

  it('leaves a saved plan as it was', async () => {
    const { service, campaign, since } = await failedCampaign();
    const saved = await campaign.run(['plan', 'm.yaml', '--out', 'p.json']);
    expect(saved.code).toBe(0);
    const run = campaign.run(['apply', 'm.yaml', '--plan', 'p.json']);
    await finishMedium(service);
    expect((await run).code).toBe(0);
    expect(since()).toEqual([POLL, POLL, FILE]);
  });
});

describe('--retry-failed', () => {
  const retry = ['apply', 'm.yaml', '--retry-failed'];

  it('pays for nothing where the post is there', async () => {
    const { service, campaign, since } = await failedCampaign();
    const run = campaign.run([...retry, '--json']);
    await finishMedium(service);
    const { code, stdout } = await run;
    expect(code).toBe(0);
    const lines = stdout.trim().split('\n');
    const events = lines.map((line) => JSON.parse(line) as Record<string, string>);
    const ends = events.flatMap(({ type, address, end }) =>
      type === 'node-finished' ? [`${address} ${end}`] : [],
    );
    expect(ends.sort()).toEqual([
      'download/hero/kitchen@1 done',
      'download/hero/kitchen@2 unchanged',
      'media-config/hero@2 unchanged',
      'media/hero/kitchen@1 done',
      'media/hero/kitchen@2 unchanged',
    ]);
    expect(events.at(-1)).toMatchObject({
      exit_code: 0,
      nodes: { created: 1, unchanged: 3, failed: 0, pending: 0 },
    });
    expect(since()).toEqual([POLL, POLL, FILE]);
    expect(await campaign.files()).toContain('out/small/default/hero/kitchen-image.png');
  });

  it('pays for nothing where nobody can find out, and says so: refused, and 404 for everything', async () => {
    const { service, campaign, since } = await failedCampaign();
    const refused = campaign.run(retry);
    (await service.next(POLL)).respond(403, failure('not yours'));
    const first = await refused;
    expect([first.code, sum(first.stdout)]).toEqual([3, 'Apply incomplete: 3 unchanged, 1 to request.\n']);
    expect(first.stderr).toMatch(
      /… media\/hero\/kitchen put off: Not requested again: Nobody could find out whether the post that was requested is there after all\. The service refused the request: GET \S+: refused \(403\): not yours\. Run the same command again\.\n/,
    );
    const denied = campaign.run(retry);
    (await service.next(POLL)).respond(404, failure('no'));
    (await service.next(READ_CONFIG)).respond(404, failure('no'));
    const [, product = ''] =
      /"(00000000-0000-4000-8000-000000000001)"/.exec(await campaign.read(STATE)) ?? [];
    (await service.next(`GET /products/${product}/`)).respond(404, failure('no'));
    const second = await denied;
    expect(second.code).toBe(3);
    expect(second.stderr).toContain('Is this the account (API key) and the base URL that made them?');
    expect(since().filter((request) => request.startsWith('POST '))).toEqual([]);
  });

  it('pays where the post is still failed', async () => {
    const { service, campaign, since } = await failedCampaign();
    const run = campaign.run(retry);
    (await service.next(POLL)).respond(200, medium('error', { error_message: 'busy' }));
    (await service.next('POST /media-config/')).respond(400, failure('enough'));
    expect((await run).code).toBe(1);
    expect(since()).toEqual([POLL, 'POST /media-config/']);
  });

  it('pays where the post is gone and its request is there', async () => {
    const { service, campaign, since } = await failedCampaign();
    const run = campaign.run(retry);
    (await service.next(POLL)).respond(404, failure('no'));
    (await service.next(READ_CONFIG)).respond(200, {
      status: 'success',
      message: 'ok',
      data: { id: READ_CONFIG.split('/')[2], items: [] },
    });
    (await service.next(POLL)).respond(404, failure('no'));
    (await service.next('POST /media-config/')).respond(400, failure('enough'));
    await run;
    expect(since()).toEqual([POLL, READ_CONFIG, POLL, 'POST /media-config/']);
  });
});

it('a finished post with other inputs than the manifest has now is a question of the next run', async () => {
  const { service, campaign, since } = await failedCampaign();
  await campaign.write('m.yaml', SINGLE.replace('"4:5"', '"1:1"'));
  const run = campaign.run(['apply', 'm.yaml']);
  await finishMedium(service);
  expect((await run).code).toBe(0);
  expect(since()).toEqual([POLL, POLL, FILE]);
  const plan = await campaign.run(['plan', 'm.yaml']);
  expect(plan.stdout).toContain('-/+ media/hero/kitchen\n');
  expect((await campaign.run(['apply', 'm.yaml'])).code).toBe(5);
});
