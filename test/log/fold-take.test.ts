import { describe, expect, it } from 'vitest';
import { at, createdRequest, folded, intent, PROBLEM, requested, type Happening } from './fold-events.ts';

const TAKE = 'media/grid/morning+1x1/kitchen@1';
const POST = 'grid/morning+1x1';
const FILE = { path: 'out/a.png', sha256: 'x', bytes: 3, contentType: 'image/png' };
const before = [requested(1, ['kitchen'], POST), createdRequest(1, [], POST)];
const media = (...happenings: Happening[]) =>
  folded(...before, ...happenings).media.get('media/grid/morning+1x1/kitchen');
const take = (...happenings: Happening[]) => media(...happenings)?.takes[0];

const generated: Happening = {
  type: 'generated',
  address: TAKE,
  result: { id: 'm-1', urls: ['https://x/1'] },
};
const downloaded: Happening = {
  type: 'downloaded',
  address: TAKE.replace('media/', 'download/'),
  result: { media: 'm-1', files: [FILE] },
};
const notDownloaded: Happening = {
  type: 'failed',
  address: TAKE.replace('media/', 'download/'),
  problem: PROBLEM,
};

const seen: Happening = { type: 'seen', address: TAKE };

it.each<[string, Happening]>([
  ['seen', seen],
  ['generated', generated],
  ['generation-failed', { type: 'generation-failed', address: TAKE, problem: PROBLEM }],
  ['failed', { type: 'failed', address: TAKE, problem: PROBLEM }],
  ['lost', { type: 'lost', address: TAKE, problem: PROBLEM }],
  ['downloaded', downloaded],
])('that a post was %s does not count where the answer to its request is missing', (_, became) => {
  const key = 'media/grid/morning+1x1/kitchen';
  const [request, answer] = before;
  if (!request || !answer) throw new Error('there are two');
  const stateOf = (...happenings: Happening[]) => folded(request, ...happenings).media.get(key)?.takes[0];
  expect(stateOf(became)).toEqual(stateOf());
  const skipped: Happening = {
    type: 'resolved',
    address: `media-config/${POST}@1`,
    decision: 'skipped',
  };
  expect(stateOf(skipped, became)).toEqual(stateOf(skipped));
  // Once it is known, the post is asked for.
  expect(stateOf(became, answer)).toMatchObject({ status: 'pending', seen: false });
});

describe('a take', () => {
  it('remembers its first answer', () => {
    expect(take()?.seen).toBe(false);
    expect(take({ type: 'seen', address: TAKE })).toMatchObject({ seen: true, status: 'pending' });
  });

  it.each(['generation-failed', 'lost'] as const)(
    'is not given up with %s: what comes after counts',
    (type) => {
      const ended: Happening = { type, address: TAKE, problem: PROBLEM };
      const back = take(ended, { type: 'seen', address: TAKE });
      expect(back).toMatchObject({ seen: true, status: 'pending' });
      expect(back).not.toHaveProperty('problem');
      const done = take(ended, generated);
      expect(done).toMatchObject({ status: 'done', result: { id: 'm-1' } });
      expect(done).not.toHaveProperty('problem');
      const skipped: Happening = { type: 'resolved', address: TAKE, decision: 'skipped' };
      expect(take(ended, skipped, { type: 'seen', address: TAKE })?.status).toBe('skipped');
      expect(take(generated, { type: 'seen', address: TAKE })?.status).toBe('done');
    },
  );

  it('is done with its files at the service', () => {
    expect(take(generated)).toMatchObject({
      status: 'done',
      seen: true,
      result: { id: 'm-1', urls: ['https://x/1'] },
      settledAt: at(2),
    });
  });

  it.each(['generation-failed', 'failed'] as const)('has failed with %s', (type) => {
    expect(take({ type, address: TAKE, problem: PROBLEM })).toMatchObject({
      status: 'failed',
      problem: PROBLEM,
      settledAt: at(2),
    });
  });

  it('stands before newer ones also where its create is decided after theirs', () => {
    const late = media(
      requested(2, ['kitchen'], POST),
      { type: 'unknown', address: `media-config/${POST}@2`, evidence: PROBLEM },
      requested(3, ['kitchen'], POST),
      createdRequest(3, [], POST),
      {
        type: 'resolved',
        address: `media-config/${POST}@2`,
        decision: 'created',
        result: { id: 'c-2', concept: 'k-1', items: { kitchen: { id: 'i-2' } } },
      },
    );
    expect(late?.takes.map(({ n }) => n)).toEqual([1, 2, 3]);
  });

  it('can be lost', () => {
    expect(take({ type: 'lost', address: TAKE, problem: PROBLEM })).toMatchObject({
      status: 'lost',
      problem: PROBLEM,
    });
  });

  it('can be given up, but not otherwise decided', () => {
    const failed: Happening = { type: 'generation-failed', address: TAKE, problem: PROBLEM };
    const skipped = take(failed, { type: 'resolved', address: TAKE, decision: 'skipped' });
    expect(skipped?.status).toBe('skipped');
    expect(skipped).not.toHaveProperty('problem');
    expect(take(failed, { type: 'resolved', address: TAKE, decision: 'not-created' })?.status).toBe('failed');
  });

  it('is changed alone', () => {
    const second = TAKE.replace('@1', '@2');
    const takes = media(requested(2, ['kitchen'], POST), createdRequest(2, [], POST), {
      ...generated,
      address: second,
    })?.takes;
    expect(takes).toMatchObject([{ status: 'pending' }, { status: 'done' }]);
  });

  it('gets the inputs that a person accepted, and nothing else', () => {
    const accepted: Happening = { type: 'accepted', address: TAKE, inputs: { to: 'f2' }, fingerprint: 'f2' };
    expect(take(generated, accepted)).toEqual({
      ...take(generated),
      inputs: { to: 'f2' },
      fingerprint: 'f2',
    });
  });

  it.each<Happening>([
    intent(TAKE),
    { type: 'created', address: TAKE, result: { id: 'p-1' } },
    { type: 'rejected', address: TAKE, problem: PROBLEM },
    { type: 'not-sent', address: TAKE, problem: PROBLEM },
    { type: 'throttled', address: TAKE, problem: PROBLEM },
    { type: 'unknown', address: TAKE, evidence: PROBLEM },
    { type: 'uploaded', address: TAKE, inputs: {}, fingerprint: 'f2', result: { url: 'u' } },
    { type: 'updated', address: TAKE, inputs: {}, fingerprint: 'f2', result: { id: 'p-1' } },
    { type: 'updating', address: TAKE },
    { type: 'downloaded', address: TAKE, result: { media: 'm-1', files: [] } },
  ])('is not changed by an event of another kind of node: $type', (event) => {
    expect(media(event)).toEqual(media());
  });

  it('that is not known is not made by an event', () => {
    expect(folded(generated).media.size).toBe(0);
    expect(take({ ...generated, address: TAKE.replace('@1', '@9') })).toEqual(take());
    expect(folded({ type: 'seen', address: 'elsewhere/1@1' })).toEqual(folded());
  });
});

describe('a download', () => {
  it('gives a take its files', () => {
    expect(take(generated, downloaded)).toMatchObject({ status: 'done', files: [FILE] });
  });

  it('keeps its time when its files only get other names', () => {
    const renamed = { ...downloaded, result: { media: 'm-1', files: [{ ...FILE, path: 'out/b.png' }] } };
    expect(take(generated, downloaded)?.downloadedAt).toBe(at(3));
    expect(take(generated, downloaded, renamed)).toMatchObject({
      files: [{ path: 'out/b.png' }],
      downloadedAt: at(3),
    });
  });

  it('that failed is remembered until one succeeds, and the take stays done', () => {
    expect(take(generated, notDownloaded)).toMatchObject({ status: 'done', problem: PROBLEM });
    expect(take(generated, notDownloaded, downloaded)).not.toHaveProperty('problem');
  });

  it('that is given up leaves no file and no problem', () => {
    const address = TAKE.replace('media/', 'download/');
    const skipped = take(generated, notDownloaded, { type: 'resolved', address, decision: 'skipped' });
    expect(skipped).toEqual({ ...take(generated), files: [] });
    expect(take(generated, notDownloaded, { type: 'resolved', address, decision: 'not-created' })).toEqual(
      take(generated, notDownloaded),
    );
  });

  it('that comes after being given up has its own time', () => {
    const address = TAKE.replace('media/', 'download/');
    const given: Happening = { type: 'resolved', address, decision: 'skipped' };
    expect(take(generated, given, downloaded)).toMatchObject({ files: [FILE], downloadedAt: at(4) });
  });

  it('tells the new names of the files of older takes', () => {
    const aside = { ...FILE, path: 'out/a.take1.png' };
    const second: Happening = {
      type: 'downloaded',
      address: TAKE.replace('media/', 'download/').replace('@1', '@2'),
      result: { media: 'm-2', files: [FILE], renamed: [{ take: 1, files: [aside] }] },
    };
    const twice = [requested(2, ['kitchen'], POST), createdRequest(2, [], POST)];
    const takes = media(generated, downloaded, ...twice, second)?.takes;
    expect(takes?.[0]).toEqual({ ...take(generated, downloaded), files: [aside] });
    expect(takes?.[1]).toMatchObject({ n: 2, files: [FILE] });
  });

  it('knows no other event', () => {
    const address = TAKE.replace('media/', 'download/');
    expect(media(generated, { type: 'seen', address })).toEqual(media(generated));
    expect(media(generated, { type: 'lost', address, problem: PROBLEM })).toEqual(media(generated));
  });
});

describe('a move of a post', () => {
  it('takes everything along but the requests', () => {
    const state = folded(...before, generated, {
      type: 'moved',
      moves: [{ from: 'media/grid/morning+1x1/kitchen', to: 'media/grid/night+1x1/2' }],
    });
    expect([...state.media.values()]).toMatchObject([
      {
        address: 'media/grid/night+1x1/2',
        post: 'grid/night+1x1',
        item: '2',
        takes: [{ n: 1, status: 'done', request: 'media-config/grid/morning+1x1@1' }],
      },
    ]);
    expect([...state.requests.keys()]).toEqual(['media-config/grid/morning+1x1@1']);
  });

  it('onto a post that has takes keeps those as the newer ones', () => {
    const other = [requested(4, ['2'], 'hero'), createdRequest(4, [], 'hero')];
    const state = folded(...before, ...other, {
      type: 'moved',
      moves: [{ from: 'media/grid/morning+1x1/kitchen', to: 'media/hero/2' }],
    });
    expect(state.media.get('media/hero/2')?.takes.map(({ n }) => n)).toEqual([1, 4]);
  });
});
