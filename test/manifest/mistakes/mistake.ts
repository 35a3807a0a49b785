import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import { createRuntime } from '../../../src/app/create-runtime.ts';
import { loadCampaign } from '../../../src/app/load-campaign.ts';
import { diagnosticText } from '../../../src/render/diagnostic-text.ts';
import { type Files, placeCampaign } from '../../support/placed.ts';
import { PLAIN } from '../../support/plain-style.ts';

interface Mistake {
  readonly files?: Files;
  readonly env?: Readonly<Record<string, string>>;
  /** What `--env` would name. */
  readonly environment?: string;
  /** Default: 65, the manifest is wrong. */
  readonly exit?: number;
}

/**
 * Loads a manifest with a mistake as every command does, and returns what people read about it; no state may be begun,
 * and the exit code has to say that the manifest is wrong.
 */
export async function mistake(
  { expect, onTestFinished }: TestContext,
  manifest: string | Uint8Array,
  { files = {}, env = {}, environment, exit = 65 }: Mistake = {},
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'campaign-mistake-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await placeCampaign(folder, manifest, files);
  const variables = { CAMPAIGN_BASE_URL: 'http://127.0.0.1:9', CAMPAIGN_API_KEY: 'canary-key-5f1d', ...env };
  const file = join(folder, 'campaign.yaml');
  const loaded = await loadCampaign(createRuntime({ env: variables, emit: () => undefined }), {
    file,
    need: 'environment',
    outside: 'refuse',
    target: '',
    environment,
  });
  if (loaded.ok) throw new Error('The manifest was accepted.');
  expect(loaded.error.exit).toBe(exit);
  expect((await readdir(folder)).filter((name) => name.includes('state'))).toEqual([]);
  const text = loaded.error.problems.map((problem) => `${diagnosticText(problem, PLAIN)}\n`).join('');
  return text.replaceAll(`${folder}/`, '');
}
