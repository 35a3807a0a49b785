import type { Problem } from '../model/problem.ts';
import { createdItem } from '../model/result.ts';
import type { Outcome, Step } from '../model/step.ts';
import { readMediaStatus } from '../service/read-media-status.ts';
import type { ServiceError } from '../service/service-error.ts';
import { repeatableFailed, retry } from './classify-error.ts';
import { type Asked, confirmAbsence, DENIED } from './confirm-absence.ts';
import { findMedia, type FoundMedia, learnedFrom } from './find-media.ts';
import { lookAgain } from './look-again.ts';
import { lookForItem } from './look-for-item.ts';
import { answered, isLate, type Memo, pollAgain, readMemo, timedOut, waitForProbe } from './poll.ts';
import { requestResult } from './results.ts';
import type { StepIo } from './step-io.ts';
import { type StrayMedia, strayWords } from './stray-media.ts';

/** One 404 may be a slip of the service. So many in a row, over so much running time, are worth a closer look. */
const LOST_AFTER = { answers: 3, ms: 30_000 };

/** Polls one post until it is generated: at once, at the service's estimate, then ever more rarely. */
export function mediaStep(io: StepIo): Step {
  return {
    async run(job, signal) {
      if (job.node.kind !== 'media') throw new Error(`not a medium: ${job.node.address}`);
      const { payload, again, seen } = job.node;
      const request = requestResult(payload.request, job);
      const item = createdItem(request, payload.requestedAs);
      if (!item)
        return again
          ? lookForItem(payload, { again, request, job, io, signal })
          : { type: 'failed', problem: NOT_MADE };
      const poll = { job, io, signal, request, item };
      return again ? lookAgain(again, poll) : pollOnce(readMemo(job, seen), poll);
    },
  };
}

const NOT_MADE = {
  summary: 'Not made by the service',
  detail:
    'The media configuration was created, but its answer holds no item for this post. The next run asks for it once more.',
};

const LOST = {
  summary: 'The post is gone',
  detail: 'The service answered for it before and now says 404, though it has what the post was made with.',
};

async function pollOnce(memo: Memo, poll: Asked): Promise<Outcome> {
  const found = await findMedia(poll.request, poll.item, poll);
  if (found.type !== 'absent') return outcomeOf(found, memo, poll);
  return found.stray ? strayed(found.stray, memo, poll) : absent(memo, found.refusal, poll);
}

function outcomeOf(found: Exclude<FoundMedia, { type: 'absent' }>, memo: Memo, poll: Asked): Outcome {
  const { job, io } = poll;
  switch (found.type) {
    case 'found':
      return { ...answered(found.media, memo, poll), ...learnedFrom(found) };
    case 'busy':
      return waitForProbe(memo, poll);
    case 'error': {
      const outcome = repeatableFailed(found.error, job, io);
      if (outcome.type === 'wait' && isLate(job, io)) {
        return { type: 'put-off', problem: timedOut(memo, io, found.error.problem.detail) };
      }
      // An error in a poll never fails the post: it is being made all the same.
      return outcome.type === 'failed' ? retry(found.error, job, io) : outcome;
    }
  }
}

async function absent(memo: Memo, refusal: ServiceError | undefined, poll: Asked): Promise<Outcome> {
  const { job, io } = poll;
  // Another refusal than 404 does not say that it is gone.
  if (refusal) return pollAgain({ ...memo, refused: wordsOf(refusal) }, poll);
  if (!memo.seen) return io.lookup.isDenying ? denied(pollAgain(memo, poll)) : pollAgain(memo, poll);
  const { answers, sinceMs } = memo.missed ?? { answers: 0, sinceMs: job.runningMs };
  const missed = { answers: answers + 1, sinceMs };
  const next = pollAgain({ ...memo, missed }, poll);
  const isEnough = missed.answers >= LOST_AFTER.answers && job.runningMs - sinceMs >= LOST_AFTER.ms;
  if (!isEnough) {
    io.lookup.isDenying = true;
    return denied(next);
  }
  const confirmed = await confirmAbsence(poll);
  switch (confirmed.type) {
    case 'absent':
      return confirmed.refusal ? next : { type: 'lost', problem: LOST };
    case 'denied':
      return denied(next, DENIED);
    case 'found':
    case 'busy':
    case 'error':
      return outcomeOf(confirmed, memo, poll);
  }
}

function denied(outcome: Outcome, problem?: Problem): Outcome {
  return outcome.type === 'wait' ? { ...outcome, denied: true, ...(problem && { problem }) } : outcome;
}

function wordsOf({ status, serviceMessage }: ServiceError): string {
  return `${status}${serviceMessage === undefined ? '' : ` (${serviceMessage})`}`;
}

/** Waiting does not help where the post is finished and still nobody can tell whose it is. */
function strayed(found: StrayMedia, memo: Memo, poll: Asked): Outcome {
  const stray = strayWords(found);
  const isOver = found.owner === undefined && readMediaStatus(found.status, poll.io.statuses) !== 'pending';
  if (!isOver) return pollAgain({ ...memo, stray }, poll);
  return {
    type: 'put-off',
    problem: { summary: 'The service does not say whose post it is', detail: stray },
  };
}
