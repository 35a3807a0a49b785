/** The gaps of the interface, as one service fills them. */
export interface BareOptions {
  mediaPath: 'config-item' | 'concept-item' | 'item-config';
  uploadAnswer: 'data' | 'data.url' | 'data.media_url' | 'data.file_url' | 'list' | 'nested' | 'top-url';
  expiresAt: 'epoch-seconds' | 'epoch-milliseconds' | 'lifetime';
  /** How a medium that is not ready answers. */
  pending: 'status' | 'not-found';
  createStatus: 200 | 201;
  /** What a media configuration must look like. */
  form: 'guide' | 'schema' | 'any';
  mediaInfo: 'json-list' | 'json-object' | 'plain';
  /** Polls of a medium that are answered as pending before it is done; asked at each poll where it may change. */
  pendingPolls: number | (() => number);
  /** Aspect ratios of the posts whose generation fails. */
  failing: readonly string[];
  /** Which file of a post, from 1, ends before its picture does, with a length that fits; undefined for none. */
  cutFile: number | undefined;
  /** The status with which it refuses a request (`DELETE /products/{id}/`) in place of carrying it out. */
  refuses: (route: string) => number | undefined;
  /** What the answer to a request (`GET /media/{id}/{id}`) waits for, once that was carried out. */
  waits: (route: string) => Promise<unknown> | undefined;
  /** The only key that gets a token; any where undefined. */
  apiKey: string | undefined;
  /** What its texts for people say: messages, names, descriptions, durations; undefined for its own words. */
  says: string | undefined;
  /** The Date header of its answers; undefined for that of this machine. */
  date: string | undefined;
}

export const BARE_DEFAULTS: BareOptions = {
  mediaPath: 'config-item',
  uploadAnswer: 'data.url',
  expiresAt: 'epoch-seconds',
  pending: 'status',
  createStatus: 201,
  form: 'any',
  mediaInfo: 'json-list',
  pendingPolls: 1,
  failing: [],
  cutFile: undefined,
  refuses: () => undefined,
  waits: () => undefined,
  apiKey: undefined,
  says: undefined,
  date: undefined,
};

const TEXTS = new Set([
  'message',
  'error_message',
  'name',
  'description',
  'variant',
  'assets_used',
  'estimated_duration',
]);

/** An answer with this text in every field that is meant for people. */
export function saying(text: string | undefined, answer: unknown): unknown {
  if (text === undefined) return answer;
  return JSON.parse(JSON.stringify(answer), (key, value: unknown) =>
    TEXTS.has(key) && typeof value === 'string' ? text : value,
  );
}

/** The answer of an upload. */
export function uploadAnswer(shape: BareOptions['uploadAnswer'], url: string): object {
  const envelope = { status: 'success', message: 'uploaded' };
  switch (shape) {
    case 'data':
      return { ...envelope, data: url };
    case 'data.url':
      return { ...envelope, data: { url } };
    case 'data.media_url':
      return { ...envelope, data: { media_url: url } };
    case 'data.file_url':
      return { ...envelope, data: { file_url: url } };
    case 'list':
      return { ...envelope, data: [{ url }] };
    case 'nested':
      return { ...envelope, data: { file: { name: 'x', url } } };
    case 'top-url':
      return { ...envelope, url };
  }
}

/** `expires_at` of a token that lives an hour. */
export function expiresAt(unit: BareOptions['expiresAt']): number {
  const life = 3600;
  if (unit === 'lifetime') return life;
  const end = Date.now() + life * 1000;
  return unit === 'epoch-milliseconds' ? end : Math.floor(end / 1000);
}

/** `media_info` of a done medium. */
export function mediaInfo(shape: BareOptions['mediaInfo'], urls: readonly string[]): string {
  if (shape === 'plain') return urls.join(', ');
  return JSON.stringify(shape === 'json-list' ? urls : { files: urls.map((url) => ({ url, kind: 'file' })) });
}

/** What is wrong with a media configuration under the form that this service wants. */
export function formProblem(form: BareOptions['form'], body: Record<string, unknown>): string | undefined {
  const items = body['items'];
  if (typeof body['content_pillar'] !== 'string' || !Array.isArray(items))
    return 'content_pillar and items are required';
  if (typeof body['number_of_posts'] !== 'number') return 'number_of_posts is required';
  for (const item of items as Record<string, unknown>[]) {
    const assets = item['assets'];
    if (!Array.isArray(assets)) return 'assets is required';
    const hasUrls = (assets as object[]).map((asset) => 'url' in asset);
    const isFull = 'variants' in item && 'descriptions' in item && hasUrls.every(Boolean);
    if (form === 'schema' && !isFull) return 'url, variants and descriptions are required';
    if (form === 'guide' && hasUrls.some(Boolean)) return 'assets[].url is not a known field';
  }
  return undefined;
}
