import { describe, expect, it } from 'vitest';
import { startBareService } from '../support/bare-service.ts';
import { startHeldService } from '../support/held-service.ts';
import { failure, finishMedium, makeObjects, makeRequest, medium, POLL } from './held-answers.ts';
import { campaignFolder, SINGLE, SMALL, untilTestEnds } from './small-campaign.ts';

async function heldCampaign() {
  const service = await untilTestEnds(startHeldService());
  return { service, campaign: await campaignFolder(SINGLE, service) };
}

/** What stands below the progress, which has its own times. */
const ending = (stderr: string) => stderr.slice(stderr.search(/^error: /m));

const AGAIN =
  'It may have been made: for 30 days every run rechecks it. --retry-failed rechecks it too, and then requests another one; `campaign resolve m.yaml media/hero/kitchen --skip` gives it up.';

const FAILED = `error: The generation failed [media-failed]
  at m.yaml:11:9
     |
  11 |       - { key: kitchen, post_type: image, products: [tote], aspect_ratio: "4:5" }
     |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  too dark
  media/hero/kitchen
  ${AGAIN}
`;

describe('a generation that fails', () => {
  it('is shown at its line of the manifest: when the run ends, in status, and for machines', async () => {
    const { service, campaign } = await heldCampaign();
    const run = campaign.run(['apply', 'm.yaml']);
    await makeRequest(service);
    (await service.next(POLL)).respond(200, medium('error', { error_message: 'too dark' }));
    const { code, stdout, stderr } = await run;
    expect(code).toBe(1);
    expect(ending(stderr)).toBe(FAILED);
    expect(stdout).toMatch(
      /\nApply failed: 3 created, 1 failed\.\n`campaign status m\.yaml` says what failed, why, and what to do about it\.\n\nNext:\n {2}campaign apply m\.yaml --retry-failed {2}rechecks 1 failed post, then requests at most 1 post\n$/,
    );

    const status = await campaign.run(['status', 'm.yaml']);
    expect(status.stdout).toContain(`\n\n  ✗ hero  0/1  1 failed\n\n${FAILED}\n0 of 1 posts done`);
    const plan = await campaign.run(['plan', 'm.yaml']);
    expect(plan.stdout).toContain('! media/hero/kitchen failed: too dark  m.yaml:11\n');
    const place = { file: 'm.yaml', line: 11, column: 9 };
    expect(JSON.parse((await campaign.run(['status', 'm.yaml', '--json'])).stdout)).toMatchObject({
      open: [{ address: 'media/hero/kitchen', ...place }],
    });

    const retried = campaign.run(['apply', 'm.yaml', '--retry-failed', '--json']);
    (await service.next(POLL)).respond(200, medium('error', { error_message: 'too dark' }));
    const again = await service.next('POST /media-config/');
    again.respond(400, failure('no such format'));
    const events = (await retried).stdout.trim().split('\n');
    expect(events.map((line) => JSON.parse(line) as object)).toContainEqual(
      expect.objectContaining({
        type: 'node-finished',
        address: 'media-config/hero@2',
        end: 'rejected',
        file: 'm.yaml',
        line: 8,
      }),
    );
  });

  it('with others like it is one message, also for those who asked for quiet', async () => {
    const service = await untilTestEnds(startBareService({ pendingPolls: 0, failing: ['1:1'] }));
    const item = (n: number) =>
      `      - { key: k${n}, post_type: image, products: [tote], aspect_ratio: "1:1" }`;
    const items = Array.from({ length: 60 }, (_, n) => item(n)).join('\n');
    const campaign = await campaignFolder(SMALL.replace(/( {6}- [^]*)/, `${items}\n`), service);
    const { stdout, stderr } = await campaign.run(['apply', 'm.yaml', '--quiet']);
    expect(stderr.match(/The model gave up/g)).toHaveLength(1);
    expect(stderr).toMatch(
      /^small · default · m\.yaml\nerror: The generation failed \[media-failed\]\n {2}at m\.yaml:\d+:9\n/,
    );
    expect(stderr).toMatch(
      /\n {2}media\/hero\/k0, media\/hero\/k1 at m\.yaml:12, media\/hero\/k2 at m\.yaml:13 and 57 more\n/,
    );
    expect(stdout).toBe(
      'small · default · m.yaml: Apply failed: 3 created, 60 failed.\n`campaign status m.yaml` says what failed, why, and what to do about it.\n\nNext:\n  campaign apply m.yaml --retry-failed  rechecks 60 failed posts, then requests at most 60 posts\n',
    );
  });
});

describe('other failures', () => {
  it('a create that is rejected stands at what asks for it', async () => {
    const { service, campaign } = await heldCampaign();
    const run = campaign.run(['apply', 'm.yaml']);
    await makeObjects(service);
    (await service.next('POST /media-config/')).respond(400, failure('no such aspect ratio'));
    const rejected = `error: The service refused the request [media-config-rejected]
  at m.yaml:8:3
    |
  8 |   hero:
    |   ^^^^
`;
    const said =
      /400.*no such aspect ratio\n {2}media-config\/hero@1\n {2}Nothing was made\. Mend what is refused: the next run asks again\.\n$/;
    const { stderr } = await run;
    expect(ending(stderr)).toContain(rejected);
    expect(ending(stderr)).toMatch(said);
    const { stdout } = await campaign.run(['status', 'm.yaml']);
    expect(stdout).toContain(rejected.replace('rejected]', 'failed]'));
    expect(stdout).toContain('no such aspect ratio');
  });

  it('a post that one 404 hides is not lost; one that fails is shown where the manifest asks for it, also by a later run', async () => {
    const { service, campaign } = await heldCampaign();
    const first = campaign.start(['apply', 'm.yaml']);
    await makeRequest(service);
    (await service.next(POLL)).respond(200, medium('processing'));
    await service.next(POLL);
    first.process.kill('SIGINT');
    await first.end;
    const second = campaign.run(['apply', 'm.yaml']);
    (await service.next(POLL)).respond(404, failure('Not found'));
    (await service.next(POLL)).respond(200, medium('failed'));
    const { stderr } = await second;
    expect(ending(stderr)).toMatch(/^error: The generation failed \[media-failed\]\n {2}at m\.yaml:11:9\n/);
    expect(ending(stderr)).toContain(`\n  media/hero/kitchen\n  ${AGAIN}\n`);
  });

  it('a page in the place of a picture is fetched twice, kept beside its place, and tried again by the next run', async () => {
    const { service, campaign } = await heldCampaign();
    const run = campaign.run(['apply', 'm.yaml']);
    await makeRequest(service);
    const answer = medium('success', { media_info: `${service.url}/files/1.png` });
    for (let n = 0; n < 2; n += 1) {
      (await service.next(POLL)).respond(200, answer);
      (await service.next('GET /files/1.png')).respondRaw(200, '<html>Sign in</html>', {
        'content-type': 'text/html',
      });
    }
    const { code, stderr } = await run;
    expect(code).toBe(1);
    expect(ending(stderr)).toContain(`error: The file is no picture and no video [download-failed]
  at m.yaml:11:9
`);
    expect(stderr).toContain(
      'What came under its link is text/html, 20 bytes: it is an HTML page. ' +
        'What came is kept as out/small/default/hero/kitchen-image.partial.',
    );
    expect((await campaign.files()).filter((file) => file.startsWith('out/'))).toEqual([
      'out/small/default/hero/kitchen-image.partial',
      'out/small/default/index.json',
    ]);
    const { stdout } = await campaign.run(['status', 'm.yaml', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ open: [{ address: 'download/hero/kitchen@1', line: 11 }] });

    const later = campaign.run(['apply', 'm.yaml']);
    await finishMedium(service);
    expect(await later).toMatchObject({ code: 0 });
    expect((await campaign.files()).filter((file) => file.startsWith('out/'))).toEqual([
      'out/small/default/hero/kitchen-image.png',
      'out/small/default/index.json',
    ]);
  });

  it('what nothing can verify is kept when it comes twice, and marked wherever it is named', async () => {
    const { service, campaign } = await heldCampaign();
    const run = campaign.run(['apply', 'm.yaml']);
    await makeRequest(service);
    const answer = medium('success', { media_info: `${service.url}/files/1` });
    for (let n = 0; n < 2; n += 1) {
      (await service.next(POLL)).respond(200, answer);
      (await service.next('GET /files/1')).respondRaw(200, '<svg/>', { 'content-type': 'text/html' });
    }
    const { code, stdout } = await run;
    const path = 'out/small/default/hero/kitchen-image.svg';
    const unverified = 'files of this type are not looked through';
    expect(code).toBe(0);
    expect(stdout.slice(stdout.indexOf('\nApply complete'))).toBe(
      `\nApply complete: 4 created, 1 file downloaded.\n  ! ${path} is kept unverified: ${unverified}. ` +
        'Two fetches gave the same bytes; look before you use them.\n' +
        'The files are in out/small/default, listed in index.json there and by `campaign outputs m.yaml`.\n' +
        '\nNext:\n  campaign report m.yaml  puts all pictures on one page, to approve and reject them\n',
    );
    const rows = await campaign.run(['outputs', 'm.yaml', '--json']);
    const row = { path, content_type: 'image/svg+xml', unverified };
    expect(JSON.parse(rows.stdout)).toMatchObject([row]);
    expect(JSON.parse(await campaign.read('out/small/default/index.json'))).toMatchObject({ files: [row] });
    expect((await campaign.run(['outputs', 'm.yaml'])).stdout).toMatch(
      /^ADDRESS .* UNVERIFIED\n.*kitchen-image\.svg {2}files of this type are not looked through\n$/,
    );
    expect(await campaign.run(['state', 'check', 'm.yaml'])).toMatchObject({ code: 0 });
    expect(await campaign.run(['apply', 'm.yaml'])).toMatchObject({ code: 0, stderr: '' });
  });
});
