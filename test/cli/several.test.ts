/** What names a campaign where several are worked on, or where nobody sees the command: JSON lines and mails from cron. */
import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { NO_NODES } from '../../src/model/node-counts.ts';
import { startBareService } from '../support/bare-service.ts';
import { campaignFolder, PNG, SINGLE, untilTestEnds } from './small-campaign.ts';

const SCHEMA = join(import.meta.dirname, '..', '..', 'schemas', 'event.schema.json');
const isEvent = new Ajv2020().compile(JSON.parse(await readFile(SCHEMA, 'utf8')) as object);

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
    const last = lines.pop();
    const broken = { manifest: 'all/c.campaign.yaml' };
    expect(new Set(lines.map((line) => JSON.stringify(named(line))))).toEqual(
      new Set([...NAMES, broken].map((names) => JSON.stringify(names))),
    );
    expect(lines.filter(({ type }) => type === 'run-finished')).toHaveLength(3);
    const made = { ...NO_NODES, created: 4, downloaded: 1 };
    const succeeded = { outcome: 'succeeded', exit_code: 0, nodes: made };
    expect(last).toEqual({
      type: 'run-finished',
      outcome: 'invalid',
      exit_code: 65,
      nodes: { ...made, created: 8, downloaded: 2 },
      manifests: [
        ...NAMES.map((names) => ({ ...names, ...succeeded })),
        { ...broken, outcome: 'invalid', exit_code: 65, nodes: NO_NODES },
      ],
    });
    expect(lines.concat(last ?? []).filter((line) => !isEvent(line))).toEqual([]);
  });
});

it('a glob has to match in one of several manifests, and selects nothing in the others', async () => {
  const { service, campaign } = await twoCampaigns();
  const b = SINGLE.replace('name: small', 'name: b').replace('hero:', 'other:');
  await campaign.write('all/b.campaign.yaml', b);
  for (const flag of ['--only', '--exclude', '--replace', '--retry-failed']) {
    const mistyped = await campaign.run(['apply', 'all', `${flag}=media/othre/*`, '--json']);
    expect(mistyped.code).toBe(64);
    expect(linesOf(mistyped.stdout).map(({ type, code }) => code ?? type)).toEqual([
      'version',
      'no-match',
      'run-finished',
    ]);
    expect((await campaign.run(['plan', 'all', `${flag}=media/othre/*`])).code).toBe(64);
  }
  expect(service.requests).toEqual([]);
  const { code, stdout } = await campaign.run(['apply', 'all', '--only', 'media/other/*', '--json']);
  expect(code).toBe(0);
  expect(linesOf(stdout).at(-1)).toMatchObject({
    manifests: [{ nodes: NO_NODES }, { nodes: { created: 4, downloaded: 1 } }],
  });
});

describe("manifests that are in each other's way", () => {
  it('one that has several names runs once, by its own name', async () => {
    const { service, campaign } = await twoCampaigns();
    await symlink('b.campaign.yaml', join(campaign.folder, 'all/0.campaign.yaml'));
    await symlink('all', join(campaign.folder, 'linked'));
    const args = ['apply', 'all', './all/../all/a.campaign.yaml', 'linked/b.campaign.yaml', '--json'];
    const { code, stdout } = await campaign.run(args);
    expect(code).toBe(0);
    const { manifests } = linesOf(stdout).at(-1) as { manifests: Record<string, unknown>[] };
    expect(manifests.map(named)).toEqual(NAMES.toReversed());
    expect(service.created.configs).toHaveLength(2);
  });

  it('of two with one name or one output folder, the first has its turn', async () => {
    const { service, campaign } = await twoCampaigns();
    const other = (name: string, more = '') => SINGLE.replace('name: small', `name: ${name}`) + more;
    await campaign.write('copy/a.campaign.yaml', other('a'));
    await campaign.write('all/c.campaign.yaml', other('c', 'outputs: { dir: ./out/../out/a/default/ }\n'));
    await campaign.write('copy/tote.png', PNG);
    for (const command of ['plan', 'apply']) {
      const { code, stdout, stderr } = await campaign.run([command, 'all', 'copy']);
      expect(code).toBe(65);
      expect(stdout).toContain('\n4 manifests: 2 succeeded, 2 invalid. ');
      expect(stderr.match(/\[same-[a-z]+\]/g)).toEqual(['[same-outputs]', '[same-campaign]']);
      expect(stderr).toContain(
        '  all/a.campaign.yaml and copy/a.campaign.yaml are both named "a", for the environment "default" of one service.',
      );
    }
    expect(service.created.configs).toHaveLength(2);
  });
});

describe('--quiet', () => {
  it('of a plan with news names the manifest', async () => {
    const { campaign } = await twoCampaigns();
    await campaign.run(['apply', 'all/a.campaign.yaml']);
    expect(await campaign.run(['plan', 'all', '--quiet'])).toEqual({
      code: 0,
      signal: null,
      stdout:
        'b · default · all/b.campaign.yaml\nPlan: 4 to create, 0 to update, 0 to replace, 0 to delete. 1 new post.\n',
      stderr: '',
    });
  });

  it('heads what it has to say with the campaign, and ends it with what comes next', async () => {
    const { campaign } = await twoCampaigns();
    await campaign.run(['apply', 'm.yaml', '--quiet']);
    await campaign.write('m.yaml', SINGLE.replace('"4:5"', '"1:1"'));
    const { code, stdout, stderr } = await campaign.run(['apply', 'm.yaml', '--quiet']);
    expect({ code, stderr }).toEqual({ code: 5, stderr: '' });
    expect(stdout.split('\n').slice(2)).toEqual([
      'small · default · m.yaml: Apply incomplete: 4 unchanged.',
      'Finished posts were left as they are, because nobody has agreed to request them again.',
      '',
      'Next:',
      '  campaign apply m.yaml --yes   requests 1 edited post again',
      '  campaign state accept m.yaml  keeps 1 edited post as made; pays nothing',
      '',
    ]);
    const events = (await campaign.run(['apply', 'm.yaml', '--json'])).stdout;
    expect(events).toMatch(
      /"code":"posts-left".*"1 finished post would be requested again, and nobody has agreed\./,
    );
    await campaign.write('m.yaml', 'version: 1\n');
    const refused = await campaign.run(['apply', 'm.yaml', '--quiet']);
    expect(refused.code).toBe(65);
    expect(refused.stderr).toMatch(/^m\.yaml\nerror: /);
  });
});
