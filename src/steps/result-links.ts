/** Finds the links to the files of a finished post. Links expire and are not stored, so they are asked for anew. */
import { type Address, mediaAddress, takeAddress } from '../model/address.ts';
import type { DownloadPayload } from '../model/payload.ts';
import { createdItem, type MediaResult } from '../model/result.ts';
import type { Facts } from '../model/facts.ts';
import type { Job } from '../model/step.ts';
import { readMediaStatus } from '../service/read-media-status.ts';
import { readMediaUrls } from '../service/read-media-urls.ts';
import { ok, err, type Result } from '../util/result.ts';
import { requestFailed } from './request-facts.ts';
import { confirmAbsence, DENIED } from './confirm-absence.ts';
import { findMedia, PROBE_WAIT_MS } from './find-media.ts';
import { requestResult } from './results.ts';
import type { StepIo } from './step-io.ts';
import { strayProblem } from './stray-media.ts';

const MADE_AGAIN_POLL_MS = 5_000;

/** One attempt to download the files of a post. */
export interface FilesAttempt {
  readonly job: Job;
  readonly io: StepIo;
  readonly signal: AbortSignal;
}

export interface ResultLinks extends MediaResult {
  /** How many files it had when it was found finished. */
  readonly named: number;
}

/** The first attempt after this run's own poll uses its links; any other asks the service for fresh ones. */
export async function linksOf(
  payload: DownloadPayload,
  attempt: FilesAttempt,
): Promise<Result<ResultLinks, Facts>> {
  const { job, io } = attempt;
  const isFirst = job.node.action !== 'resume' && job.attempt === 1;
  const urls = isFirst ? io.links.of(mediumOf(payload)) : undefined;
  if (!urls) return refreshed(payload, attempt);
  return ok({ id: mediaResult(payload, job).id, urls, named: urls.length });
}

function mediumOf({ post, item, take }: DownloadPayload): Address {
  return takeAddress(mediaAddress(post, item), take);
}

function mediaResult(payload: DownloadPayload, job: Job): MediaResult {
  const address = mediumOf(payload);
  const result = job.results[address];
  if (!result || !('urls' in result)) throw new Error(`${job.node.address}: no result of ${address}`);
  return result;
}

async function refreshed(
  payload: DownloadPayload,
  attempt: FilesAttempt,
): Promise<Result<ResultLinks, Facts>> {
  const { job, io, signal } = attempt;
  const known = mediaResult(payload, job);
  const request = requestResult(payload.request, job);
  const item = createdItem(request, payload.requestedAs) ?? {};
  const found = await findMedia(request, item, { io, signal });
  const sure =
    found.type === 'absent' && !found.refusal && !found.stray
      ? await confirmAbsence({ job, io, signal, request, item })
      : found;
  switch (sure.type) {
    case 'found':
      if (readMediaStatus(sure.media.status, io.statuses) === 'pending') return err(madeAgain(attempt));
      return ok({
        id: known.id,
        urls: readMediaUrls(sure.media.media_info, io.mediaUrls),
        named: known.urls.length,
      });
    case 'error':
      return err(requestFailed(sure.error, io));
    case 'busy':
      return err({ came: 'busy', sent: 'no', waitMs: PROBE_WAIT_MS });
    case 'denied':
      return err({ came: 'unclear', sent: 'no', problem: DENIED });
    case 'absent':
      return err({
        came: 'no-result',
        sent: 'no',
        problem: sure.stray ? strayProblem(sure.stray) : NOT_THERE,
      });
  }
}

/** It was finished and is being generated again: its files come when it is finished again. */
function madeAgain({ job, io }: FilesAttempt): Facts {
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
