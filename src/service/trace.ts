import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Request } from 'got';

/** One request and what came of it, secrets included: only har-entry.ts may see it. */
export interface TracedExchange {
  readonly method: string;
  readonly url: URL;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string | FormData | undefined;
  readonly timings: NonNullable<Request['timings']>;
  /** Undefined where no answer came. */
  readonly answer?: TracedAnswer;
  /** Code of what ended the request instead of an answer. */
  readonly failure?: string | undefined;
}

interface TracedAnswer extends TracedBody {
  readonly status: number;
  readonly statusText: string;
  readonly httpVersion: string;
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[];
}

/** The body of an answer as it was read. */
export interface TracedBody {
  /** Decompressed. */
  readonly bytes: number;
  /** Left out of files, and of bodies that were not read to their end. */
  readonly text?: string;
  /** Why there is no text, in our own words. */
  readonly note?: string;
}

/** Told of every request that was started, once, when it is over. */
export type Trace = (exchange: TracedExchange) => void;

interface TraceEnd {
  answered(response: IncomingMessage, body: TracedBody): void;
  failed(code: string | undefined): void;
}

/** Watches one request; what never came as far as a request of Node's is not told. */
export function traceOf(
  trace: Trace,
  request: { method: string; url: URL; body?: string | FormData | undefined },
  stream: Request,
): TraceEnd {
  const { method, url, body } = request;
  let headers: OutgoingHttpHeaders = {};
  stream.once('request', (outgoing: ClientRequest) => (headers = { ...outgoing.getHeaders() }));
  const tell = (end: Pick<TracedExchange, 'answer' | 'failure'>) => {
    const { timings } = stream;
    if (timings) trace({ method, url, headers, body, timings, ...end });
  };
  return {
    failed: (code) => tell({ failure: code }),
    answered(response, read) {
      const { statusCode: status = 0, statusMessage: statusText = '', httpVersion, rawHeaders } = response;
      tell({ answer: { status, statusText, httpVersion, rawHeaders, ...read } });
    },
  };
}
