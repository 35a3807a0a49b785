import type { Facts } from '../model/facts.ts';
import { createdItem } from '../model/result.ts';
import { readMediaStatus } from '../service/read-media-status.ts';
import type { ServiceError } from '../service/service-error.ts';
import { confirmAbsence, DENIED } from './confirm-absence.ts';
import { type AskedPost, findMedia, type FoundMedia, type StrayMedia, strayWords } from './find-media.ts';
import { lookForItem } from './look-for-item.ts';
import { answered, isLate, type Memo, pollAgain, readMemo, timedOut, waitForProbe } from './poll.ts';
import { recheck } from './recheck.ts';
import { requestFailed, unclear } from './request-facts.ts';
import { resultWith } from './results.ts';
import { stepOf } from './step-io.ts';

/** A single 404 may be an error of the service; this many in a row, over this much running time, are examined. */
const LOST_AFTER = { answers: 3, ms: 30_000 };

export const mediaStep = stepOf('media', async ({ payload, again, seen }, context) => {
  const request = resultWith('items', payload.request, context.job);
  const item = createdItem(request, payload.requestedAs);
  const memo = readMemo(context.job, seen && !again);
  // What was found to be generated after all is a post like any other.
  const isRecheck = again && !memo.found && !memo.seen;
  if (item) {
    const poll = { ...context, request, item };
    return isRecheck ? recheck(again, poll) : pollOnce(memo, poll);
  }
  if (isRecheck) return lookForItem(payload, { ...context, again, request });
  return { came: 'no-result', sent: 'no', problem: NOT_MADE };
});

const NOT_MADE = {
  summary: 'Not made by the service',
  detail:
    'The media configuration was created, but its answer holds no item for this post. Until 30 days after the request, every run asks the service for it again, without paying.',
};

const LOST = {
  summary: 'The post is gone',
  detail: 'The service answered for it before and now says 404, though it has what the post was made with.',
};

/** What ends the attempt whatever the time: a person must mend it, or the run was stopped. */
const ENDS_ANYWAY: ReadonlySet<Facts['came']> = new Set(['unauthorized', 'misconfigured', 'aborted']);

async function pollOnce(memo: Memo, poll: AskedPost): Promise<Facts> {
  const found = await findMedia(poll);
  if (found.type !== 'absent') return factsOf(found, memo, poll);
  return found.stray ? strayed(found.stray, memo, poll) : absent(memo, found.refusal, poll);
}

function factsOf(found: Exclude<FoundMedia, { type: 'absent' }>, memo: Memo, poll: AskedPost): Facts {
  const { job, io } = poll;
  switch (found.type) {
    case 'found':
      return { ...answered(found.media, memo, poll), ...(found.learned && { learned: found.learned }) };
    case 'busy':
      return waitForProbe(memo);
    case 'error': {
      const failed = requestFailed(found.error, io);
      if (!isLate(job, io) || ENDS_ANYWAY.has(failed.came)) return failed;
      return unclear(timedOut(memo, io, found.error.problem.detail));
    }
  }
}

async function absent(memo: Memo, refusal: ServiceError | undefined, poll: AskedPost): Promise<Facts> {
  const { job, io } = poll;
  // A refusal other than 404 does not say that it is gone.
  if (refusal) return pollAgain('absent', { ...memo, refused: wordsOf(refusal) }, poll);
  if (!memo.seen) return pollAgain(io.lookup.isDenying ? 'denied' : 'absent', memo, poll);
  const { answers, sinceMs } = memo.missed ?? { answers: 0, sinceMs: job.runningMs };
  const missed = { answers: answers + 1, sinceMs };
  const next = (came: 'absent' | 'denied') => pollAgain(came, { ...memo, missed }, poll);
  const isEnough = missed.answers >= LOST_AFTER.answers && job.runningMs - sinceMs >= LOST_AFTER.ms;
  if (!isEnough) {
    io.lookup.isDenying = true;
    return next('denied');
  }
  const confirmed = await confirmAbsence(poll);
  switch (confirmed.type) {
    case 'absent':
      return confirmed.refusal ? next('absent') : { came: 'gone', sent: 'yes', problem: LOST };
    case 'denied': {
      const denied = next('denied');
      return denied.came === 'denied' ? { ...denied, problem: DENIED } : denied;
    }
    case 'found':
    case 'busy':
    case 'error':
      return factsOf(confirmed, memo, poll);
  }
}

function wordsOf({ status, serviceMessage }: ServiceError): string {
  return `${status}${serviceMessage === undefined ? '' : ` (${serviceMessage})`}`;
}

/** Waiting does not help where the post is finished and cannot be recognised as this one. */
function strayed(found: StrayMedia, memo: Memo, poll: AskedPost): Facts {
  const stray = strayWords(found);
  const isOver = found.owner === undefined && readMediaStatus(found.status, poll.io.statuses) !== 'pending';
  if (!isOver) return pollAgain('absent', { ...memo, stray }, poll);
  return unclear({ summary: 'The service does not say whose post it is', detail: stray });
}
