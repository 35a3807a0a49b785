/** A small campaign, a service in the test and processes of the real command that may be killed. */
import { spawn } from 'node:child_process';
import { expect } from 'vitest';
import { startBareService } from '../support/bare-service.ts';
import { CLI } from '../support/run-cli.ts';
import { API_KEY, campaignFolder, SMALL, untilTestEnds, type AtEnd } from '../cli/small-campaign.ts';
import type { StateRow } from '../../src/state/list-state.ts';

export interface RealCampaign {
  /** Runs `campaign apply` under another command, e.g. strace; how it ended. */
  applyUnder(command: readonly string[]): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** D and L, as the service's books and the state have it. */
  check(): Promise<void>;
  /** Applies and decides until nothing is left to do. */
  finish(): Promise<void>;
}

/** One with nothing made yet; gone when the test ends. */
export async function startRealCampaign(atEnd: AtEnd): Promise<RealCampaign> {
  const service = await untilTestEnds(startBareService(), atEnd);
  const campaign = await campaignFolder(SMALL, service, atEnd);

  const made = () => [...service.created.products, ...service.created.concepts, ...service.created.configs];

  async function rows(): Promise<StateRow[]> {
    const { stdout } = await campaign.run(['state', 'list', 'm.yaml', '--json']);
    return JSON.parse(stdout) as StateRow[];
  }

  async function check(): Promise<void> {
    const { products, concepts, configs } = service.created;
    for (const list of [products, concepts, configs]) expect(list.length).toBeLessThanOrEqual(1);
    const known = await rows();
    const ids = new Set(known.map(({ id }) => id));
    const unknown = known.filter(({ status, kind }) => status === 'unknown' && kind !== 'media');
    expect(made().filter(({ id }) => !ids.has(id)).length).toBeLessThanOrEqual(unknown.length);
    for (const file of await campaign.files())
      if (!file.endsWith('.png')) expect(await campaign.read(file)).not.toContain(API_KEY);
  }

  async function decide(): Promise<void> {
    const known = await rows();
    const lists = { product: service.created.products, concept: service.created.concepts };
    for (const { address, kind } of known.filter((row) => row.status === 'unknown' && row.kind !== 'media')) {
      const [one] = kind === 'media-config' ? service.created.configs : lists[kind as keyof typeof lists];
      const decision = one ? ['--id', one.id] : ['--not-created'];
      expect(await campaign.run(['resolve', 'm.yaml', address, ...decision])).toMatchObject({ code: 0 });
    }
  }

  return {
    applyUnder([command = '', ...args]) {
      const child = spawn(command, [...args, process.execPath, CLI, 'apply', 'm.yaml'], {
        cwd: campaign.folder,
        env: {
          PATH: process.env['PATH'] ?? '',
          UV_THREADPOOL_SIZE: '1',
          CAMPAIGN_BASE_URL: service.url,
          CAMPAIGN_API_KEY: API_KEY,
        },
        stdio: 'ignore',
      });
      return new Promise((resolve, reject) => {
        child.on('error', reject);
        child.on('close', (code, signal) => resolve({ code, signal }));
      });
    },
    check,
    async finish() {
      for (let round = 0; round < 4; round += 1) {
        const { code } = await campaign.run(['apply', 'm.yaml']);
        await check();
        if (code === 0) break;
        expect(code).toBe(4);
        await decide();
      }
      expect((await campaign.run(['plan', 'm.yaml'])).stdout).toContain('No changes.');
      expect(made()).toHaveLength(3);
    },
  };
}
