import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Request } from 'got';
import type { Clock } from '../util/clock.ts';
import { deferred } from '../util/deferred.ts';

interface StreamEnd {
  /** The last byte that was announced has been read. */
  readonly whole: boolean;
  readonly error?: unknown;
}

/** The end of one request. It comes exactly once, whatever the library reports, and in whatever order. */
export type Ending = ReturnType<typeof watchEnding>;

/** Has to be called before the first byte: the library may report an error before anybody reads the body. */
export function watchEnding(stream: Request, clock: Clock, idleMs: number) {
  let isOver = false;
  let stopTimer = () => {};
  const { promise: reached, resolve } = deferred<StreamEnd>();
  const settle = (end: StreamEnd) => {
    isOver = true;
    stopTimer();
    resolve(end);
  };
  const cut = (error?: unknown) => {
    settle({ whole: false, error });
    stream.destroy();
  };
  // After the process was suspended (Ctrl-Z, a busy machine), every time is over at once, although the answer may have
  // come meanwhile. So what can be read is read first.
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
  // Later errors say nothing new, but without a listener they would end the process.
  stream.on('error', (error: unknown) => settle({ whole: false, error }));
  stream.once('close', () => settle({ whole: false }));
  // The server switched to another protocol unasked: the socket was handed over, and no answer will come on it.
  stream.once('upgrade', (_: IncomingMessage, socket: Socket) => {
    socket.destroy();
    cut(coded('ERR_UPGRADE'));
  });
  let isExceeded = false;
  stream.once('request', (outgoing: ClientRequest) => keepWholeAnswer(outgoing, () => (isExceeded = true)));
  return {
    reached,
    /** More data came than the answer announced. */
    get isExceeded() {
      return isExceeded;
    },
    cut,
    /** Sets the time that is left. */
    allow(ms: number) {
      stopTimer();
      // The whole answer may have come together with its head; a timer that starts now would keep the process alive.
      if (isOver) return;
      stopTimer = clock.after(ms, () => setImmediate(giveUp));
    },
  };
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
