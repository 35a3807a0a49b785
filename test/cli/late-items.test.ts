/** A service that lists the items of a request only after it has answered it: what was paid for is fetched all the same. */
import { describe, expect, it } from 'vitest';
import { startHeldService } from '../support/held-service.ts';
import { CONFIG, creates, FILE, ID, makeObjects, medium, POLL, success } from './held-answers.ts';
import { campaignFolder, PNG, SINGLE, untilTestEnds } from './small-campaign.ts';

const READ = `GET /media-config/${ID.config}/`;
const EMPTY = success({ id: ID.config, items: [] });
const APPLY = ['apply', 'm.yaml'];

/** A campaign after a first run whose request was answered without an item. */
async function afterEmptyAnswer(manifest = SINGLE) {
  const service = await untilTestEnds(startHeldService());
  const campaign = await campaignFolder(manifest, service);
  const run = campaign.run(APPLY);
  await makeObjects(service);
  (await service.next('POST /media-config/')).respond(201, EMPTY);
  const { code, stderr } = await run;
  expect(code, stderr).toBe(1);
  expect(stderr).toContain('Not made by the service');
  return { service, campaign };
}

describe('a request that was answered without items', () => {
  it.each(['--yes', '--retry-failed'])('has its post fetched by a later run: apply %s', async (how) => {
    const { service, campaign } = await afterEmptyAnswer();
    const run = campaign.run([...APPLY, how]);
    (await service.next(READ)).respond(200, CONFIG);
    (await service.next(POLL)).respond(200, medium('processing'));
    const done = medium('success', { media_info: `${service.url}/files/1.png` });
    void service.next(POLL).then((call) => call.respond(200, done));
    void service.next(POLL).then((call) => call.respond(200, done));
    (await service.next(FILE)).respondRaw(200, PNG, { 'content-type': 'image/png' });
    const { code, stderr } = await run;
    expect(code, stderr).toBe(0);
    expect(creates(service)).toHaveLength(3);
    expect(await campaign.files()).toContain('out/small/default/hero/kitchen-image.png');
    const again = await campaign.run(['plan', 'm.yaml']);
    expect(again.stdout).toContain('No changes');
  });

  it('is asked for them once a run, and stays failed while there are none', async () => {
    const { service, campaign } = await afterEmptyAnswer();
    const run = campaign.run(APPLY);
    (await service.next(READ)).respond(200, EMPTY);
    const { code, stderr } = await run;
    expect(code, stderr).toBe(1);
    expect(creates(service)).toHaveLength(3);
    expect(service.seen.filter((request) => request === READ)).toHaveLength(1);
  });

  it('brings what the service made beyond what was asked in the same run', async () => {
    const { service, campaign } = await afterEmptyAnswer();
    const run = campaign.run(APPLY);
    const second = '00000000-0000-4000-8000-000000000006';
    const items = [ID.item, second].map((id) => ({ id, post_type: 'image' }));
    (await service.next(READ)).respond(200, success({ id: ID.config, items }));
    const done = medium('success', { media_info: `${service.url}/files/1.png` });
    const unasked = `GET /media/${ID.config}/${second}/`;
    for (const request of [POLL, unasked, POLL, unasked])
      void service.next(request).then((call) => call.respond(200, done));
    for (const _ of [ID.item, second])
      (await service.next(FILE)).respondRaw(200, PNG, { 'content-type': 'image/png' });
    const { code, stdout, stderr } = await run;
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('Apply complete: 2 created, 3 unchanged, 2 files downloaded.');
    expect(creates(service)).toHaveLength(3);
    expect(await campaign.files()).toContain('out/small/default/hero/1-image.png');
  });
});
