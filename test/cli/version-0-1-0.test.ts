import { cp, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCli } from '../support/run-cli.ts';

const FIXTURE = join(import.meta.dirname, '..', 'fixtures', 'version-0.1.0');
const STATE = 'campaign.production.state.jsonl';

/** A copy of the campaign that version 0.1.0 has left, with one of its two states. */
async function campaignOf(log: 'grown' | 'compacted') {
  const folder = await mkdtemp(join(tmpdir(), 'campaign-0.1.0-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await cp(FIXTURE, folder, { recursive: true });
  if (log === 'compacted') await rename(join(folder, 'compacted.jsonl'), join(folder, STATE));
  const run = (...args: readonly string[]) => runCli(args, { cwd: folder, env: { CI: '1' } });
  return { folder, run };
}

describe.each(['grown', 'compacted'] as const)('a %s state of version 0.1.0', (log) => {
  it('is read: every node has the status and id that it had', async () => {
    const { run } = await campaignOf(log);
    const { code, stdout } = await run('state', 'list', '--json');
    expect({ code, rows: JSON.parse(stdout) as unknown }).toEqual({
      code: 0,
      rows: JSON.parse(await readFile(join(FIXTURE, 'state-list.json'), 'utf8')) as unknown,
    });
  });

  it('leads to no request that makes or pays for anything', async () => {
    const { folder, run } = await campaignOf(log);
    const before = await readFile(join(folder, STATE));
    const { code, stdout } = await run('plan', '--json');
    expect({ code, plan: JSON.parse(stdout) as unknown }).toEqual({
      code: 0,
      plan: {
        manifest: 'campaign.yaml',
        campaign: 'spring-launch',
        environment: 'production',
        format_version: '1.0',
        changes: [],
        requests: [],
        held: [],
        left_alone: ['media/old/1'],
        looked_for: ['media/grid/morning+cr-me-co+1x1/1@1', 'media/hero/kitchen@1'],
        not_selected: 0,
        summary: { create: 0, update: 0, replace: 0, delete: 0, move: 0, unchanged: 30 },
        pending: 2,
        failed: 1,
        unknown: 1,
        new_posts: 0,
        cost: null,
      },
    });
    expect(await readFile(join(folder, STATE))).toEqual(before);
  });
});
