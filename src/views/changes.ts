/** What has become of the posts of a campaign, and when, so that a page can say what is new since any moment. Pure. */
import type { RunState } from '../model/run-state.ts';

/** `new`: requested for the first time; `replaced`: requested again; the others are ends of requests. */
export const CHANGES = ['failed', 'replaced', 'new', 'finished', 'decided'] as const;
export type ChangeKind = (typeof CHANGES)[number];

export interface Change {
  readonly what: ChangeKind;
  /** Of the post. */
  readonly address: string;
  /** ISO 8601. */
  readonly at: string;
}

/**
 * The latest last, so that a page that follows a run gets what is added; only what happened at `since` or later. The page adds
 * the decisions.
 */
export function changesSince({ media }: Pick<RunState, 'media'>, since: string): Change[] {
  const changes: { readonly change: Change; readonly time: number }[] = [];
  const from = Date.parse(since);
  const add = (what: ChangeKind, address: string, at: string | undefined) => {
    const time = at === undefined ? Number.NaN : Date.parse(at);
    if (at !== undefined && time >= from) changes.push({ change: { what, address, at }, time });
  };
  for (const { address, takes } of media.values())
    for (const [index, { requestedAt, settledAt, downloadedAt, status }] of takes.entries()) {
      add(index > 0 ? 'replaced' : 'new', address, requestedAt);
      if (status === 'failed' || status === 'lost') add('failed', address, settledAt);
      if (status === 'done') add('finished', address, downloadedAt ?? settledAt);
    }
  return changes
    .sort((a, b) => b.time - a.time)
    .reverse()
    .map(({ change }) => change);
}

/** What changed at `since` or later, each post once for each kind. */
export function groupChanges(
  changes: readonly Change[],
  since: string,
): readonly { readonly what: ChangeKind; readonly addresses: readonly string[] }[] {
  const from = Date.parse(since);
  const late = changes.filter(({ at }) => Date.parse(at) >= from);
  return CHANGES.flatMap((what) => {
    const addresses = [...new Set(late.filter((each) => each.what === what).map(({ address }) => address))];
    return addresses.length ? [{ what, addresses }] : [];
  });
}
