/** `every` on the command line: headline, `--at`, files, status, a saved plan in a later week. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startBareService } from '../support/bare-service.ts';
import { campaignFolder, SMALL, untilTestEnds } from './small-campaign.ts';

const WEEKLY = SMALL.replace(
  '    concept: morning\n',
  '    concept: morning\n    every: week\n    timezone: Europe/Berlin\n',
).replace('[slow turn]', '["Week ${{ run.period }}"]');

async function weeklyCampaign() {
  const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
  const campaign = await campaignFolder(WEEKLY, service);
  const asked = () =>
    service.created.configs.map(({ items }) => items.map(({ descriptions }) => descriptions));
  return { campaign, asked };
}

const body = (text: string) => text.slice(text.indexOf('\n\n') + 2);

describe('a post plan with `every`', () => {
  it('is planned, applied and told for the period of the day that --at names', async () => {
    const { campaign, asked } = await weeklyCampaign();
    const week = (command: string, at: string, ...flags: string[]) =>
      campaign.run([command, 'm.yaml', '--at', at, ...flags]);
    const first = await week('plan', '2026-11-22');
    expect(first.stdout.split('\n')[0]).toMatch(/ · 0 known nodes · period 2026-w47$/);
    expect(first.stdout).toContain('+ media/hero/2026-w47/tour');
    const { stdout } = await week('apply', '2026-11-22', '--json');
    expect(stdout).toContain('"periods":{"hero":"2026-w47"}');

    expect((await week('apply', '2026-11-23', '--no-wait')).code).toBe(3);
    expect(asked()).toEqual(['2026-w47', '2026-w48'].map((name) => [[], [{ description: `Week ${name}` }]]));
    expect(body((await week('status', '2026-11-25')).stdout)).toBe(
      '  … hero/2026-w48  0/2  2 pending\n\n0 of 2 posts done, 2 pending.\n\nNext:\n' +
        '  campaign wait m.yaml --at 2026-11-25  polls and downloads 2 requested posts; pays nothing\n',
    );

    // A week later both are settled, and what was paid for is still open.
    const late = await week('status', '2026-11-30', '--fail-on', 'pending');
    expect([late.code, body(late.stdout)]).toEqual([
      1,
      '  … hero/2026-w49  0/2  2 to request\n\n0 of 2 posts done, 2 to request.\nSettled: hero 2026-w48: 2 pending.\n\nNext:\n' +
        '  campaign wait m.yaml --at 2026-11-30   polls and downloads 2 requested posts; pays nothing\n' +
        '  campaign apply m.yaml --at 2026-11-30  requests 2 posts\n',
    ]);
    const json = JSON.parse((await week('status', '2026-11-30', '--json')).stdout) as object;
    expect(json).toMatchObject({
      periods: { hero: '2026-w49' },
      settled: [{ post: 'hero', period: '2026-w48', pending: 2, failed: 0 }],
    });
    const plan = JSON.parse((await week('plan', '2026-11-30', '--json')).stdout) as object;
    expect(plan).toMatchObject({ periods: { hero: '2026-w49' }, new_posts: 2, pending: 2, left_alone: [] });
    expect((await week('plan', '2026-11-30', '--format', 'markdown')).stdout).toContain(
      '\nPeriods: `hero` `2026-w49`.\n',
    );

    expect((await week('apply', '2026-11-30')).code).toBe(0);
    expect(asked()).toHaveLength(3);
    expect((await campaign.files()).filter((file) => /tour/.test(file) && file.startsWith('out/'))).toEqual(
      ['2026-w47', '2026-w48', '2026-w49'].flatMap((name) =>
        [1, 2, 3].map((n) => `out/small/default/hero/${name}/tour-carousel-${n}.png`),
      ),
    );
    const explained = await week('plan', '2026-11-30', '--explain', 'media/hero/2026-w47/tour');
    expect(explained.stdout).toContain('settled: 2026-w47 is not planned any more');
    const note = ['--note', 'cut off'];
    const rejected = await campaign.run(['reject', 'm.yaml', 'media/hero/*/tour', ...note]);
    // At most one of the three weeks is the present one.
    expect(rejected.stdout).toMatch(
      / 1 post is of 2026-w4\d, which is settled: requested again only by `apply --at 2026-1[12]-\d\d`\.\n$/,
    );
    const replaced = await week('apply', '2026-11-30', '--replace', 'media/hero/2026-w47/tour');
    expect([replaced.code, replaced.stderr]).toEqual([
      64,
      expect.stringContaining('with `--at 2026-11-16` it is.'),
    ]);
  });

  it('is applied as it was reviewed, in whatever week that is done', async () => {
    const { campaign, asked } = await weeklyCampaign();
    await campaign.run(['plan', 'm.yaml', '--at', '2026-12-31', '--out', 'year.plan']);
    const both = await campaign.run(['apply', 'm.yaml', '--at', '2026-12-31', '--plan', 'year.plan']);
    expect([both.code, both.stderr]).toEqual([64, expect.stringContaining('--at decides what a plan holds')]);
    const { code, stdout } = await campaign.run(['apply', 'm.yaml', '--plan', 'year.plan']);
    expect([code, stdout.split('\n')[0]]).toEqual([0, expect.stringMatching(/period 2026-w53$/)]);
    expect(asked()).toEqual([[[], [{ description: 'Week 2026-w53' }]]]);
  });

  it('is made up for as docs/periods.md says', async () => {
    const { campaign, asked } = await weeklyCampaign();
    await campaign.write('campaign.yaml', WEEKLY.replace('name: small', 'name: weekly'));
    const page = await readFile(join(import.meta.dirname, '..', '..', 'docs', 'periods.md'), 'utf8');
    const commands = [...page.matchAll(/^campaign (.*)$/gm)].map(([, args = '']) => args.split(' '));
    for (const args of commands) expect(await campaign.run(args)).toMatchObject({ code: 0 });
    expect(commands.map(([command]) => command)).toEqual(['plan', 'apply']);
    expect(asked()).toEqual([[[], [{ description: 'Week 2026-w46' }]]]);
  });

  it('requests nothing while the clock is wrong by more than a day, unless the day is said', async () => {
    const date = new Date(Date.now() + 3 * 24 * 3_600_000).toUTCString();
    const service = await untilTestEnds(startBareService({ pendingPolls: 0, date }));
    const campaign = await campaignFolder(WEEKLY, service);
    const { code, stderr } = await campaign.run(['apply', 'm.yaml']);
    expect([code, stderr]).toEqual([
      78,
      expect.stringContaining('The clock of this machine is wrong by more than a day'),
    ]);
    expect(service.created.configs).toEqual([]);
    expect((await campaign.run(['apply', 'm.yaml', '--at', '2026-11-22'])).code).toBe(0);
  });

  it('takes days of the calendar only', async () => {
    const { campaign } = await weeklyCampaign();
    const { code, stderr } = await campaign.run(['plan', 'm.yaml', '--at', '2026-02-30']);
    expect([code, stderr]).toEqual([64, expect.stringContaining('It must be a day of the calendar')]);
  });
});
