/** Shells complete what somebody types: the scripts of `campaign completion`, in the shells themselves. */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { startBareService } from '../support/bare-service.ts';
import { commandInShell } from '../support/command-in-shell.ts';
import { hasTool } from '../support/has-tool.ts';
import { type Shell, typeInShell } from '../support/shell-on-terminal.ts';
import { API_KEY, type AtEnd, campaignFolder, PNG, SMALL, untilTestEnds } from './small-campaign.ts';

const STAGE = `service:
  environments: { stage: { base_url: "https://visuals.example.com/api" } }
  default_environment: stage
`;
const ODD_NAME = "it's $(touch ran) `touch ran`.yaml";
const SHOWN = ['item', 'request', 'status', 'file'];
const TAB = '\t';
/** Takes back what is typed. */
const CTRL_U = '\u0015';

/** A campaign with everything made, and a `campaign` on the path, in a folder whose name has to be quoted. */
async function appliedCampaign(atEnd: AtEnd) {
  const service = await untilTestEnds(startBareService({ apiKey: API_KEY, pendingPolls: 0 }), atEnd);
  const campaign = await campaignFolder(SMALL + STAGE, service, atEnd);
  await campaign.run(['apply', 'm.yaml']);
  const bin = join(campaign.folder, 'of somebody', 'Größe');
  await mkdir(bin, { recursive: true });
  const command = await commandInShell(bin, { CAMPAIGN_BASE_URL: service.url, CAMPAIGN_API_KEY: API_KEY });
  atEnd(() => command.close());
  const type = (shell: Shell, ...lines: readonly string[]) =>
    typeInShell(shell, { cwd: campaign.folder, path: `${bin}:${process.env['PATH'] ?? ''}` }, ...lines);
  return { campaign, service, type };
}

describe.concurrent.each(['bash', 'zsh', 'fish'] as const)('%s', (shell) => {
  it.skipIf(!hasTool(shell))(
    'completes commands, flags, environments, addresses and files',
    async ({ expect, onTestFinished }) => {
      const { campaign, service, type } = await appliedCampaign(onTestFinished);
      await campaign.write(`a folder/${ODD_NAME}`, SMALL);
      await campaign.write('a folder/tote.png', PNG);
      await mkdir(join(campaign.folder, 'shown'));
      const before = [service.requests.length, await campaign.files()];
      const screen = await type(
        shell,
        // What the command itself got, it shows.
        `campaign state sho${TAB}m.yaml media/hero/ki${TAB}> shown/item`,
        `campaign state show m.yaml media-config/hero@${TAB}> shown/request`,
        `campaign status m.yaml --env=st${TAB}--fail-on=unde${TAB}> shown/status`,
        `campaign validate a${TAB}${TAB}> shown/file`,
        // What is typed is not run, and nothing is said of a line that means nothing.
        `campaign plan $(touch ran) ${TAB}${CTRL_U}`,
        `campaign resolve '$(touch ran)' "$(touch ran)" ${TAB}${CTRL_U}`,
        `campaign nonsense ${TAB}${CTRL_U}`,
      );
      const shown = (name: string) => campaign.read(`shown/${name}`);
      expect(JSON.parse(await shown('item'))).toMatchObject({ item: 'kitchen' });
      expect(JSON.parse(await shown('request'))).toMatchObject({ address: 'media-config/hero@1' });
      expect(await shown('status')).toContain('2 of 2 posts done');
      expect(await shown('file')).toContain(`a folder/${ODD_NAME} is valid`);
      expect(screen).not.toMatch(/error:|not found|unknown/i);
      for (const name of SHOWN) await rm(join(campaign.folder, 'shown', name));
      await rm(join(campaign.folder, 'a folder', '.campaign'), { recursive: true });
      expect([service.requests.length, await campaign.files()]).toEqual(before);
    },
  );
});
