import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startBareService } from '../support/bare-service.ts';
import { API_KEY, campaignFolder, SMALL, untilTestEnds } from './small-campaign.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** The commands of the page's first shell block, without comments. */
function commandsOfPage(): string[][] {
  const page = readFileSync(join(ROOT, 'docs', 'real-service.md'), 'utf8');
  const [, block = ''] = /```sh\n(.*?)```/s.exec(page) ?? [];
  return block
    .split('\n')
    .map((line) => line.replace(/ #.*$/, ''))
    .filter((line) => /^(?:npx )?campaign /.test(line))
    .map((line) =>
      line
        .replace(/^.*?campaign /, '')
        .replaceAll("'", '')
        .trim()
        .split(/\s+/),
    );
}

it('docs/real-service.md leads step by step to all posts', async () => {
  const service = await untilTestEnds(startBareService({ apiKey: API_KEY }));
  const campaign = await campaignFolder(SMALL);
  const production = '{ base_url: https://visuals.example.com/api, api_key_env: VISUALS_KEY }';
  await campaign.write('campaign.yaml', `${SMALL}service: { environments: { production: ${production} } }\n`);
  const env = { CAMPAIGN_BASE_URL: service.url, VISUALS_KEY: API_KEY };

  const made: [command: string, posts: number][] = [];
  for (const args of commandsOfPage()) {
    const { code, stderr } = await campaign.run(args, env);
    expect({ args, code, stderr }).toMatchObject({ args, code: 0 });
    made.push([args[0] ?? '', service.created.configs.flatMap(({ items }) => items).length]);
  }
  expect(made).toEqual([
    ['doctor', 0],
    ['plan', 0],
    ['apply', 1],
    ['doctor', 1],
    ['apply', 2],
  ]);
  expect(await campaign.files()).toContain('out/small/production/hero/kitchen-image.png');
});
