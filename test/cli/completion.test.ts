/** What the completion of a shell is told. The shells themselves are in completion-shells.test.ts. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { startBareService } from '../support/bare-service.ts';
import { campaignFolder, SMALL, STATE, untilTestEnds } from './small-campaign.ts';

const SERVICE = `service:
  environments:
    stage: { base_url: "https://stage.visuals.example.com/api" }
    production: { base_url: "https://visuals.example.com/api" }
  default_environment: stage
variables: { season: spring }
`;

async function asked(manifest = SMALL + SERVICE) {
  const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
  const campaign = await campaignFolder(manifest, service);
  const answer = async (line: string, ...breaks: readonly string[]) => {
    const { code, stdout, stderr } = await campaign.run(['__complete', line, ...breaks]);
    expect([code, stderr]).toEqual([0, '']);
    const [files, ...rows] = stdout.trimEnd().split('\n');
    return { files, rows, words: rows.map((row) => row.split('\t')[0]) };
  };
  return { service, campaign, answer };
}

describe('what is offered', () => {
  it.each([
    ['campaign pl', 'none', ['plan']],
    ['campaign state u', 'none', ['use']],
    ['campaign plan --exp', 'none', ['--explain']],
    ['campaign plan -', 'none', expect.arrayContaining(['--env', '--yes', '--help'])],
    ['campaign plan --format ', 'none', ['text', 'json', 'markdown']],
    ['campaign plan --format=m', 'none', ['--format=markdown']],
    ['campaign status --fail-on ', 'none', ['missing', 'failed', 'pending', 'undecided']],
    ['campaign apply --profile fl', 'yaml', ['flaky']],
    ['campaign completion ', 'none', ['bash', 'zsh', 'fish']],
    ['campaign plan ', 'yaml', []],
    ['campaign plan --state ', 'any', []],
    ['campaign init ', 'folders', []],
    ['campaign plan m.yaml --env ', 'none', ['stage', 'production', 'emulator']],
    ['campaign plan --env p m.yaml --only ', 'none', []],
    ['campaign plan --env ', 'none', ['emulator']],
    ['campaign plan m.yaml --var ', 'none', ['season=']],
    ['campaign plan m.yaml --only ', 'none', ['product/', 'concept/', 'media/', 'download/']],
    ['campaign plan m.yaml --only=media/', 'none', ['--only=media/hero/kitchen', '--only=media/hero/tour']],
    ['campaign plan m.yaml --explain pro', 'none', ['product/tote']],
    ['campaign resolve m.yaml pro', 'none', []],
    ['campaign approve pro', 'yaml', []],
    ['campaign state rm m.yaml product/tote con', 'none', []],
    ['campaign plan -- m.yaml --on', 'yaml', []],
    ['campaign state show m.yaml product/tote ', 'none', []],
    ['campaign apply --deadline ', 'none', []],
    ['campaign plan --json=', 'none', []],
    ['campaign stat elist', 'none', []],
    ['campaign state list m.yaml x ', 'none', []],
    ['A=1 c plan m.yaml --only pro', 'none', ['product/tote']],
    ['and /usr/bin/campaign plan m.yaml --only pro', 'none', ['product/tote']],
  ])('%s', async (line, files, words) => {
    const { answer } = await asked();
    expect(await answer(line)).toMatchObject({ files, words });
  });

  it('is cut for bash where bash cuts words', async () => {
    const { answer } = await asked();
    expect(await answer('campaign plan m.yaml --only=media/', '=:@')).toMatchObject({
      words: ['media/hero/kitchen', 'media/hero/tour'],
    });
  });
});

describe('addresses', () => {
  it('are those of the manifest and of the state, with what is known of them', async () => {
    const { campaign, answer } = await asked(SMALL);
    await campaign.run(['apply', 'm.yaml']);
    await campaign.write('m.yaml', SMALL.replace('key: tour', 'key: round'));
    expect((await answer('campaign plan m.yaml --only media/')).rows).toEqual([
      'media/hero/kitchen\tdone',
      'media/hero/tour\tdone',
      'media/hero/round\tnew',
    ]);
    expect((await answer('campaign state show m.yaml media-config/')).words).toEqual(['media-config/hero@1']);
    // As long as the manifest cannot be read, those of the state; a state that cannot be read is none.
    await campaign.write('m.yaml', 'version: 1\nname: small\nposts: {{\n');
    expect((await answer('campaign plan m.yaml --only media/')).words).toHaveLength(2);
    await campaign.write('m.yaml', SMALL);
    await campaign.write(STATE, 'damaged\n');
    expect((await answer('campaign plan m.yaml --only media/')).rows).toEqual([
      'media/hero/kitchen\tnew',
      'media/hero/tour\tnew',
    ]);
  });

  it("of items without a key are their numbers, those of a period today's", async () => {
    const items = SMALL.replaceAll(/key: \w+, /g, '');
    const { answer } = await asked(
      items.replace('    concept: morning\n', '    concept: morning\n    every: month\n'),
    );
    const { words } = await answer('campaign plan m.yaml --only media/');
    const month = new Date().toISOString().slice(0, 7);
    expect(words).toEqual([`media/hero/${month}/1`, `media/hero/${month}/2`]);
  });

  it('are found beside the manifest that is named: a folder, --state', async () => {
    const { campaign, answer } = await asked(SMALL);
    await campaign.run(['apply', 'm.yaml', '--state', 'other.jsonl']);
    expect((await answer('campaign state show m.yaml --state other.jsonl media-c')).words).toHaveLength(1);
    expect((await answer('campaign state show m.yaml media-c')).words).toEqual([]);
    await campaign.write('sub/campaign.yaml', SMALL.replace('[tote.png]', '[../tote.png]'));
    expect((await answer('campaign plan sub --only con')).words).toEqual(['concept/morning']);
  });

  it('are those that a command can do something with', async () => {
    const { campaign, answer } = await asked(SMALL);
    const offered = async (...lines: readonly string[]) =>
      Promise.all(lines.map(async (line) => (await answer(`campaign ${line}`)).words));
    await campaign.run(['apply', 'm.yaml', '--no-wait']);
    const posts = ['media/hero/kitchen', 'media/hero/tour'];
    const lines = ['resolve m.yaml ', 'approve m.yaml ', 'reject m.yaml ', 'state rm m.yaml media/'];
    expect(await offered(...lines)).toEqual([expect.arrayContaining(posts), [], [], posts]);
    await campaign.run(['apply', 'm.yaml']);
    expect(await offered(...lines)).toEqual([[], posts, posts, posts]);
  });
});

describe('in the middle of typing', () => {
  it('no request is sent, no lock taken, nothing written, and nothing waited for', async () => {
    const { service, campaign, answer } = await asked(SMALL);
    await campaign.run(['apply', 'm.yaml']);
    const before = [service.requests.length, await campaign.files(), await campaign.read(STATE)];
    for (const line of [
      'resolve ',
      'resolve m.yaml ',
      'approve m.yaml med',
      'apply m.yaml --env ',
      'plan m.yaml --only media/',
    ])
      await answer(`campaign ${line}`);
    expect([service.requests.length, await campaign.files(), await campaign.read(STATE)]).toEqual(before);
    await promisify(execFile)('mkfifo', ['pipe.yaml'], { cwd: campaign.folder });
    expect((await answer('campaign plan pipe.yaml --only ')).words).toEqual([]);
    expect((await answer('campaign state show m.yaml --state pipe.yaml media-c')).words).toEqual([]);
  });

  it('names that a shell might act on are left out', async () => {
    const evil =
      SMALL +
      SERVICE.replace(
        '    production:',
        '    "$(touch ran)": { base_url: "https://x.example" }\n    "a\\nb": { base_url: "https://x.example" }\n    production:',
      );
    const { answer } = await asked(evil.replace('season:', '"`ran`": x, season:'));
    expect((await answer('campaign plan m.yaml --env ')).words).toEqual(['stage', 'production', 'emulator']);
    expect((await answer('campaign plan m.yaml --var ')).words).toEqual(['season=']);
  });

  it.each([
    [[]],
    [['']],
    [['campaign plan m.yaml/x --only ']],
    [[`campaign plan ${'x'.repeat(5_000)} --only `]],
    [['campaign resolve m.yaml --state /nowhere/x.jsonl ']],
    [[`campaign resolve m.yaml --state ${'x'.repeat(5_000)} pro`]],
    [['campaign plan m.yaml --env \u0000 --only pro']],
    [['campaign plan \'m.yaml --only "pro']],
  ])('%.60j: it ends with 0, and nothing is said', async (args) => {
    const { campaign } = await asked();
    expect(await campaign.run(['__complete', ...args])).toMatchObject({ code: 0, stderr: '' });
  });
});

it('campaign completion prints a script for each shell, and for no other', async () => {
  const { campaign } = await asked();
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, stdout } = await campaign.run(['completion', shell]);
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining(`for ${shell}, printed by \`campaign completion ${shell}\``),
    ]);
  }
  expect(await campaign.run(['completion', 'tcsh'])).toMatchObject({
    code: 64,
    stderr: expect.stringContaining(
      "'tcsh' is invalid for argument 'shell'. Allowed choices are bash, zsh, fish.",
    ) as string,
  });
});

it('the program offers what this process does', async () => {
  const { campaign } = await asked();
  for (const line of ['campaign pl', 'campaign plan m.yaml --only=media/']) {
    const words = ['__complete', line];
    expect(await campaign.runApart(words)).toEqual(await campaign.run(words));
  }
});
