import { readFileSync } from 'node:fs';
import { realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { startBareService } from '../support/bare-service.ts';
import { startHeldService } from '../support/held-service.ts';
import { CONFIG, finishMedium, ID, makeObjects, makeRequest, medium, POLL } from './held-answers.ts';
import { runHere } from '../support/run-here.ts';
import { NO_POSTS } from '../support/status-samples.ts';
import { API_KEY, campaignFolder, SINGLE, SMALL, untilTestEnds } from './small-campaign.ts';

async function bareCampaign() {
  const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
  return { service, host: new URL(service.url).host, campaign: await campaignFolder(SMALL, service) };
}

const schema = JSON.parse(
  readFileSync(new URL('../../schemas/status.schema.json', import.meta.url), 'utf8'),
) as object;
const isStatus = new Ajv2020({ allErrors: true, allowUnionTypes: true, strictRequired: false }).compile(
  schema,
);

const PRICED = 'budget: { currency: EUR, prices: { image: 0.10, carousel: 0.50 }, per_month: { cost: 9 } }\n';

const COUNTS = { ...NO_POSTS, items: 1, failed: 1 };

describe('campaign status', () => {
  it('shows how far each post is: nothing requested, pending, done', async () => {
    const { host, campaign } = await bareCampaign();
    const status = (...flags: string[]) => campaign.run(['status', 'm.yaml', ...flags]);
    const head = `small · default · ${host} · small.default.state.jsonl ·`;

    expect((await status()).stdout).toBe(
      `${head} 0 known nodes\n\n  … hero  0/2  2 to request\n\n0 of 2 posts done, 2 to request.\n\nNext:\n  campaign apply m.yaml  requests 2 posts\n`,
    );
    expect(await status('--fail-on', 'missing')).toMatchObject({ code: 1 });
    expect(await status('--fail-on', 'failed,pending')).toMatchObject({ code: 0 });

    await campaign.run(['apply', 'm.yaml', '--no-wait']);
    expect((await status()).stdout).toBe(
      `${head} 5 known nodes\n\n  … hero  0/2  2 pending\n\n0 of 2 posts done, 2 pending.\n\nNext:\n  campaign wait m.yaml  polls and downloads 2 requested posts; pays nothing\n`,
    );
    expect(await status('--fail-on', 'pending')).toMatchObject({ code: 1 });

    await campaign.run(['apply', 'm.yaml']);
    expect((await status()).stdout).toBe(`${head} 5 known nodes\n\n  ✓ hero  2/2\n\n2 of 2 posts done.\n`);
    expect(await status('--fail-on', 'missing', '--fail-on', 'failed,pending')).toMatchObject({ code: 0 });
    expect(await status('--quiet')).toMatchObject({ code: 0, stdout: '' });

    // A post that was edited is not a missing one, and a file that is away is neither.
    const kitchen = 'out/small/default/hero/kitchen-image.png';
    await rm(join(campaign.folder, kitchen));
    await campaign.write('m.yaml', `${SMALL.replace('slow turn', 'fast turn')}${PRICED}`);
    expect((await status()).stdout).toBe(`${head} 5 known nodes

  … hero  2/2  1 out of date, 1 without files here

2 of 2 posts done, 1 out of date, 1 without files here.
Budget: this month 0.60 of 9.00 EUR.

Next:
  campaign apply m.yaml --yes      requests 1 edited post again, 0.50 EUR
  campaign state accept m.yaml     keeps 1 edited post as made; pays nothing
  campaign outputs m.yaml --fetch  brings the missing files of 1 post again; pays nothing
`);
    expect((await status('--all')).stdout).toContain(`
  upload/87095ce8b488ab5b  done
  product/tote  done
  concept/morning  done

  … hero  2/2  1 out of date, 1 without files here
      media/hero/kitchen  done
      media/hero/tour  out of date
`);
    const json = JSON.parse((await status('--all', '--json')).stdout) as { nodes: object[] };
    expect(isStatus(json), JSON.stringify(isStatus.errors)).toBe(true);
    expect(json.nodes.at(-1)).toEqual({ address: 'media/hero/tour', post: 'hero', status: 'outdated' });
  });

  it('of a manifest without posts has no blank lines in the place of rows', async () => {
    const { campaign } = await bareCampaign();
    await campaign.write('m.yaml', SMALL.slice(0, SMALL.indexOf('posts:')));
    const { stdout } = await campaign.run(['status', 'm.yaml']);
    expect(stdout.slice(stdout.indexOf('\n'))).toBe(
      '\n\n0 of 0 posts done.\n\nNext:\n  campaign apply m.yaml  sends 3 changes, requests no post\n',
    );
  });

  it('asks nobody to decide what a run at work waits for', async () => {
    const service = await untilTestEnds(startHeldService());
    const campaign = await campaignFolder(SINGLE, service);
    const run = campaign.start(['apply', 'm.yaml']);
    await makeObjects(service);
    const request = await service.next('POST /media-config/');
    const { code, stdout } = await campaign.run(['status', 'm.yaml', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      unknown: 0,
      missing: 1,
      open: [],
      running: expect.stringContaining('campaign apply') as string,
    });
    request.respond(201, CONFIG);
    await finishMedium(service);
    expect(await run.end).toMatchObject({ code: 0 });
  });

  it('names what failed, and why', async () => {
    const service = await untilTestEnds(startHeldService());
    const campaign = await campaignFolder(SINGLE, service);
    const run = campaign.run(['apply', 'm.yaml']);
    await makeRequest(service);
    (await service.next(POLL)).respond(200, medium('error', { error_message: 'too dark' }));
    await run;
    const { code, stdout } = await campaign.run(['status', 'm.yaml', '--fail-on', 'failed']);
    expect(code).toBe(1);
    expect(stdout.slice(stdout.indexOf('\n'))).toBe(`

  ✗ hero  0/1  1 failed

error: The generation failed [media-failed]
  at m.yaml:11:9
     |
  11 |       - { key: kitchen, post_type: image, products: [tote], aspect_ratio: "4:5" }
     |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  too dark
  media/hero/kitchen
  It may have been made: for 30 days every run rechecks it. --retry-failed rechecks it too, and then requests another one; \`campaign resolve m.yaml media/hero/kitchen --skip\` gives it up.

0 of 1 posts done, 1 failed.

Next:
  campaign apply m.yaml --retry-failed  rechecks 1 failed post, then requests at most 1 post
`);
    expect(JSON.parse((await campaign.run(['status', 'm.yaml', '--json'])).stdout)).toEqual({
      manifest: 'm.yaml',
      campaign: 'small',
      environment: 'default',
      posts: 1,
      done: 0,
      outdated: 0,
      pending: 0,
      to_download: 0,
      failed: 1,
      unknown: 0,
      given_up: 0,
      missing: 0,
      approved: 0,
      rejected: 0,
      undecided: 0,
      blocked: 0,
      kept: 0,
      files_missing: 0,
      post_plans: [{ post_plan: 'hero', instances: 1, ...COUNTS }],
      by_post: [{ post: 'hero', ...COUNTS }],
      next: [
        {
          command: 'campaign apply m.yaml --retry-failed',
          does: 'rechecks 1 failed post, then requests at most 1 post',
          posts: 1,
          cost: null,
        },
      ],
      open: [
        {
          address: 'media/hero/kitchen',
          status: 'failed',
          problem: { summary: 'The generation failed', detail: 'Status error: too dark' },
          file: 'm.yaml',
          line: 11,
          column: 9,
        },
      ],
    });
    const rows = JSON.parse((await campaign.run(['state', 'list', 'm.yaml', '--json'])).stdout) as object[];
    expect(rows).toContainEqual({
      address: 'media/hero/kitchen',
      kind: 'media',
      status: 'failed',
      id: null,
    });
  });
});

describe('campaign outputs', () => {
  it('lists every finished file with what made it', async () => {
    const { service, campaign } = await bareCampaign();
    expect(await campaign.run(['outputs', 'm.yaml'])).toMatchObject({ code: 0, stdout: '' });
    await campaign.run(['apply', 'm.yaml']);
    expect((await campaign.run(['outputs', 'm.yaml'])).stdout).toBe(
      `ADDRESS                TAKE  TYPE      RATIO  PATH
download/hero/kitchen  1     image     4:5    out/small/default/hero/kitchen-image.png
download/hero/tour     1     carousel  1:1    out/small/default/hero/tour-carousel-1.png
download/hero/tour     1     carousel  1:1    out/small/default/hero/tour-carousel-2.png
download/hero/tour     1     carousel  1:1    out/small/default/hero/tour-carousel-3.png
`,
    );
    const rows = JSON.parse((await campaign.run(['outputs', 'm.yaml', '--json'])).stdout) as object[];
    const [config] = service.created.configs;
    expect(rows).toHaveLength(4);
    expect(rows[0]).toMatchObject({
      address: 'download/hero/kitchen',
      post: 'hero',
      item: 'kitchen',
      products: ['product/tote'],
      concept: 'concept/morning',
      post_type: 'image',
      aspect_ratio: '4:5',
      take: 1,
      path: 'out/small/default/hero/kitchen-image.png',
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      media_id: config?.items[0]?.id,
      media_config_id: config?.id,
    });
  });

  it('says where the files are as it is from the present folder, and to programs from any', async () => {
    const { campaign, service } = await bareCampaign();
    await campaign.run(['apply', 'm.yaml', '--only', 'media/hero/kitchen']);
    const env = { CAMPAIGN_BASE_URL: service.url, CAMPAIGN_API_KEY: API_KEY };
    const elsewhere = join(campaign.folder, 'out', 'small');
    const outputs = (...args: string[]) => runHere(['outputs', ...args], { cwd: elsewhere, env });
    const { stdout } = await outputs('../../m.yaml');
    expect(stdout.split('\n').at(1)).toBe(
      'download/hero/kitchen  1     image  4:5    default/hero/kitchen-image.png',
    );
    const [row] = JSON.parse((await outputs('../../m.yaml', '--json')).stdout) as {
      path: string;
      file: string;
    }[];
    const path = 'out/small/default/hero/kitchen-image.png';
    expect([row?.path, row?.file]).toEqual([path, join(await realpath(campaign.folder), path)]);
  });
});

describe('campaign state', () => {
  it('lists every node, in an order that tells the story', async () => {
    const service = await untilTestEnds(startHeldService());
    const campaign = await campaignFolder(SINGLE, service);
    const run = campaign.run(['apply', 'm.yaml', '--no-wait']);
    await makeRequest(service);
    await run;
    // Neither the state nor its runs have anything to do with the photos.
    await rm(join(campaign.folder, 'tote.png'));
    expect(await campaign.run(['history', 'm.yaml'])).toMatchObject({ code: 0, stderr: '' });
    expect((await campaign.run(['state', 'list', 'm.yaml'])).stdout).toBe(
      `ADDRESS                  STATUS   ID
upload/87095ce8b488ab5b  done
product/tote             done     ${ID.product}
concept/morning          done     ${ID.concept}
media-config/hero@1      done     ${ID.config}
media/hero/kitchen       pending
`,
    );
    const { stdout } = await campaign.run(['state', 'show', 'm.yaml', 'product/tote', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      address: 'product/tote',
      status: 'done',
      result: { id: ID.product, url: 'https://cdn.example.com/tote.png' },
    });
    expect(await campaign.run(['state', 'show', 'm.yaml', 'product/bag'])).toEqual({
      code: 64,
      signal: null,
      stdout: '',
      stderr:
        'error: No such node [unknown-address]\n  product/bag is not in the state. `campaign state list` names what is.\n\n',
    });
  });
});
