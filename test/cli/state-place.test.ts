/** A campaign is its name and its environment: whatever is renamed, copied or forgotten, nothing is bought a second time. */
import { execFileSync } from 'node:child_process';
import { cp, mkdir, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startBareService } from '../support/bare-service.ts';
import { runCli } from '../support/run-cli.ts';
import { API_KEY, campaignFolder, PNG, SINGLE, STATE, untilTestEnds } from './small-campaign.ts';

const SUMMER = SINGLE.replace('name: small', 'name: summer');
const SUMMER_STATE = 'summer.default.state.jsonl';

async function applied({ inGit = false, args = [] as readonly string[] } = {}) {
  const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
  const campaign = await campaignFolder(SINGLE, service);
  const path = (name: string) => join(campaign.folder, name);
  const git = (...words: readonly string[]) => {
    const name = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
    execFileSync('git', [...name, ...words], { cwd: campaign.folder, stdio: 'ignore' });
  };
  await mkdir(path('elsewhere'));
  expect((await campaign.run(['apply', 'm.yaml', ...args])).code).toBe(0);
  if (inGit) {
    git('init', '-q');
    git('add', '-A');
    git('commit', '-qm', 'applied');
  }
  /** The exit code of a command, and what it says; nothing may have been bought meanwhile. */
  async function run(...words: readonly string[]) {
    const { code, stdout, stderr } = await campaign.run(words);
    expect(service.created.configs).toHaveLength(1);
    return { code, said: stdout + stderr };
  }
  const bought = async (...words: readonly string[]) => {
    expect((await campaign.run(words)).code).toBe(0);
    return service.created.configs.length;
  };
  return { service, campaign, path, git, run, bought };
}

describe('the state', () => {
  it('lies at the name of the campaign, whatever its manifest is called', async () => {
    const { campaign, path, run } = await applied();
    expect(await campaign.files()).toContain('small.default.state.jsonl');
    await rename(path('m.yaml'), path('other.yaml'));
    expect((await run('apply', 'other.yaml')).said).toContain('No changes.');
  });

  it('is one of one manifest: a copy of it with the same name is refused', async () => {
    const { campaign, run } = await applied();
    await campaign.write('copy.yaml', SINGLE);
    expect(await run('apply', 'copy.yaml')).toMatchObject({
      code: 65,
      said: expect.stringContaining('[same-campaign]') as string,
    });
  });
});

describe('a campaign with another name', () => {
  it.each([
    ['in its manifest', 'm.yaml'],
    ['and another manifest', 'n.yaml'],
  ])('%s buys nothing until its state is used', async (_, manifest) => {
    const { campaign, path, run } = await applied();
    await campaign.write('small.default.decisions.yaml', 'version: 1\ndecisions: []\n');
    await rm(path('m.yaml'));
    await campaign.write(manifest, SUMMER);
    for (const verb of ['plan', 'apply', 'status', 'wait']) {
      const { code, said } = await run(verb, manifest);
      expect([verb, code]).toEqual([verb, 76]);
      expect(said).toContain(`\`campaign state use ${manifest} ${path(STATE)}\` makes it the state`);
    }
    expect((await run('state', 'use', manifest, STATE)).code).toBe(5);
    expect((await run('state', 'use', manifest, STATE, '--yes')).code).toBe(0);
    const files = await campaign.files();
    expect(files).toContain(SUMMER_STATE);
    expect(files).toContain('summer.default.decisions.yaml');
    expect(files).not.toContain(STATE);
    expect(files).not.toContain('small.default.decisions.yaml');
    expect((await run('apply', manifest)).said).toContain('Apply complete: 4 unchanged.');
    // Once more: it has the place.
    expect((await run('state', 'use', manifest, STATE, '--yes')).code).toBe(64);
    expect((await run('state', 'use', manifest, SUMMER_STATE, '--yes')).said).toContain('Nothing to change');
  });

  it('may begin anew, and what it passes over stands in nobody else’s way', async () => {
    const { campaign, path, run, bought } = await applied();
    await rm(path('m.yaml'));
    await campaign.write('n.yaml', SUMMER);
    expect((await run('apply', 'n.yaml')).code).toBe(76);
    expect((await run('state', 'new', 'n.yaml', '--yes')).code).toBe(0);
    expect(await campaign.read(STATE)).toContain('"type":"retired"');
    await campaign.write('third.yaml', SINGLE.replace('name: small', 'name: third'));
    const third = await run('plan', 'third.yaml');
    expect(third.code).toBe(0);
    expect(third.said).toContain(`${path(STATE)} is that of small, default, which was retired`);
    expect(await bought('apply', 'n.yaml')).toBe(2);
    // The old one can be used all the same.
    await campaign.write('m.yaml', SINGLE);
    expect((await campaign.run(['plan', 'm.yaml'])).stdout).toContain('No changes.');
  });

  it('does not take the state of a campaign that is still there, nor of another environment', async () => {
    const { campaign, run } = await applied();
    await campaign.write('n.yaml', SUMMER);
    const { code, said } = await run('state', 'use', 'n.yaml', STATE, '--yes');
    expect([code, said]).toEqual([64, expect.stringContaining('[state-in-use]')]);
    expect(await campaign.files()).toContain(STATE);
  });
});

describe('a manifest in another folder', () => {
  it('without git is a campaign of its own, and takes its state when told', async () => {
    const { path, run } = await applied();
    await rename(path('m.yaml'), path('elsewhere/m.yaml'));
    await rename(path('tote.png'), path('elsewhere/tote.png'));
    expect((await run('plan', 'elsewhere/m.yaml')).said).toContain('1 new post');
    expect((await run('state', 'use', 'elsewhere/m.yaml', STATE, '--yes')).code).toBe(0);
    expect((await run('plan', 'elsewhere/m.yaml')).said).not.toContain('new post');
  });

  it('with git buys nothing', async () => {
    const { path, run } = await applied({ inGit: true });
    await rename(path('m.yaml'), path('elsewhere/m.yaml'));
    await rename(path('tote.png'), path('elsewhere/tote.png'));
    const { code, said } = await run('apply', 'elsewhere/m.yaml');
    expect([code, said]).toEqual([76, expect.stringContaining('[state-elsewhere]')]);
    expect((await run('state', 'use', 'elsewhere/m.yaml', STATE, '--yes')).code).toBe(0);
    expect((await run('plan', 'elsewhere/m.yaml')).said).not.toContain('new post');
  });

  it('a copied folder is a template where git tracks the first one, and else is asked about', async () => {
    const { campaign, path, git, run, bought } = await applied();
    await mkdir(path('next'));
    for (const name of [STATE, 'tote.png']) await cp(path(name), path(`next/${name}`));
    await campaign.write('next/m.yaml', SUMMER);
    expect((await run('apply', 'next/m.yaml')).code).toBe(76);
    git('init', '-q');
    git('add', 'm.yaml', STATE);
    git('commit', '-qm', 'applied');
    expect((await run('plan', 'next/m.yaml')).said).toContain(`a copy of ${path(STATE)}`);
    expect(await bought('apply', 'next/m.yaml')).toBe(2);
  });

  it('with the name that another folder has in git is told of it', async () => {
    const { campaign, path, run, bought } = await applied({ inGit: true });
    await campaign.write('elsewhere/m.yaml', SINGLE);
    await campaign.write('elsewhere/tote.png', PNG);
    expect((await run('plan', 'elsewhere/m.yaml')).said).toContain(`which ${path('m.yaml')} uses`);
    expect(await bought('apply', 'elsewhere/m.yaml')).toBe(2);
  });
});

describe('a state that is named with --state', () => {
  const NAMED = ['--state', 'elsewhere/s.jsonl'];

  it('leaves at its place a header that says so, and is not forgotten', async () => {
    const { campaign, path, run } = await applied({ args: NAMED });
    expect(JSON.parse(await campaign.read(STATE))).toMatchObject({
      campaign: 'small',
      environment: 'default',
      moved_to: 'elsewhere/s.jsonl',
    });
    expect((await run('apply', 'm.yaml', ...NAMED)).said).toContain('No changes.');
    const forgotten = await run('apply', 'm.yaml');
    expect([forgotten.code, forgotten.said]).toEqual([
      76,
      expect.stringContaining(`says that ${path('elsewhere/s.jsonl')} has the state`),
    ]);
    expect((await run('apply', 'm.yaml', '--state', 'elsewhere/t.jsonl')).code).toBe(76);
    await rm(path(STATE));
    expect((await run('apply', 'm.yaml')).code).toBe(76);
    expect((await run('apply', 'm.yaml', '--state', 'elsewhere/t.jsonl')).code).toBe(76);
    // It is written again.
    expect((await run('apply', 'm.yaml', ...NAMED)).code).toBe(0);
    expect(await campaign.read(STATE)).toContain('moved_to');
  });

  it('that comes back from a backup is older than its place says', async () => {
    const { campaign, path, run } = await applied({ args: NAMED });
    const whole = await campaign.read('elsewhere/s.jsonl');
    await campaign.write('elsewhere/s.jsonl', `${whole.trimEnd().split('\n').slice(0, -3).join('\n')}\n`);
    await rm(path('elsewhere/.campaign'), { recursive: true });
    const { code, said } = await run('apply', 'm.yaml', ...NAMED);
    expect([code, said]).toEqual([76, expect.stringContaining('[state-diverged]')]);
    const use = ['state', 'use', 'm.yaml', 'elsewhere/s.jsonl', ...NAMED];
    expect((await run(...use, '--yes')).code).toBe(0);
    expect((await run('plan', 'm.yaml', ...NAMED)).code).toBe(0);
  });

  it('is not begun where the campaign has one, here or in git', async () => {
    const { path, run } = await applied({ inGit: true });
    for (const verb of ['plan', 'apply', 'status'])
      expect([verb, (await run(verb, 'm.yaml', ...NAMED)).code]).toEqual([verb, 76]);
    await rm(path(STATE));
    await rm(path('.campaign'), { recursive: true });
    const { code, said } = await run('apply', 'm.yaml', ...NAMED);
    expect([code, said]).toEqual([76, expect.stringContaining('The state is gone')]);
  });

  it('is not written while another one has the place', async () => {
    const { path, run } = await applied();
    await cp(path(STATE), path('elsewhere/s.jsonl'));
    expect((await run('apply', 'm.yaml', ...NAMED)).code).toBe(76);
    expect((await run('status', 'm.yaml', ...NAMED)).code).toBe(0);
  });

  it('of another campaign is refused', async () => {
    const { campaign, run } = await applied();
    await campaign.write('elsewhere/n.yaml', SUMMER);
    await campaign.write('elsewhere/tote.png', PNG);
    expect((await run('apply', 'elsewhere/n.yaml', '--state', STATE)).said).toContain('[state-foreign]');
  });

  it('gets its place back by state use, which is told where it lies by what lies there', async () => {
    const { campaign, path, run } = await applied({ args: NAMED });
    await campaign.write('m.yaml', SUMMER);
    expect((await run('apply', 'm.yaml')).said).toContain(`\`campaign state use m.yaml ${path(STATE)}\``);
    expect((await run('state', 'use', 'm.yaml', STATE, '--yes')).code).toBe(0);
    const files = await campaign.files();
    expect(files).toContain(SUMMER_STATE);
    expect(files).not.toContain(STATE);
    expect(files).not.toContain('elsewhere/s.jsonl');
    expect((await run('apply', 'm.yaml')).said).toContain('Apply complete: 4 unchanged.');
  });
});

describe('a manifest on standard input', () => {
  it('needs a place, and its state stands in nobody’s way', async () => {
    const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
    const campaign = await campaignFolder(SINGLE, service);
    const env = { CAMPAIGN_BASE_URL: service.url, CAMPAIGN_API_KEY: API_KEY };
    const run = (...words: readonly string[]) => runCli(words, { cwd: campaign.folder, env, input: SINGLE });
    expect((await run('apply', '-', '--state', 'piped.state.jsonl')).code).toBe(0);
    expect(service.created.configs).toHaveLength(1);
    const { code, stderr } = await campaign.run(['plan', 'm.yaml']);
    expect([code, stderr]).toEqual([0, expect.stringContaining('whose manifest came on standard input')]);
  });
});

describe('state use', () => {
  it('takes no link, no pipe, and nothing where decisions are there already', async () => {
    const { campaign, path, run } = await applied();
    await campaign.write('n.yaml', SUMMER);
    await rm(path('m.yaml'));
    await symlink(STATE, path('link.jsonl'));
    execFileSync('mkfifo', [path('pipe.jsonl')]);
    for (const file of ['link.jsonl', 'pipe.jsonl'])
      expect([file, (await run('state', 'use', 'n.yaml', file, '--yes')).code]).toEqual([file, 76]);
    expect((await run('state', 'use', 'n.yaml', 'none.jsonl', '--yes')).code).toBe(76);
    await campaign.write('small.default.decisions.yaml', 'version: 1\ndecisions: []\n');
    await campaign.write('summer.default.decisions.yaml', 'version: 1\ndecisions: []\n');
    const { code, said } = await run('state', 'use', 'n.yaml', STATE, '--yes');
    expect([code, said]).toEqual([64, expect.stringContaining('two files of decisions')]);
    expect(await campaign.files()).toContain(STATE);
  });

  it('goes on where an earlier one was killed between binding and renaming', async () => {
    const { campaign, path, run } = await applied();
    await campaign.write('n.yaml', SUMMER);
    await rm(path('m.yaml'));
    expect((await run('state', 'use', 'n.yaml', STATE, '--yes')).code).toBe(0);
    // As it was before the last step.
    await rename(path(SUMMER_STATE), path(STATE));
    await rm(path('.campaign'), { recursive: true });
    expect((await run('apply', 'n.yaml')).code).toBe(76);
    expect((await run('state', 'use', 'n.yaml', STATE, '--yes')).code).toBe(0);
    expect((await run('apply', 'n.yaml')).said).toContain('Apply complete: 4 unchanged.');
  });

  it('takes one of an environment that has another name now', async () => {
    const { campaign, service } = await applied();
    const env = (name: string) =>
      SINGLE.replace('\n', `\nservice: { environments: { ${name}: { base_url: "${service.url}" } } }\n`);
    const none = { CAMPAIGN_BASE_URL: '' };
    await campaign.write('m.yaml', env('live'));
    expect((await campaign.run(['apply', 'm.yaml', '--env', 'live'], none)).code).toBe(76);
    const use = ['state', 'use', 'm.yaml', STATE, '--env', 'live', '--yes'];
    expect((await campaign.run(use, none)).code).toBe(0);
    const { stdout } = await campaign.run(['apply', 'm.yaml', '--env', 'live'], none);
    expect(stdout).toContain('Apply complete: 4 unchanged.');
    expect(service.created.configs).toHaveLength(1);
  });
});
