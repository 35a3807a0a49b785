import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { TestContext } from 'vitest';
import { PNG } from '../cli/small-campaign.ts';
import { runCli } from './run-cli.ts';

/** What stands beside the manifest: a photo, a text, or something that no campaign should meet. */
export type Placed =
  | 'photo'
  | 'folder'
  | 'pipe'
  | { readonly text: string | Uint8Array; readonly mode?: number }
  | { readonly link: string }
  | { readonly bytes: number };

export interface Mistake {
  readonly files?: Readonly<Record<string, Placed>>;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
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
  const { files = {}, args = [], env = {}, file = 'campaign.yaml', exit = 65, command = 'apply' } = options;
  const folder = await mkdtemp(join(tmpdir(), 'campaign-mistake-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await place(join(folder, 'campaign.yaml'), { text: manifest });
  for (const [name, placed] of Object.entries(files)) await place(join(folder, name), placed);
  const service = await startDoor();
  onTestFinished(() => service.close());
  const base = { CAMPAIGN_BASE_URL: service.url, CAMPAIGN_API_KEY: 'canary-key-5f1d' };
  const end = await runCli([command, file, ...args], { cwd: folder, env: { ...base, ...env } });
  expect({ code: end.code, stdout: end.stdout, connections: service.connections() }).toEqual({
    code: exit,
    stdout: '',
    connections: 0,
  });
  expect((await readdir(folder)).filter((name) => name.includes('state'))).toEqual([]);
  return end.stderr;
}

async function place(path: string, placed: Placed): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  if (placed === 'photo') writeFileSync(path, PNG);
  else if (placed === 'folder') mkdirSync(path);
  else if (placed === 'pipe') await promisify(execFile)('mkfifo', [path]);
  else if ('link' in placed) symlinkSync(placed.link, path);
  else if ('bytes' in placed) {
    writeFileSync(path, PNG);
    truncateSync(path, placed.bytes);
  } else {
    writeFileSync(path, placed.text);
    if (placed.mode !== undefined) chmodSync(path, placed.mode);
  }
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
