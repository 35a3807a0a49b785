import { describe, expect, it } from 'vitest';
import type { Client } from '../../src/service/client.ts';
import type { MediaAnswer } from '../../src/service/read-records.ts';
import { mediaStep } from '../../src/steps/media.ts';
import { createLinks } from '../../src/steps/links.ts';
import { createMediaLookup } from '../../src/steps/media-lookup.ts';
import type { StepIo } from '../../src/steps/step-io.ts';
import { err, ok } from '../../src/util/result.ts';
import {
  createIo,
  jobOf,
  MADE,
  mediaRecord,
  mediumNode,
  NOT_THERE,
  REQUESTED,
  serviceError,
  signal,
} from './step-rig.ts';

const memoOf = ({ memo }: { memo?: unknown }) => memo as never;

const KNOWN = '/media/{config.id}/{item.id}/';

type Answer = Awaited<ReturnType<Client['getMedia']>>;

/** A step that knows the path, and whose service answers every poll alike, or in turn; it has the request. */
function pollOnce(answer: Answer | Answer[], io: Partial<StepIo> = {}) {
  const asked: string[] = [];
  const answers = [answer].flat();
  const client: Partial<Client> = {
    getMedia: async (objectId, id) => {
      asked.push(`${objectId} ${id}`);
      return answers[Math.min(asked.length, answers.length) - 1] as Answer;
    },
    getMediaConfig: async () => ok(MADE),
    ...io.client,
  };
  const step = mediaStep(
    createIo(client, { lookup: createMediaLookup(KNOWN), ...io, client: client as Client }),
  );
  const run = (job: Partial<Parameters<typeof jobOf>[1]> = {}, node = mediumNode()) =>
    step.run(jobOf(node, { results: REQUESTED, ...job }), signal);
  return { run, asked };
}

const pending = (fields: Partial<MediaAnswer> = {}) => ok(mediaRecord(fields));

describe('a poll', () => {
  it('that finds a finished post gives its id and its files', async () => {
    const media_info = '{"images":["https://files/1.png","https://files/2.png"]}';
    const { run, asked } = pollOnce(pending({ status: 'success', media_info }));
    expect(await run()).toEqual({
      came: 'result',
      sent: 'yes',
      result: { id: 'm-1', urls: ['https://files/1.png', 'https://files/2.png'] },
    });
    expect(asked).toEqual(['c-1 i-1']);
  });

  it('keeps links in memory as they came, and stores them without what opens them', async () => {
    const links = createLinks((text) => text.replace('the-token', '[redacted]'));
    const urls = ['https://me:secret@files/1.png?signature=7#a', 'https://files/the-token/2.png'];
    const { run } = pollOnce(pending({ status: 'success', media_info: JSON.stringify(urls) }), { links });
    expect(await run()).toMatchObject({
      result: { urls: ['https://files/1.png', 'https://files/[redacted]/2.png'] },
    });
    expect(links.of('media/hero/1@1')).toEqual(urls);
  });

  it('reads the files where the manifest says that they stand', async () => {
    const media_info = '{"a":"https://files/a.png","b":["https://files/b.png"]}';
    const { run } = pollOnce(pending({ status: 'success', media_info }), { mediaUrls: '/b' });
    expect(await run()).toMatchObject({ result: { urls: ['https://files/b.png'] } });
  });

  it.each([
    ['failed', 'no product in sight', 'Status failed: no product in sight'],
    ['ERROR', '', 'Status ERROR'],
  ])('that finds %s ends the post with its words', async (status, error_message, detail) => {
    expect(await pollOnce(pending({ status, error_message })).run()).toEqual({
      came: 'generation-failed',
      sent: 'yes',
      problem: { summary: 'The generation failed', detail },
    });
  });

  it('that finds it finished without a file asks again for a minute, and then takes it as it is', async () => {
    const { run } = pollOnce(pending({ status: 'success', media_info: '' }));
    const first = await run({ runningMs: 40_000 });
    expect(first).toEqual({
      came: 'pending',
      sent: 'yes',
      waitMs: 2_000,
      memo: { polls: 0, seen: true, fileless: { answers: 1, sinceMs: 40_000 } },
      seen: true,
    });
    const second = await run({ runningMs: 99_000, memo: memoOf(first) });
    expect(second).toMatchObject({ came: 'pending', waitMs: 1_000 });
    expect(await run({ runningMs: 100_000, memo: memoOf(second) })).toMatchObject({ result: { urls: [] } });
    const noOutputs = pollOnce(pending({ status: 'success', media_info: '[]' }), { outputs: false });
    expect(await noOutputs.run()).toMatchObject({ result: { urls: [] } });
  });

  it('reads the states that the manifest names', async () => {
    const statuses = { done: ['ready'], failed: ['dropped'] };
    const media_info = 'https://files/1.png';
    expect(await pollOnce(pending({ status: 'ready', media_info }), { statuses }).run()).toMatchObject({
      came: 'result',
      sent: 'yes',
    });
    expect(await pollOnce(pending({ status: 'dropped' }), { statuses }).run()).toMatchObject({
      came: 'generation-failed',
    });
  });

  it('that finds it pending waits for the estimate, and says that it was seen', async () => {
    expect(await pollOnce(pending({ estimated_duration: '90' })).run()).toEqual({
      came: 'pending',
      sent: 'yes',
      waitMs: 90_000,
      memo: { polls: 1, seen: true },
      seen: true,
    });
  });

  it('takes the estimate for the whole time: what has passed since the request is not waited again', async () => {
    const { run } = pollOnce(pending({ estimated_duration: '90' }));
    expect(await run({ runningMs: 30_000 })).toMatchObject({ waitMs: 60_000 });
    expect(await run({ runningMs: 100_000 })).toMatchObject({ waitMs: 2_000 });
  });

  it.each([
    ['90', 90_000],
    [90, 90_000],
    ['90.5', 90_500],
    ['PT1M30S', 90_000],
    ['2 minutes', 120_000],
    ['00:01:30', 90_000],
    ['soon', 2_000],
    ['', 2_000],
  ])('reads the estimate %j', async (estimate, waitMs) => {
    const { run } = pollOnce(pending({ estimated_duration: estimate as string }));
    expect(await run()).toMatchObject({ waitMs });
  });

  it('waits no longer than the post may take', async () => {
    const { run } = pollOnce(pending({ estimated_duration: '2 days' }), { mediaTimeoutMs: 60_000 });
    expect(await run()).toMatchObject({ waitMs: 60_000 });
  });

  it.each([
    [0, 2_000],
    [1, 3_000],
    [2, 4_500],
    [20, 30_000],
  ])('number %i without an estimate waits %i ms', async (polls, waitMs) => {
    expect(await pollOnce(pending()).run({ memo: { polls, seen: true } })).toEqual({
      came: 'pending',
      sent: 'yes',
      waitMs,
      memo: { polls: polls + 1, seen: true },
    });
  });

  it('goes by the estimate once only', async () => {
    const { run } = pollOnce(pending({ estimated_duration: '90' }));
    expect(await run({ memo: { polls: 1, seen: true } })).toMatchObject({ waitMs: 3_000 });
  });

  it('is jittered', async () => {
    expect(await pollOnce(pending(), { random: () => 0 }).run()).toMatchObject({ waitMs: 1_600 });
    expect(await pollOnce(pending(), { random: () => 0.75 }).run()).toMatchObject({ waitMs: 2_200 });
  });

  it('is jittered by five seconds at most, as an estimate is worth something', async () => {
    const estimate = pending({ estimated_duration: '10 minutes' });
    expect(await pollOnce(estimate, { random: () => 0 }).run()).toMatchObject({ waitMs: 595_000 });
    expect(await pollOnce(estimate, { random: () => 1 }).run()).toMatchObject({ waitMs: 605_000 });
  });

  it('is of a post that the service made', async () => {
    const { run, asked } = pollOnce(pending());
    const results = { 'media-config/hero@1': { id: 'c-1', concept: 'k-1', items: {} } };
    expect(await run({ results })).toEqual({
      came: 'no-result',
      sent: 'no',
      problem: {
        summary: 'Not made by the service',
        detail:
          'The media configuration was created, but its answer holds no item for this post. Until 30 days after the request, every run asks the service for it again, without paying.',
      },
    });
    expect(asked).toEqual([]);
  });
});

describe('a post that is answered with 404', () => {
  it('is not there yet, as long as it never was', async () => {
    expect(await pollOnce(err(NOT_THERE)).run()).toEqual({
      came: 'absent',
      sent: 'yes',
      waitMs: 2_000,
      memo: { polls: 1, seen: false },
    });
  });

  it.each([
    ['in this run', { memo: { polls: 1, seen: true } }, mediumNode()],
    ['in an earlier run', { memo: { polls: 1, seen: false } }, mediumNode({ seen: true })],
  ])('is asked for again though it was there %s: one 404 is weak proof', async (_, job, node) => {
    expect(await pollOnce(err(NOT_THERE)).run({ ...job, runningMs: 70_000 }, node)).toEqual({
      came: 'denied',
      sent: 'yes',
      waitMs: 3_000,
      memo: { polls: 2, seen: true, missed: { answers: 1, sinceMs: 70_000 } },
    });
  });

  it.each([
    ['too few', 1, 60_000],
    ['too soon', 8, 29_999],
  ])('is not lost yet: %s', async (_, answers, runningMs) => {
    const memo = { polls: 3, seen: true, missed: { answers, sinceMs: 0 } };
    expect(await pollOnce(err(NOT_THERE)).run({ memo, runningMs })).toMatchObject({
      came: 'denied',
      memo: { missed: { answers: answers + 1, sinceMs: 0 } },
    });
  });

  it('begins to count anew once it is there again, and not after an error, which tells nothing', async () => {
    const memo = { polls: 3, seen: true, missed: { answers: 2, sinceMs: 0 } };
    const job = { memo, runningMs: 60_000 };
    const there = await pollOnce(pending()).run(job);
    expect(there).toMatchObject({ came: 'pending' });
    expect(there).toHaveProperty('memo', { polls: 4, seen: true });
    const failed = await pollOnce(err(serviceError('server-error', { status: 500 }))).run(job);
    expect(failed).not.toHaveProperty('memo');
  });

  const third = {
    memo: { polls: 3, seen: true, missed: { answers: 2, sinceMs: 10_000 } },
    runningMs: 40_000,
  };

  it('is lost after three in a row over 30 s, where the service has its request and then still not the post', async () => {
    const { run, asked } = pollOnce(err(NOT_THERE));
    expect(await run(third)).toEqual({
      came: 'gone',
      sent: 'yes',
      problem: {
        summary: 'The post is gone',
        detail:
          'The service answered for it before and now says 404, though it has what the post was made with.',
      },
    });
    expect(asked).toEqual(['c-1 i-1', 'c-1 i-1']);
  });

  it.each([404, 410])('is lost where %i is what the service says', async (status) => {
    const { run } = pollOnce(err(serviceError('refused', { status })));
    expect(await run(third)).toMatchObject({ came: 'gone' });
  });

  it('is lost where the request is gone as well, and a product of an earlier run is there', async () => {
    const products: string[] = [];
    const client = {
      getMediaConfig: async () => err(NOT_THERE),
      getProduct: async (id: string) => {
        products.push(id);
        return ok({ id });
      },
    } as unknown as Client;
    const { run } = pollOnce(err(NOT_THERE), { client, madeProducts: ['p-2', 'p-1'] });
    expect(await run(third)).toMatchObject({ came: 'gone' });
    expect(products).toEqual(['p-2']);
  });

  it('is not lost where the service says 404 for what it was made with as well', async () => {
    const client = {
      getMediaConfig: async () => err(NOT_THERE),
      getProduct: async () => err(NOT_THERE),
    } as unknown as Client;
    for (const madeProducts of [[], ['p-1']]) {
      const { run } = pollOnce(err(NOT_THERE), { client, madeProducts });
      expect(await run(third)).toEqual({
        came: 'denied',
        sent: 'yes',
        waitMs: 6_750,
        memo: { polls: 4, seen: true, missed: { answers: 3, sinceMs: 10_000 } },
        problem: {
          summary: 'The service says 404 for what it had',
          detail:
            'It says so for other things as well, so no post is given up. Is this the account (API key) and the base URL that made them?',
        },
      });
    }
  });

  it('is not lost where it is there at the second look', async () => {
    const { run } = pollOnce([err(NOT_THERE), pending({ status: 'success' })]);
    expect(await run(third)).toMatchObject({ came: 'result', sent: 'yes' });
  });

  it('is not lost where the second look is refused in another way while the place is a guess', async () => {
    const refused = err(serviceError('refused', { status: 400 }));
    const answers = [...Array<Answer>(3).fill(err(NOT_THERE)), refused, err(NOT_THERE), err(NOT_THERE)];
    const { run } = pollOnce(answers, { lookup: createMediaLookup(undefined) });
    expect(await run(third)).toMatchObject({ came: 'absent' });
  });

  it('is no sign of life where it never was there and others are denied; once one is found it is', async () => {
    const lookup = createMediaLookup(KNOWN);
    const { run } = pollOnce([err(NOT_THERE), err(NOT_THERE), pending(), err(NOT_THERE)], { lookup });
    const came = [await run({ memo: { polls: 1, seen: true } }), await run(), await run(), await run()];
    expect(came.map((facts) => facts.came)).toEqual(['denied', 'denied', 'pending', 'absent']);
  });

  it("is not there yet while another configuration's medium stands there", async () => {
    const { run } = pollOnce(pending({ generate_config: 'c-9', status: 'success' }));
    expect(await run()).toMatchObject({ came: 'absent', memo: { seen: false } });
  });

  it('is found though the answer names no configuration, where the path is known', async () => {
    const { run } = pollOnce(pending({ generate_config: '', status: 'success' }));
    expect(await run()).toMatchObject({ came: 'result', sent: 'yes' });
  });
});

describe('a post that takes too long', () => {
  const late = { runningMs: 1_800_000 };

  it('is put off as paid and being generated', async () => {
    expect(await pollOnce(pending()).run(late)).toEqual({
      came: 'unclear',
      sent: 'yes',
      problem: {
        summary: 'Still pending after 30 min',
        cause: 'media-timeout',
        detail: 'It is being generated: run again to go on waiting (limits.media_timeout).',
      },
    });
  });

  it('is put off with the setting that helps where it was never there', async () => {
    expect(await pollOnce(err(NOT_THERE)).run(late)).toEqual({
      came: 'unclear',
      sent: 'yes',
      problem: {
        summary: 'Still pending after 30 min',
        cause: 'media-timeout',
        detail: 'The service only ever said 404 for it: if it should be there, set service.media_path.',
      },
    });
  });

  it('is put off though nobody can say how it is, and the reason stands with it', async () => {
    const refused = err(serviceError('server-error', { status: 500, request: 'GET /media/c-1/i-1/' }));
    expect(await pollOnce(refused).run({ ...late, memo: { polls: 4, seen: true } })).toEqual({
      came: 'unclear',
      sent: 'yes',
      problem: {
        summary: 'Still pending after 30 min',
        cause: 'media-timeout',
        detail:
          'It is being generated: run again to go on waiting (limits.media_timeout). At last the service could not be asked: GET /media/c-1/i-1/: the service failed (500)',
      },
    });
  });

  it('is done if it is finished at last', async () => {
    expect(await pollOnce(pending({ status: 'success' })).run(late)).toMatchObject({
      came: 'result',
      sent: 'yes',
    });
  });
});

describe('a poll that fails', () => {
  it.each([
    ['not-sent', undefined, 'not-sent'],
    ['server-error', 500, 'server-error'],
    ['refused', 400, 'refused'],
    ['unusable', 200, 'unusable'],
  ] as const)('says so, and the post is made all the same (%s)', async (kind, status, came) => {
    const { run } = pollOnce(err(serviceError(kind, { status })));
    expect(await run({ memo: { polls: 4, seen: true } })).toMatchObject({ came });
    const late = await run({ runningMs: 1_800_000 });
    expect(late).toMatchObject({ came: 'unclear', problem: { cause: 'media-timeout' } });
  });

  it.each([
    ['throttled', 'unclear'],
    ['unauthorized', 'unauthorized'],
    ['misconfigured', 'misconfigured'],
    ['aborted', 'aborted'],
  ] as const)('is %s as any request, and after media_timeout %s', async (kind, late) => {
    const { run } = pollOnce(err(serviceError(kind)));
    expect(await run()).toMatchObject({ came: kind });
    expect(await run({ runningMs: 1_800_000 })).toMatchObject({ came: late });
  });
});

it('a medium step takes nothing else', async () => {
  const step = mediaStep(createIo({}));
  await expect(step.run(jobOf({ ...mediumNode(), kind: 'upload' } as never), signal)).rejects.toThrow(
    'not a node of media: media/hero/1@1',
  );
  await expect(step.run(jobOf(mediumNode()), signal)).rejects.toThrow('no result of media-config/hero@1');
});
