/** What has become of the posts of a campaign, and when, so that a page can say what is new since any moment. Pure. */
import type { RunState, TakeState } from '../model/run-state.ts';

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

/** The latest first; only what happened at `since` or later. Decisions are added by `withDecisions`. */
export function changesSince({ media }: Pick<RunState, 'media'>, since: string): Change[] {
  const changes: Change[] = [];
  const from = Date.parse(since);
  for (const { address, takes } of media.values())
    for (const [index, take] of takes.entries())
      for (const [what, at] of happened(take, index > 0))
        if (at !== undefined && Date.parse(at) >= from) changes.push({ what, address, at });
  return changes.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));
}

function happened(take: TakeState, isAgain: boolean): (readonly [ChangeKind, string | undefined])[] {
  const { requestedAt, settledAt, downloadedAt, status } = take;
  const isOver = status === 'failed' || status === 'lost';
  return [
    [isAgain ? 'replaced' : 'new', requestedAt],
    ...(isOver ? [['failed', settledAt] as const] : []),
    ...(status === 'done' ? [['finished', downloadedAt ?? settledAt] as const] : []),
  ];
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
