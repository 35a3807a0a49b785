import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Request } from 'got';

/** One request and its outcome, with its secrets: only har-entry.ts may see it. */
export interface TracedExchange {
  readonly method: string;
  readonly url: URL;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string | FormData | undefined;
  readonly timings: NonNullable<Request['timings']>;
  readonly answer?: TracedAnswer;
  /** Code of what ended the request instead of an answer. */
  readonly failure?: string | undefined;
}

interface TracedAnswer extends TracedBody {
  readonly head: Pick<IncomingMessage, 'statusCode' | 'statusMessage' | 'httpVersion' | 'rawHeaders'>;
}

export interface TracedBody {
  /** Decompressed. */
  readonly bytes: number;
  /** Absent for files, and for bodies that were not read to their end. */
  readonly text?: string;
  /** Why there is no text. */
  readonly note?: string;
}

export type Trace = (exchange: TracedExchange) => void;

/** Gives what tells the end of a request. One that Node never made a request of is not reported. */
export function traceOf(
  trace: Trace,
  { method, url, body }: { method: string; url: URL; body?: string | FormData | undefined },
  stream: Request,
) {
  let headers: OutgoingHttpHeaders = {};
  stream.once('request', (outgoing: ClientRequest) => (headers = { ...outgoing.getHeaders() }));
  return (end: Pick<TracedExchange, 'answer' | 'failure'>) => {
    const { timings } = stream;
    if (timings) trace({ method, url, headers, body, timings, ...end });
  };
}
