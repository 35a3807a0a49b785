/** However a run ends, it says the same next commands, in the same words, as `status` right after it. */
import { expect, it } from 'vitest';
import { startBareService } from '../support/bare-service.ts';
import type { CliEnd } from '../support/run-cli.ts';
import { API_KEY, type CampaignFolder, campaignFolder, untilTestEnds } from './small-campaign.ts';

const MANY = `version: 1
name: small
products:
  tote: { images: [tote.png] }
concepts:
  morning: { description: Soft light }
posts:
  hero:
    concept: morning
    items:
      - { key: kitchen, post_type: image, products: [tote], aspect_ratio: "4:5" }
      - { key: stairs, post_type: image, products: [tote], aspect_ratio: "16:9" }
      - { key: tour, post_type: carousel, products: [tote], aspect_ratio: "1:1" }
budget: { currency: EUR, prices: { image: 0.10, carousel: 0.30 }, per_month: { cost: 9 } }
`;
const PARSED = /\n\nNext:\n([\s\S]*)$/;

/** Without the page of the pictures, which only the end of a run that made some recommends. */
function nextIn({ stdout }: CliEnd): string {
  const lines = PARSED.exec(stdout)?.[1]?.split('\n') ?? [''];
  const steps = lines.map((line) => line.split(/ {2,}(?=\S)/));
  const others = steps.filter(([, command]) => !command?.startsWith('campaign report '));
  if (others.length === steps.length) return lines.join('\n');
  const width = Math.max(...others.map(([, command = '']) => command.length));
  return others
    .map((step) => (step[2] ? `  ${step[1]?.padEnd(width)}  ${step[2]}` : step.join('  ')))
    .join('\n');
}

/** Ends a run and gives what comes next, which status says as well; by JSON the steps of both are equal, too. */
async function nextAfter(
  campaign: CampaignFolder,
  args: readonly string[],
  env?: Readonly<Record<string, string>>,
): Promise<{ readonly code: number | null; readonly end: string; readonly next: string }> {
  const end = await campaign.run([...args], env);
  const status = await campaign.run(['status', 'm.yaml'], env);
  expect(nextIn(end)).toBe(nextIn(status));
  const last = /\n((?:Apply|Wait|Destroy) [\s\S]*?)(?:\n\nNext:|$)/.exec(end.stdout)?.[1] ?? '';
  return { code: end.code, end: last, next: nextIn(end) };
}

async function jsonAfter(campaign: CampaignFolder, args: readonly string[]) {
  const { stdout } = await campaign.run([...args, '--json']);
  const { next } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as { next?: object[] };
  const status = JSON.parse((await campaign.run(['status', 'm.yaml', '--json'])).stdout) as {
    next: object[];
  };
  expect(next ?? []).toEqual(status.next);
  return next;
}

it('at the end of a run and in status, the next commands are the same, with what they cost', async () => {
  const options = { pendingPolls: 0, failing: ['16:9'], apiKey: API_KEY };
  const service = await untilTestEnds(startBareService(options));
  const campaign = await campaignFolder(MANY.replace('cost: 9', 'cost: 0.25'), service);

  // Over budget: nothing is requested.
  expect(await nextAfter(campaign, ['apply', 'm.yaml'])).toEqual({
    code: 5,
    end: 'Apply incomplete: 3 over budget.\nPosts were not requested because of the budget: `campaign plan m.yaml` says what does not fit.',
    next: '  campaign apply m.yaml --within-budget  requests 2 of 3 posts, 0.20 EUR; all of them would be 0.50 EUR in this month, and per_month.cost allows 0.25 EUR\n',
  });
  // What fits is requested, and left to the service.
  expect(await nextAfter(campaign, ['apply', 'm.yaml', '--within-budget', '--no-wait'])).toEqual({
    code: 5,
    end: 'Apply incomplete: 3 created, 2 pending, 1 over budget.\nPosts were not requested because of the budget: `campaign plan m.yaml` says what does not fit.',
    next:
      '  campaign wait m.yaml  polls and downloads 2 requested posts; pays nothing\n' +
      '  campaign plan m.yaml  says what does not fit the budget: it would be 0.50 EUR in this month (0.20 EUR already), and per_month.cost allows 0.25 EUR; pays nothing\n',
  });
  await campaign.write('m.yaml', MANY);
  expect(await jsonAfter(campaign, ['apply', 'm.yaml', '--no-wait'])).toEqual([
    {
      command: 'campaign wait m.yaml',
      does: 'polls and downloads 3 requested posts; pays nothing',
      posts: 0,
      cost: 0,
    },
  ]);
  // The key is refused, so nothing is known of the posts.
  expect(
    await nextAfter(campaign, ['apply', 'm.yaml'], { CAMPAIGN_API_KEY: 'another-key-5f1d' }),
  ).toMatchObject({
    code: 77,
    end: expect.stringMatching(
      /^Apply incomplete: 3 unchanged, 3 pending\.\nThe service refuses the API key: .*; `campaign doctor m\.yaml` tries them\.$/,
    ),
    next: '  campaign wait m.yaml  polls and downloads 3 requested posts; pays nothing\n',
  });
  // One of them failed.
  expect(await nextAfter(campaign, ['wait', 'm.yaml'])).toMatchObject({
    code: 1,
    next: '  campaign apply m.yaml --retry-failed  rechecks 1 failed post, then requests at most 1 post, 0.10 EUR\n',
  });
  // Edited, and one more: what is asked about is apart from what is not.
  const edited = MANY.replace('Soft light', 'Hard light').replace(
    'per_month',
    'per_run: { posts: 9 }, per_month',
  );
  await campaign.write('m.yaml', edited);
  expect(await nextAfter(campaign, ['apply', 'm.yaml'])).toMatchObject({
    code: 5,
    next:
      '  campaign apply m.yaml --yes           requests 2 edited posts again, 0.40 EUR\n' +
      '  campaign state accept m.yaml          keeps 2 edited posts as made; pays nothing\n' +
      '  campaign apply m.yaml --retry-failed  rechecks 1 failed post, then requests at most 1 post, 0.10 EUR\n',
  });
  const only = ['--only', 'media/hero/tour'];
  const selected = await campaign.run(['apply', 'm.yaml', ...only]);
  expect(nextIn(selected)).toBe(
    '  campaign apply m.yaml --only media/hero/tour --yes  requests 1 edited post again, 0.30 EUR\n',
  );
});

it('after a destroy that left something, it comes first, and nothing is made anew', async () => {
  const refuses = (route: string) => (isRefusing && route === 'DELETE /products/{id}/' ? 409 : undefined);
  let isRefusing = true;
  const service = await untilTestEnds(startBareService({ pendingPolls: 0, refuses }));
  const campaign = await campaignFolder(MANY, service);
  await campaign.run(['apply', 'm.yaml', '--quiet']);
  const destroy = ['destroy', 'm.yaml', '--yes'];
  expect(await nextAfter(campaign, destroy)).toMatchObject({
    code: 1,
    next: '  campaign destroy m.yaml  deletes what is left: 1 deletion; pays nothing\n',
  });
  isRefusing = false;
  expect((await campaign.run(destroy)).code).toBe(0);
  expect(nextIn(await campaign.run(['status', 'm.yaml']))).toBe(
    '  campaign apply m.yaml  requests 3 posts, 0.50 EUR\n',
  );
});
