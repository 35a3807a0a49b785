import { kindOf, splitTake, takeAddress } from '../model/address.ts';
import { EXIT, type ExitCode } from '../model/exit.ts';
import type { RequestPayload } from '../model/payload.ts';
import type { ConceptResult, ProductResult, RequestResult } from '../model/result.ts';
import { currentTake, type RequestState, type RunState } from '../model/run-state.ts';
import type { StateEvent } from '../model/state-event.ts';
import type { Client } from '../service/client.ts';
import type { MediaConfigAnswer } from '../service/read-media-config.ts';
import { readMediaUrls } from '../service/read-media-urls.ts';
import { matchCreatedItems } from '../steps/match-created-items.ts';
import { err, ok, type Result } from '../util/result.ts';
import { connectService, findApiKey } from './connect-service.ts';
import { type Campaign, loadCampaign } from './load-campaign.ts';
import { openForRun } from './open-for-run.ts';
import type { SharedOptions } from './options.ts';
import { createOutput, type Output, type Refusal, refusal } from './output.ts';

/** What the user decided: it exists under this id, it was not made, or it is given up. */
export type Decision =
  | { readonly type: 'created'; readonly id: string }
  | { readonly type: 'not-created' }
  | { readonly type: 'skipped' };

export interface ResolveOptions extends SharedOptions {
  readonly lockTimeout: number;
}

/** `campaign resolve ADDR`: decides an unknown or failed node; `--id` is checked with the service where it can be. */
export async function resolve(
  target: { file: string; address: string; decision: Decision },
  options: ResolveOptions,
): Promise<ExitCode> {
  const output = createOutput(options);
  const refuse = ({ exit, diagnostics }: Refusal) => {
    output.diagnostics(diagnostics);
    return exit;
  };
  const loaded = await loadCampaign(target.file, options, { need: 'environment', output });
  if (!loaded.ok) return refuse(loaded.error);
  const opened = await openForRun(loaded.value, { command: 'resolve', lockTimeoutMs: options.lockTimeout });
  if (!opened.ok) return refuse(opened.error);
  const open = opened.value;
  try {
    const event = await decide(target, { campaign: loaded.value, state: open.state });
    if (!event.ok) return refuse(event.error);
    await open.recorder.append([event.value]);
    say(event.value, output);
    return EXIT.ok;
  } finally {
    await open.close();
  }
}

type Resolved = Extract<StateEvent, { type: 'resolved' }>;

async function decide(
  { address, decision }: { address: string; decision: Decision },
  { campaign, state }: { campaign: Campaign; state: RunState },
): Promise<Result<Resolved, Refusal>> {
  const found = findOpen(state, address);
  if (!found.ok) return found;
  const event = { type: 'resolved' as const, at: new Date().toISOString(), address: found.value.address };
  if (decision.type === 'skipped') return ok({ ...event, decision: 'skipped' });
  if (found.value.status !== 'unknown') {
    return err(misuse(`${address} has failed: it can only be given up with --skip, or requested again.`));
  }
  if (decision.type === 'not-created') return ok({ ...event, decision: 'not-created' });
  const wrong = wrongId(decision.id, address, state);
  if (wrong) return err(wrong);
  const result = await lookUp(decision.id, { address, campaign, state });
  return result.ok ? ok({ ...event, decision: 'created', result: result.value }) : result;
}

/** The node that a decision is about: an unknown create, or a post that failed. */
function findOpen(
  state: RunState,
  address: string,
): Result<{ address: string; status: 'unknown' | 'failed' }, Refusal> {
  const node = state.objects.get(address) ?? state.requests.get(address);
  // Given up by --skip: that may be taken back.
  const isOpen = node?.status === 'unknown' || (node?.status === 'skipped' && !node.result);
  if (isOpen) return ok({ address, status: 'unknown' });
  const { address: plain } = splitTake(address.replace(/^download\//, 'media/'));
  const media = state.media.get(plain);
  const take = media && currentTake(media);
  if (take?.status === 'unknown') {
    return err(misuse(`${address} waits for its request: resolve ${take.request}.`));
  }
  if (take?.status === 'done' && !take.files && address.startsWith('download/')) {
    return ok({ address: takeAddress(address.replace(/@\d+$/, ''), take.n), status: 'failed' });
  }
  if (take && (take.status === 'failed' || take.status === 'lost')) {
    return ok({ address: `${plain}@${take.n}`, status: 'failed' });
  }
  const known = node ?? media;
  return err(
    misuse(
      known
        ? `${address} is neither unknown nor failed: there is nothing to decide.`
        : `${address} is not in the state. \`campaign status\` lists what is open.`,
    ),
  );
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** An id that cannot be this node's: none at all, or one that another node has. */
function wrongId(id: string, address: string, { objects, requests }: RunState): Refusal | undefined {
  if (!UUID.test(id)) return misuse(`--id ${id} is not a UUID.`);
  const owner = [...objects.values(), ...requests.values()].find(
    (node) => node.address !== address && node.result && 'id' in node.result && node.result.id === id,
  );
  return owner && misuse(`--id ${id} is the id of ${owner.address}.`);
}

function misuse(detail: string): Refusal {
  return refusal(EXIT.usage, { code: 'nothing-to-resolve', summary: 'Nothing to resolve', detail });
}

interface Lookup {
  readonly address: string;
  readonly campaign: Campaign;
  readonly state: RunState;
}

/** Asks the service for the object; a concept cannot be read back, so its id is taken as given. */
async function lookUp(
  id: string,
  { address, campaign, state }: Lookup,
): Promise<Result<ProductResult | ConceptResult | RequestResult, Refusal>> {
  if (kindOf(address) === 'concept') return ok({ id });
  const { environment, limits } = campaign.manifest;
  const apiKey = await findApiKey(environment, process.env);
  if (!apiKey.ok) return apiKey;
  const connection = await connectService(environment, {
    apiKey: apiKey.value,
    stateFile: campaign.stateFile,
    concurrency: limits.total,
  });
  try {
    const request = state.requests.get(address);
    return request
      ? await readRequest(id, { request, state }, connection.client)
      : await readProduct(id, connection.client);
  } finally {
    await connection.close();
  }
}

async function readProduct(id: string, client: Client): Promise<Result<ProductResult, Refusal>> {
  const answer = await client.getProduct(id);
  if (!answer.ok) return err(notFound(id, answer.error.message));
  const [url] = readMediaUrls(answer.value.media_urls);
  return ok({ id, ...(url === undefined ? {} : { url }) });
}

async function readRequest(
  id: string,
  { request: { payload }, state }: { request: RequestState; state: RunState },
  client: Client,
): Promise<Result<RequestResult, Refusal>> {
  const answer = await client.getMediaConfig(id);
  if (!answer.ok) return err(notFound(id, answer.error.message));
  const unlike = whyUnlike(answer.value, { payload, state });
  if (unlike !== undefined) return err(notFound(id, unlike));
  const { items, surplus } = matchCreatedItems(payload.items, answer.value.items, freeNumber(payload, state));
  const concept = answer.value.concept_id ?? conceptId(payload, state);
  return ok({ id, concept, items, ...(surplus.length ? { surplus } : {}) });
}

/** Why a configuration cannot be the one that was requested; undefined when it may be. */
function whyUnlike(
  answer: MediaConfigAnswer,
  { payload, state }: { payload: RequestPayload; state: RunState },
): string | undefined {
  const concept = conceptId(payload, state);
  if (answer.concept_id !== undefined && concept !== '' && answer.concept_id !== concept) {
    return `it belongs to the concept ${answer.concept_id}, and this request to ${concept}`;
  }
  const types = (list: readonly unknown[]) => list.map(String).sort().join(', ');
  const asked = types(payload.items.map((item) => item.payload.post_type));
  const made = types(answer.items.slice(0, payload.items.length).map((item) => item['post_type']));
  return asked === made ? undefined : `it holds ${made || 'nothing'}, and this request asked for ${asked}`;
}

/** Items may have been added since the request was sent: surplus ones are numbered after all of them. */
function freeNumber({ post, nextItem }: RequestPayload, state: RunState): number {
  const numbers = [...state.media.values()].flatMap((media) =>
    media.post === post ? Number(media.item) : [],
  );
  return Math.max(nextItem, ...numbers.filter(Number.isInteger).map((number) => number + 1));
}

function conceptId({ concept }: RequestPayload, state: RunState): string {
  if ('id' in concept) return concept.id;
  const result = state.objects.get(concept.address)?.result;
  return result && 'id' in result ? result.id : '';
}

function notFound(id: string, detail: string): Refusal {
  return refusal(EXIT.failed, {
    code: 'id-not-found',
    summary: 'The service does not confirm the id',
    detail: `${id}: ${detail}. Nothing was recorded.`,
  });
}

function say({ address, decision }: Resolved, output: Output): void {
  const words = {
    created: 'is recorded as created',
    'not-created': 'is recorded as not created: the next apply requests it',
    skipped: 'is given up: it is not requested again until it changes',
  };
  if (output.mode === 'json') output.json({ address, decision });
  else output.result(`${output.style.green('✓')} ${address} ${words[decision]}.\n`);
}
