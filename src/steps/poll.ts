import type { Facts, Failed, NotFinished, Pending } from '../model/facts.ts';
import { GENERATION_FAILED, type Problem } from '../model/problem.ts';
import type { Job } from '../model/step.ts';
import { guessDuration } from '../util/duration.ts';
import { readMediaStatus } from '../service/read-media-status.ts';
import { readMediaUrls } from '../service/read-media-urls.ts';
import type { MediaAnswer } from '../service/read-records.ts';
import { PROBE_WAIT_MS } from './find-media.ts';
import { unclear } from './request-facts.ts';
import type { StepContext, StepIo } from './step-io.ts';

const FIRST_POLL_MS = 2_000;
const POLL_GROWTH = 1.5;
const LONGEST_POLL_MS = 30_000;
const JITTER = 0.2;
/** The jitter of an estimated wait is at most this. */
const MOST_JITTER_MS = 5_000;

/** So long a finished post is polled that names no file. */
const FILES_LATER_MS = 60_000;

/** What one poll hands to the next. */
export type Memo = {
  /** Those with an answer or a 404. */
  readonly polls: number;
  readonly seen: boolean;
  /** A recheck of this run found it: it is polled as any post. */
  readonly found?: boolean;
  /** Answers in a row without it although it was seen, and the running time at the first of them. */
  readonly missed?: { readonly answers: number; readonly sinceMs: number };
  /** Answers in a row that said that it is finished and named no file, and the running time at the first of them. */
  readonly fileless?: { readonly answers: number; readonly sinceMs: number };
  /** The last refusal, other than 404, of a path that was a guess. */
  readonly refused?: string;
  /** What a path that was a guess gave instead of this post. */
  readonly stray?: string;
};

export function readMemo({ memo }: Job, seen: boolean): Memo {
  const left = memo as Memo | undefined;
  return left ? { ...left, seen: seen || left.seen } : { polls: 0, seen };
}

export function answered(media: MediaAnswer, memo: Memo, { job, io }: StepContext): Facts {
  const status = readMediaStatus(media.status, io.statuses);
  if (status === 'done') {
    const links = readMediaUrls(media.media_info, { pointer: io.mediaUrls, askedAt: media.askedAt });
    const later = links.length === 0 && io.outputs !== false ? filesLater(memo, { job, io }) : undefined;
    if (later) return later;
    io.links.keep(job.node.address, links);
    const urls = links.map((link) => io.links.plain(link));
    return { came: 'result', sent: 'yes', result: { id: media.id, urls } };
  }
  if (status === 'failed') {
    const said = media.error_message ? `: ${media.error_message}` : '';
    return {
      came: 'generation-failed',
      sent: 'yes',
      problem: { summary: GENERATION_FAILED, detail: `Status ${media.status}${said}` },
    };
  }
  const estimateMs = guessDuration(media.estimated_duration);
  const next = pollAgain('pending', { polls: memo.polls, seen: true }, { job, io, estimateMs });
  return next.came === 'pending' && !memo.seen ? { ...next, seen: true } : next;
}

/** It is finished, and names no file yet: some services list the files a moment later. Undefined where that was waited for. */
function filesLater(memo: Memo, { job, io }: Pick<StepContext, 'job' | 'io'>): NotFinished | undefined {
  const { answers, sinceMs } = memo.fileless ?? { answers: 0, sinceMs: job.runningMs };
  const leftMs = sinceMs + FILES_LATER_MS - job.runningMs;
  if (leftMs <= 0) return undefined;
  const backoff = FIRST_POLL_MS * POLL_GROWTH ** answers * (1 + JITTER * (2 * io.random() - 1));
  const waits = { ...memo, seen: true, fileless: { answers: answers + 1, sinceMs } };
  const next = { came: 'pending', sent: 'yes', waitMs: Math.min(leftMs, backoff), memo: waits } as const;
  return memo.seen ? next : { ...next, seen: true };
}

/** Not finished: the wait until the next poll or, after too long a time, its end in this run. */
export function pollAgain(
  came: Pending,
  memo: Memo,
  { job, io, estimateMs }: Pick<StepContext, 'job' | 'io'> & { readonly estimateMs?: number | undefined },
): NotFinished | Failed {
  if (isLate(job, io)) return unclear(timedOut(memo, io));
  // The estimate is taken to be for the whole generation, of which some time has passed.
  const left = memo.polls === 0 && estimateMs !== undefined ? estimateMs - job.runningMs : 0;
  const backoff = Math.min(LONGEST_POLL_MS, FIRST_POLL_MS * POLL_GROWTH ** memo.polls);
  const base = left > 0 ? Math.min(left, io.mediaTimeoutMs) : backoff;
  const jitter = Math.min(JITTER * base, MOST_JITTER_MS) * (2 * io.random() - 1);
  return { came, sent: 'yes', waitMs: base + jitter, memo: { ...memo, polls: memo.polls + 1 } };
}

export function waitForProbe(memo: Memo): NotFinished {
  return { came: 'busy', sent: 'no', waitMs: PROBE_WAIT_MS, memo };
}

/** Running time only: time between runs, and while the machine is suspended, does not count. */
export function isLate({ runningMs }: Job, { mediaTimeoutMs }: StepIo): boolean {
  return runningMs >= mediaTimeoutMs;
}

export function timedOut(
  { polls, seen, missed, refused, stray }: Memo,
  { mediaTimeoutMs }: StepIo,
  failure?: string,
): Problem {
  const minutes = Math.round(mediaTimeoutMs / 60_000);
  const late = { summary: `Still pending after ${minutes} min`, cause: 'media-timeout' as const };
  if (stray !== undefined && failure === undefined) return { ...late, detail: stray };
  if (!seen && refused !== undefined) {
    const answer = `The service answered ${refused}, and never had the post`;
    return { ...late, detail: `${answer}: check service.media_path and what the key may do.` };
  }
  if (missed && failure === undefined) {
    const detail =
      'It was requested, but at last the service said 404 for it: run again to see whether it comes back.';
    return { ...late, detail };
  }
  const only404 = !seen && (failure === undefined || polls > 0);
  return {
    ...late,
    detail: only404
      ? 'The service only ever said 404 for it: if it should be there, set service.media_path.'
      : `It is being generated: run again to go on waiting (limits.media_timeout).${
          failure === undefined ? '' : ` At last the service could not be asked: ${failure}`
        }`,
  };
}
