/** What people have decided, the latest first. Pure: the page gives the decisions that are not exported yet, too. */
import type { RunState } from '../model/run-state.ts';
import type { Verdicts } from '../model/verdict.ts';
import { idKey } from '../util/id-key.ts';
import type { SheetPost, Take, TakeDecision } from './report-data.ts';
import type { GoneDecision } from './report-screens.ts';

export interface DecisionRow extends TakeDecision {
  readonly media: string;
  /** Absent where the medium was deleted or forgotten; then `address` is what the file names. */
  readonly post?: SheetPost;
  readonly address?: string;
  readonly take?: number;
  /** A place in the list of pictures. */
  readonly picture?: number;
  /** `spent`: a newer take exists, or the medium does not. */
  readonly standing: 'counts' | 'spent';
}

export function decisionRows(
  posts: readonly SheetPost[],
  gone: readonly GoneDecision[],
  decisionOf: (take: Take) => TakeDecision | null = (take) => take.decision,
): DecisionRow[] {
  const rows = posts.flatMap((post) =>
    post.takes.flatMap((take): DecisionRow[] => {
      const decision = decisionOf(take);
      const [picture] = take.pictures;
      if (!decision) return [];
      const standing = post.status === 'done' && take === post.takes.at(-1) ? 'counts' : 'spent';
      const place = { media: take.media, post, take: take.take, ...(picture !== undefined && { picture }) };
      return [{ ...decision, ...place, standing }];
    }),
  );
  const others = gone.map((decision): DecisionRow => ({ ...decision, standing: 'spent' }));
  return [...rows, ...others].toSorted((a, b) => timeOf(b) - timeOf(a));
}

/** Without a time it comes last. */
function timeOf({ at }: DecisionRow): number {
  const time = Date.parse(at);
  return Number.isNaN(time) ? 0 : time;
}

/** Verdicts about media that the state had once. */
export function goneDecisions({ media }: Pick<RunState, 'media'>, verdicts: Verdicts): GoneDecision[] {
  if (!verdicts.size) return [];
  const known = new Set<string>();
  for (const { takes } of media.values())
    for (const { result } of takes) if (result) known.add(idKey(result.id));
  return [...verdicts].flatMap(([id, { post, verdict, note, by, at }]) =>
    known.has(id)
      ? []
      : [{ media: id, address: post ?? '', verdict, note: note ?? null, by: by ?? null, at: at ?? '' }],
  );
}
