/**
 * Measures what follows a campaign: `follow.mjs MANIFEST` adds a record to its state and looks, several times: as who has looked
 * before (`page`, `status`), and as who looks for the first time. Milliseconds of the processor, medians.
 */
import { aloneIn } from '../../src/app/account.ts';
import { statusOf } from '../../src/app/campaign-status.ts';
import { createRuntime } from '../../src/app/create-runtime.ts';
import { followCampaign } from '../../src/app/follow-campaign.ts';
import { followReport } from '../../src/app/follow-report.ts';
import { loadCampaign } from '../../src/app/load-campaign.ts';
import { realClock } from '../../src/util/clock.ts';

const LOOKS = 5;
const [, , file = ''] = process.argv;
process.env['CAMPAIGN_BASE_URL'] = 'http://127.0.0.1:9';
const runtime = createRuntime({ emit: () => {} });
const source = { file, need: 'environment', outside: 'refuse', target: '' } as const;

async function good<Value>(looking: Promise<{ ok: true; value: Value } | { ok: false; error: unknown }>) {
  const found = await looking;
  if (!found.ok) throw new Error(JSON.stringify(found.error));
  return found.value;
}

const pages = followReport(runtime, source);
const page = ({ now }: ReturnType<typeof followReport>) => good(now());
const status = async ({ now }: ReturnType<typeof followCampaign>) => {
  const following = await good(now());
  await good(statusOf(runtime, following.campaign, { accounts: aloneIn(runtime), nodes: 'none', following }));
};
const campaigns = followCampaign(runtime, source);

const { store } = await good(loadCampaign(runtime, source));
const state = await good(
  store.write({
    runId: 'follow',
    lockTimeoutMs: 0,
    clock: realClock,
    command: 'campaign apply',
    newLineage: () => '',
    begin: {
      type: 'run-started',
      at: new Date().toISOString(),
      command: 'apply',
      version: '0',
      manifest: 'campaign.yaml',
      by: 'anna@studio',
    },
  }),
);
const media = [...state.state.media.values()];
const costs: Record<string, number[]> = {};
async function costOf(what: string, look: () => Promise<unknown>): Promise<void> {
  const before = process.cpuUsage();
  await look();
  const { user, system } = process.cpuUsage(before);
  (costs[what] ??= []).push((user + system) / 1000);
}
await page(pages);
await status(campaigns);
for (let n = 0; n < LOOKS; n += 1) {
  const { address = '', takes = [] } = media[n * 7] ?? {};
  const take = takes.at(-1)?.n ?? 1;
  const result = { id: `00000000-0000-4000-9000-${String(n).padStart(12, '0')}`, urls: [] };
  await state.recorder.append([
    { type: 'generated', at: new Date().toISOString(), address: `${address}@${take}`, result },
  ]);
  await costOf('page', () => page(pages));
  await costOf('pageAnew', () => page(followReport(runtime, source)));
  await costOf('status', () => status(campaigns));
  await costOf('statusAnew', () => status(followCampaign(runtime, source)));
}
await state.close();
const median = (all: number[]) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)];
console.log(
  JSON.stringify(Object.fromEntries(Object.entries(costs).map(([what, all]) => [what, median(all)]))),
);
