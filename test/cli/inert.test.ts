/**
 * What others wrote (the service, whoever wrote the manifest, whoever named a photo) reaches no terminal, log, plan or
 * graph as anything but harmless text.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startBareService } from '../support/bare-service.ts';
import { runOnOwnTerminal } from '../support/run-on-terminal.ts';
import { API_KEY, campaignFolder, PNG, untilTestEnds } from './small-campaign.ts';

/** Clears the screen, writes the clipboard and the title, goes back, turns text around, and begins a line of its own. */
const HOSTILE =
  'a\u001b[2J\u001b]52;c;ZXZpbA==\u0007\u001b]0;evil\u001b\\b\r\b\u009b31m\u009d52;c;eA==\u009c\u202ec\u2066d\u200f\u2028<script>alert(1)</script>"\n\u001b[1AApply complete: forged';

/** Anything below a blank but the end of a line, C1, bidi and zero width characters, separators of lines. */
// oxlint-disable-next-line no-control-regex -- these are what must not be there
const LOUD = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u;
const FORGED = /^\s*Apply complete: forged/m;

const TEXT = JSON.stringify(HOSTILE);

const MANIFEST = `version: 1
name: small
products:
  tote: { name: ${TEXT}, description: ${TEXT}, images: ["photos/*"] }
concepts:
  morning: { name: ${TEXT}, description: ${TEXT} }
posts:
  hero:
    concept: morning
    items:
      - post_type: image
        products: [tote]
        variants: [${TEXT}]
        descriptions: [${TEXT}]
        metadata: { aspect_ratio: "4:5", mood: ${TEXT}, ${TEXT}: mad }
      - { key: bad, post_type: image, products: [tote], aspect_ratio: "1:1" }
`;

async function hostileCampaign() {
  const service = await untilTestEnds(startBareService({ pendingPolls: 1, failing: ['1:1'], says: HOSTILE }));
  const campaign = await campaignFolder(MANIFEST, service);
  // A name cannot hold a slash.
  await campaign.write(`photos/${HOSTILE.replaceAll('/', '|')}.png`, PNG);
  return { service, campaign };
}

it('nothing hostile comes out of any command, whoever wrote it', async () => {
  const { campaign } = await hostileCampaign();
  const first = ['apply', 'm.yaml'];
  const commands = [
    ['validate', 'm.yaml'],
    ['validate', 'm.yaml', '--json'],
    ['plan', 'm.yaml'],
    ['graph', 'm.yaml', '--format', 'mermaid'],
    ['graph', 'm.yaml', '--format', 'dot'],
    ['graph', 'm.yaml', '--format', 'svg', '--status', '--all'],
    ['graph', 'm.yaml', '--json'],
    first,
    ['apply', 'm.yaml', '--retry-failed', '--json'],
    ['apply', 'm.yaml', '--retry-failed', '--log-level', 'debug'],
    ['status', 'm.yaml'],
    ['status', 'm.yaml', '--json'],
    ['outputs', 'm.yaml'],
    ['outputs', 'm.yaml', '--json'],
    ['state', 'list', 'm.yaml'],
    ['state', 'show', 'm.yaml', 'product/tote'],
    ['state', 'show', 'm.yaml', 'product/tote', '--json'],
    ['state', 'show', 'm.yaml', 'media-config/hero@1'],
    ['state', 'show', 'm.yaml', 'media/hero/bad'],
    ['doctor', 'm.yaml'],
    ['doctor', 'm.yaml', '--json'],
  ];
  const afterEdit = [
    ['plan', 'm.yaml'],
    ['plan', 'm.yaml', '--json'],
    ['plan', 'm.yaml', '--format', 'markdown'],
    ['plan', 'm.yaml', '--explain', 'media/hero/1'],
    ['plan', 'm.yaml', '--explain', 'product/tote'],
    ['apply', 'm.yaml', '--yes', '--quiet'],
  ];
  const check = async (args: readonly string[]) => {
    const { code, stdout, stderr } = await campaign.run(args);
    // It did what it should: it neither misunderstood the command nor broke.
    expect([args, [0, 1].includes(code ?? -1)]).toEqual([args, true]);
    for (const text of [stdout, stderr]) {
      expect([args, LOUD.exec(text)?.[0].codePointAt(0), FORGED.test(text)]).toEqual([
        args,
        undefined,
        false,
      ]);
    }
    return stdout + stderr;
  };
  for (const args of commands) {
    const said = await check(args);
    // It is the words that are there, and nothing else of them.
    if (args === first)
      expect(said).toContain('failed: ab cd <script>alert(1)</script>" Apply complete: forged');
  }
  await campaign.write('m.yaml', MANIFEST.replaceAll('forged', 'forged again'));
  for (const args of afterEdit) await check(args);
  expect(await campaign.read('out/small/default/index.json')).not.toMatch(LOUD);
  expect((await campaign.files()).filter((file) => file.startsWith('out/')).join('\n')).not.toMatch(LOUD);
});

it('a service that refuses everything says no more than its words', async () => {
  const { campaign, service } = await hostileCampaign();
  await campaign.write('m.yaml', `${MANIFEST}service: { form: guide }\n`);
  const refusing = await untilTestEnds(startBareService({ form: 'schema', says: HOSTILE }));
  for (const extra of [[], ['--json'], ['--quiet'], ['--log-level', 'debug']]) {
    const { code, stdout, stderr } = await campaign.run(['apply', 'm.yaml', ...extra], {
      CAMPAIGN_BASE_URL: refusing.url,
    });
    expect([extra, code]).toEqual([extra, 1]);
    expect([extra, LOUD.test(stdout + stderr), FORGED.test(stdout + stderr)]).toEqual([extra, false, false]);
  }
  expect(service.requests).toEqual([]);
});

it('on a terminal nothing but our own colours and cursor movements is sent', async () => {
  const { campaign, service } = await hostileCampaign();
  const env = { CAMPAIGN_BASE_URL: service.url, CAMPAIGN_API_KEY: API_KEY };
  const yes = { question: '? [y/N/?] ', keys: 'y\r' };
  for (const args of [
    ['apply', 'm.yaml'],
    ['apply', 'm.yaml', '--retry-failed', '--log-level', 'debug'],
    ['status', 'm.yaml'],
    ['state', 'show', 'm.yaml', 'product/tote'],
  ]) {
    const { screen } = await runOnOwnTerminal(args, { cwd: campaign.folder, env }, yes);
    expect(screen).toContain('<script>');
    expect([args, LOUD.exec(screen.replaceAll('\r', ''))?.[0].codePointAt(0)]).toEqual([args, undefined]);
  }
  const log = await readFile(join(campaign.folder, 'small.default.state.jsonl'), 'utf8');
  expect(log.split('\n').length).toBeGreaterThan(10);
});
