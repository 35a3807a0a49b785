import type { Json } from '../util/json.ts';
import { withChanges } from '../util/json-changes.ts';
import type { LiveData } from '../views/live-data.ts';
import { type Connection, connectionNotice, connectionStatus } from './connection.ts';
import { openEventStream } from './event-stream.ts';
import { createHandover } from './handover.ts';
import type { Follower } from './page-source.ts';

const WARNS_MS = 15_000;

export type LiveState = ReturnType<typeof createLiveState>;

/** What the server has told so far, and who is told of it. `tell` gets what stands at the edge of the page. */
export function createLiveState(tell: (status: string) => void) {
  let live: LiveData | undefined;
  let follower: Follower | undefined;
  let connection: Connection = { type: 'live' };
  let warning: string | null = null;
  let settle: { resolve: (data: LiveData) => void; reject: (error: Error) => void } | undefined;
  const first = new Promise<LiveData>((resolve, reject) => (settle = { resolve, reject }));
  const handover = createHandover();

  const say = () => {
    if (!live) return;
    follower?.notice(connectionNotice(connection, live) ?? warning);
    tell(connectionStatus(connection, live));
  };
  const take = (next: LiveData) => {
    live = next;
    settle?.resolve(next);
    handover.take(next);
    say();
  };
  openEventStream({
    whole: take,
    changes: (changes) => live && take(withChanges(asJson(live), changes) as unknown as LiveData),
    connection(next) {
      const isBack = connection.type !== 'live' && next.type === 'live';
      connection = next;
      if (next.type === 'refused') settle?.reject(new Error(next.why));
      say();
      if (isBack) handover.again();
    },
  });
  return {
    data: () => live?.report,
    /** Rejects with a sentence where the server does not let the page in. */
    first,
    handover,
    follow(given: Follower): () => void {
      follower = given;
      handover.to(given);
      say();
      return () => {
        follower = undefined;
        handover.to(undefined);
      };
    },
    /** Stands above the page for a while. */
    warn(text: string): void {
      warning = text;
      say();
      setTimeout(() => {
        if (warning === text) warning = null;
        say();
      }, WARNS_MS);
    },
  };
}

function asJson(data: LiveData): Json {
  return data as unknown as Json;
}
