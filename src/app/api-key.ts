import type { Environment } from '../manifest/manifest.ts';
import { EMULATOR } from '../model/emulator.ts';
import { EXIT } from '../model/exit.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import type { Clock } from '../util/clock.ts';
import { readGiven } from '../util/read-given.ts';
import { err, ok, type Result } from '../util/result.ts';
import { readTlsFiles } from './tls-files.ts';
import { checkTransport } from './transport.ts';
import type { Runtime } from './runtime.ts';

interface ApiKey {
  readonly value: string;
  readonly source: string;
}

export async function usableApiKey(
  runtime: Pick<Runtime, 'clock' | 'env'>,
  environment: Environment,
): Promise<Result<string, Refusal>> {
  const key = await usableApiKeyFrom(runtime, environment);
  return key.ok ? ok(key.value.value) : key;
}

/** The same, with where it was found. */
export async function usableApiKeyFrom(
  runtime: Pick<Runtime, 'clock' | 'env'>,
  environment: Environment,
): Promise<Result<ApiKey, Refusal>> {
  const key = await findApiKey(runtime, environment);
  if (!key.ok) return key;
  const insecure = checkTransport(environment, runtime.env);
  if (insecure) return err(insecure);
  const tls = await readTlsFiles(environment);
  return tls.ok ? key : tls;
}

/** The API key from the environment's variable, from `CAMPAIGN_API_KEY`, or from the file `CAMPAIGN_API_KEY_FILE`. */
export async function findApiKey(
  { clock, env }: Pick<Runtime, 'clock' | 'env'>,
  { name, baseUrl, apiKeyEnv }: Environment,
): Promise<Result<ApiKey, Refusal>> {
  if (baseUrl === EMULATOR) return ok({ value: EMULATOR, source: EMULATOR });
  const variables = [...(apiKeyEnv ? [apiKeyEnv] : []), 'CAMPAIGN_API_KEY'];
  for (const source of variables) {
    const value = env[source]?.trim();
    if (value) return checked({ value, source });
  }
  const file = env['CAMPAIGN_API_KEY_FILE'];
  if (file) return keyOfFile(file, clock);
  const ways = [...variables, 'CAMPAIGN_API_KEY_FILE (a file that holds the key)'];
  const detail = `The environment ${name} needs an API key. Set ${ways.join(', or ')}.`;
  return refused({ code: 'no-api-key', summary: 'No API key', detail });
}

/** Shorter keys occur in ordinary words, and removing them from messages and files would destroy these. */
const SHORTEST_KEY = 8;

/** Line ends and other control characters, and what UTF-16 becomes when it is read as UTF-8. */
const NOT_IN_A_KEY = /[\p{Cc}\uFFFD]/u;

function checked(key: ApiKey): Result<ApiKey, Refusal> {
  if (NOT_IN_A_KEY.test(key.value)) {
    const detail =
      `What stands in ${key.source} has more than one line, or characters that no key has (a file in UTF-16 has them). ` +
      'Let it hold the key alone.';
    return refused({ code: 'odd-api-key', summary: 'The API key is not one line of text', detail });
  }
  if (key.value.length >= SHORTEST_KEY) return ok(key);
  const detail =
    `What stands in ${key.source} has fewer than ${SHORTEST_KEY} characters. So short a key cannot be kept out of messages and ` +
    'files, as ordinary words hold it too. Check that it is the whole key.';
  return refused({ code: 'short-api-key', summary: 'The API key is too short', detail });
}

async function keyOfFile(file: string, clock: Clock): Promise<Result<ApiKey, Refusal>> {
  const text = await readGiven(file, clock);
  const value = text.ok ? text.value.trim() : '';
  if (value) return checked({ value, source: `the file ${file} (CAMPAIGN_API_KEY_FILE)` });
  const detail = `CAMPAIGN_API_KEY_FILE names ${file}, which ${text.ok ? 'is empty' : text.error}.`;
  return refused({ code: 'no-api-key', summary: 'No API key', detail });
}

function refused(problem: Parameters<typeof refusal>[1]): Result<never, Refusal> {
  return err(refusal(EXIT.configuration, problem));
}
