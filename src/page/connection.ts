/** How the live page is connected, and what it says about that. */
import type { LiveData } from '../views/live-data.ts';

export type Connection =
  | { readonly type: 'live' }
  | { readonly type: 'lost' | 'ended'; readonly since: Date }
  /** The server is there, and does not let this page in. */
  | { readonly type: 'refused'; readonly why: string };

/** What a person has to know, in one sentence or two; null where all is well. */
export function connectionNotice(
  connection: Connection,
  { problem, warnings }: Pick<LiveData, 'problem' | 'warnings'>,
): string | null {
  if (connection.type === 'refused') return connection.why;
  if (connection.type === 'lost')
    return `The connection is lost since ${timeOf(connection.since)}. What you see is from then; this page tries again by itself.`;
  if (connection.type === 'ended')
    return `campaign has ended this page at ${timeOf(connection.since)}. Start \`campaign ui\` to go on.`;
  if (problem !== null) return `What you see is older than its files: ${problem}`;
  return warnings[0] ?? null;
}

/** What stands at the edge of the page all the time. */
export function connectionStatus({ type }: Connection, { running }: Pick<LiveData, 'running'>): string {
  if (type !== 'live') return '○ Not connected';
  return running === null ? '● Live: nothing is at work' : `● Live: ${running.replaceAll('`', '')}`;
}

function timeOf(date: Date): string {
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}
