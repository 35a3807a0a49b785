import type { Job, Outcome, Step } from '../model/step.ts';
import { readDuration } from '../service/read-duration.ts';
import { readMediaStatus } from '../service/read-media-status.ts';
import { readMediaUrls } from '../service/read-media-urls.ts';
import type { MediaRecord } from '../service/wire.ts';
import { isJsonObject } from '../util/json.ts';
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

/** What one poll hands to the next. */
interface Memo {
  /** Polls that got an answer or a 404. */
  readonly polls: number;
  /** The service has answered for it. */
  readonly seen: boolean;
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
          return memo.seen ? { type: 'lost', problem: LOST } : pollAgain(memo, { job, io });
        case 'busy':
          return {
            type: 'wait',
            why: 'poll',
            until: io.clock.monotonic() + PROBE_WAIT_MS,
            memo: { ...memo },
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

function readMemo({ memo }: Job, seen: boolean): Memo {
  if (!isJsonObject(memo)) return { polls: 0, seen };
  return { polls: Number(memo['polls']), seen: seen || memo['seen'] === true };
}

type Context = { readonly job: Job; readonly io: StepIo };

function answered(media: MediaRecord, memo: Memo, { job, io }: Context): Outcome {
  const status = readMediaStatus(media.status, io.statuses);
  if (status === 'done') {
    return { type: 'done', result: { id: media.id, urls: readMediaUrls(media.media_info, io.mediaUrls) } };
  }
  if (status === 'failed') {
    const said = media.error_message ? `: ${media.error_message}` : '';
    return {
      type: 'failed',
      problem: { summary: 'The generation failed', detail: `Status ${media.status}${said}` },
    };
  }
  const next = pollAgain({ ...memo, seen: true }, { job, io }, readDuration(media.estimated_duration));
  return next.type === 'wait' && !memo.seen ? { ...next, seen: true } : next;
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
    memo: { polls: memo.polls + 1, seen: memo.seen },
  };
}

/** Running time only: what passes between runs, or while the machine sleeps, does not count. */
function isLate({ runningMs }: Job, { mediaTimeoutMs }: StepIo): boolean {
  return runningMs >= mediaTimeoutMs;
}

function timedOut({ polls, seen }: Memo, { mediaTimeoutMs }: StepIo, failure?: string) {
  const minutes = Math.round(mediaTimeoutMs / 60_000);
  const only404 = !seen && (failure === undefined || polls > 0);
  return {
    summary: `Still pending after ${minutes} min`,
    detail: only404
      ? 'The service only ever said 404 for it: if it should be there, set service.media_path.'
      : `It was paid and is being generated: run again to go on waiting (limits.media_timeout).${
          failure === undefined ? '' : ` At last the service could not be asked: ${failure}`
        }`,
  };
}
