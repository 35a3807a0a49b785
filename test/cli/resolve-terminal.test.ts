import { describe, expect, it } from 'vitest';
import { type HeldService, startHeldService } from '../support/held-service.ts';
import { type Answer, runOnTerminal, type TerminalEnd } from '../support/run-on-terminal.ts';
import { creates, failure, ID, makeUpstream, success } from './held-answers.ts';
import {
  API_KEY,
  type CampaignFolder,
  campaignFolder,
  SINGLE,
  STATE,
  untilTestEnds,
} from './small-campaign.ts';

/** Two products: both are sent, and neither is answered. */
const TWO = SINGLE.replace('products:\n', 'products:\n  mug: { images: [tote.png] }\n').replace(
  'products: [tote]',
  'products: [tote, mug]',
);

interface Case {
  readonly service: HeldService;
  readonly campaign: CampaignFolder;
}

async function unknownProducts(): Promise<Case> {
  const service = await untilTestEnds(startHeldService());
  const campaign = await campaignFolder(TWO, service);
  const run = campaign.run(['apply', 'm.yaml']);
  await makeUpstream(service);
  const both = [await service.next('POST /products/'), await service.next('POST /products/')];
  for (const product of both) product.reset();
  expect(await run).toMatchObject({ code: 4 });
  return { service, campaign };
}

function resolve(
  { service, campaign }: Case,
  args: readonly string[],
  ...answers: readonly Answer[]
): Promise<TerminalEnd> {
  const env = { CAMPAIGN_BASE_URL: service.url, CAMPAIGN_API_KEY: API_KEY };
  return runOnTerminal(['resolve', 'm.yaml', ...args], { cwd: campaign.folder, env }, ...answers);
}

const QUESTION = 'What became of it? [c/n/s/q/L/?] ';

async function statuses({ campaign }: Case): Promise<Record<string, string>> {
  const { stdout } = await campaign.run(['state', 'list', 'm.yaml', '--json']);
  const rows = JSON.parse(stdout) as { address: string; kind: string; status: string }[];
  return Object.fromEntries(
    rows.flatMap(({ address, kind, status }) => (kind === 'product' ? [[address, status]] : [])),
  );
}

describe('resolve on a terminal', () => {
  it('shows what is known of each unknown node, and records each decision', async () => {
    const given = await unknownProducts();
    const { code, screen } = await resolve(
      given,
      [],
      { question: QUESTION, keys: 'n\n' },
      { question: QUESTION, keys: 's\n' },
    );
    expect(code).toBe(0);
    expect(screen).toMatch(
      /\nproduct\/mug is unknown since \d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ\n {2}The service did not answer: POST \/products\/: sent, but no answer came \(.*\)\n {2}request: POST \/products\/\n {2}sent: \{"variant":"product_with_label","images":\["87095ce8b488ab5b/,
    );
    expect(screen).toContain(`  c  created: it exists, under an id
  n  not created: the next apply requests it again
  s  skip: give it up
  q  quit: ask no more
  l  leave it as it is (default)
`);
    expect(screen).toContain('✓ product/mug is recorded as not created: the next apply requests it.\n');
    expect(screen).toContain('✓ product/tote is given up: it is not requested again until it changes.\n');
    expect(await statuses(given)).toEqual({ 'product/tote': 'skipped' });
    expect(creates(given.service)).toHaveLength(3);
  });

  it('asks again where the service does not confirm an id; an empty answer leaves the node', async () => {
    const given = await unknownProducts();
    const run = resolve(
      given,
      ['product/mug'],
      { question: QUESTION, keys: 'c\n' },
      { question: 'Its id: ', keys: `${ID.product}\n` },
      { question: QUESTION, keys: '\n' },
    );
    const read = await given.service.next(`GET /products/${ID.product}/`);
    read.respond(200, success({ id: ID.product, name: 'Teapot', media_urls: [] }));
    const { code, screen } = await run;
    expect(code).toBe(0);
    expect(screen).toContain(
      `error: The service does not confirm the id [id-not-found]\n  ${ID.product}: it is the product "Teapot", and "mug" was sent. Nothing was recorded.`,
    );
    expect(await statuses(given)).toEqual({ 'product/mug': 'unknown', 'product/tote': 'unknown' });
  });

  it('says why a product was refused, and lets what was given up be taken back', async () => {
    const service = await untilTestEnds(startHeldService());
    const campaign = await campaignFolder(SINGLE, service);
    const given = { service, campaign };
    const run = campaign.run(['apply', 'm.yaml']);
    await makeUpstream(service);
    (await service.next('POST /products/')).respond(400, failure('Name is taken'));
    expect(await run).toMatchObject({ code: 1 });

    const giveUp = { question: 'What shall it be? [s/q/L/?] ', keys: 's\n' };
    const refused = await resolve(given, ['product/tote'], giveUp);
    expect(refused.code).toBe(0);
    expect(refused.screen).toMatch(
      /^\nproduct\/tote has failed\n {2}\S.*Name is taken.*\n {2}s {2}skip: give it up\n/,
    );
    expect(await statuses(given)).toEqual({ 'product/tote': 'skipped' });

    const back = await resolve(given, ['product/tote'], { question: QUESTION, keys: 'n\n' });
    expect(back.code).toBe(0);
    expect(back.screen).toMatch(/^\nproduct\/tote was given up\n {2}c {2}created: it exists, under an id\n/);
    expect(back.screen).toContain('✓ product/tote is recorded as not created: the next apply requests it.\n');
    expect(await statuses(given)).toEqual({});
  });

  it('ends with 4 while something is left, and by Ctrl-C in the middle keeps what was decided', async () => {
    const given = await unknownProducts();
    const left = await resolve(
      given,
      [],
      { question: QUESTION, keys: '\n' },
      { question: QUESTION, keys: 'l\n' },
    );
    expect(left.code).toBe(4);
    const stopped = await resolve(
      given,
      [],
      { question: QUESTION, keys: 'n\n' },
      { question: QUESTION, keys: '\u0003' },
    );
    expect(stopped.code).toBe(130);
    expect(await statuses(given)).toEqual({ 'product/tote': 'unknown' });
  });

  it.each([
    ['q', 'q\n', ''],
    ['Ctrl-D', '\u0004', 'The input has ended: what was not decided stays as it is.\n'],
  ])('asks again for what is no answer; %s asks no more, and ends with 5', async (_, keys, said) => {
    const given = await unknownProducts();
    const before = await given.campaign.read(STATE);
    const { code, screen } = await resolve(
      given,
      [],
      { question: QUESTION, keys: 'y\n' },
      { question: QUESTION, keys: '?\n' },
      { question: QUESTION, keys },
    );
    expect(code).toBe(5);
    expect(screen).toContain('"y" is none of the answers; ? explains them.\n');
    expect(screen).toContain(`
  n  The next apply requests it again. If it does exist, it is made twice.
`);
    expect(screen.endsWith(said)).toBe(true);
    expect(await given.campaign.read(STATE)).toBe(before);
  });

  it('holds no lock while it asks; what was decided elsewhere meanwhile stands', async () => {
    const given = await unknownProducts();
    const decideElsewhere = async () => {
      const other = await given.campaign.run(['resolve', 'm.yaml', 'product/mug', '--not-created']);
      expect(other).toMatchObject({ code: 0 });
      return 's\n';
    };
    const { code, screen } = await resolve(
      given,
      [],
      { question: QUESTION, keys: decideElsewhere },
      { question: QUESTION, keys: 's\n' },
    );
    expect(code).toBe(0);
    expect(screen).toMatch(/error: Nothing to resolve \[nothing-to-resolve\]\n {2}product\/mug is /);
    expect(await statuses(given)).toEqual({ 'product/tote': 'skipped' });
  });

  it('has nothing to ask where nothing is unknown', async () => {
    const given = await unknownProducts();
    for (const product of ['product/mug', 'product/tote']) {
      expect(await given.campaign.run(['resolve', 'm.yaml', product, '--not-created'])).toMatchObject({
        code: 0,
      });
    }
    const { code, screen } = await resolve(given, []);
    expect([code, screen]).toEqual([0, 'Nothing is unknown: there is nothing to decide.\n']);
  });
});

describe('an id that the service cannot confirm', () => {
  it('of a concept is taken as it was given, and that is said', async () => {
    const service = await untilTestEnds(startHeldService());
    const campaign = await campaignFolder(SINGLE, service);
    const run = campaign.run(['apply', 'm.yaml']);
    (await service.next('POST /upload-media/')).respond(200, success('https://cdn.example.com/tote.png'));
    (await service.next('POST /concepts/')).reset();
    (await service.next('POST /products/')).respond(201, success({ id: ID.product }));
    expect(await run).toMatchObject({ code: 4 });
    const asked = service.seen.length;
    const args = ['resolve', 'm.yaml', 'concept/morning', '--id', ID.concept];
    expect(await campaign.run(args)).toEqual({
      code: 0,
      signal: null,
      stdout:
        '✓ concept/morning is recorded as created.\n  The service was not asked for it: the id is taken as it was given.\n',
      stderr: '',
    });
    expect(service.seen).toHaveLength(asked);
  });

  it('of a product is taken with --no-verify alone: the service may be away', async () => {
    const given = await unknownProducts();
    const args = ['resolve', 'm.yaml', 'product/mug', '--id', ID.product];
    const refused = given.campaign.run(args);
    (await given.service.next(`GET /products/${ID.product}/`)).respond(404, failure('Not found'));
    expect(await refused).toMatchObject({ code: 1, stdout: '' });
    const { code, stdout } = await given.campaign.run([...args, '--no-verify', '--json']);
    expect([code, stdout]).toEqual([0, '{"address":"product/mug","decision":"created","verified":false}\n']);
    expect(await statuses(given)).toMatchObject({ 'product/mug': 'done' });
  });
});
