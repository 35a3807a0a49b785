import { cp, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runHere } from '../support/run-here.ts';

const FIXTURE = join(import.meta.dirname, '..', 'fixtures', 'version-0.1.0');
const STATE = 'spring-launch.production.state.jsonl';

/** A copy of the campaign that version 0.1.0 has left, with one of its two states. */
async function campaignOf(log: 'grown' | 'compacted') {
  const folder = await mkdtemp(join(tmpdir(), 'campaign-0.1.0-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await cp(FIXTURE, folder, { recursive: true });
  if (log === 'compacted') await rename(join(folder, 'compacted.jsonl'), join(folder, STATE));
  const run = (...args: readonly string[]) => runHere(args, { cwd: folder, env: { CI: '1' } });
  return { folder, run };
}

/** Addresses that letters beyond ASCII had not reached, and names of folders, which cost nothing. */
const CHANGES = [
  'move product/cr-me-co → product/creme-co',
  'move product/-kaktus → product/kaktus',
  'move media/grid/morning+cr-me-co+1x1/1 → media/grid/morning+creme-co+1x1/1',
  'move media/grid/morning+cr-me-co+9x16/1 → media/grid/morning+creme-co+9x16/1',
  'move media/grid/morning+-kaktus+1x1/1 → media/grid/morning+kaktus+1x1/1',
  'move media/grid/morning+-kaktus+9x16/1 → media/grid/morning+kaktus+9x16/1',
  'move media/grid/night+cr-me-co+1x1/1 → media/grid/night+creme-co+1x1/1',
  'move media/grid/night+-kaktus+1x1/1 → media/grid/night+kaktus+1x1/1',
  'update product/blue-mug',
  'update product/creme-co',
  'update product/kaktus',
];

describe.each(['grown', 'compacted'] as const)('a %s state of version 0.1.0', (log) => {
  it('is read: every node has the status and id that it had', async () => {
    const { run } = await campaignOf(log);
    const { code, stdout } = await run('state', 'list', '--json');
    expect({ code, rows: JSON.parse(stdout) as unknown }).toEqual({
      code: 0,
      rows: JSON.parse(await readFile(join(FIXTURE, 'state-list.json'), 'utf8')) as unknown,
    });
  });

  it('leads to no request that makes or pays for anything, though folders have other keys and names now', async () => {
    const { folder, run } = await campaignOf(log);
    const before = await readFile(join(folder, STATE));
    const { code, stdout } = await run('plan', '--json');
    const plan = JSON.parse(stdout) as { changes: { action: string; address: string; from?: string }[] };
    const changes = plan.changes.map(({ action, address, from }) =>
      from === undefined ? `${action} ${address}` : `${action} ${from} → ${address}`,
    );
    expect({ code, plan: { ...plan, changes } }).toEqual({
      code: 0,
      plan: {
        manifest: 'campaign.yaml',
        campaign: 'spring-launch',
        environment: 'production',
        format_version: '1.0',
        changes: CHANGES,
        requests: [],
        held: [],
        kept: [],
        over_budget: [],
        left_alone: ['media/old/1'],
        looked_for: ['media/grid/morning+creme-co+1x1/1@1', 'media/hero/kitchen@1'],
        not_selected: 0,
        summary: { create: 0, update: 3, replace: 0, delete: 0, move: 8, unchanged: 27 },
        pending: 2,
        to_download: 0,
        failed: 1,
        gone: [],
        unknown: 1,
        new_posts: 0,
        cost: null,
      },
    });
    expect(await readFile(join(folder, STATE))).toEqual(before);
  });
});
