import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { harEntries, harProblems } from '../support/har-schema.ts';
import { startHeldService } from '../support/held-service.ts';
import { finishMedium, makeRequest, makeUpstream } from './held-answers.ts';
import { API_KEY, campaignFolder, SINGLE, untilTestEnds } from './small-campaign.ts';

const APPLY = ['apply', 'm.yaml', '--trace', 'run.har'];

async function heldCampaign() {
  const token = { access_token: 'canary-token-77aa', token_type: 'Bearer', expires_at: 3600 };
  const service = await untilTestEnds(startHeldService({ token: () => token }));
  return { service, campaign: await campaignFolder(SINGLE, service) };
}

it('apply --trace leaves every request and answer of the run, and no secret', async () => {
  const { service, campaign } = await heldCampaign();
  const run = campaign.run(APPLY);
  await makeRequest(service);
  await finishMedium(service);
  expect(await run).toMatchObject({ code: 0 });
  const content = await campaign.read('run.har');
  expect(harProblems(content)).toEqual([]);
  expect(content).not.toContain(API_KEY);
  expect(content).not.toContain('canary');
  const sent = harEntries(content).map(({ request }) => `${request.method} ${new URL(request.url).pathname}`);
  expect(sent.sort()).toEqual([...service.seen].sort());
  expect((await stat(join(campaign.folder, 'run.har'))).mode & 0o777).toBe(0o600);
});

it('a run that is killed leaves what was answered', async () => {
  const { service, campaign } = await heldCampaign();
  const run = campaign.start(APPLY);
  await makeUpstream(service);
  await service.next('POST /products/');
  await run.seen(/concept\/morning/);
  run.process.kill('SIGKILL');
  await run.end;
  const content = await campaign.read('run.har');
  expect(harProblems(content)).toEqual([]);
  expect(harEntries(content).map(({ response }) => response.status)).toEqual([200, 200, 201]);
});

it('a trace that cannot be written is told before the first request', async () => {
  const { service, campaign } = await heldCampaign();
  const { code, stderr } = await campaign.run(['apply', 'm.yaml', '--trace', 'none/run.har']);
  expect(code).toBe(74);
  expect(stderr).toBe(
    'error: The trace cannot be written [cannot-write]\n  none/run.har: its folder does not exist.\n\n',
  );
  expect(service.seen).toEqual([]);
});
