import type { Profile } from '../emulator/profiles/read-profile.ts';
import type { Environment } from '../manifest/manifest.ts';
import { EMULATOR } from '../model/emulator.ts';
import { EXIT } from '../model/exit.ts';
import type { Client, ClientOptions } from '../service/client.ts';
import { type Clock, realClock } from '../util/clock.ts';
import { readGiven } from '../util/read-given.ts';
import { err, ok, type Result } from '../util/result.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import { readProxies } from './proxy.ts';

/** A service to talk to; `close` drops its connections, and stops the embedded emulator. */
export interface Connection {
  readonly client: Client;
  close(): Promise<void>;
}

/** What the first line of a run calls the service. */
export function hostOf({ baseUrl }: Environment): string {
  return baseUrl === EMULATOR ? 'embedded emulator' : new URL(baseUrl).host;
}

/** An API key, and the variable or file that it comes from. */
export interface ApiKey {
  readonly value: string;
  readonly source: string;
}

/** The API key of an environment. */
export async function findApiKey(
  environment: Environment,
  env: NodeJS.ProcessEnv,
): Promise<Result<string, Refusal>> {
  const found = await locateApiKey(environment, env);
  return found.ok ? ok(found.value.value) : found;
}

/** The API key and its source: the environment's variable, `CAMPAIGN_API_KEY`, or the file `CAMPAIGN_API_KEY_FILE`. */
export async function locateApiKey(
  environment: Environment,
  env: NodeJS.ProcessEnv,
): Promise<Result<ApiKey, Refusal>> {
  if (environment.baseUrl === EMULATOR) return ok({ value: EMULATOR, source: EMULATOR });
  const named = environment.apiKeyEnv;
  for (const source of [...(named ? [named] : []), 'CAMPAIGN_API_KEY']) {
    const value = env[source]?.trim();
    if (value) return checked({ value, source });
  }
  const file = env['CAMPAIGN_API_KEY_FILE'];
  if (file) return keyOfFile(file);
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

/** What is shorter occurs in ordinary words: taking it out of messages and files would destroy them. */
const SHORTEST_KEY = 8;

/** Line ends and other control characters, and what UTF-16 comes to where it is read as UTF-8. */
const NOT_IN_A_KEY = /[\p{Cc}\uFFFD]/u;

function checked(key: ApiKey): Result<ApiKey, Refusal> {
  if (NOT_IN_A_KEY.test(key.value)) {
    return err(
      refusal(EXIT.configuration, {
        code: 'odd-api-key',
        summary: 'The API key is not one line of text',
        detail:
          `What stands in ${key.source} has more than one line, or characters that no key has (a file in UTF-16 has them). ` +
          'Let it hold the key alone.',
      }),
    );
  }
  if (key.value.length >= SHORTEST_KEY) return ok(key);
  return err(
    refusal(EXIT.configuration, {
      code: 'short-api-key',
      summary: 'The API key is too short',
      detail:
        `What stands in ${key.source} has fewer than ${SHORTEST_KEY} characters. So short a key cannot be kept out of messages and ` +
        'files, as ordinary words hold it too. Check that it is the whole key.',
    }),
  );
}

async function keyOfFile(file: string): Promise<Result<ApiKey, Refusal>> {
  const text = await readGiven(file);
  const value = text.ok ? text.value.trim() : '';
  if (value) return checked({ value, source: `the file ${file} (CAMPAIGN_API_KEY_FILE)` });
  return err(
    refusal(EXIT.configuration, {
      code: 'no-api-key',
      summary: 'No API key',
      detail: `CAMPAIGN_API_KEY_FILE names ${file}, which ${text.ok ? 'is empty' : text.error}.`,
    }),
  );
}

/** What a connection is made of besides its environment. */
export interface ConnectOptions
  extends Pick<ClientOptions, 'observe' | 'deadlines' | 'requestTimeouts' | 'trace'> {
  /** Default: the real one. */
  readonly clock?: Clock;
  readonly apiKey: string;
  /** Where the embedded emulator keeps its data. */
  readonly emulatorData: string;
  readonly concurrency: number;
  /** How the embedded emulator is to be. */
  readonly profile?: Profile | undefined;
}

/** Opens the connection; `emulator` starts the embedded service. */
export async function connectService(
  environment: Environment,
  { apiKey, emulatorData, concurrency, profile, clock = realClock, ...watching }: ConnectOptions,
): Promise<Connection> {
  const { createClient } = await import('../service/client.ts');
  const settings = {
    ...watching,
    // The embedded emulator is inside this process: no proxy is between.
    ...(environment.baseUrl === EMULATOR ? {} : await readProxies(process.env)),
    apiKey,
    clock,
    concurrency,
    uploadUrl: environment.gaps.uploadUrl,
    nothingDone: environment.gaps.nothingDone,
  };
  if (environment.baseUrl !== EMULATOR) {
    const client = createClient({ ...settings, baseUrl: environment.baseUrl });
    return { client, close: () => Promise.resolve(client.close()) };
  }
  const { seededRandom, startEmulator } = await import('../emulator/emulator.ts');
  const emulator = await startEmulator({
    dataDir: emulatorData,
    clock: realClock,
    random: profile?.seed === undefined ? Math.random : seededRandom(profile.seed),
    behaviour: profile?.behaviour,
    orders: profile?.orders,
  });
  const client = createClient({ ...settings, baseUrl: emulator.url });
  return {
    client,
    async close() {
      client.close();
      await emulator.close();
    },
  };
}
