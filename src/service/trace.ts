import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Request } from 'got';

/** One request and its outcome, with its secrets: only har-entry.ts may see it. */
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
  /** Names and values alternate. */
  readonly rawHeaders: readonly string[];
}

export interface TracedBody {
  /** Decompressed. */
  readonly bytes: number;
  /** Absent for files, and for bodies that were not read to their end. */
  readonly text?: string;
  /** Why there is no text. */
  readonly note?: string;
}

/** Called once for every request that was started, when it is over. */
export type Trace = (exchange: TracedExchange) => void;

/** Watches one request; it is not reported if Node never made a request of it. */
export function traceOf(
  trace: Trace,
  request: { method: string; url: URL; body?: string | FormData | undefined },
  stream: Request,
) {
  const { method, url, body } = request;
  let headers: OutgoingHttpHeaders = {};
  stream.once('request', (outgoing: ClientRequest) => (headers = { ...outgoing.getHeaders() }));
  const tell = (end: Pick<TracedExchange, 'answer' | 'failure'>) => {
    const { timings } = stream;
    if (timings) trace({ method, url, headers, body, timings, ...end });
  };
  return {
    failed: (code: string | undefined) => tell({ failure: code }),
    answered(response: IncomingMessage, read: TracedBody) {
      const { statusCode: status = 0, statusMessage: statusText = '', httpVersion, rawHeaders } = response;
      tell({ answer: { status, statusText, httpVersion, rawHeaders, ...read } });
    },
  };
}
