import type { Job, Outcome, Step } from '../model/step.ts';
import { readDuration } from '../service/read-duration.ts';
import { readMediaStatus } from '../service/read-media-status.ts';
import { readMediaUrls } from '../service/read-media-urls.ts';
import type { ServiceError } from '../service/service-error.ts';
import type { MediaRecord } from '../service/wire.ts';
import { isJsonObject, type JsonObject } from '../util/json.ts';
import { repeatableFailed, retry } from './classify-error.ts';
import { findMedia, PROBE_WAIT_MS } from './find-media.ts';
import { LEARNED_MEDIA_PATH } from './media-lookup.ts';
import { requestResult } from './results.ts';
import type { StepIo } from './step-io.ts';

const FIRST_POLL_MS = 2_000;
const POLL_GROWTH = 1.5;
const LONGEST_POLL_MS = 30_000;
const JITTER = 0.2;
/** What the service estimates is not spread further than this. */
const MOST_JITTER_MS = 5_000;
/** One 404 may be a slip of the service. So many in a row, over so much running time: the post is gone. */
const LOST_AFTER = { answers: 3, ms: 30_000 };

/** What one poll hands to the next. */
interface Memo {
  /** Polls that got an answer or a 404. */
  readonly polls: number;
  /** The service has answered for it. */
  readonly seen: boolean;
  /** Answers in a row that did not have it though it was seen, and the running time at the first. */
  readonly missed?: { readonly answers: number; readonly sinceMs: number };
  /** How the service last refused a place that was a guess, but for 404. */
  readonly refused?: string;
}

/** Polls one post until it is generated: at once, at the service's estimate, then ever more rarely. */
export function mediaStep(io: StepIo): Step {
  return {
    onInterrupted: 'repeat',
    async run(job, signal) {
      if (job.node.kind !== 'media') throw new Error(`not a medium: ${job.node.address}`);
      const { payload } = job.node;
      const request = requestResult(payload.request, job);
      const item = request.items[payload.requestedAs];
      if (!item) return { type: 'failed', problem: NOT_MADE };
      const memo = readMemo(job, job.node.seen);
      const found = await findMedia(request, item, { io, signal });
      switch (found.type) {
        case 'found': {
          const learned =
            found.template === undefined
              ? {}
              : { learned: { name: LEARNED_MEDIA_PATH, value: found.template } };
          return { ...answered(found.media, memo, { job, io }), ...learned };
        }
        case 'absent':
          return absent(memo, found.refusal, { job, io });
        case 'busy':
          return {
            type: 'wait',
            why: 'poll',
            until: io.clock.monotonic() + PROBE_WAIT_MS,
            memo: asJson(memo),
            unsent: true,
          };
        case 'error': {
          const outcome = repeatableFailed(found.error, job, io);
          if (outcome.type === 'wait' && isLate(job, io)) {
            return { type: 'put-off', problem: timedOut(memo, io, found.error.message) };
          }
          // An error in a poll never fails the post: it is being made all the same.
          return outcome.type === 'failed' ? retry(found.error, job, io) : outcome;
        }
      }
    },
  };
}

const NOT_MADE = {
  summary: 'Not made by the service',
  detail: 'The media configuration was created, but its answer holds no item for this post.',
};

const LOST = {
  summary: 'The post is gone',
  detail: 'The service answered for it before and now says 404.',
};

function asJson({ polls, seen, missed, refused }: Memo): JsonObject {
  return {
    polls,
    seen,
    ...(missed ? { missed: { ...missed } } : {}),
    ...(refused === undefined ? {} : { refused }),
  };
}

function readMemo({ memo }: Job, seen: boolean): Memo {
  if (!isJsonObject(memo)) return { polls: 0, seen };
  const { missed, refused } = memo;
  return {
    polls: Number(memo['polls']),
    seen: seen || memo['seen'] === true,
    ...(isJsonObject(missed)
      ? { missed: { answers: Number(missed['answers']), sinceMs: Number(missed['sinceMs']) } }
      : {}),
    ...(typeof refused === 'string' ? { refused } : {}),
  };
}

type Context = { readonly job: Job; readonly io: StepIo };

function answered(media: MediaRecord, memo: Memo, { job, io }: Context): Outcome {
  const status = readMediaStatus(media.status, io.statuses);
  if (status === 'done') {
    const links = readMediaUrls(media.media_info, io.mediaUrls);
    io.links.keep(job.node.address, links);
    return { type: 'done', result: { id: media.id, urls: links.map((link) => io.links.plain(link)) } };
  }
  if (status === 'failed') {
    const said = media.error_message ? `: ${media.error_message}` : '';
    return {
      type: 'failed',
      problem: { summary: 'The generation failed', detail: `Status ${media.status}${said}` },
    };
  }
  const next = pollAgain(
    { polls: memo.polls, seen: true },
    { job, io },
    readDuration(media.estimated_duration),
  );
  return next.type === 'wait' && !memo.seen ? { ...next, seen: true } : next;
}

function absent(memo: Memo, refusal: ServiceError | undefined, { job, io }: Context): Outcome {
  // Another refusal than 404 does not say that it is gone.
  if (refusal) return pollAgain({ ...memo, refused: wordsOf(refusal) }, { job, io });
  if (!memo.seen) return pollAgain(memo, { job, io });
  const { answers, sinceMs } = memo.missed ?? { answers: 0, sinceMs: job.runningMs };
  const missed = { answers: answers + 1, sinceMs };
  const isLost = missed.answers >= LOST_AFTER.answers && job.runningMs - sinceMs >= LOST_AFTER.ms;
  return isLost ? { type: 'lost', problem: LOST } : pollAgain({ ...memo, missed }, { job, io });
}

function wordsOf({ status, serviceMessage }: ServiceError): string {
  return `${status}${serviceMessage === undefined ? '' : ` (${serviceMessage})`}`;
}

function pollAgain(memo: Memo, { job, io }: Context, estimateMs?: number): Outcome {
  if (isLate(job, io)) return { type: 'put-off', problem: timedOut(memo, io) };
  // The estimate is of the whole time, as far as anyone knows, and some of it has passed.
  const left = memo.polls === 0 && estimateMs !== undefined ? estimateMs - job.runningMs : 0;
  const backoff = Math.min(LONGEST_POLL_MS, FIRST_POLL_MS * POLL_GROWTH ** memo.polls);
  const base = left > 0 ? Math.min(left, io.mediaTimeoutMs) : backoff;
  const jitter = Math.min(JITTER * base, MOST_JITTER_MS) * (2 * io.random() - 1);
  return {
    type: 'wait',
    why: 'poll',
    until: io.clock.monotonic() + base + jitter,
    memo: asJson({ ...memo, polls: memo.polls + 1 }),
  };
}

/** Running time only: what passes between runs, or while the machine sleeps, does not count. */
function isLate({ runningMs }: Job, { mediaTimeoutMs }: StepIo): boolean {
  return runningMs >= mediaTimeoutMs;
}

function timedOut({ polls, seen, missed, refused }: Memo, { mediaTimeoutMs }: StepIo, failure?: string) {
  const minutes = Math.round(mediaTimeoutMs / 60_000);
  const summary = `Still pending after ${minutes} min`;
  if (!seen && refused !== undefined) {
    const answer = `The service answered ${refused}, and never had the post`;
    return { summary, detail: `${answer}: check service.media_path and what the key may do.` };
  }
  if (missed && failure === undefined) {
    const detail =
      'It was paid, but at last the service said 404 for it: run again to see whether it comes back.';
    return { summary, detail };
  }
  const only404 = !seen && (failure === undefined || polls > 0);
  return {
    summary,
    detail: only404
      ? 'The service only ever said 404 for it: if it should be there, set service.media_path.'
      : `It was paid and is being generated: run again to go on waiting (limits.media_timeout), or give it up with \`campaign resolve --skip\`.${
          failure === undefined ? '' : ` At last the service could not be asked: ${failure}`
        }`,
  };
}
