/**
 * The service in process and over virtual time: its records, its ledger, its clockwork. It knows no network; what
 * happens on the way to it is simulated-client.ts. It outlives clients, as the real one outlives runs.
 */
import type { Clock } from '../../src/util/clock.ts';
import { isJsonObject, type Json, type JsonObject, textOf } from '../../src/util/json.ts';
import type { Creation } from './ledger-check.ts';

/**
 * What must be in nothing that is kept or told: the key that it takes, and how each of its tokens begins. Both have
 * signs that change where text travels.
 */
export const SECRETS = {
  key: 'canary-key-5f1d "/+=&<\'\\x',
  token: 'canary-token-e907."/+=&<\'\\y',
} as const;

/** A request as it arrives; `token` is what the client sent. */
export interface SimulatedRequest {
  readonly method: string;
  /** `/products/<id>/` as in the interface; `/files/<id>` for a file. */
  readonly path: string;
  readonly body?: Json | undefined;
  readonly token?: string | undefined;
}

export interface SimulatedReply {
  readonly status: number;
  readonly data?: Json;
  /** What a refusal says. */
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One effect, in the form that ledger-check.ts reads. */
export type SimulatedEntry = Creation & {
  readonly n: number;
  readonly action: 'create' | 'update' | 'delete';
};

/** How the making of one post goes. */
export interface Making {
  readonly ms: number;
  /** goes-back: done, then running again until twice the time · disappears: 404 once it was done. */
  readonly fate?: 'fails' | 'stuck' | 'goes-back' | 'disappears' | 'unknown-status';
  /** What the service says of one that fails. */
  readonly message?: string;
}

export interface SimulatedServiceOptions {
  readonly clock: Clock;
  /** Decides about each post when it is requested. */
  readonly making?: (nth: number) => Making;
  /** What estimated_duration says. */
  readonly estimate?: (making: Making) => string;
  readonly tokenLifeSeconds?: number;
}

export interface SimulatedService {
  readonly ledger: readonly SimulatedEntry[];
  /** Carries a request out. */
  answer(request: SimulatedRequest): SimulatedReply;
}

type Medium = {
  readonly making: Making;
  readonly at: number;
  readonly config: string;
  readonly concept: Json;
};

/** A refusal that repeats all that it was told in confidence. */
export function refusalOf(status: number, { token = '' }: SimulatedRequest): SimulatedReply {
  return { status, message: `No: ${SECRETS.key}, ${token}, ${Buffer.from(token).toString('base64')}` };
}

/** A service without records. */
export function createSimulatedService(options: SimulatedServiceOptions): SimulatedService {
  const { clock, making = () => ({ ms: 0 }), estimate = () => '', tokenLifeSeconds = 3600 } = options;
  const ledger: SimulatedEntry[] = [];
  const records = new Map<string, JsonObject>();
  const media = new Map<string, Medium>();
  const tokens = new Map<string, number>();
  let ids = 0;

  function nextId(): string {
    ids += 1;
    return `00000000-0000-4000-8000-${String(ids).padStart(12, '0')}`;
  }

  function note(entry: Omit<SimulatedEntry, 'n'>): void {
    ledger.push({ n: ledger.length + 1, ...entry });
  }

  function create(kind: string, request: Json, fields: JsonObject): SimulatedReply & { readonly id: string } {
    const id = nextId();
    const record = { ...fields, id };
    records.set(`${kind} ${id}`, record);
    note({ kind, action: 'create', id, request });
    return { status: 201, data: record, id };
  }

  function createConfig(body: JsonObject, request: SimulatedRequest): SimulatedReply {
    const concept = records.get(`concept ${textOf(body['content_pillar'])}`);
    if (!concept) return refusalOf(400, request);
    const asked = body['items'] as JsonObject[];
    const more = Array<JsonObject[]>(Math.max(0, Number(body['number_of_posts']) - asked.length)).fill(
      asked.slice(-1),
    );
    const items = [...asked, ...more.flat()].map((item) => ({ ...item, id: nextId() }));
    const made = create('media-config', body, { ...body, content_pillar: concept, items });
    for (const { id } of items) {
      media.set(id, { making: making(media.size + 1), at: clock.monotonic(), config: made.id, concept });
    }
    return made;
  }

  function readMedium(config: string, id: string, request: SimulatedRequest): SimulatedReply {
    const medium = media.get(id);
    const isThere = medium?.config === config && records.has(`media-config ${config}`);
    if (!medium || !isThere) return refusalOf(404, request);
    const status = statusOf(medium.making, clock.monotonic() - medium.at);
    if (status === 'gone') return refusalOf(404, request);
    return {
      status: 200,
      data: {
        id,
        content_pillar: medium.concept,
        generate_config: config,
        estimated_duration: estimate(medium.making),
        media_info: status === 'success' ? JSON.stringify([`https://files.example/files/${id}`]) : '',
        status,
        error_message:
          status === 'failed' ? (medium.making.message ?? `the model gave up on ${request.token}`) : '',
      },
    };
  }

  function issueToken(request: SimulatedRequest): SimulatedReply {
    if (!isJsonObject(request.body) || request.body['api_key'] !== SECRETS.key)
      return refusalOf(401, request);
    const access_token = `${SECRETS.token}${tokens.size + 1}`;
    tokens.set(access_token, clock.monotonic() + tokenLifeSeconds * 1000);
    return { status: 200, data: { access_token, token_type: 'Bearer', expires_at: tokenLifeSeconds } };
  }

  function change(request: SimulatedRequest, kind: string, id: string): SimulatedReply {
    const record = records.get(`${kind} ${id}`);
    if (!record) return refusalOf(404, request);
    if (request.method === 'GET') return { status: 200, data: record };
    note({
      kind,
      action: request.method === 'DELETE' ? 'delete' : 'update',
      id,
      request: request.body ?? null,
    });
    if (request.method === 'DELETE') records.delete(`${kind} ${id}`);
    else Object.assign(record, request.body);
    return { status: 200, ...(request.method === 'DELETE' ? {} : { data: record }) };
  }

  return {
    ledger,
    answer(request) {
      const { method, path, token = '' } = request;
      const body = isJsonObject(request.body) ? request.body : {};
      const [, list = '', id = '', second = ''] = path.split('/');
      if (path === '/get_auth_token') return issueToken(request);
      if (list === 'files') return { status: 200 };
      if (clock.monotonic() >= (tokens.get(token) ?? 0)) return refusalOf(401, request);
      if (list === 'upload-media') {
        const { id: file } = create('upload', body, {});
        return { status: 201, data: { url: `https://files.example/${file}` } };
      }
      if (list === 'media') return readMedium(id, second, request);
      const kind = list.replace(/s$/, '');
      if (method !== 'POST') return change(request, kind, id);
      return kind === 'media-config' ? createConfig(body, request) : create(kind, body, body);
    },
  };
}

function statusOf({ ms, fate }: Making, age: number): string {
  if (fate === 'stuck' || age < ms) return 'processing';
  if (fate === 'fails') return 'failed';
  if (fate === 'unknown-status' && age < 2 * ms) return 'beautifying';
  if (fate === 'disappears') return age < 2 * ms ? 'processing' : 'gone';
  return fate === 'goes-back' && age >= 1.5 * ms && age < 2 * ms ? 'processing' : 'success';
}
