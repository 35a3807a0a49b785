import type { JsonChange } from '../util/json-changes.ts';
import type { LiveData } from '../views/live-data.ts';
import type { Connection } from './connection.ts';

/** The server sends a sign of life every second. */
const SILENT_MS = 2_500;
const LOOK_MS = 500;
const AGAIN_MS = 1_000;

interface Listening {
  readonly whole: (data: LiveData) => void;
  readonly changes: (changes: readonly JsonChange[]) => void;
  /** Called when it differs. */
  readonly connection: (connection: Connection) => void;
}

/**
 * One connection while the page is seen: a browser opens six to one server, and a tab in the background needs none. It goes on
 * where it has stopped, for as long as the page is open.
 */
export function openEventStream({ whole, changes, connection }: Listening): void {
  const presence = createPresence(connection);
  let source: EventSource | undefined;
  let version = '';
  let triedAt = performance.now();

  const connect = () => {
    source?.close();
    triedAt = performance.now();
    presence.wait();
    source = new EventSource(`events?after=${encodeURIComponent(version)}`);
    const take = (name: string, takeIn: (data: string) => void) =>
      source?.addEventListener(name, ({ data, lastEventId }: MessageEvent<string>) => {
        version = lastEventId;
        presence.heard();
        takeIn(data);
      });
    take('whole', (data) => whole(JSON.parse(data) as LiveData));
    take('changes', (data) => changes(JSON.parse(data) as readonly JsonChange[]));
    source.addEventListener('open', presence.heard);
    source.addEventListener('ping', presence.heard);
    source.addEventListener('end', () => {
      presence.lose({ type: 'ended', since: new Date() });
      source?.close();
    });
    source.addEventListener('error', () => {
      presence.lose({ type: 'lost', since: new Date() });
      // A browser gives up by itself where the answer is another one, and says no more than that.
      if (source?.readyState === EventSource.CLOSED) void whyRefused().then(presence.refuse);
    });
  };
  connect();
  setInterval(() => {
    if (document.hidden) return;
    if (presence.isSilent()) presence.lose({ type: 'lost', since: new Date() });
    const isDown = presence.isSilent() || source?.readyState === EventSource.CLOSED;
    if (isDown && performance.now() - triedAt >= AGAIN_MS) connect();
  }, LOOK_MS);
  document.addEventListener('visibilitychange', () => (document.hidden ? source?.close() : connect()));
}

/** Whether the server is heard. */
function createPresence(tell: Listening['connection']) {
  let heardAt = performance.now();
  let isLost = false;
  return {
    wait: () => {
      heardAt = performance.now();
    },
    isSilent: () => performance.now() - heardAt > SILENT_MS,
    heard: () => {
      heardAt = performance.now();
      if (isLost) tell({ type: 'live' });
      isLost = false;
    },
    /** The first reason stays. */
    lose: (why: Connection) => {
      if (!isLost) tell(why);
      isLost = true;
    },
    refuse: (why: string | undefined) => {
      if (why !== undefined) tell({ type: 'refused', why });
    },
  };
}

/** A page has a place of its own at each server. */
export const OTHER_SERVER =
  'Another `campaign ui` has taken the place of the one that this page is from. Open the link that it has printed.';

/** What the server says to the page; undefined where it says nothing. */
async function whyRefused(): Promise<string | undefined> {
  const answer = await fetch('events', { headers: { accept: 'application/json' } }).catch(() => undefined);
  if (!answer || answer.status === 406) return undefined;
  if (answer.status === 404) return OTHER_SERVER;
  return (await answer.text()).trim();
}
