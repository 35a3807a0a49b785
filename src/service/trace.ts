import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { FileForm } from './file-form.ts';

/** One request and its outcome, with its secrets: only har-entry.ts may see it. */
export interface TracedExchange {
  readonly method: string;
  readonly url: URL;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string | FileForm | undefined;
  /** Epoch milliseconds. */
  readonly start: number;
  /** Milliseconds; those of a connection that was open already, or of what was never reached, are missing. */
  readonly phases: Readonly<Partial<Record<Phase, number>>>;
  readonly answer?: TracedAnswer;
  /** Code of what ended the request instead of an answer. */
  readonly failure?: string | undefined;
}

type Phase = 'wait' | 'dns' | 'tcp' | 'tls' | 'request' | 'firstByte' | 'download';

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

/** Gives what tells the end of a request. */
export function traceOf(
  trace: Trace,
  { method, url, body }: { method: string; url: URL; body?: string | FileForm | undefined },
  outgoing: ClientRequest,
) {
  const headers = { ...outgoing.getHeaders() };
  const start = Date.now();
  const phases: Partial<Record<Phase, number>> = {};
  let since = start;
  const ends = (phase: Phase) => () => {
    phases[phase] = Date.now() - since;
    since += phases[phase];
  };
  outgoing.once('socket', (socket) => {
    ends('wait')();
    if (!socket.connecting) return;
    socket.once('lookup', ends('dns'));
    socket.once('connect', ends('tcp'));
    socket.once('secureConnect', ends('tls'));
  });
  outgoing.once('finish', ends('request'));
  outgoing.once('response', ends('firstByte'));
  return (end: Pick<TracedExchange, 'answer' | 'failure'>) => {
    if (end.answer) ends('download')();
    trace({ method, url, headers, body, start, phases, ...end });
  };
}
