/** Asks whether an https address leads to an image that a service could fetch, without fetching it. */
import type { Readable } from 'node:stream';
import { imageTypeOf, MEDIA_TYPE_BYTES } from '../util/media-type.ts';
import { err, ok, type Result } from '../util/result.ts';
import type { Connections } from './connections.ts';
import { openExchange } from './exchange.ts';
import { linkWords } from './said.ts';
import type { Secrets } from './secrets.ts';

const MAX_REDIRECTS = 3;

/** Two of these in a row, each with its redirects, are the longest that one address takes. */
const LONGEST_MS = 20_000;

/** Statuses of hosts that refuse HEAD, or a HEAD with a signature that is for GET, and may send the image all the same. */
const NO_HEAD = new Set([400, 403, 405, 501]);

const PICTURE = /^image\/(?:p?jpe?g|x-png|png|webp|gif|avif|hei[cf]|tiff)$/;

/** Types that hosts send where they do not know any. */
const UNTOLD = /^(?:|(?:application|binary)\/(?:octet-stream|x-download|force-download|x-binary))$/;

export interface ImageAsking {
  readonly connections: Connections;
  readonly secrets: Secrets;
  readonly mostBytes: number;
  readonly signal: AbortSignal;
}

interface Head {
  readonly status: number;
  readonly location: string | undefined;
  readonly type: string;
  readonly bytes: number | undefined;
  /** The first bytes, where they were asked for. */
  readonly content?: Buffer;
}

/** What is wrong with the address, as a sentence; undefined where it leads to an image. */
export async function askImage(address: string, asking: ImageAsking): Promise<string | undefined> {
  let url = new URL(address);
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const answer = await askOnce(url, asking);
    if (!answer.ok) return answer.error;
    const { status, location } = answer.value;
    if (status < 300 || status >= 400) return problemOf(answer.value, { url, hops, asking });
    if (location === undefined || !URL.canParse(location, url.href))
      return `The address redirects to nowhere (${status}).`;
    const next = new URL(location, url);
    if (next.protocol !== 'https:')
      return `The address redirects to ${linkWords(next.href, asking.secrets)}, and only https is fetched.`;
    next.username = '';
    next.password = '';
    url = next;
  }
  return `The address redirects more than ${MAX_REDIRECTS} times.`;
}

async function askOnce(url: URL, asking: ImageAsking): Promise<Result<Head, string>> {
  const head = await send('HEAD', url, asking);
  const isUnclear =
    head.ok && (NO_HEAD.has(head.value.status) || (isFine(head.value) && UNTOLD.test(head.value.type)));
  return isUnclear ? send('GET', url, asking) : head;
}

function isFine({ status }: Head): boolean {
  return status >= 200 && status < 300;
}

async function send(
  method: 'HEAD' | 'GET',
  url: URL,
  { connections, secrets, signal }: ImageAsking,
): Promise<Result<Head, string>> {
  const label = `${method} ${linkWords(url.href, secrets)}`;
  const range = method === 'GET' ? { range: `bytes=0-${MEDIA_TYPE_BYTES - 1}` } : {};
  const headers = { accept: 'image/*', 'accept-encoding': 'identity', ...range };
  const open = () =>
    openExchange(connections, {
      method,
      url,
      label,
      headers,
      signal,
      use: 'keep-alive',
      totalMs: LONGEST_MS,
    });
  const first = await open();
  // The host may have closed a connection that was kept, at this moment.
  const isCut = !first.ok && first.error.came === 'no-answer' && first.error.code === 'ECONNRESET';
  const opened = isCut ? await open() : first;
  if (!opened.ok) return err(`The address cannot be asked: ${opened.error.problem.detail}.`);
  const { status, headers: said, stream, ending } = opened.value;
  const content = method === 'GET' && status < 300 ? await firstBytes(stream) : undefined;
  opened.value.ended({ bytes: content?.length ?? 0, note: 'not read: only its head counts' });
  if (method === 'HEAD') {
    stream.resume();
    await ending.reached;
  } else ending.cut();
  const whole = /^bytes \d+-\d+\/(\d+)$/.exec(said['content-range']?.trim() ?? '')?.[1];
  const length = status === 206 ? whole : said['content-length'];
  return ok({
    status,
    location: said.location,
    type: said['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '',
    bytes: length === undefined ? undefined : Number(length),
    ...(content && { content }),
  });
}

async function firstBytes(stream: Readable): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const piece of stream as AsyncIterable<Uint8Array>) {
      pieces.push(piece);
      length += piece.length;
      if (length >= MEDIA_TYPE_BYTES) break;
    }
  } catch {
    // What came before the end is looked at all the same.
  }
  return Buffer.concat(pieces);
}

function problemOf(
  answer: Head,
  { url, hops, asking }: { readonly url: URL; readonly hops: number; readonly asking: ImageAsking },
): string | undefined {
  const { status, type, bytes, content } = answer;
  const there =
    hops === 0 ? 'The address' : `The address redirects to ${linkWords(url.href, asking.secrets)}, which`;
  if (status === 401 || status === 403) return `${there} is not open to everybody (${status}).`;
  if (status === 404 || status === 410) return `${there} leads to nothing (${status}).`;
  if (status === 416) return `${there} leads to an empty file.`;
  if (!isFine(answer)) return `${there} answers with the status ${status}.`;
  const isPage = type === 'text/html' || type === 'application/xhtml+xml';
  if (isPage) return `${there} leads to a web page (to log in, for example), and not to an image.`;
  const isUntold = UNTOLD.test(type) && content !== undefined;
  if (isUntold && content.length > 0 && imageTypeOf(content) === undefined)
    return `${there} leads to a file that is no image.`;
  if (!isUntold && !PICTURE.test(type))
    return `${there} leads to a file of the type "${type.slice(0, 60)}". Known are JPEG, PNG, WebP, GIF, AVIF, HEIC and TIFF.`;
  if (bytes === 0 || content?.length === 0) return `${there} leads to an empty file.`;
  if (bytes !== undefined && bytes > asking.mostBytes)
    return `${there} leads to an image of ${bytes.toLocaleString('en')} bytes, and the most is ${asking.mostBytes.toLocaleString('en')}.`;
  return undefined;
}
