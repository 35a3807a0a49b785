import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readLedger } from '../../src/emulator/emulator.ts';
import { type HeldService, startHeldService } from '../support/held-service.ts';
import {
  CONFIG,
  creates,
  failure,
  finishMedium,
  ID,
  makeObjects,
  makeUpstream,
  medium,
  POLL,
  success,
} from './held-answers.ts';
import { type CampaignFolder, campaignFolder, SINGLE, untilTestEnds } from './small-campaign.ts';

const TWO = SINGLE.replace('products:\n', 'products:\n  mug: { images: [tote.png] }\n').replace(
  'products: [tote]',
  'products: [tote, mug]',
);
const OTHER = '00000000-0000-4000-8000-0000000000aa';
const SENT = String.raw`sent \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC`;

interface Case {
  readonly service: HeldService;
  readonly campaign: CampaignFolder;
}

async function heldCampaign(manifest: string): Promise<Case> {
  const service = await untilTestEnds(startHeldService());
  return { service, campaign: await campaignFolder(manifest, service) };
}

async function unknownProducts(): Promise<Case> {
  const given = await heldCampaign(TWO);
  const run = given.campaign.run(['apply', 'm.yaml']);
  await makeUpstream(given.service);
  const both = [await given.service.next('POST /products/'), await given.service.next('POST /products/')];
  for (const product of both) product.reset();
  expect(await run).toMatchObject({ code: 4 });
  return given;
}

function resolve({ campaign }: Pick<Case, 'campaign'>, ...args: readonly string[]) {
  return campaign.run(['resolve', 'm.yaml', ...args]);
}

async function statusOf({ campaign }: Case): Promise<Record<string, string>> {
  const { stdout } = await campaign.run(['state', 'list', 'm.yaml', '--json']);
  const rows = JSON.parse(stdout) as { address: string; status: string; id: string | null }[];
  return Object.fromEntries(rows.map(({ address, status, id }) => [address, `${status} ${id ?? ''}`.trim()]));
}

describe('a decision about all that match', () => {
  it('needs a yes, says how many they are, and is recorded at once', async () => {
    const given = await unknownProducts();
    const asked = await resolve(given, 'product/*', '--not-created');
    expect([asked.code, asked.stderr]).toEqual([
      5,
      `error: This needs a yes [not-confirmed]
  This records as not created 2 products and concepts: product/mug, product/tote. The next apply sends them again; what does exist is made twice. Nothing was changed: there is no terminal to ask on, so say --yes if you mean it.

`,
    ]);
    expect(await statusOf(given)).toMatchObject({ 'product/mug': 'unknown', 'product/tote': 'unknown' });
    expect(await resolve(given, '--all', '--not-created', '--yes', '--json')).toEqual({
      code: 0,
      signal: null,
      stdout:
        '{"resolved":[{"address":"product/mug","decision":"not-created"},{"address":"product/tote","decision":"not-created"}],"left":[],"pending":0}\n',
      stderr: '',
    });
    expect(Object.keys(await statusOf(given)).filter((address) => address.startsWith('product/'))).toEqual(
      [],
    );
    expect(await resolve(given, '--all', '--skip')).toMatchObject({
      code: 0,
      stdout: 'Nothing is open: there is nothing to decide.\n',
    });
  });

  it('leaves what is being generated, and gives up what has failed', async () => {
    const more =
      'posts:\n  more: { concept: morning, items: [{ key: a, post_type: video, products: [tote], aspect_ratio: "1:1" }] }\n';
    const given = await heldCampaign(SINGLE.replace('posts:\n', more));
    const { service, campaign } = given;
    const run = campaign.run(['apply', 'm.yaml', '--no-wait']);
    await makeObjects(service);
    for (const request of [
      await service.next('POST /media-config/'),
      await service.next('POST /media-config/'),
    ])
      if (request.body.includes('video')) request.reset();
      else request.respond(201, CONFIG);
    expect(await run).toMatchObject({ code: 4 });
    expect(await resolve(given, '--all', '--skip')).toMatchObject({
      code: 0,
      stdout: `✓ media-config/more@1 is given up: it is not requested again until it changes.
1 post is being generated, and was left: only its own address gives a post up.
`,
    });
    const second = campaign.run(['apply', 'm.yaml']);
    (await service.next(POLL)).respond(200, medium('failed'));
    expect(await second).toMatchObject({ code: 1 });
    expect(await resolve(given, 'media/*', '--skip')).toMatchObject({
      code: 0,
      stdout: '✓ media/hero/kitchen@1 is given up: it is not requested again until it changes.\n',
    });
  });

  it.each([
    [
      ['media/*', '--not-created'],
      'media/* matches nothing that is unknown. Posts wait for their request: name that, as media-config/….',
    ],
    [['concept/*', '--skip'], 'concept/* matches nothing that is unknown or has failed.'],
    [
      ['product/tote', '--all', '--skip'],
      '--all is about everything that is open: leave out the address, or leave out --all.',
    ],
    [['--skip'], 'Name the node that the decision is about, or several by a glob, or say --all.'],
  ])('is refused where it is about nothing: %j', async (args, words) => {
    const campaign = await campaignFolder(SINGLE, { url: 'http://127.0.0.1:9' });
    const { code, stderr } = await resolve({ campaign }, ...args);
    expect([code, stderr]).toEqual([64, expect.stringContaining(words)]);
  });
});

describe('resolve --find', () => {
  it('has nothing to ask where no id came: it says why, what to look for, and sends nothing', async () => {
    const given = await unknownProducts();
    const { length } = given.service.seen;
    const { code, stdout } = await resolve(given, '--all', '--find');
    expect(code).toBe(4);
    expect(stdout).toMatch(
      new RegExp(
        '^! product/mug stays unknown: no id came with an answer, and the interface has no lists, so nothing can be asked.\n' +
          ` {4}Look for the product "mug", ${SENT}.\n! product/tote stays unknown`,
      ),
    );
    expect(given.service.seen).toHaveLength(length);
    const status = await given.campaign.run(['status', 'm.yaml', '--json']);
    const { open, next } = JSON.parse(status.stdout) as {
      open: { problem: { look_for: object } }[];
      next: { command: string }[];
    };
    expect(next.map(({ command }) => command)).toEqual(['campaign resolve m.yaml --all']);
    expect(open.map(({ problem }) => problem.look_for)).toMatchObject([
      { kind: 'product', name: 'mug' },
      { kind: 'product', name: 'tote' },
    ]);
  });

  it('tries ids that somebody gives: each goes to what it fits', async () => {
    const given = await unknownProducts();
    const { service } = given;
    const found = resolve(given, '--all', '--id', ID.product, '--id', OTHER, '--json');
    (await service.next(`GET /products/${ID.product}/`)).respond(
      200,
      success({ id: ID.product, name: 'mug' }),
    );
    (await service.next(`GET /products/${OTHER}/`)).respond(404, failure('Not found'));
    const { code, stdout } = await found;
    expect(code).toBe(4);
    expect(JSON.parse(stdout)).toMatchObject({
      resolved: [{ address: 'product/mug', decision: 'created', id: ID.product }],
      left: [
        {
          address: 'product/tote',
          why: `none of the 2 ids that were tried is it (${ID.product}: it is the product "mug", and "tote" was sent)`,
          look_for: { kind: 'product', name: 'tote' },
        },
      ],
    });
    expect(await statusOf(given)).toMatchObject({
      'product/mug': `done ${ID.product}`,
      'product/tote': 'unknown',
    });
  });

  it('records nothing where an id may be two of them', async () => {
    const given = await unknownProducts();
    const found = resolve(given, 'product/tote', '--find', '--id', OTHER);
    (await given.service.next(`GET /products/${OTHER}/`)).respond(200, success({ id: OTHER }));
    const { code, stdout } = await found;
    expect([code, stdout]).toEqual([
      4,
      expect.stringContaining(
        `${OTHER} may be product/mug as well: look at the service, and give it to one with --id.`,
      ),
    ]);
  });

  it('reads the id in an answer that could not be used', async () => {
    const given = await heldCampaign(SINGLE);
    const { service, campaign } = given;
    const first = campaign.run(['apply', 'm.yaml']);
    await makeUpstream(service);
    const cut = `{"status":"success","data":{"id":"${ID.product}","name":"tote","media_urls":[{"id":"${OTHER}`;
    (await service.next('POST /products/')).respondRaw(201, Buffer.from(cut), {
      'content-type': 'application/json',
    });
    const { code: unknown, stdout } = await first;
    expect([unknown, stdout]).toEqual([
      4,
      expect.stringContaining('campaign resolve m.yaml --all --find  asks what became of 1 unknown create'),
    ]);
    const product = resolve(given, '--all', '--find');
    (await service.next(`GET /products/${ID.product}/`)).respond(
      200,
      success({ id: ID.product, name: 'tote' }),
    );
    expect(await product).toEqual({
      code: 0,
      signal: null,
      stdout: `✓ product/tote was found (${ID.product}) and is recorded as created.\n`,
      stderr: '',
    });

    const second = campaign.run(['apply', 'm.yaml']);
    (await service.next(`GET /products/${ID.product}/`)).respond(
      200,
      success({ id: ID.product, media_urls: [] }),
    );
    (await service.next('POST /media-config/')).respond(201, success({ id: ID.config }));
    const end = await second;
    expect(end.code).toBe(4);
    expect(end.stderr).toMatch(
      new RegExp(
        `\n  Look for a request \\(media configuration\\) of the concept "morning" \\(${ID.concept}\\) with 1 post \\(image 4:5\\), showing "tote", ${SENT}.\n`,
      ),
    );
    const request = resolve(given, 'media-config/*', '--find');
    (await service.next(`GET /media-config/${ID.config}/`)).respond(200, CONFIG);
    expect(await request).toMatchObject({ code: 0 });
    const last = campaign.run(['apply', 'm.yaml']);
    await finishMedium(service);
    expect(await last).toMatchObject({ code: 0 });
    expect(creates(service)).toHaveLength(3);
  });

  it('gives an id that two answers named to neither', async () => {
    const given = await heldCampaign(TWO);
    const { service } = given;
    const run = given.campaign.run(['apply', 'm.yaml']);
    await makeUpstream(service);
    for (const product of [await service.next('POST /products/'), await service.next('POST /products/')])
      product.respondRaw(201, Buffer.from(`{"data":{"id":"${OTHER}",`), {
        'content-type': 'application/json',
      });
    expect(await run).toMatchObject({ code: 4 });
    const found = resolve(given, '--find');
    (await service.next(`GET /products/${OTHER}/`)).respond(200, success({ id: OTHER }));
    const { code, stdout } = await found;
    expect([code, stdout.match(/ may be product\/\w+ as well/g)?.length]).toEqual([4, 2]);
  });

  it('asks at a path of media that has nothing but what was sent', async () => {
    const given = await heldCampaign(
      SINGLE.replace(
        'products:\n',
        'service: { media_path: "/media/{concept.id}/{item.post_type}/" }\nproducts:\n',
      ),
    );
    const { service, campaign } = given;
    const run = campaign.run(['apply', 'm.yaml']);
    await makeObjects(service);
    (await service.next('POST /media-config/')).reset();
    expect(await run).toMatchObject({ code: 4 });
    const nothing = resolve(given, '--find', '--all');
    (await service.next(`GET /media/${ID.concept}/image/`)).respond(404, failure('Not found'));
    expect(await nothing).toMatchObject({
      code: 4,
      stdout: expect.stringContaining('there is no post that names another request than those known'),
    });
    const found = resolve(given, '--find');
    (await service.next(`GET /media/${ID.concept}/image/`)).respond(200, medium('processing'));
    (await service.next(`GET /media-config/${ID.config}/`)).respond(200, CONFIG);
    expect(await found).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`was found (${ID.config})`),
    });
  });
});

const LOST = `description: Answers are lost, after and before the effect.
orders:
  - { on: POST /products/, when: { nth: 1 }, do: { fault: cut, effect: after } }
  - { on: POST /products/, when: { nth: 2 }, do: { fault: cut, effect: before } }
`;
const LOST_LATER = `description: Answers are lost after the effect.
orders:
  - { on: POST /media-config/, when: { nth: 1 }, do: { fault: cut, effect: after } }
`;

it('the embedded emulator knows from its ledger what became of each create', async () => {
  const campaign = await campaignFolder(TWO);
  await campaign.write('lost.yaml', LOST);
  await campaign.write('later.yaml', LOST_LATER);
  const apply = (...args: readonly string[]) =>
    campaign.run(['apply', 'm.yaml', '--env', 'emulator', ...args]);
  const find = () => resolve({ campaign }, '--env', 'emulator', '--all', '--find', '--json');
  expect(await apply('--profile', 'lost.yaml')).toMatchObject({ code: 4 });
  const first = JSON.parse((await find()).stdout) as { resolved: { decision: string }[] };
  expect(first).toMatchObject({ left: [], pending: 0 });
  expect(first.resolved.map(({ decision }) => decision).sort()).toEqual(['created', 'not-created']);
  expect(await apply('--profile', 'later.yaml')).toMatchObject({ code: 4 });
  expect(JSON.parse((await find()).stdout)).toMatchObject({
    resolved: [{ address: 'media-config/hero@1', decision: 'created' }],
  });
  expect(await apply()).toMatchObject({ code: 0, stdout: expect.stringContaining('1 file downloaded') });
  const made = readLedger(path.join(campaign.folder, '.campaign/small.emulator.data'));
  expect(made.map(({ kind }) => kind).sort()).toEqual([
    'concept',
    'media-config',
    'product',
    'product',
    'upload',
  ]);
});
