import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Environment } from '../manifest/manifest.ts';
import { EXIT } from '../model/exit.ts';
import type { Client } from '../service/client.ts';
import { realClock } from '../util/clock.ts';
import { err, ok, type Result } from '../util/result.ts';
import { type Refusal, refusal } from './output.ts';

/** A service to talk to; `close` drops its connections, and stops the embedded emulator. */
export interface Connection {
  readonly client: Client;
  close(): Promise<void>;
}

/** The name of the environment that runs inside the process. */
export const EMULATOR = 'emulator';

/** What the first line of a run calls the service. */
export function hostOf({ baseUrl }: Environment): string {
  return baseUrl === EMULATOR ? 'embedded emulator' : new URL(baseUrl).host;
}

/** The API key of an environment: its variable, `CAMPAIGN_API_KEY`, or the file `CAMPAIGN_API_KEY_FILE`. */
export async function findApiKey(
  environment: Environment,
  env: NodeJS.ProcessEnv,
): Promise<Result<string, Refusal>> {
  if (environment.baseUrl === EMULATOR) return ok('emulator');
  const named = environment.apiKeyEnv;
  const key = (named && env[named]) || env['CAMPAIGN_API_KEY'];
  if (key) return ok(key.trim());
  const file = env['CAMPAIGN_API_KEY_FILE'];
  const content = file && (await readFile(file, 'utf8').catch(() => '')).trim();
  if (content) return ok(content);
  const ways = [
    ...(named ? [named] : []),
    'CAMPAIGN_API_KEY',
    'CAMPAIGN_API_KEY_FILE (a file that holds the key)',
  ];
  return err(
    refusal(EXIT.configuration, {
      code: 'no-api-key',
      summary: 'No API key',
      detail: `The environment ${environment.name} needs an API key. Set ${ways.join(', or ')}.`,
    }),
  );
}

/** Opens the connection; `emulator` starts the embedded service with its data in `.campaign/` beside the state. */
export async function connectService(
  environment: Environment,
  { apiKey, stateFile, concurrency }: { apiKey: string; stateFile: string; concurrency: number },
): Promise<Connection> {
  const { createClient } = await import('../service/client.ts');
  const settings = {
    apiKey,
    clock: realClock,
    concurrency,
    uploadUrl: environment.gaps.uploadUrl,
    nothingDone: environment.gaps.nothingDone,
  };
  if (environment.baseUrl !== EMULATOR) {
    const client = createClient({ ...settings, baseUrl: environment.baseUrl });
    return { client, close: () => Promise.resolve(client.close()) };
  }
  const { startEmulator } = await import('../emulator/emulator.ts');
  const dataDir = join(dirname(stateFile), '.campaign', `${basename(stateFile, '.state.jsonl')}.data`);
  const emulator = await startEmulator({ dataDir, clock: realClock, random: Math.random });
  const client = createClient({ ...settings, baseUrl: emulator.url });
  return {
    client,
    async close() {
      client.close();
      await emulator.close();
    },
  };
}
