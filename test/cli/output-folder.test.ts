/** Whose results an output folder has, and what becomes of a rename while it is away. */
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startBareService } from '../support/bare-service.ts';
import { API_KEY, type CampaignFolder, campaignFolder, SINGLE, untilTestEnds } from './small-campaign.ts';

const KEY = { CAMPAIGN_API_KEY: API_KEY };
const OUTPUTS = 'outputs: { dir: out }\n';

const bare = () => untilTestEnds(startBareService({ pendingPolls: 0 }));

function manifestFor(environment: string, { url }: { readonly url: string }): string {
  return `${SINGLE}${OUTPUTS}service: { environments: { ${environment}: { base_url: "${url}" } } }\n`;
}

async function ownerOf(campaign: CampaignFolder): Promise<string> {
  const index = JSON.parse(await campaign.read('out/index.json')) as Record<string, string>;
  return `${index['campaign']}, ${index['environment']}`;
}

describe('an output folder that another environment or campaign has filled', () => {
  it('is refused before anything is sent', async () => {
    const service = await bare();
    const manifest = manifestFor('live', service);
    const campaign = await campaignFolder(manifest);
    expect((await campaign.run(['apply', 'm.yaml', '--env', 'emulator'])).code).toBe(0);
    const files = (await campaign.files()).filter((file) => file.startsWith('out/'));
    const index = await campaign.read('out/index.json');
    const { code, stderr } = await campaign.run(['apply', 'm.yaml', '--env', 'live'], KEY);
    const line = manifest.slice(0, manifest.indexOf('outputs:')).split('\n').length;
    expect([code, service.requests]).toEqual([65, []]);
    expect(stderr).toBe(
      'error: The output folder has the results of another campaign or environment [outputs-of-another]\n' +
        `  at m.yaml:${line}:17\n` +
        '  out/index.json lists those of the campaign "small" in the environment "emulator". Files of this run would push ' +
        'them aside, so nothing was sent. Give every campaign and environment a folder of its own: leave `outputs.dir` out ' +
        '(out/<name>/<environment>), or write a variable into it that each environment sets. If that is the former name of ' +
        'this campaign or environment, move the index.json away: it is written anew.\n\n',
    );
    await campaign.write('m.yaml', SINGLE.replace('name: small', 'name: other') + OUTPUTS);
    expect((await campaign.run(['apply', 'm.yaml', '--env', 'emulator', '--state', 'o.jsonl'])).code).toBe(
      65,
    );
    expect((await campaign.files()).filter((file) => file.startsWith('out/'))).toEqual(files);
    expect(await campaign.read('out/index.json')).toBe(index);
    await campaign.write('m.yaml', manifest.replace(OUTPUTS, ''));
    expect((await campaign.run(['apply', 'm.yaml', '--env', 'live'], KEY)).code).toBe(0);
  });

  it('goes on under the new name of an environment', async () => {
    const service = await bare();
    const campaign = await campaignFolder(manifestFor('stage', service));
    expect((await campaign.run(['apply', 'm.yaml', '--env', 'stage'], KEY)).code).toBe(0);
    await campaign.write('m.yaml', manifestFor('live', service));
    const adopt = ['state', 'adopt', 'm.yaml', 'm.stage.state.jsonl', '--env', 'live', '--yes'];
    expect((await campaign.run(adopt)).code).toBe(0);
    const item = '      - { key: second, post_type: image, products: [tote], aspect_ratio: "1:1" }\n';
    const withItem = manifestFor('live', service).replace(OUTPUTS, `${item}${OUTPUTS}`);
    await campaign.write('m.yaml', withItem);
    expect((await campaign.run(['apply', 'm.yaml', '--env', 'live'], KEY)).code).toBe(0);
    expect([await ownerOf(campaign), service.created.configs.length]).toEqual(['small, live', 2]);
  });

  it('has its index under the new name also where nothing else is to be done', async () => {
    const service = await bare();
    const campaign = await campaignFolder(manifestFor('stage', service));
    await campaign.run(['apply', 'm.yaml', '--env', 'stage'], KEY);
    await campaign.write('m.yaml', manifestFor('live', service));
    await campaign.run(['state', 'adopt', 'm.yaml', 'm.stage.state.jsonl', '--env', 'live', '--yes']);
    const { stdout } = await campaign.run(['apply', 'm.yaml', '--env', 'live'], KEY);
    expect(stdout).toMatch(/\nNo changes\.\n$/);
    expect(await ownerOf(campaign)).toBe('small, live');
  });
});

describe('a rename while the output folder is away', () => {
  it('names the files anew once they are back', async () => {
    const service = await bare();
    const campaign = await campaignFolder(SINGLE + OUTPUTS, service);
    await campaign.run(['apply', 'm.yaml']);
    await rename(join(campaign.folder, 'out'), join(campaign.folder, 'away'));
    await campaign.write('m.yaml', (SINGLE + OUTPUTS).replace('hero:', 'banner:'));
    const told = '  ! No result is in out (is a disk missing?): 1 file not renamed yet\n';
    for (const _ of [1, 2]) {
      const { code, stderr } = await campaign.run(['apply', 'm.yaml']);
      expect([code, stderr]).toEqual([0, told]);
    }
    expect((await campaign.files()).filter((file) => file.startsWith('out'))).toEqual([]);
    const state = await campaign.read('m.default.state.jsonl');
    expect(state.match(/"type":"run-finished"/g)).toHaveLength(2);
    await rename(join(campaign.folder, 'away'), join(campaign.folder, 'out'));
    const { code, stderr } = await campaign.run(['apply', 'm.yaml']);
    expect([code, stderr]).toEqual([0, '']);
    expect((await campaign.files()).filter((file) => file.startsWith('out'))).toEqual([
      'out/banner/kitchen-image.png',
      'out/index.json',
    ]);
    const listed = await campaign.run(['outputs', 'm.yaml']);
    expect(listed.stdout).toContain('out/banner/kitchen-image.png');
  });
});
