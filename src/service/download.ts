import { isLoopbackHost } from '../util/loopback.ts';
import { err, type Result } from '../util/result.ts';
import { isSuccess, readRefusal, type ServiceContext } from './call-service.ts';
import type { CallOptions } from './endpoints.ts';
import { openExchange, type OpenAnswer } from './exchange.ts';
import { watchPace } from './pace.ts';
import { saveBody, type DownloadedFile, type SaveFault } from './save-body.ts';
import { linkWords } from './said.ts';
import { serviceError, type ServiceError } from './service-error.ts';
import { type TokenSource, withToken } from './token.ts';

const MAX_REDIRECTS = 3;

export interface DownloadOptions extends CallOptions {
  /** Called once all of it came, before it is safely on the disk. */
  received?: (() => void) | undefined;
}

interface Download extends DownloadOptions {
  url: string;
  path: string;
  maxBytes: number;
  /** Whether plain http is allowed for a loopback host; other hosts always need https. */
  allowLoopbackHttp: boolean;
}

/** The token is sent to the base URL's own origin only. Three redirects are followed, each checked like the first URL. */
export async function downloadFile(
  context: ServiceContext,
  tokens: TokenSource,
  download: Download,
): Promise<Result<DownloadedFile, ServiceError>> {
  let next = download.url;
  let label = 'GET a file';
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    if (!URL.canParse(next)) return err(refusedError('GET a file', 'its URL is none'));
    const url = new URL(next);
    label = `GET ${linkWords(url.href, context.secrets)}`;
    if (!isAllowed(url, download)) return err(refusedError(label, 'only https is fetched'));
    url.username = '';
    url.password = '';
    const send = (token?: string) => openFile(context, { url, label, token, signal: download.signal });
    const isOwn = url.origin === new URL(context.baseUrl).origin;
    const opened = isOwn ? await withToken(tokens, { label, signal: download.signal }, send) : await send();
    if (!opened.ok) return isOwn ? opened : err(foreignError(opened.error));
    if (isSuccess(opened.value.status)) return saveFile(context, download, { label, answer: opened.value });
    opened.value.ending.cut();
    opened.value.ended({ bytes: 0, note: 'not read: a redirect' });
    const { location } = opened.value.headers;
    if (location === undefined || !URL.canParse(location, url.href)) {
      return err(refusedError(label, 'a redirect to nowhere'));
    }
    next = new URL(location, url).href;
  }
  return err(refusedError(label, 'more than 3 redirects'));
}

function isAllowed({ protocol, hostname }: URL, { allowLoopbackHttp }: Download): boolean {
  return protocol === 'https:' || (protocol === 'http:' && allowLoopbackHttp && isLoopbackHost(hostname));
}

/** A 2xx or a redirect whose body has not been read. */
async function openFile(
  context: ServiceContext,
  request: { url: URL; label: string; token: string | undefined; signal: AbortSignal | undefined },
): Promise<Result<OpenAnswer, ServiceError>> {
  const { fileMs, totalMs } = context.connections.timeouts;
  const opened = await openExchange(context.connections, {
    method: 'GET',
    ...request,
    headers: { 'accept-encoding': 'identity' },
    use: 'keep-alive',
    totalMs: fileMs,
  });
  if (!opened.ok) return opened;
  const { status } = opened.value;
  if (isSuccess(status) || (status >= 300 && status < 400)) return opened;
  opened.value.ending.allow(totalMs);
  return err(await readRefusal(context, opened.value, request.label));
}

async function saveFile(
  context: ServiceContext,
  download: Download,
  source: { label: string; answer: OpenAnswer },
): Promise<Result<DownloadedFile, ServiceError>> {
  const { label, answer } = source;
  const declared = Number(answer.headers['content-length'] ?? Number.NaN);
  if (declared > download.maxBytes) {
    answer.ending.cut();
    answer.ended({ bytes: 0, note: 'not read: the file is too large' });
    return err(tooLargeError(label, download));
  }
  const { fileMs, fileBytesPerMs } = context.connections.timeouts;
  const longestMs = fileMs + (Number.isNaN(declared) ? download.maxBytes : declared) / fileBytesPerMs;
  answer.ending.allow(longestMs);
  watchPace(answer, context.connections.deadlines);
  void answer.ending.reached.then(({ whole }) => whole && download.received?.());
  const saved = await saveBody(answer, { ...download, secrets: context.secrets });
  answer.ended(
    saved.ok
      ? { bytes: saved.value.bytes, note: 'left out: a file' }
      : { bytes: saved.error.bytes, note: 'the file was not saved' },
  );
  if (saved.ok && !isPart(answer)) return saved;
  const { why, code }: Omit<SaveFault, 'bytes'> = saved.ok ? { why: 'cut' } : saved.error;
  if (why === 'too-large') return err(tooLargeError(label, download));
  if (why === 'disk') return err(localFileError(label, code));
  const facts = { request: label, status: answer.status, code, detail: 'the file was cut' };
  return err(serviceError({ came: 'unusable', ...facts }));
}

/** A 206 that was not asked for and says that it is only a part. */
function isPart({ status, headers }: OpenAnswer): boolean {
  if (status !== 206) return false;
  const [, first, last, all] =
    /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers['content-range']?.trim() ?? '') ?? [];
  return all !== undefined && (Number(first) !== 0 || Number(last) + 1 !== Number(all));
}

function refusedError(request: string, detail: string): ServiceError {
  return serviceError({ came: 'refused', request, detail });
}

/** A file host without a trusted certificate fails only its files: the service itself may be reachable. */
function foreignError(error: ServiceError): ServiceError {
  const { came, request, code, detail } = error;
  return came === 'misconfigured' ? serviceError({ came: 'refused', request, code, detail }) : error;
}

function tooLargeError(request: string, download: Download): ServiceError {
  return refusedError(request, `larger than ${download.maxBytes} bytes`);
}

export function localFileError(request: string, code: string | undefined): ServiceError {
  return serviceError({ came: 'local-file', request, code });
}
