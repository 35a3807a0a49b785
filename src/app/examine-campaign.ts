import { askService, type FreeAnswers, NOTHING_ASKED } from '../doctor/ask-service.ts';
import type { Context, Machine } from '../doctor/context.ts';
import { reach } from '../doctor/reach.ts';
import { type Found, isBroken } from '../doctor/run-checks.ts';
import type { Environment } from '../manifest/manifest.ts';
import { commandText } from '../model/command-text.ts';
import { EMULATOR } from '../model/emulator.ts';
import { EXIT } from '../model/exit.ts';
import type { Finding } from '../model/finding.ts';
import type { FatalProblem, Refusal } from '../model/problem.ts';
import type { Observation } from '../service/call-service.ts';
import { emptyState } from '../log/fold.ts';
import type { Store } from '../store/store.ts';
import { isLoopbackHost } from '../util/loopback.ts';
import { count } from '../util/count.ts';
import { err, ok, type Result } from '../util/result.ts';
import { findApiKey } from './api-key.ts';
import { emulatorDataGone } from './emulator-data.ts';
import type { Campaign } from './campaign.ts';
import { readState } from './read-state.ts';
import type { ProcessVariables, Runtime } from './runtime.ts';
import { readTlsFiles } from './tls-files.ts';
import { checkTransport, readProxies } from './transport.ts';
import { tryStorage } from './try-storage.ts';

/** A service that works answers at once; all requests together get twice the time of one. */
const ANSWER_MS = 5_000;

interface Examination {
  readonly machine: Machine;
  readonly found: Found;
  readonly environment: string | undefined;
  readonly target: string;
}

export async function examineCampaign(
  runtime: Runtime,
  campaign: Campaign,
  { machine, found, environment: asked, target }: Examination,
): Promise<Context> {
  const { manifest, store, stateFolder, workFolder, emulatorData } = campaign;
  const { environment } = manifest;
  const opened = await readState(campaign);
  const state = opened.ok ? opened.value.state : emptyState();
  const gone = await emulatorDataGone(campaign, state);
  const key = await findApiKey(runtime, environment);
  const transport = checkTransport(environment, runtime.env);
  const tls = await readTlsFiles(environment);
  const proxy = transport ? undefined : await proxyOf(environment, runtime.env);

  async function askOnce(): Promise<FreeAnswers> {
    if (!key.ok || ['certificates', 'connection', 'tls', 'api_key'].some((check) => isBroken(found, check)))
      return NOTHING_ASKED;
    const observed: Observation[] = [];
    const connection = await runtime.connect(environment, {
      apiKey: key.value.value,
      emulatorData,
      concurrency: 1,
      requestTimeouts: { connectMs: ANSWER_MS, idleMs: ANSWER_MS, totalMs: ANSWER_MS },
      observe: (observation) => observed.push(observation),
    });
    const { client } = connection;
    const signal = AbortSignal.timeout(2 * ANSWER_MS);
    try {
      return await askService({ client, manifest, state, observed, newId: runtime.newId, signal });
    } finally {
      await connection.close();
    }
  }

  return {
    ...machine,
    manifest,
    target,
    chosenBy: chosenBy(environment.name, asked, runtime.env),
    store,
    stateFolder,
    workFolder,
    opened: opened.ok ? opened : err(refusedBy(opened.error)),
    state,
    emulatorDataGone: gone && refusedBy(gone),
    keySource: key.ok ? ok(key.value.source) : err(refusedBy(key.error)),
    transport: transport && refusedBy(transport),
    tlsFiles: tls.ok ? tls : err(refusedBy(tls.error)),
    proxy,
    examineDatabase: once(() => examineDatabase(store, runtime)),
    tryStorage: () => tryStorage(runtime, campaign),
    reach: once(() =>
      reach(new URL(environment.baseUrl), { proxy, timeoutMs: ANSWER_MS, files: tls.ok ? tls.value : {} }),
    ),
    ask: once(askOnce),
    found,
    now: () => runtime.clock.now(),
  };
}

async function examineDatabase({ name, examine }: Store, { clock }: Pick<Runtime, 'clock'>) {
  if (!examine) throw new Error(`${name} is in no database`);
  return examine(clock);
}

/** In the order in which an environment is chosen. */
function chosenBy(name: string, asked: string | undefined, env: ProcessVariables): string {
  if (asked !== undefined) return '--env';
  if (env['CAMPAIGN_ENV']) return 'CAMPAIGN_ENV';
  return name === 'default' ? 'CAMPAIGN_BASE_URL' : 'default_environment';
}

/** This machine is never reached through a proxy. */
async function proxyOf({ baseUrl }: Environment, env: ProcessVariables): Promise<URL | undefined> {
  if (baseUrl === EMULATOR || isLoopbackHost(new URL(baseUrl).hostname)) return undefined;
  return (await readProxies(env))?.proxyFor(new URL(baseUrl));
}

function refusedBy({ exit, problems: [first] }: Refusal): FatalProblem {
  return { code: '', summary: '', detail: '', ...first, exit };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

/** The findings of the checks `manifest` and `environment`, which loading the campaign has already made. */
export function manifestFindings(path: string, loaded: Result<Campaign, Refusal>, target: string): Finding[] {
  return loaded.ok ? [readable(loaded.value)] : refused(path, loaded.error, target);
}

function readable({ manifest, graph, warnings: [warning] }: Campaign): Finding {
  const { products, concepts, file } = manifest;
  const check = 'manifest';
  if (warning) return { check, status: 'warning', summary: warning.summary, action: warning.detail ?? '' };
  const posts = graph.posts.reduce((sum, { items }) => sum + items.length, 0);
  const counts = [count(products.length, 'product'), count(concepts.length, 'concept'), count(posts, 'post')];
  return { check, status: 'ok', summary: `${file} is valid: ${counts.join(', ')}` };
}

/** Problems of how campaign was called belong to the environment, all others to the manifest. */
function refused(path: string, { exit, problems }: Refusal, target: string): Finding[] {
  const errors = problems.filter(({ severity }) => severity !== 'warning');
  const { code = '', summary = '', detail = '', position } = errors[0] ?? {};
  if (exit === EXIT.configuration || code === 'profile-without-emulator') {
    return [
      { check: 'manifest', status: 'ok', summary: `${path} can be read` },
      { check: 'environment', status: 'error', summary, action: detail, exit },
    ];
  }
  const place = position ? ` (${position.file}:${position.line})` : '';
  const more = errors.length > 1 ? `; ${errors.length} mistakes in all` : '';
  const action = position ? `${detail} \`${commandText('validate', target)}\` shows the place.` : detail;
  return [{ check: 'manifest', status: 'error', summary: `${summary}${place}${more}`, action, exit }];
}
