import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runAsNobody } from '../support/run-as-nobody.ts';
import { startBareService } from '../support/bare-service.ts';
import { API_KEY, campaignFolder, SINGLE, untilTestEnds } from './small-campaign.ts';

/** What stands in the way of `out/small/default`, and what is said of it. */
const OBSTACLES: readonly (readonly [string, (folder: string) => Promise<unknown>, string])[] = [
  ['a file in its place', (folder) => writeFile(join(folder, 'out'), 'x'), 'It is no folder: out.'],
  [
    'a file further down',
    async (folder) => {
      await mkdir(join(folder, 'out/small/default'), { recursive: true });
      await writeFile(join(folder, 'out/small/default/hero'), 'x');
    },
    'It is no folder: out/small/default/hero.',
  ],
  [
    'a link that leads nowhere',
    (folder) => symlink('gone', join(folder, 'out')),
    'The system says ENOENT: out.',
  ],
  [
    'a folder that may not be written to',
    async (folder) => {
      await mkdir(join(folder, 'out'));
      await chmod(join(folder, 'out'), 0o555);
    },
    'The folder may not be written to: out.',
  ],
  [
    'a folder in the place of the index',
    (folder) => mkdir(join(folder, 'out/small/default/index.json'), { recursive: true }),
    'It is a folder, and a file belongs there: out/small/default/index.json.',
  ],
];

describe('an output folder that cannot be written', () => {
  it.each(OBSTACLES)('is known before anything is sent: %s', async (_, obstruct, words) => {
    const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
    const campaign = await campaignFolder(SINGLE, service);
    await obstruct(campaign.folder);
    const env = { CAMPAIGN_BASE_URL: service.url, CAMPAIGN_API_KEY: API_KEY };
    const apply = () => runAsNobody(['apply', 'm.yaml'], { folder: campaign.folder, env });
    const { code, output } = await apply();
    expect(code).toBe(74);
    expect(output).toContain(
      `error: The output cannot be written [cannot-write]\n  ${words} Results would have`,
    );
    expect(service.requests).toEqual([]);

    await chmod(join(campaign.folder, 'out'), 0o755).catch(() => undefined);
    await rm(join(campaign.folder, 'out'), { recursive: true, force: true });
    expect((await apply()).code).toBe(0);
  });
});
