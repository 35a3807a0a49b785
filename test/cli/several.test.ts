/** What names a campaign where several are worked on, or where nobody sees the command: JSON lines and mails from cron. */
import { describe, expect, it } from 'vitest';
import { startBareService } from '../support/bare-service.ts';
import { campaignFolder, PNG, SINGLE, untilTestEnds } from './small-campaign.ts';

async function twoCampaigns() {
  const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
  const campaign = await campaignFolder(SINGLE, service);
  for (const name of ['a', 'b']) {
    await campaign.write(`all/${name}.campaign.yaml`, SINGLE.replace('name: small', `name: ${name}`));
  }
  await campaign.write('all/tote.png', PNG);
  return { service, campaign };
}

const NAMES = ['a', 'b'].map((name) => ({
  manifest: `all/${name}.campaign.yaml`,
  campaign: name,
  environment: 'default',
}));

const linesOf = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const named = ({ manifest, campaign, environment }: Record<string, unknown>) => ({
  manifest,
  campaign,
  environment,
});

describe('--json of several manifests', () => {
  it.for(['plan', 'status', 'validate'])('%s names manifest, campaign and environment', async (command) => {
    const { campaign } = await twoCampaigns();
    const { stdout } = await campaign.run([command, 'all', '--json', '--env', 'emulator']);
    const lines = new Set(linesOf(stdout).map((line) => JSON.stringify(named(line))));
    expect([...lines]).toEqual(NAMES.map((names) => JSON.stringify({ ...names, environment: 'emulator' })));
  });

  it('apply names them on every line but the first; a manifest that is wrong is named as well', async () => {
    const { campaign } = await twoCampaigns();
    await campaign.write('all/c.campaign.yaml', 'version: 1\n');
    const { stdout } = await campaign.run(['apply', 'all', '--json']);
    const [version, ...lines] = linesOf(stdout);
    expect(version).toMatchObject({ type: 'version', format_version: '1.0' });
    expect(new Set(lines.map((line) => JSON.stringify(named(line))))).toEqual(
      new Set([...NAMES, { manifest: 'all/c.campaign.yaml' }].map((names) => JSON.stringify(names))),
    );
  });
});

describe('--quiet', () => {
  it('heads what it has to say with the campaign, and ends it with what comes next', async () => {
    const { campaign } = await twoCampaigns();
    await campaign.run(['apply', 'm.yaml', '--quiet']);
    await campaign.write('m.yaml', SINGLE.replace('"4:5"', '"1:1"'));
    const { code, stdout, stderr } = await campaign.run(['apply', 'm.yaml', '--quiet']);
    expect({ code, stderr }).toEqual({ code: 5, stderr: '' });
    expect(stdout.split('\n').slice(2)).toEqual([
      'small · default · m.yaml: Apply incomplete: 4 unchanged.',
      'Finished posts were left as they are: `campaign apply m.yaml --yes` requests them again, `campaign state accept m.yaml` keeps them for good.',
      '',
    ]);
    await campaign.write('m.yaml', 'version: 1\n');
    const refused = await campaign.run(['apply', 'm.yaml', '--quiet']);
    expect(refused.code).toBe(65);
    expect(refused.stderr).toMatch(/^m\.yaml\nerror: /);
  });
});
