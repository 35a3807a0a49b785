/**
 * The stream of what has changed (server-sent events), for any number of pages. For each, one message at most is on its way, and
 * a page that takes nothing of it for a while is dropped: it comes again by itself, and names what it has.
 */
import type { ServerResponse } from 'node:http';
import type { SSEReplyInterface } from '@fastify/sse';
import type { Clock } from '../util/clock.ts';
import type { Feed } from './feed.ts';

/** A page that hears nothing for longer than two of them says that the connection is lost. */
const PING_MS = 1_000;
/** When a browser tries again by itself. */
const RETRY_MS = 1_000;

/** A browser that takes not a byte for so long is asleep, or has lost its network. */
export const STUCK_MS = 10_000;

interface Page {
  readonly stream: SSEReplyInterface;
  readonly raw: ServerResponse;
}

export function createEvents(feed: Feed, clock: Clock, stuckMs: number) {
  const pages = new Set<Page>();
  let cancel = clock.after(PING_MS, ping);

  function ping(): void {
    cancel = clock.after(PING_MS, ping);
    for (const { stream, raw } of pages)
      if (!raw.writableNeedDrain) void stream.send({ event: 'ping', data: '-' }).catch(() => undefined);
  }

  return {
    /** `after`: the version that the page has, where its browser names none. */
    follow(page: Page, after: string): void {
      const { stream, raw } = page;
      stream.keepAlive();
      // The time begins anew with each part that is taken. Where nothing is on its way, nothing had to be taken.
      raw.setTimeout(stuckMs, () => raw.writableNeedDrain && raw.destroy());
      // Also where there is nothing to tell yet.
      stream.sendHeaders();
      pages.add(page);
      const pump = pumpFor(stream, feed, stream.lastEventId ?? after);
      const release = feed.onChange(pump);
      stream.onClose(() => {
        pages.delete(page);
        release();
      });
      pump();
    },
    /** Tells every page that there is no more to come; none is waited for. */
    close(): void {
      cancel();
      for (const { stream } of pages) {
        void stream.send({ event: 'end', data: '-' }).catch(() => undefined);
        stream.close();
      }
    },
  };
}

/** One message at a time: a page that reads slowly gets what has changed meanwhile as one message. */
function pumpFor(stream: SSEReplyInterface, feed: Feed, after: string): () => void {
  let at = after;
  let isBusy = false;
  const pump = async (): Promise<void> => {
    for (let found = feed.since(at); found && stream.isConnected; found = feed.since(at)) {
      const { id, event, text } = found;
      await stream.send({ id, event, data: text, retry: RETRY_MS });
      at = id;
    }
  };
  return () => {
    if (isBusy) return;
    isBusy = true;
    // A page that was closed in the middle is nobody's trouble.
    void pump()
      .catch(() => undefined)
      .finally(() => (isBusy = false));
  };
}
