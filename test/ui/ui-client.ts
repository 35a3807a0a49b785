/** What a browser sends to the live page, byte by byte as a test wants it. */
import { type ClientRequest, type IncomingHttpHeaders, request } from 'node:http';
import { type JsonChange, withChanges } from '../../src/util/json-changes.ts';
import type { Json } from '../../src/util/json.ts';
import type { LiveData } from '../../src/views/live-data.ts';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Asked {
  readonly method?: string;
  /** As it stands in the request, below nothing. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

function send(link: string, { method = 'GET', path, headers = {}, body }: Asked): ClientRequest {
  const { hostname, port } = new URL(link);
  const sent = request({ hostname, port, method, path, headers, agent: false });
  sent.end(body);
  return sent;
}

export function ask(link: string, asked: Asked): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = send(link, asked);
    sent.on('error', reject);
    sent.on('response', (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) }),
      );
      response.on('error', reject);
    });
  });
}

/** Where a link leads, with what the page itself would send. */
export function partsOf(link: string) {
  const { origin, pathname, hash } = new URL(link);
  return { origin, folder: pathname, token: hash.slice(1) };
}

/** Exchanges the token of a link, as the page does. */
export async function enter(link: string): Promise<string> {
  const { origin, folder, token } = partsOf(link);
  const { headers } = await ask(link, {
    method: 'POST',
    path: `${folder}session`,
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  return String(headers['set-cookie']?.[0]?.split(';')[0]);
}

export interface SentEvent {
  readonly id?: string;
  readonly event: string;
  readonly data: unknown;
}

/** Listens to the events; `next` gives those that are no pings, in order. */
export function listen(link: string, asked: Asked) {
  const waiting: ((event: SentEvent) => void)[] = [];
  const come: SentEvent[] = [];
  const sent = send(link, { ...asked, headers: { accept: 'text/event-stream', ...asked.headers } });
  sent.on('error', () => undefined);
  const headers = new Promise<IncomingHttpHeaders>((resolve) =>
    sent.on('response', (response) => resolve(response.headers)),
  );
  sent.on('response', (response) => {
    let rest = '';
    response.setEncoding('utf8').on('data', (text: string) => {
      const blocks = (rest + text).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) take(eventOf(block));
    });
    response.on('error', () => undefined);
  });
  const take = (event: SentEvent) => {
    if (event.event === 'ping') return;
    const first = waiting.shift();
    if (first) first(event);
    else come.push(event);
  };
  return {
    headers,
    next: (): Promise<SentEvent> => {
      const first = come.shift();
      return first ? Promise.resolve(first) : new Promise((resolve) => waiting.push(resolve));
    },
    close: () => void sent.destroy(),
  };
}

/** Follows the page as its program does: `until` resolves once what it shows is so. */
export function followPage(link: string, cookie: string) {
  const stream = listen(link, { path: `${partsOf(link).folder}events`, headers: { cookie } });
  let live: LiveData | undefined;
  return {
    close: stream.close,
    async until(isSo: (live: LiveData) => boolean): Promise<LiveData> {
      for (;;) {
        if (live && isSo(live)) return live;
        const { event, data } = await stream.next();
        if (event === 'end') throw new Error('The page has ended.');
        if (event === 'whole') live = data as LiveData;
        if (event === 'changes')
          live = withChanges(live as unknown as Json, data as JsonChange[]) as unknown as LiveData;
      }
    },
  };
}

function eventOf(block: string): SentEvent {
  const fields = new Map(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
  const data = fields.get('data') ?? '';
  const id = fields.get('id');
  return {
    ...(id === undefined ? {} : { id }),
    event: fields.get('event') ?? '',
    data: data.startsWith('-') ? undefined : JSON.parse(data),
  };
}
