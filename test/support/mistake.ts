import { mkdtemp, readdir, rm } from 'node:fs/promises';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import { type Files, placeCampaign } from './placed.ts';
import { runHere } from './run-here.ts';

export interface Mistake {
  readonly files?: Files;
  /** Default: campaign.yaml. */
  readonly file?: string;
  /** Default: 65, the manifest is wrong. */
  readonly exit?: number;
  /** Default: apply, which would begin to send requests. */
  readonly command?: 'apply' | 'validate';
}

/**
 * Applies a manifest with a mistake, and returns everything that campaign printed. Nothing may be sent, no state
 * begun, and the exit code has to say that the manifest is wrong.
 */
export async function mistake(
  { expect, onTestFinished }: TestContext,
  manifest: string | Uint8Array,
  options: Mistake = {},
): Promise<string> {
  const { files = {}, file = 'campaign.yaml', exit = 65, command = 'apply' } = options;
  const folder = await mkdtemp(join(tmpdir(), 'campaign-mistake-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await placeCampaign(folder, manifest, files);
  const service = await startDoor();
  onTestFinished(() => service.close());
  const base = { CAMPAIGN_BASE_URL: service.url, CAMPAIGN_API_KEY: 'canary-key-5f1d' };
  const end = await runHere([command, file], { cwd: folder, env: base });
  expect({ code: end.code, stdout: end.stdout, connections: service.connections() }).toEqual({
    code: exit,
    stdout: '',
    connections: 0,
  });
  expect((await readdir(folder)).filter((name) => name.includes('state'))).toEqual([]);
  return end.stderr;
}

/** A place where a service could be: it counts who knocks. */
async function startDoor() {
  let connections = 0;
  const server = net.createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    connections: () => connections,
    close: () => void server.close(),
  };
}
