/** What people decide about finished posts, and what the next apply makes of it. */
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BareService, startBareService } from '../support/bare-service.ts';
import { runOnTerminal } from '../support/run-on-terminal.ts';
import { type CampaignFolder, campaignFolder, API_KEY } from './small-campaign.ts';

const ITEMS = Array.from({ length: 40 }, (_, n) => n + 1)
  .map(
    (n) =>
      `      - { key: i${n}, post_type: image, products: [tote], aspect_ratio: "1:1", descriptions: [Shelf ${n}] }`,
  )
  .join('\n');
const MANIFEST = `version: 1
name: small
products:
  tote: { images: [tote.png] }
concepts:
  morning: { description: Soft light }
posts:
  hero:
    concept: morning
    items:
${ITEMS}
`;
const DECISIONS = 'small.default.decisions.yaml';

const atEnd: (() => Promise<void>)[] = [];
let service: BareService;
let campaign: CampaignFolder;
beforeAll(async () => {
  service = await startBareService({ pendingPolls: 0 });
  campaign = await campaignFolder(MANIFEST, service, (cleanUp) => atEnd.push(cleanUp));
  expect(await apply()).toEqual({ code: 0, posts: 40 });
});
afterAll(async () => {
  for (const cleanUp of atEnd) await cleanUp();
  await service.close();
});

async function apply(...flags: string[]): Promise<{ code: number | null; posts: number }> {
  const before = posts();
  const { code } = await campaign.run(['apply', 'm.yaml', '--quiet', ...flags]);
  return { code, posts: posts() - before };
}

function posts(): number {
  return service.created.configs.reduce((sum, config) => sum + Number(config['number_of_posts']), 0);
}

async function status(): Promise<Record<string, unknown>> {
  const { stdout } = await campaign.run(['status', 'm.yaml', '--json']);
  return JSON.parse(stdout) as Record<string, unknown>;
}

it('requests two of forty again where two were rejected, keeps both takes, and asks for no more', async () => {
  const rejected = await campaign.run(
    ['reject', 'm.yaml', 'media/hero/i7', 'media/hero/i9', '--note', 'handle is cut off'],
    { USER: 'anna' },
  );
  expect(rejected).toMatchObject({
    code: 0,
    stdout: `✓ media/hero/i7 rejected
✓ media/hero/i9 rejected
The next apply requests 2 posts again, and pays for them.
`,
  });
  const text = await campaign.read(DECISIONS);
  expect(text.replace(/media: [0-9a-f-]{36}/g, 'media: ID').replace(/at: [^ ]+/g, 'at: AT')).toBe(
    `# What was decided about finished posts, newest last. \`campaign approve\`, \`reject\` and \`decide\` write it, and you may.
version: 1
decisions:
  - { post: media/hero/i7, media: ID, verdict: rejected, note: handle is cut off, by: anna, at: AT }
  - { post: media/hero/i9, media: ID, verdict: rejected, note: handle is cut off, by: anna, at: AT }
`,
  );
  const planned = await campaign.run(['plan', 'm.yaml']);
  expect(planned.stdout).toContain('  -/+ media/hero/i7\n        rejected: handle is cut off');
  const { stdout } = await campaign.run(['plan', 'm.yaml', '--json']);
  const reason = { summary: 'rejected: handle is cut off', file: DECISIONS, line: 4 };
  expect(JSON.parse(stdout)).toMatchObject({ new_posts: 2, changes: [{ reasons: [reason] }, {}] });
  expect(await status()).toMatchObject({ done: 40, outdated: 0, rejected: 2, approved: 0, undecided: 38 });
  expect(await apply()).toEqual({ code: 0, posts: 2 });
  expect(await campaign.files()).toEqual(
    expect.arrayContaining([
      'out/small/default/hero/i7-image.png',
      'out/small/default/hero/i7-image.take1.png',
    ]),
  );
  // The verdicts are about the former takes.
  expect(await apply()).toEqual({ code: 0, posts: 0 });
  expect(await status()).toMatchObject({ rejected: 0, undecided: 40 });
});

it('keeps an approved post through an edit of its concept', async () => {
  expect(await campaign.run(['approve', 'm.yaml', 'media/hero/i1'])).toMatchObject({ code: 0 });
  expect(await campaign.run(['approve', 'm.yaml', 'media/hero/i1', '--json'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('{"approved":[]') as string,
  });
  await campaign.write('m.yaml', MANIFEST.replace('Soft light', 'Hard light'));
  const { stdout } = await campaign.run(['plan', 'm.yaml']);
  expect(stdout).toContain('    ✓ media/hero/i1  kept: approved\n        concept/morning changed (concept)');
  expect(stdout).toContain('39 to replace');
  await campaign.write('m.yaml', MANIFEST);
  expect(await campaign.run(['status', 'm.yaml', '--fail-on', 'undecided'])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('40 of 40 posts done, 1 approved, 39 undecided.') as string,
  });
});

it('does not reject more than ten posts without a yes, nor without a reason', async () => {
  const text = await campaign.read(DECISIONS);
  const many = await campaign.run(['reject', 'm.yaml', 'media/hero/i3*', '--note', 'too dark']);
  expect(many.code).toBe(5);
  expect(many.stderr).toContain(
    '11 posts would be rejected: the next apply requests 11 posts again, and pays for them.',
  );
  expect(await campaign.run(['reject', 'm.yaml', 'media/hero/i2'])).toMatchObject({
    code: 64,
    stderr: expect.stringContaining('A rejection needs a reason') as string,
  });
  expect(await campaign.run(['approve', 'm.yaml', 'media/none/*'])).toMatchObject({
    code: 64,
    stderr: expect.stringContaining('media/none/* matches no post that is finished and downloaded') as string,
  });
  expect(await campaign.read(DECISIONS)).toBe(text);
});

it('leaves out what was decided otherwise, unless the post is named, and says number and cost above ten', async () => {
  const text = await campaign.read(DECISIONS);
  await campaign.write('m.yaml', `${MANIFEST}budget: { currency: EUR, prices: { image: 0.10 } }\n`);
  const many = await campaign.run(['reject', 'm.yaml', 'media/hero/i*', '--note', 'too dark']);
  expect([many.code, await campaign.read(DECISIONS)]).toEqual([5, text]);
  expect(many.stderr.replace(/\s+/g, ' ')).toContain(
    '39 posts would be rejected: the next apply requests 39 posts again, and pays for them: 3.90 EUR. ' +
      '1 approved post is left out: media/hero/i1. To reject it, name it by its address, without a glob.',
  );
  const few = await campaign.run([
    'reject',
    'm.yaml',
    'media/hero/i1',
    'media/hero/i2*',
    '--note',
    'dark',
    '--yes',
  ]);
  expect(few).toMatchObject({ code: 0 });
  expect(few.stdout).toContain('✓ media/hero/i1 rejected');
  expect(few.stdout).toContain('The next apply requests 12 posts again, and pays for them: 1.20 EUR.');
  const back = await campaign.run(['approve', 'm.yaml', 'media/hero/i2*', 'media/hero/i29', '--json']);
  expect(JSON.parse(back.stdout)).toMatchObject({
    approved: [{ address: 'media/hero/i29' }],
    left_out: Array.from({ length: 10 }, () => ({ media: expect.any(String) as string })),
  });
  const none = await campaign.run(['reject', 'm.yaml', '*/i29', '--note', 'dark']);
  expect(none.stdout).toBe(
    '1 approved post is left out: media/hero/i29. To reject it, name it by its address, without a glob.\n',
  );
  await campaign.write('m.yaml', MANIFEST);
  await campaign.write(DECISIONS, text);
});

it('keeps what two write at once', async () => {
  const names = ['i21', 'i22', 'i23', 'i24'];
  await Promise.all(names.map((name) => campaign.run(['approve', 'm.yaml', `media/hero/${name}`])));
  const text = await campaign.read(DECISIONS);
  for (const name of names) expect(text).toContain(`post: media/hero/${name},`);
});

it('does not wait at a pipe in the place of its lock, and writes nothing through a link', async () => {
  const lock = join(campaign.folder, '.campaign', `${DECISIONS}.lock`);
  const text = await campaign.read(DECISIONS);
  await rm(lock);
  await promisify(execFile)('mkfifo', [lock]);
  const { code, stderr } = await campaign.run(['approve', 'm.yaml', 'media/hero/i30']);
  expect(code).toBe(74);
  expect(stderr).toContain(`${DECISIONS}.lock is a pipe in the place of a file of campaign`);
  await rm(lock);
  expect(await campaign.read(DECISIONS)).toBe(text);
});

it('refuses a verdict about a medium that the state never had, at its line, before any request', async () => {
  const text = await campaign.read(DECISIONS);
  const sent = service.requests.length;
  const added =
    '  - { post: media/hero/i2, media: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f, verdict: rejected }\n';
  await campaign.write(DECISIONS, text + added);
  const line = text.split('\n').length;
  for (const verb of ['plan', 'apply', 'status']) {
    const { code, stderr } = await campaign.run([verb, 'm.yaml']);
    expect([verb, code]).toEqual([verb, 65]);
    expect(stderr).toContain(`${DECISIONS}:${line}:`);
    expect(stderr).toContain('The state has no medium 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f.');
  }
  await campaign.write(DECISIONS, 'version: 1\ndecisions: [{ post: a, media: b, verdict: perhaps }]\n');
  expect(await campaign.run(['apply', 'm.yaml'])).toMatchObject({ code: 65 });
  expect(service.requests.length).toBe(sent);
  await campaign.write(DECISIONS, text);
});

it('says that decisions have no effect where there is no state yet', async () => {
  const fresh = await campaignFolder(MANIFEST, service);
  await fresh.write(DECISIONS, await campaign.read(DECISIONS));
  const { code, stderr } = await fresh.run(['plan', 'm.yaml']);
  expect(code).toBe(0);
  expect(stderr).toMatch(/small\.default\.decisions\.yaml has \d verdicts, and the state has no post yet/);
});

it('does not say that a rejected post is requested again where its takes are used up, or the manifest names it no more', async () => {
  const text = await campaign.read(DECISIONS);
  const few = MANIFEST.replace('    concept: morning\n', '    concept: morning\n    max_takes: 1\n');
  await campaign.write('m.yaml', few.replace(/ *- \{ key: i31,.*\n/, ''));
  const reject = async (...posts: string[]) =>
    (await campaign.run(['reject', 'm.yaml', ...posts, '--note', 'too dark'])).stdout;
  expect(await reject('media/hero/i30')).toBe(
    '✓ media/hero/i30 rejected\n1 post is not requested again: `campaign plan` says why.\n',
  );
  expect(await apply()).toEqual({ code: 1, posts: 0 });
  await campaign.write('m.yaml', MANIFEST.replace(/ *- \{ key: i31,.*\n/, ''));
  expect(await reject('media/hero/i31', 'media/hero/i32')).toBe(`✓ media/hero/i31 rejected
✓ media/hero/i32 rejected
The next apply requests 1 post again, and pays for it. 1 post is not requested again: \`campaign plan\` says why.
`);
  await campaign.write('m.yaml', MANIFEST);
  await campaign.write(DECISIONS, text);
});

it('walks through what is undecided on a terminal', async () => {
  const access = { CAMPAIGN_BASE_URL: service.url, CAMPAIGN_API_KEY: API_KEY };
  const question = 'What do you think of it? [a/r/q/L/?] ';
  const { code, screen } = await runOnTerminal(
    ['decide', 'm.yaml'],
    { cwd: campaign.folder, env: access },
    { question, keys: 'a\r' },
    { question, keys: 'r\r' },
    { question: 'What is wrong with it? ', keys: 'too dark\r' },
    { question, keys: 'q\r' },
  );
  expect(code).toBe(5);
  expect(screen).toContain('1 of 35: media/hero/i2\n  out/small/default/hero/i2-image.png');
  const text = await campaign.read(DECISIONS);
  expect(text).toMatch(/post: media\/hero\/i2, media: [0-9a-f-]+, verdict: approved/);
  expect(text).toMatch(/post: media\/hero\/i3, media: [0-9a-f-]+, verdict: rejected, note: too dark/);
  expect(await campaign.run(['decide', 'm.yaml'])).toMatchObject({ code: 64 });
});
