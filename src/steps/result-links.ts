/** Finds the links to the files of a finished post. Links expire and are not stored, so they are asked for anew. */
import { mediaAddress, takeAddress } from '../model/address.ts';
import type { Facts } from '../model/facts.ts';
import type { DownloadPayload } from '../model/payload.ts';
import { createdItem, type MediaResult } from '../model/result.ts';
import { readMediaStatus } from '../service/read-media-status.ts';
import { readMediaUrls } from '../service/read-media-urls.ts';
import { err, ok, type Result } from '../util/result.ts';
import { DENIED, findSurely } from './confirm-absence.ts';
import { PROBE_WAIT_MS, strayProblem } from './find-media.ts';
import { requestFailed } from './request-facts.ts';
import { resultWith } from './results.ts';
import type { StepContext } from './step-io.ts';

const MADE_AGAIN_POLL_MS = 5_000;

export interface ResultLinks extends MediaResult {
  readonly named: number;
}

/** The first attempt after this run's own poll uses its links; any other asks the service for fresh ones. */
export async function linksOf(
  payload: DownloadPayload,
  context: StepContext,
): Promise<Result<ResultLinks, Facts>> {
  const { job, io } = context;
  const { post, item, take } = payload;
  const medium = takeAddress(mediaAddress(post, item), take);
  const isFirst = job.node.action !== 'resume' && job.attempt === 1;
  const urls = isFirst ? io.links.take(medium) : undefined;
  const known = resultWith('urls', medium, job);
  return urls ? ok({ id: known.id, urls, named: urls.length }) : refreshed(payload, known, context);
}

async function refreshed(
  payload: DownloadPayload,
  known: MediaResult,
  context: StepContext,
): Promise<Result<ResultLinks, Facts>> {
  const { job, io } = context;
  const request = resultWith('items', payload.request, job);
  const item = createdItem(request, payload.requestedAs) ?? {};
  const found = await findSurely({ ...context, request, item });
  switch (found.type) {
    case 'found': {
      const { status, media_info: info, askedAt } = found.media;
      if (readMediaStatus(status, io.statuses) === 'pending') return err(madeAgain(context));
      return ok({
        id: known.id,
        urls: readMediaUrls(info, { pointer: io.mediaUrls, askedAt }),
        named: known.urls.length,
      });
    }
    case 'error':
      return err(requestFailed(found.error, io));
    case 'busy':
      return err({ came: 'busy', sent: 'no', waitMs: PROBE_WAIT_MS });
    case 'denied':
      return err({ came: 'unclear', sent: 'no', problem: DENIED });
    case 'absent': {
      const problem = found.stray ? strayProblem(found.stray) : NOT_THERE;
      return err({ came: 'no-result', sent: 'no', problem });
    }
  }
}

/** It was finished and is being generated again: its files come when it is finished again. */
function madeAgain({ job, io }: StepContext): Facts {
  const problem = {
    summary: 'The finished post is being made again',
    detail: 'Its files are not there yet.',
  };
  if (job.runningMs >= io.mediaTimeoutMs) return { came: 'unclear', sent: 'no', problem };
  return { came: 'pending', sent: 'no', waitMs: MADE_AGAIN_POLL_MS, problem };
}

const NOT_THERE = {
  summary: 'The finished post is not there',
  detail: 'It was finished, and now the service says 404 for it: the next run looks again.',
};
