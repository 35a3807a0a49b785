/**
 * Measures a whole apply without a network: `run.mjs MANIFEST` plans a campaign and carries it out with a client that
 * answers at once. Plan, engine, steps, log and index are the real ones; only the files of posts are not written.
 */
import { setFlagsFromString } from 'node:v8';
import { aloneIn } from '../../src/app/account.ts';
import { applyCampaign } from '../../src/app/apply-campaign.ts';
import { createRuntime } from '../../src/app/create-runtime.ts';
import { loadCampaign } from '../../src/app/load-campaign.ts';
import { createApplyConsole } from '../../src/cli/apply-console.ts';
import { createOutput } from '../../src/cli/output.ts';
import { createSteps } from '../../src/steps/create-steps.ts';
import type { Client } from '../../src/service/client.ts';
import { createLineRenderer } from '../../src/render/run-plain.ts';
import { done } from '../../test/support/facts.ts';

const [, , file = ''] = process.argv;
// As `apply` has it.
setFlagsFromString('--heap-growing-percent=25');
process.env['CAMPAIGN_BASE_URL'] = 'http://127.0.0.1:9';
process.env['CAMPAIGN_API_KEY'] = 'a-key-of-the-bench';
const start = performance.now();
let made = 0;
const id = () => `00000000-0000-4000-8000-${(++made).toString(16).padStart(12, '0')}`;
const ok = (value: object | string) => Promise.resolve({ ok: true as const, value });
const client = {
  uploadMedia: () => ok(`https://cdn.example.com/uploads/${id()}`),
  createProduct: (body: object) => ok({ ...body, id: id() }),
  createConcept: (body: object) => ok({ ...body, id: id() }),
  createMediaConfig: ({ content_pillar, items }: { content_pillar: string; items: object[] }) =>
    ok({ id: id(), concept_id: content_pillar, items: items.map((item) => ({ ...item, id: id() })) }),
  getMedia: (config: string, medium: string) =>
    ok({
      id: medium,
      generate_config: config,
      status: 'success',
      media_info: JSON.stringify([`https://cdn.example.com/files/${medium}.png`]),
      error_message: '',
    }),
  redact: (text: string) => text,
  woke() {},
  close() {},
} as unknown as Client;

/** Says everything, to nobody: what a run prints is made and thrown away. */
const output = { ...createOutput({ color: false }), progress: () => {}, result: () => {} };
const shown = createApplyConsole(output, ({ plan }) =>
  createLineRenderer({
    write: output.progress,
    style: output.errorStyle,
    clock: runtime.clock,
    plan,
    mediaInFlight: 200,
  }),
);
const runtime = {
  ...createRuntime({ emit: shown.follow }),
  connect: async () => ({ client, close: async () => {} }),
  createSteps: (io: Parameters<typeof createSteps>[0]) => ({
    ...createSteps(io),
    download: {
      run: async ({ node }: { node: { payload: unknown } }) => {
        const { path } = node.payload as { path: string };
        const sha256 = (++made).toString(16).padStart(64, '0');
        const files = [{ path: `${path}.png`, sha256, bytes: made, contentType: 'image/png' }];
        return done({ media: id(), files });
      },
    },
  }),
};
const source = { file, need: 'environment', outside: 'refuse', target: '' } as const;
const loaded = await loadCampaign(runtime, source);
if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
const end = await applyCampaign(runtime, loaded.value, {
  waiting: 'all',
  accounts: aloneIn(runtime),
  wishes: { only: [], exclude: [], replace: [] },
  consent: 'everything',
  lockTimeoutMs: 0,
  listen: () => ({ level: 'run', exit: undefined, onChange: () => () => {}, release() {} }),
});
shown.close();
const ms = performance.now() - start;
const mb = Math.round(process.resourceUsage().maxRSS / 1024);
if (end.exit !== 0) throw new Error(`the run ended with ${end.exit}`);
console.log(JSON.stringify({ ms, mb, ...end.counts }));
