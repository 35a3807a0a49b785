import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Request } from 'got';
import type { Clock } from '../util/clock.ts';

/** How the stream of an answer came to its end. */
export interface StreamEnd {
  /** The last byte that was announced has been read. */
  readonly whole: boolean;
  /** What ended it instead, where anything says so. */
  readonly error?: unknown;
}

/** The end of one request: it comes once, whatever the library tells, in whatever order, or forgets to tell. */
export interface Ending {
  /** Never rejects. */
  readonly reached: Promise<StreamEnd>;
  /** More came than the answer announced. */
  readonly isExceeded: boolean;
  /** So many milliseconds are left from now on. */
  allow(ms: number): void;
  /** Ends it from outside. */
  cut(error?: unknown): void;
}

/**
 * Watches from before the first byte: the library may report an error before anybody reads the body. `idleMs`: how long
 * without a byte.
 */
export function watchEnding(stream: Request, clock: Clock, idleMs: number): Ending {
  let isOver = false;
  let stopTimer = () => {};
  let resolve: (end: StreamEnd) => void = () => {};
  const reached = new Promise<StreamEnd>((resolver) => (resolve = resolver));
  const settle = (end: StreamEnd) => {
    isOver = true;
    stopTimer();
    resolve(end);
  };
  const cut = (error?: unknown) => {
    settle({ whole: false, error });
    stream.destroy();
  };
  // After a standstill of the process (Ctrl-Z, a busy machine) every time is over at once, and the answer may have come
  // meanwhile: what waits to be read is read first.
  const giveUp = () => {
    if (!isOver) cut(coded('ETIMEDOUT'));
  };
  stream.once('request', (outgoing: ClientRequest) => {
    outgoing.setTimeout(idleMs, () => {
      const { bytesRead } = outgoing.socket ?? {};
      setImmediate(() => {
        if (outgoing.socket?.bytesRead === bytesRead) giveUp();
      });
    });
  });
  stream.once('end', () => settle({ whole: true }));
  // Later ones say nothing new; without a listener they would end the process.
  stream.on('error', (error: unknown) => settle({ whole: false, error }));
  stream.once('close', () => settle({ whole: false }));
  // Nobody asked for another protocol: the socket was handed over, and no answer will come on it.
  stream.once('upgrade', (_: IncomingMessage, socket: Socket) => {
    socket.destroy();
    cut(coded('ERR_UPGRADE'));
  });
  let isExceeded = false;
  stream.once('request', (outgoing: ClientRequest) => keepWholeAnswer(outgoing, () => (isExceeded = true)));
  return {
    reached,
    get isExceeded() {
      return isExceeded;
    },
    cut,
    allow(ms) {
      stopTimer();
      // The whole answer may have been in the packet of its head: a timer that begins now would keep the process alive.
      if (isOver) return;
      stopTimer = clock.after(ms, () => setImmediate(giveUp));
    },
  };
}

/** Why we end a request, in the form in which others say it. */
export function coded(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/**
 * What comes behind the last byte that an answer announced (a body that is longer than its Content-Length or that a
 * 204 may not have) makes Node report an error of the request. The answer is whole all the same, and whether the rest
 * came in the same packet or in the next one must not decide what becomes of it.
 */
function keepWholeAnswer(outgoing: ClientRequest, exceeded: () => void): void {
  let answer: IncomingMessage | undefined;
  outgoing.prependOnceListener('response', (response) => (answer = response));
  const emit = outgoing.emit.bind(outgoing);
  outgoing.emit = (event: string, ...args: unknown[]) => {
    if (event !== 'error' || !answer?.complete) return emit(event, ...args);
    exceeded();
    return true;
  };
}
