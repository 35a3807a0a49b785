import { expect, it } from 'vitest';
import { createRunDetails } from '../../src/views/run-detail.ts';
import {
  createdRequest,
  type Happening,
  intent,
  PROBLEM,
  request,
  requested,
  timed,
} from '../log/fold-events.ts';

const generated = (address: string): Happening => ({
  type: 'generated',
  address,
  result: { id: address, urls: [] },
});
const failed = (address: string, summary: string): Happening => ({
  type: 'generation-failed',
  address,
  problem: { summary },
});
const downloaded = (address: string): Happening => ({
  type: 'downloaded',
  address,
  result: { media: 'm', files: [{ path: 'a.png', sha256: '0', bytes: 1, contentType: 'image/png' }] },
});

function detailOf(...happenings: readonly Happening[]) {
  const details = createRunDetails('3f');
  timed(...happenings).forEach((event, seq) => details.visit({ seq, run: '3f0c9a1e', event }));
  details.visit({
    seq: 99,
    run: 'b0000000',
    event: timed(failed('media/hero/9@1', 'of another run'))[0] as never,
  });
  return details.of('3f0c9a1e');
}

it('counts the posts of a run by post plan, and groups what went wrong by cause', () => {
  const detail = detailOf(
    { ...intent('media-config/hero@1'), request: { ...request(1, ['1', '2', '3']), cost: 0.3 } } as Happening,
    createdRequest(1),
    requested(1, ['x'], 'side/night'),
    { type: 'throttled', address: 'media-config/side/night@1', problem: PROBLEM },
    { ...requested(1, ['x'], 'side/night'), attempt: 2 } as Happening,
    createdRequest(1, [], 'side/night'),
    intent('product/tote'),
    { type: 'unknown', address: 'product/tote', evidence: PROBLEM },
    generated('media/hero/1@1'),
    downloaded('download/hero/1@1'),
    failed('media/hero/2@1', 'content policy'),
    failed('media/hero/3@1', 'content policy'),
    failed('media/side/night/x@1', 'The service failed'),
    { type: 'resolved', address: 'product/cup', decision: 'skipped' },
    { type: 'forgotten', address: 'concept/old' },
  );
  expect(detail).toEqual({
    plans: [
      { plan: 'hero', requested: 3, finished: 1, failed: 2, files: 1 },
      { plan: 'side', requested: 1, finished: 0, failed: 1, files: 0 },
    ],
    cost: 0.3,
    retried: 1,
    causes: [
      { problem: { summary: 'content policy' }, addresses: ['media/hero/2@1', 'media/hero/3@1'] },
      { problem: { summary: 'The service failed' }, addresses: ['media/side/night/x@1'] },
    ],
    unknown: ['product/tote'],
    decided: [
      { decision: 'skipped', address: 'product/cup' },
      { decision: 'forgotten', address: 'concept/old' },
    ],
    hasRecords: true,
  });
});

it('takes what was refused for not requested, and what went right after all for no error', () => {
  const upload: Happening = {
    type: 'uploaded',
    address: 'upload/0f',
    inputs: {},
    fingerprint: 'u',
    result: {},
  };
  const detail = detailOf(
    requested(1, ['1']),
    { type: 'rejected', address: 'media-config/hero@1', problem: PROBLEM },
    { type: 'failed', address: 'upload/0f', problem: { summary: 'cut' } },
    upload,
  );
  expect(detail).toMatchObject({
    plans: [],
    cost: undefined,
    causes: [{ problem: PROBLEM, addresses: ['media-config/hero@1'] }],
  });
});

it('has nothing but the summary of a run whose records were compacted', () => {
  expect(createRunDetails('3f').of('3f0c9a1e')).toMatchObject({ plans: [], causes: [], hasRecords: false });
});

it('tells causes apart by what the service said, and not by the post that it named', () => {
  const said = (address: string, detail: string): Happening => ({
    type: 'generation-failed',
    address,
    problem: { summary: 'The generation failed', detail: `Status failed: ${detail}` },
  });
  const { causes } = detailOf(
    said('media/hero/1@1', 'media/hero/1 is too dark'),
    said('media/hero/2@1', 'media/hero/2 is too dark'),
    said('media/hero/3@1', 'too bright'),
  );
  expect(causes.map(({ addresses }) => addresses)).toEqual([
    ['media/hero/1@1', 'media/hero/2@1'],
    ['media/hero/3@1'],
  ]);
});
