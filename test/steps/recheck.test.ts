import { describe, expect, it } from 'vitest';
import type { Recheck, PlannedNode } from '../../src/model/plan.ts';
import type { Client } from '../../src/service/client.ts';
import { createMediaLookup } from '../../src/steps/media-lookup.ts';
import { mediaStep } from '../../src/steps/media.ts';
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

type Answer = Awaited<ReturnType<Client['getMedia']>>;
const KNOWN = '/media/{config.id}/{item.id}/';
const LOST: Recheck = { was: 'lost', before: 'nothing' };
const FAILED: Recheck = { was: 'failed', before: 'nothing' };
const paying = (again: Recheck): Recheck => ({ ...again, before: 'paying' });
const failed = ok(mediaRecord({ status: 'failed', error_message: 'too dark' }));
const REFUSED = err(serviceError('refused', { status: 403 }));

/** One look; `witness` is what the service says of the request. Gives the outcome and what was asked. */
async function look(
  again: Recheck,
  answers: readonly Answer[],
  options: { witness?: boolean } & Partial<StepIo> = {},
) {
  const { witness = true, ...io } = options;
  const asked: string[] = [];
  let polls = 0;
  const client: Partial<Client> = {
    getMedia: async () => {
      asked.push('post');
      return answers[Math.min((polls += 1), answers.length) - 1] as Answer;
    },
    getMediaConfig: async () => {
      asked.push('request');
      return witness ? ok(MADE) : err(NOT_THERE);
    },
  };
  const node = { ...mediumNode({ seen: true }), again } as PlannedNode;
  const step = mediaStep(createIo(client, { lookup: createMediaLookup(KNOWN), ...io }));
  return { outcome: await step.run(jobOf(node, { results: REQUESTED }), signal), asked };
}

describe('a look for a post that an earlier run found failed or gone', () => {
  it.each([LOST, FAILED, paying(LOST), paying(FAILED)])(
    'takes it where it is finished (%j)',
    async (again) => {
      const media_info = '["https://files/1.png"]';
      expect(await look(again, [ok(mediaRecord({ status: 'success', media_info }))])).toEqual({
        outcome: { came: 'result', sent: 'yes', result: { id: 'm-1', urls: ['https://files/1.png'] } },
        asked: ['post'],
      });
    },
  );

  it('waits for it where it is being generated, and says that it was seen', async () => {
    const { outcome } = await look(FAILED, [ok(mediaRecord())]);
    expect(outcome).toMatchObject({ came: 'pending', seen: true, memo: { polls: 1, seen: true } });
  });

  it('leaves it as it is where it failed before, and records it where it was gone', async () => {
    expect(await look(FAILED, [failed])).toEqual({
      outcome: { came: 'as-it-was', sent: 'yes' },
      asked: ['post'],
    });
    expect((await look(LOST, [failed])).outcome).toEqual({
      came: 'generation-failed',
      sent: 'yes',
      problem: { summary: 'The generation failed', detail: 'Status failed: too dark' },
    });
  });

  it.each([LOST, FAILED])('is one request where nothing is paid for, also at a 404 (%j)', async (again) => {
    expect(await look(again, [err(NOT_THERE)])).toEqual({
      outcome: { came: 'as-it-was', sent: 'yes' },
      asked: ['post'],
    });
  });

  it('believes a 404 before paying only where the service has the request, and then still not the post', async () => {
    expect(await look(paying(LOST), [err(NOT_THERE)])).toEqual({
      outcome: { came: 'as-it-was', sent: 'yes' },
      asked: ['post', 'request', 'post'],
    });
    expect(await look(paying(FAILED), [err(NOT_THERE)], { witness: false })).toMatchObject({
      outcome: { came: 'unclear', sent: 'yes', problem: { summary: 'The service says 404 for what it had' } },
      asked: ['post', 'request'],
    });
    const there = await look(paying(LOST), [err(NOT_THERE), ok(mediaRecord({ status: 'success' }))]);
    expect(there.outcome).toMatchObject({ came: 'result', sent: 'yes' });
  });

  it('has no answer where the question is refused, on a known place or a guessed one', async () => {
    expect((await look(paying(LOST), [REFUSED])).outcome).toMatchObject({ came: 'refused', sent: 'yes' });
    const lookup = createMediaLookup(undefined);
    expect((await look(paying(LOST), [REFUSED], { lookup })).outcome).toMatchObject({ came: 'refused' });
    expect((await look(LOST, [REFUSED], { lookup })).outcome).toEqual({ came: 'as-it-was', sent: 'yes' });
  });

  it('has no answer where another post stands in its place, at once or when it is confirmed', async () => {
    const other = ok(mediaRecord({ status: 'success', generate_config: 'another' }));
    const elsewhere = {
      came: 'unclear',
      sent: 'yes',
      problem: {
        summary: 'The service gives something else in its place',
        detail: `At ${KNOWN} the service gives a post of another media configuration (another): if this one should be there, set service.media_path.`,
      },
    };
    expect(await look(paying(FAILED), [other])).toEqual({ outcome: elsewhere, asked: ['post'] });
    const late = await look(paying(LOST), [err(NOT_THERE), other]);
    expect(late).toEqual({ outcome: elsewhere, asked: ['post', 'request', 'post'] });
    expect((await look(FAILED, [other])).outcome).toEqual({ came: 'as-it-was', sent: 'yes' });
  });

  it.each([['no-answer'], ['throttled'], ['unauthorized'], ['aborted']] as const)(
    'is tried again or ends as any request (%s)',
    async (kind) => {
      expect((await look(FAILED, [err(serviceError(kind))])).outcome).toMatchObject({ came: kind });
    },
  );

  it('waits while another post finds out the path, and tells what it learns itself', async () => {
    const probing = { ...createMediaLookup(undefined), isProbing: true };
    expect((await look(FAILED, [], { lookup: probing })).outcome).toMatchObject({
      came: 'busy',
      sent: 'no',
    });
    const { outcome } = await look(FAILED, [ok(mediaRecord({ status: 'success' }))], {
      lookup: createMediaLookup(undefined),
    });
    expect(outcome).toMatchObject({
      came: 'result',
      sent: 'yes',
      learned: { name: 'media_path', value: KNOWN },
    });
  });
});
