import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startBareService } from '../support/bare-service.ts';
import { API_KEY, campaignFolder, PNG, SINGLE, SMALL, STATE, untilTestEnds } from './small-campaign.ts';

const SERVICE = 'https://visuals.example.com/api';

async function bareCampaign(manifest = SINGLE) {
  const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
  return { service, campaign: await campaignFolder(manifest, service) };
}

describe('wrong usage', () => {
  it.for([
    [[], 'Usage: campaign'],
    [['aply'], "error: unknown command 'aply'\n(Did you mean apply?)\n"],
    [
      ['apply', '--yess'],
      "error: unknown option '--yess'\n(Did you mean --yes?)\n(campaign apply --help lists its flags)\n",
    ],
    [
      ['apply', '--dry-run'],
      "error: unknown option '--dry-run'\n(`campaign plan` shows what apply would do, and sends nothing)\n(campaign apply --help lists its flags)\n",
    ],
    [['demolish'], "error: unknown command 'demolish'\n(campaign --help lists all commands)\n"],
    [['apply', '--deadline', 'soon'], 'It must be a duration such as 30s, 10m or 1h.'],
    [['apply', '--concurrency', '0'], 'It must be a whole number above 0.'],
    [['apply', 'm.yaml', '--var', 'light'], '--var light is not of the form name=value.'],
    [['apply', 'm.yaml', '--var-file', 'no.yaml'], '--var-file no.yaml cannot be read.'],
    [['status', '--fail-on', 'everything'], 'everything is none of missing, failed, pending, undecided.'],
    [['resolve'], 'Say what became of it: --id UUID, --not-created or --skip, or let --find ask.'],
    [['state', 'rm', 'm.yaml'], 'name the nodes to forget, e.g. product/tote'],
  ] as const)('%j: 64, with a way out', async ([args, message]) => {
    const campaign = await campaignFolder(SMALL);
    const { code, stdout, stderr } = await campaign.run(args);
    expect([code, stdout]).toEqual([64, '']);
    expect(stderr).toContain(message);
  });

  it('is not asking for help or the version', async () => {
    const campaign = await campaignFolder(SMALL);
    expect(await campaign.run(['--version'])).toMatchObject({ code: 0, stdout: '0.1.0\n', stderr: '' });
    const state = ['list', 'show', 'rm', 'check', 'export', 'accept', 'new', 'use'];
    const commands = [
      'validate',
      'plan',
      'apply',
      'wait',
      'status',
      'outputs',
      'resolve',
      'history',
      'graph',
      'schema',
    ];
    for (const command of [...commands, ...state.map((name) => `state ${name}`)]) {
      const { code, stdout } = await campaign.run([...command.split(' '), '--help']);
      expect(code).toBe(0);
      expect(stdout).toMatch(new RegExp(`^Usage: campaign ${command} `));
      expect(stdout).toMatch(/\nExamples:\n {2}\$ campaign /);
    }
  });
});

describe('the environment', () => {
  it('must be chosen: 78, with both ways out, never the emulator by itself', async () => {
    const campaign = await campaignFolder(SMALL);
    for (const command of ['plan', 'apply', 'status', 'outputs']) {
      expect(await campaign.run([command, 'm.yaml'])).toEqual({
        code: 78,
        signal: null,
        stdout: '',
        stderr: `error: No environment is chosen [no-environment]
  Name an environment with --env or CAMPAIGN_ENV (emulator), or set CAMPAIGN_BASE_URL and CAMPAIGN_API_KEY. \`--env emulator\` rehearses without a service; it is never chosen by itself.

`,
      });
    }
    expect(await campaign.files()).toEqual(['m.yaml', 'tote.png']);
  });

  it.for([
    [{ CAMPAIGN_BASE_URL: SERVICE }, '[no-api-key]'],
    [{ CAMPAIGN_BASE_URL: 'http://visuals.example.com/api', CAMPAIGN_API_KEY: 'k' }, '[insecure-base-url]'],
    [{ CAMPAIGN_BASE_URL: 'visuals', CAMPAIGN_API_KEY: 'k' }, '[invalid-base-url]'],
    [
      { CAMPAIGN_ENV: 'stag' },
      'There is no environment "stag". Known environments: stage, emulator. Did you mean "stage"?',
    ],
    [{ CAMPAIGN_ENV: 'stage' }, 'Set STAGE_KEY, or CAMPAIGN_API_KEY, or CAMPAIGN_API_KEY_FILE'],
    [{ CAMPAIGN_BASE_URL: SERVICE, CAMPAIGN_API_KEY: ' ' }, '[no-api-key]'],
    [
      { CAMPAIGN_BASE_URL: SERVICE, CAMPAIGN_API_KEY_FILE: 'nowhere' },
      'CAMPAIGN_API_KEY_FILE names nowhere, which cannot be read.',
    ],
  ] as const)('%j: 78', async ([env, message]) => {
    const stage = `service: { environments: { stage: { base_url: "${SERVICE}", api_key_env: STAGE_KEY } } }\n`;
    const campaign = await campaignFolder(SMALL + stage);
    const { code, stdout, stderr } = await campaign.run(['apply', 'm.yaml'], env);
    expect([code, stdout]).toEqual([78, '']);
    expect(stderr).toContain(message);
  });

  it('may have its key in a file', async () => {
    const service = await untilTestEnds(startBareService({ apiKey: API_KEY, pendingPolls: 0 }));
    const campaign = await campaignFolder(SINGLE, service);
    const env = { CAMPAIGN_API_KEY: '', CAMPAIGN_API_KEY_FILE: 'key' };
    // With the byte order mark and the line end that an editor may leave.
    await campaign.write('key', `\uFEFF${API_KEY}\r\n`);
    expect(await campaign.run(['apply', 'm.yaml'], env)).toMatchObject({ code: 0 });
    await campaign.write('key', '');
    const empty = await campaign.run(['apply', 'm.yaml'], env);
    expect([empty.code, empty.stderr]).toEqual([
      78,
      expect.stringContaining('CAMPAIGN_API_KEY_FILE names key, which is empty.'),
    ]);
  });
});

describe('variables', () => {
  it('come from the manifest, CAMPAIGN_VAR_x, --var-file and --var; the later one wins', async () => {
    const { service, campaign } = await bareCampaign(
      `${SINGLE.replace('Soft light', '"${{ vars.light }}, ${{ vars.mood }}, ${{ vars.time }}, ${{ vars.place }}"')}
variables: { light: manifest, mood: manifest, time: manifest, place: manifest }
`,
    );
    await campaign.write('vars.yaml', 'time: file\nplace: file\n');
    const flags = ['--var-file', 'vars.yaml', '--var', 'place=flag'];
    const env = { CAMPAIGN_VAR_mood: 'env', CAMPAIGN_VAR_time: 'env' };
    expect(await campaign.run(['apply', 'm.yaml', ...flags], env)).toMatchObject({ code: 0 });
    expect(service.created.concepts).toMatchObject([{ description: 'manifest, env, file, flag' }]);
  });

  it('that the manifest does not know are an error', async () => {
    const { campaign } = await bareCampaign();
    const { code, stderr } = await campaign.run(['apply', 'm.yaml', '--var', 'lihgt=x']);
    expect(code).toBe(65);
    expect(stderr).toContain('lihgt');
  });
});

describe('the state file', () => {
  it('is where --state, else CAMPAIGN_STATE says', async () => {
    const { service, campaign } = await bareCampaign();
    await campaign.run(['apply', 'm.yaml', '--state', 'flag.jsonl'], { CAMPAIGN_STATE: 'variable.jsonl' });
    expect(await campaign.files()).toContain('flag.jsonl');
    // It was applied with another state: that this one is to be a new one has to be said.
    const forgotten = await campaign.run(['apply', 'm.yaml'], { CAMPAIGN_STATE: 'variable.jsonl' });
    expect([forgotten.code, await campaign.files()]).toEqual([
      76,
      expect.not.arrayContaining(['variable.jsonl']),
    ]);
    const fresh = { CAMPAIGN_STATE: 'variable.jsonl' };
    const refused = await campaign.run(['state', 'new', 'm.yaml', '--yes'], fresh);
    expect(refused).toMatchObject({ code: 76 });
    expect(refused.stderr).toContain('move the file that says so away first');
    const { stdout } = await campaign.run(['apply', 'm.yaml', '--state', 'flag.jsonl']);
    expect(stdout).toMatch(/ · flag\.jsonl · 4 known nodes\n\nNo changes\.\n$/);
    await rename(join(campaign.folder, STATE), join(campaign.folder, 'aside'));
    expect(await campaign.run(['state', 'new', 'm.yaml', '--yes'], fresh)).toMatchObject({ code: 0 });
    await campaign.run(['apply', 'm.yaml'], fresh);
    expect(await campaign.files()).toContain('variable.jsonl');
    expect(service.created.products).toHaveLength(2);
  });

  it('of another service is refused: 76', async () => {
    const { campaign } = await bareCampaign();
    await campaign.run(['apply', 'm.yaml']);
    const { code, stderr } = await campaign.run(['plan', 'm.yaml'], { CAMPAIGN_BASE_URL: SERVICE });
    expect(code).toBe(76);
    expect(stderr).toMatch(/^error: The state belongs to something else \[state-foreign\]\n/);
  });
});

describe('several manifests', () => {
  it('run one after the other, each with its own state; the strongest code wins', async () => {
    const { service, campaign } = await bareCampaign();
    for (const name of ['a', 'b', 'c']) {
      await campaign.write(`all/${name}.campaign.yaml`, SINGLE.replace('name: small', `name: ${name}`));
    }
    await campaign.write('all/b.campaign.yaml', 'version: 1\n');
    await campaign.write('all/tote.png', PNG);
    const { code, stdout, stderr } = await campaign.run(['apply', 'all', 'm.yaml']);
    expect(code).toBe(65);
    expect(stdout.match(/^\w+ · .*\.state\.jsonl/gm)).toEqual(
      ['a', 'c']
        .map((name) => expect.stringMatching(`^${name} · .* · all/${name}\\.default\\.state`))
        .concat(expect.stringMatching(/^small · .* · small\.default\.state/)),
    );
    expect(stderr).toContain('error: ');
    expect(service.created.configs).toHaveLength(3);
  });
});

describe('help', () => {
  it("lists a command's own flags first", async () => {
    const campaign = await campaignFolder(SMALL);
    const { stdout } = await campaign.run(['plan', '--help']);
    const order = [
      '\nOptions:\n',
      '--only <glob>',
      '--explain',
      '--help',
      '\nOptions of every command',
      '--env <name>',
    ];
    const places = order.map((words) => stdout.indexOf(words));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places).not.toContain(-1);
  });
});

describe('--quiet', () => {
  it('says nothing when nothing changed, one line when something did', async () => {
    const { campaign } = await bareCampaign();
    const apply = ['apply', 'm.yaml', '--quiet'];
    expect(await campaign.run(apply)).toEqual({
      code: 0,
      signal: null,
      stdout: 'small · default · m.yaml: Apply complete: 4 created, 1 file downloaded.\n',
      stderr: '',
    });
    expect(await campaign.run(apply)).toEqual({ code: 0, signal: null, stdout: '', stderr: '' });
  });
});

describe('colours', () => {
  it('never reach a pipe', async () => {
    const { campaign } = await bareCampaign();
    for (const env of [{}, { NO_COLOR: '1' }, { TERM: 'xterm-256color' }]) {
      const { stdout, stderr } = await campaign.run(['apply', 'm.yaml'], env);
      expect(stdout + stderr).not.toContain('\u001b');
    }
  });
});
