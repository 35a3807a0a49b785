/** `campaign status --watch` beside an apply (docs/status.md): it sees every change, takes no lock, and ends by Ctrl-C. */
import { rename, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startBareService } from '../support/bare-service.ts';
import { startOnScreen } from '../support/pty.ts';
import { API_KEY, campaignFolder, SMALL, STATE, untilTestEnds } from './small-campaign.ts';

const bareCampaign = async () => {
  const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
  return { service, campaign: await campaignFolder(SMALL, service) };
};

it('draws the status again while another process applies, and ends by Ctrl-C', async () => {
  const { service, campaign } = await bareCampaign();
  const env = { CAMPAIGN_BASE_URL: service.url, CAMPAIGN_API_KEY: API_KEY, NO_COLOR: '1' };
  const watch = startOnScreen(
    ['status', 'm.yaml', '--watch'],
    { cwd: campaign.folder, env },
    { columns: 80 },
  );
  // There is no state yet.
  await watch.until(/0\/2 {2}2 to request\n/);
  expect(await campaign.run(['apply', 'm.yaml', '--no-wait'])).toMatchObject({ code: 3 });
  await watch.until(/2 pending\.\n\nNext:\n {2}campaign wait m\.yaml/);
  expect(await campaign.run(['wait', 'm.yaml'])).toMatchObject({ code: 0 });
  await watch.until(/2 of 2 posts done\.\n/);
  // The file is replaced, as by a compaction, after a mistake in the manifest was shown.
  await campaign.write('m.yaml', 'version: 2\n');
  await watch.until(/error: /);
  const copy = join(campaign.folder, 'copy');
  await writeFile(copy, await readFile(join(campaign.folder, STATE)));
  await rename(copy, join(campaign.folder, STATE));
  await campaign.write('m.yaml', SMALL.replace('slow turn', 'fast turn'));
  const shown = await watch.until(/2 of 2 posts done, 1 out of date\.\n/);
  expect(shown.match(/ known nodes/g)).toHaveLength(1);
  watch.keys('\u0003');
  expect(await watch.end()).toMatch(/2 of 2 posts done, 1 out of date\./);
});

it('prints a line for each change with --json, and refuses where there is nothing to draw on', async () => {
  const { campaign } = await bareCampaign();
  expect(await campaign.run(['status', 'm.yaml', '--watch'])).toMatchObject({
    code: 64,
    stdout: '',
    stderr: expect.stringContaining('With --json it prints a line for each change'),
  });
  const watch = campaign.start(['status', 'm.yaml', '--watch', '--json']);
  const lines: { missing: number; pending: number; done: number }[] = [];
  let rest = '';
  const all = new Promise<void>((resolve) => {
    watch.process.stdout?.on('data', (data) => {
      const parts = (rest + String(data)).split('\n');
      rest = parts.pop() ?? '';
      for (const line of parts) lines.push(JSON.parse(line) as (typeof lines)[0]);
      if (lines.length === 1 && parts.length) void campaign.run(['apply', 'm.yaml']);
      if (lines.at(-1)?.done === 2) resolve();
    });
  });
  await all;
  watch.process.kill('SIGINT');
  expect(await watch.end).toMatchObject({ signal: 'SIGINT', stderr: '' });
  expect(lines[0]).toMatchObject({ manifest: 'm.yaml', campaign: 'small', missing: 2, done: 0 });
  expect(await campaign.run(['status', 'nowhere.yaml', '--watch', '--json'])).toMatchObject({ code: 65 });
});
