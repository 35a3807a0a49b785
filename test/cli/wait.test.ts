/** `campaign wait`: what was requested is polled and downloaded, and nothing else is sent. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startBareService } from '../support/bare-service.ts';
import { startHeldService } from '../support/held-service.ts';
import { repository } from './cloned-campaign.ts';
import { makeObjects } from './held-answers.ts';
import { campaignFolder, SINGLE, SMALL, STATE, untilTestEnds } from './small-campaign.ts';

const NEVER = 1e9;

async function submitted(
  manifest = SMALL,
  options: NonNullable<Parameters<typeof startBareService>[0]> = {},
) {
  const service = await untilTestEnds(startBareService({ pendingPolls: 0, ...options }));
  const campaign = await campaignFolder(manifest, service);
  expect(await campaign.run(['apply', 'm.yaml', '--no-wait'])).toMatchObject({ code: 3 });
  return { service, campaign };
}

/** What is sent while `run` goes on, by method and first part of the path. */
async function sentIn<T>(
  { requests }: { readonly requests: readonly { method: string; path: string }[] },
  run: Promise<T>,
) {
  const before = requests.length;
  const end = await run;
  const sent = requests.slice(before).map(({ method, path }) => `${method} ${path.split('/')[1]}`);
  return { end, sent: [...new Set(sent)].sort() };
}

describe('campaign wait', () => {
  it('fetches on another machine what the first one has requested, with the manifest and the state alone', async () => {
    const service = await untilTestEnds(startBareService({ pendingPolls: 1 }));
    const origin = await repository(service);
    const first = await origin.clone('first');
    expect(await first.campaign('apply', '--no-wait', '--quiet')).toMatchObject({ code: 3 });
    await first.publish('requested');
    const second = await origin.clone('second');
    await rm(join(second.folder, 'tote.png'));
    const { end, sent } = await sentIn(service, second.campaign('wait'));
    expect(end).toMatchObject({ code: 0 });
    expect(end.stdout).toMatch(
      /^small · production · .* · 4 known nodes\n\n {4}… media\/hero\/kitchen@1\n {8}requested .*\n\nWait: 1 pending\.\n\nWait complete: 1 created, 1 file downloaded\.\n/,
    );
    expect(sent).toEqual(['GET files', 'GET media', 'POST get_auth_token']);
    await second.git('checkout', '--', 'tote.png');
    await second.publish('waited');
    await first.git('pull', '--quiet');
    expect((await first.campaign('apply')).stdout).toMatch(/\nNo changes\.\n$/);
    expect((await first.campaign('outputs', '--fetch')).stdout).toContain('1 file: 1 fetched.');
    const history = JSON.parse((await first.campaign('history', '--json')).stdout) as { command: string }[];
    expect(history.map(({ command }) => command)).toEqual(['apply', 'wait']);
  });

  it('requests, uploads, renames and records nothing, whatever the manifest says by now', async () => {
    const { service, campaign } = await submitted();
    expect(await campaign.run(['wait', 'm.yaml'])).toMatchObject({ code: 0 });
    const state = await campaign.read(STATE);
    await campaign.write(
      'm.yaml',
      `${SMALL.replace('hero:', 'main:').replace('Soft light', 'Hard light').replace('tote.png', 'gone.png')}      - { key: new, post_type: image, products: [tote], aspect_ratio: "1:1" }\n`,
    );
    const { end, sent } = await sentIn(service, campaign.run(['wait', 'm.yaml']));
    expect(end).toMatchObject({ code: 0, stdout: expect.stringMatching(/\n\nNothing is pending\.\n$/) });
    expect(sent).toEqual([]);
    expect(await campaign.read(STATE)).toBe(state);
    expect(await campaign.run(['wait', 'm.yaml', '--quiet'])).toMatchObject({
      code: 0,
      stdout: '',
      stderr: '',
    });
  });

  it('ends with 3 while posts are pending, with 1 where one failed, until nobody wants it any more', async () => {
    const pending = await submitted(SMALL, { pendingPolls: NEVER });
    const left = await pending.campaign.run(['wait', 'm.yaml', '--deadline', '1ms', '--json']);
    expect(left.code).toBe(3);
    const lines = left.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['version', 'run-started', 'planned']),
    );
    expect(lines.find(({ type }) => type === 'run-started')).toMatchObject({ command: 'wait', known: 5 });
    expect(lines.at(-1)).toMatchObject({ type: 'run-finished', exit_code: 3, nodes: { pending: 2 } });

    const { campaign, service } = await submitted(SMALL, { failing: ['1:1'] });
    const chosen = await campaign.run(['wait', 'm.yaml', '--only', 'media/hero/kitchen']);
    expect(chosen).toMatchObject({ code: 0 });
    expect(chosen.stdout).toContain('Wait: 1 pending, 1 not selected.');
    const failed = await campaign.run(['wait', 'm.yaml']);
    expect(failed).toMatchObject({ code: 1 });
    expect(failed.stdout).toContain('\nWait failed: 1 failed.\n');
    // It was paid for, so it is looked for once more.
    const { end, sent } = await sentIn(service, campaign.run(['wait', 'm.yaml']));
    expect(end).toMatchObject({ code: 1 });
    expect(end.stdout).toContain('Wait: 1 failed, 1 to recheck.');
    expect(sent).toContain('GET media');
    await campaign.write('m.yaml', SMALL.replace('hero:', 'main:'));
    expect(await campaign.run(['wait', 'm.yaml'])).toMatchObject({ code: 0 });
    expect(await campaign.run(['wait', 'm.yaml', '--only', 'media/her/*'])).toMatchObject({ code: 64 });
  });

  it('ends with 4 where a create is unknown, and with 75 beside another run', async () => {
    const service = await untilTestEnds(startHeldService());
    const campaign = await campaignFolder(SINGLE, service);
    const first = campaign.start(['apply', 'm.yaml']);
    await makeObjects(service);
    const request = await service.next('POST /media-config/');
    expect(await campaign.run(['wait', 'm.yaml'])).toMatchObject({ code: 75 });
    request.reset();
    expect(await first.end).toMatchObject({ code: 4 });
    const before = service.seen.length;
    const { code, stdout } = await campaign.run(['wait', 'm.yaml']);
    expect(code).toBe(4);
    expect(stdout).toContain('media-config/hero@1 unknown');
    expect(stdout).toContain('Nothing is pending; 1 unknown.');
    expect(service.seen).toHaveLength(before);
  });

  it('takes several manifests, and makes no state where there is none', async () => {
    const { campaign } = await submitted(SINGLE);
    await campaign.write('n.yaml', SINGLE.replace('name: small', 'name: more'));
    const { code, stdout } = await campaign.run(['wait', 'm.yaml', 'n.yaml']);
    expect(code).toBe(0);
    expect(stdout).toContain('\nNothing is pending.\n');
    expect(stdout).toMatch(/\n2 manifests: 2 succeeded\. 1 created, 1 file downloaded\.\n$/);
    expect(await campaign.files()).not.toContain('n.default.state.jsonl');
  });
});
