/** Asks the service about an id that a person names. */
import { productKey } from '../model/address.ts';
import { EXIT } from '../model/exit.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import type { ConceptResult, ProductResult, RequestResult } from '../model/result.ts';
import type { RunState } from '../model/run-state.ts';
import type { Client } from '../service/client.ts';
import { LEARNED_MEDIA_PATH } from '../steps/media-lookup.ts';
import { err, ok, type Result } from '../util/result.ts';
import { usableApiKey } from './api-key.ts';
import type { Campaign } from './campaign.ts';
import { confirmId } from './confirm-id.ts';
import { emulatorDataGone } from './emulator-data.ts';
import type { Runtime } from './runtime.ts';

/** What is recorded, and whether the service has confirmed it: only products and requests can be read back. */
export async function lookUp(
  runtime: Runtime,
  campaign: Campaign,
  { id, address, state, verify }: { id: string; address: string; state: RunState; verify: boolean },
): Promise<Result<{ result: ProductResult | ConceptResult | RequestResult; isSeen: boolean }, Refusal>> {
  const isRequest = state.requests.has(address);
  if (!verify && isRequest) return err(needsService(address));
  if (!verify || (!isRequest && productKey(address) === undefined))
    return ok({ result: { id }, isSeen: false });
  return withService(runtime, campaign, state, async (client) => {
    const confirming = { address, state, graph: campaign.graph, template: mediaTemplate(campaign, state) };
    const result = await confirmId(id, confirming, client);
    return result.ok ? ok({ result: result.value, isSeen: true }) : err(notFound(id, result.error));
  });
}

/** How media are found, by the manifest or by what was learned. */
export function mediaTemplate({ manifest }: Campaign, { learned }: RunState): string | undefined {
  return manifest.environment.gaps.mediaPath ?? learned.get(LEARNED_MEDIA_PATH);
}

/** A connection for as long as the work takes, where there is a service to ask. */
export async function withService<T>(
  runtime: Runtime,
  campaign: Campaign,
  state: RunState,
  work: (client: Client) => Promise<Result<T, Refusal>>,
): Promise<Result<T, Refusal>> {
  const gone = await emulatorDataGone(campaign, state);
  if (gone) return err(gone);
  const { environment, limits } = campaign.manifest;
  const apiKey = await usableApiKey(runtime, environment);
  if (!apiKey.ok) return apiKey;
  const connection = await runtime.connect(environment, {
    apiKey: apiKey.value,
    emulatorData: campaign.emulatorData,
    concurrency: limits.total,
  });
  try {
    return await work(connection.client);
  } finally {
    await connection.close();
  }
}

export function notFound(id: string, detail: string): Refusal {
  const summary = 'The service does not confirm the id';
  return refusal(EXIT.failed, {
    code: 'id-not-found',
    summary,
    detail: `${id}: ${detail}. Nothing was recorded.`,
  });
}

function needsService(address: string): Refusal {
  const detail = `${address} has posts, and they are found by ids that the service gave them: leave out --no-verify.`;
  return refusal(EXIT.usage, { code: 'needs-service', summary: 'Only the service can say this', detail });
}
