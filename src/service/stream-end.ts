import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { Clock } from '../util/clock.ts';
import { deferred } from '../util/deferred.ts';

interface StreamEnd {
  /** The last byte that was announced has been read. */
  readonly whole: boolean;
  readonly error?: unknown;
}

/** The end of one request. It comes exactly once, whatever Node reports, and in whatever order. */
export type Ending = ReturnType<typeof watchEnding>;

/** Has to be called before the first byte: Node may report an error before anybody reads the body. */
export function watchEnding(outgoing: ClientRequest, clock: Clock, idleMs: number) {
  let isOver = false;
  let body: Readable | undefined;
  let stopTimer = () => {};
  const { promise: reached, resolve } = deferred<StreamEnd>();
  const settle = (end: StreamEnd) => {
    if (isOver) return;
    isOver = true;
    stopTimer();
    resolve(end);
    // Nobody reads the rest of a request that was answered before its end.
    if (end.whole && outgoing.writableFinished) return;
    outgoing.destroy();
    body?.destroy();
  };
  const cut = (error?: unknown) => settle({ whole: false, error });
  const giveUp = () => cut(coded('ETIMEDOUT'));
  watchIdle(outgoing, idleMs, giveUp);
  // Later errors say nothing new, but without a listener they would end the process.
  outgoing.on('error', cut);
  // Once there is a body, its own end counts: it may be decompressed after the connection was closed.
  outgoing.once('close', () => body ?? cut());
  // The server switched to another protocol unasked: the socket was handed over, and no answer will come on it.
  outgoing.once('upgrade', (_: IncomingMessage, socket: Socket) => {
    socket.destroy();
    cut(coded('ERR_UPGRADE'));
  });
  let isExceeded = false;
  keepWholeAnswer(outgoing, () => (isExceeded = true));
  return {
    reached,
    /** More data came than the answer announced. */
    get isExceeded() {
      return isExceeded;
    },
    cut,
    /** The end of this body is the end of the request. */
    follow(stream: Readable, { headers }: IncomingMessage) {
      body = stream;
      stream.once('end', () => settle({ whole: true }));
      const isLengthTold = 'content-length' in headers;
      stream.on('error', (error) => cut(isLengthTold && isEarlyEnd(error) ? coded(TOO_SHORT) : error));
      stream.once('close', () => cut());
    },
    /** Sets the time that is left. */
    allow(ms: number) {
      stopTimer();
      // The whole answer may have come together with its head; a timer that starts now would keep the process alive.
      if (isOver) return;
      let isCurrent = true;
      const cancel = clock.after(ms, () => setImmediate(() => isCurrent && giveUp()));
      stopTimer = () => {
        isCurrent = false;
        cancel();
      };
    },
  };
}

/**
 * After the process was suspended (Ctrl-Z, a busy machine), this time and those of `allow` are over at once, although
 * the answer may have come meanwhile. So what can be read is read first.
 */
function watchIdle(outgoing: ClientRequest, idleMs: number, giveUp: () => void): void {
  outgoing.setTimeout(idleMs, () => {
    const { bytesRead } = outgoing.socket ?? {};
    setImmediate(() => {
      if (outgoing.socket?.bytesRead === bytesRead) giveUp();
    });
  });
}

const TOO_SHORT = 'ERR_HTTP_CONTENT_LENGTH_MISMATCH';

/** Node says ECONNRESET also where the server ended the connection in order, with this message. */
function isEarlyEnd(error: Error): boolean {
  return error.message === 'aborted';
}

export function coded(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/**
 * Data after the announced end of an answer makes Node report an error of the request. The answer is complete all the
 * same, and its fate must not depend on whether the rest came in the same packet.
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
