/** What commands do besides under GitHub Actions: annotations on standard error, plans on the summary page. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createAnnotations, inertForRunner, inertJsonForRunner } from '../../src/cli/github.ts';
import type { Problem } from '../../src/model/problem.ts';
import { startBareService } from '../support/bare-service.ts';
import { type CampaignFolder, campaignFolder, PNG, SINGLE, untilTestEnds } from './small-campaign.ts';

const onGithub = (campaign: CampaignFolder) => ({
  GITHUB_ACTIONS: 'true',
  GITHUB_WORKSPACE: campaign.folder,
  GITHUB_STEP_SUMMARY: join(campaign.folder, 'summary.md'),
  CI: 'true',
});

const annotationsIn = (text: string) => text.split('\n').filter((line) => line.startsWith('::'));

/** The annotations of these problems. */
function annotated(problems: readonly Problem[], folder = '/repository'): string[] {
  const lines: string[] = [];
  const annotations = createAnnotations({ GITHUB_WORKSPACE: folder }, (line) => void lines.push(line));
  annotations.hear({ type: 'problems', problems }, {});
  annotations.close();
  return lines;
}

describe('an annotation', () => {
  it('escapes what the runner would read otherwise', () => {
    const problem = { summary: 'a: b, c\n::error::d', detail: '100 % of\nit; %0A::stop-commands::x' };
    expect(annotated([problem])).toEqual([
      '::error title=a%3A b%2C c %3A%3Aerror%3A%3Ad::100 %25 of%0Ait; %250A::stop-commands::x\n',
    ]);
    expect(annotated([{ summary: 'alone', severity: 'warning' }])).toEqual([
      '::warning title=alone::alone\n',
    ]);
  });

  it('names a file of the repository only', async () => {
    const campaign = await campaignFolder(SINGLE);
    const at = (file: string) => ({ summary: 's', detail: 'd', position: { file, line: 2, column: 3 } });
    const files = [join(campaign.folder, 'm.yaml'), '/etc/hostname', '<stdin>'];
    expect(annotated(files.map(at), campaign.folder)).toEqual([
      '::error file=m.yaml,line=2,col=3,title=s::d\n',
      '::error title=s::d\n',
    ]);
  });

  it('comes once, and ten times for each kind; the rest is one line', () => {
    const many = (severity: 'warning' | undefined, times: number) =>
      Array.from({ length: times }, (_, n) => ({
        summary: `${severity} ${n}`,
        ...(severity && { severity }),
      }));
    const lines = annotated([...many(undefined, 13), ...many(undefined, 13), ...many('warning', 11)]);
    expect(lines).toHaveLength(21);
    expect(lines.at(-1)).toBe(
      '::notice title=campaign::3 more errors and 1 more warning without an annotation, as GitHub shows 10 of each: the log has all of them.\n',
    );
  });
});

it('text of others is no command of the runner', () => {
  expect(inertForRunner('::error::a\n  ::add-mask::b\nc ::d\n##[error]e')).toBe(
    ': :error::a\n  : :add-mask::b\nc ::d\n# #[error]e',
  );
  expect(JSON.parse(inertJsonForRunner('{"a":"##[error]b"}'))).toEqual({ a: '##[error]b' });
});

describe('under GitHub Actions', () => {
  it('validate, plan and apply annotate the line of a mistake; standard output stays as it is', async () => {
    const campaign = await campaignFolder('');
    await campaign.write(
      'sub/m.yaml',
      SINGLE.replace('aspect_ratio: "4:5"', 'aspect_ratio: "4:5", ratio: 1'),
    );
    await campaign.write('sub/tote.png', PNG);
    for (const command of ['validate', 'plan', 'apply', 'doctor']) {
      for (const flags of [[], ['--json']]) {
        const args = [command, 'sub/m.yaml', '--env', 'emulator', ...flags];
        const there = await campaign.run(args, onGithub(campaign));
        const elsewhere = await campaign.run(args);
        expect(there).toMatchObject({ code: 65, stdout: elsewhere.stdout });
        expect(annotationsIn(there.stderr)).toEqual([
          expect.stringMatching(/^::error file=sub\/m\.yaml,line=11,col=\d+,title=Unknown key::/),
        ]);
        expect(annotationsIn(elsewhere.stderr)).toEqual([]);
      }
    }
  });

  it('a failed post is an annotation at its item, now and in every later run', async () => {
    const service = await untilTestEnds(startBareService({ pendingPolls: 0, failing: ['4:5'] }));
    const campaign = await campaignFolder(SINGLE, service);
    for (const flags of [[], ['--json'], ['--quiet']]) {
      const { code, stderr } = await campaign.run(['apply', 'm.yaml', ...flags], onGithub(campaign));
      expect([code, annotationsIn(stderr)]).toEqual([
        1,
        [
          expect.stringMatching(
            /^::error file=m\.yaml,line=11,col=9,title=[^:]+::.*%0Amedia\/hero\/kitchen%0A/,
          ),
        ],
      ]);
    }
  });

  it('plan adds itself to the summary page, also where it is remembered; what hinders that is a warning', async () => {
    const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
    const campaign = await campaignFolder(SINGLE, service);
    const env = onGithub(campaign);
    const plan = (more = {}, ...flags: string[]) =>
      campaign.run(['plan', 'm.yaml', ...flags], { ...env, ...more });
    await campaign.write('summary.md', 'Before\n');
    const markdown = (await plan({ GITHUB_STEP_SUMMARY: '' }, '--format', 'markdown')).stdout;
    expect(await plan()).toMatchObject({ code: 0, stderr: '' });
    expect(await campaign.read('summary.md')).toBe(`Before\n${markdown}\n`);
    await campaign.run(['apply', 'm.yaml']);
    for (let time = 0; time < 2; time += 1) {
      await campaign.write('summary.md', '');
      expect(await plan({}, '--json')).toMatchObject({ code: 0, stderr: '' });
      expect(await campaign.read('summary.md')).toContain('\n\nNo changes.\n');
    }
    await campaign.write('full.md', 'x'.repeat(1024 ** 2 - 10));
    for (const [file, why] of [
      [
        'full.md',
        'with it the summary of this step would be longer than 1 MiB, and GitHub would show nothing of it',
      ],
      ['gone.md', 'there is no such file'],
      ['.', 'it is a folder'],
    ] as const) {
      const { code, stdout, stderr } = await plan({ GITHUB_STEP_SUMMARY: file });
      expect([code, stdout]).toEqual([0, expect.stringContaining('No changes.')]);
      expect(stderr).toBe(
        `  ! The plan of small is not on the summary page: ${why}.\n` +
          `::warning title=The plan of small is not on the summary page::GITHUB_STEP_SUMMARY: ${why}.\n`,
      );
    }
  });
});
