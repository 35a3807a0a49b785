import { describe, expect, it } from 'vitest';
import type { Client } from '../../src/service/client.ts';
import { mediaStep } from '../../src/steps/media.ts';
import { createMediaLookup, LEARNED_MEDIA_PATH, mediaPlaces } from '../../src/steps/media-lookup.ts';
import { deferred } from '../../src/util/deferred.ts';
import type { JsonObject } from '../../src/util/json.ts';
import { err, ok } from '../../src/util/result.ts';
import {
  createIo,
  jobOf,
  mediaRecord,
  mediumNode,
  NOT_THERE,
  REQUESTED,
  serviceError,
  signal,
} from './step-rig.ts';

const CONFIG = { id: 'c-1', concept: 'k-1', items: {} };
const job = jobOf(mediumNode(), { results: REQUESTED });

/** A service that has the medium under one pair of ids only. */
function serviceAt(place: string, answer = ok(mediaRecord())) {
  const asked: string[] = [];
  const client: Pick<Client, 'getMedia'> = {
    getMedia: async (objectId, id) => {
      asked.push(`${objectId} ${id}`);
      return `${objectId} ${id}` === place ? answer : err(NOT_THERE);
    },
  };
  const lookup = createMediaLookup(undefined);
  return { asked, lookup, step: mediaStep(createIo(client, { lookup })) };
}

describe('the places of a medium', () => {
  it('are three while nothing is known', () => {
    expect(mediaPlaces(createMediaLookup(undefined), CONFIG, { id: 'i-1' })).toEqual([
      { template: '/media/{config.id}/{item.id}/', objectId: 'c-1', id: 'i-1' },
      { template: '/media/{concept.id}/{item.id}/', objectId: 'k-1', id: 'i-1' },
      { template: '/media/{item.id}/{config.id}/', objectId: 'i-1', id: 'c-1' },
    ]);
  });

  it('are one where the path is known, over any field of the item', () => {
    const lookup = createMediaLookup('/media/{item.meta.object}/{item.id}/');
    expect(mediaPlaces(lookup, CONFIG, { id: 'i-1', meta: { object: 'o-1' } })).toEqual([
      { template: '/media/{item.meta.object}/{item.id}/', objectId: 'o-1', id: 'i-1' },
    ]);
    expect(mediaPlaces(lookup, CONFIG, { id: 'i-1' })).toEqual([]);
  });
});

describe('a field of the item that the path names and the state does not keep', () => {
  const at = '/media/{config.id}/{item.media.id}/';
  const config = (item: JsonObject) => ok({ id: 'c-1', items: [{ id: 'i-0' }, { id: 'i-1', ...item }] });

  function serviceOf(configs: readonly Awaited<ReturnType<Client['getMediaConfig']>>[]) {
    const asked: string[] = [];
    const client: Pick<Client, 'getMedia' | 'getMediaConfig'> = {
      getMediaConfig: async (id) => {
        asked.push(id);
        return configs[asked.length - 1] ?? err(NOT_THERE);
      },
      getMedia: async (objectId, id) => {
        asked.push(`${objectId} ${id}`);
        return ok(mediaRecord());
      },
    };
    return { asked, step: mediaStep(createIo(client, { lookup: createMediaLookup(at) })) };
  }

  it('is read from the service, once, and never stored', async () => {
    const { step, asked } = serviceOf([config({ media: { id: 'm-7' } })]);
    await step.run(job, signal);
    expect(await step.run(job, signal)).toMatchObject({ came: 'pending' });
    expect(asked).toEqual(['c-1', 'c-1 m-7', 'c-1 m-7']);
  });

  it.each([
    ['that says no more', config({})],
    ['that is not there', err(NOT_THERE)],
  ])('is not there yet in a configuration %s, and looked for again', async (_, first) => {
    const { step, asked } = serviceOf([first, config({ media: { id: 'm-7' } })]);
    expect(await step.run(job, signal)).toMatchObject({ came: 'absent' });
    await step.run(job, signal);
    expect(asked).toEqual(['c-1', 'c-1', 'c-1 m-7']);
  });

  it('is tried again where the service does not answer', async () => {
    const { step } = serviceOf([err(serviceError('no-answer'))]);
    expect(await step.run(job, signal)).toMatchObject({ came: 'no-answer' });
  });
});

describe('finding out the path', () => {
  it.each([
    ['c-1 i-1', '/media/{config.id}/{item.id}/', 1],
    ['k-1 i-1', '/media/{concept.id}/{item.id}/', 2],
    ['i-1 c-1', '/media/{item.id}/{config.id}/', 3],
  ])('tries until %s answers, and tells all others', async (place, template, requests) => {
    const { step, asked, lookup } = serviceAt(place);
    expect(await step.run(job, signal)).toMatchObject({
      came: 'pending',
      seen: true,
      learned: { name: LEARNED_MEDIA_PATH, value: template },
    });
    expect(asked).toHaveLength(requests);
    expect(lookup).toMatchObject({ template, isProbing: false, first: 0 });
    expect(await step.run(job, signal)).not.toHaveProperty('learned');
    expect(asked).toHaveLength(requests + 1);
  });

  it('believes an answer that writes the id of its configuration in other letters', async () => {
    const id = '0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f';
    const { step } = serviceAt(`${id} i-1`, ok(mediaRecord({ generate_config: id.toUpperCase() })));
    const made = { ...REQUESTED['media-config/hero@1'], id };
    const named = jobOf(mediumNode(), { results: { 'media-config/hero@1': made } });
    expect(await step.run(named, signal)).toMatchObject({ came: 'pending', memo: { seen: true } });
  });

  it('does not believe an answer of another configuration, or of none', async () => {
    for (const generate_config of ['c-9', '']) {
      const { step, lookup } = serviceAt('c-1 i-1', ok(mediaRecord({ generate_config })));
      expect(await step.run(job, signal)).toMatchObject({ came: 'absent', memo: { seen: false } });
      expect(lookup.template).toBeUndefined();
    }
  });

  it.each(['success', 'failed'])(
    'says at once why a post that is over (%s) and names no configuration is not taken',
    async (status) => {
      const { step, lookup } = serviceAt('c-1 i-1', ok(mediaRecord({ generate_config: '', status })));
      expect(await step.run(job, signal)).toEqual({
        came: 'unclear',
        sent: 'yes',
        problem: {
          summary: 'The service does not say whose post it is',
          detail:
            'At /media/{config.id}/{item.id}/ the service gives a post, but its generate_config names no media ' +
            'configuration, so it may be another one. If it is this one, set service.media_path: "/media/{config.id}/{item.id}/".',
        },
      });
      expect(lookup).toMatchObject({ template: undefined, isProbing: false, first: 0 });
    },
  );

  it.each([
    ['', 'names no media configuration'],
    ['c-9', 'gives a post of another media configuration (c-9)'],
  ])(
    'says at the end what was there instead, not that it was always 404: %j',
    async (generate_config, words) => {
      const { step } = serviceAt('c-1 i-1', ok(mediaRecord({ generate_config })));
      const first = await step.run(job, signal);
      const memo = first.memo ?? null;
      expect(await step.run({ ...job, memo, runningMs: 1_800_000 }, signal)).toMatchObject({
        came: 'unclear',
        sent: 'yes',
        problem: { summary: 'Still pending after 30 min', detail: expect.stringContaining(words) as unknown },
      });
    },
  );

  it('names the place that may be the right one, where others give posts of other configurations', async () => {
    const answers = [ok(mediaRecord({ generate_config: 'c-9' })), ok(mediaRecord({ generate_config: '' }))];
    const client: Pick<Client, 'getMedia'> = { getMedia: async () => answers.shift() ?? err(NOT_THERE) };
    const outcome = await mediaStep(createIo(client)).run(job, signal);
    expect(outcome).toMatchObject({
      memo: { stray: expect.stringContaining('/media/{concept.id}/{item.id}/') as unknown },
    });
  });

  it('is not decided by 404 everywhere', async () => {
    const { step, asked, lookup } = serviceAt('nowhere');
    expect(await step.run(job, signal)).toMatchObject({ came: 'absent' });
    expect(asked).toHaveLength(3);
    expect(lookup).toMatchObject({ template: undefined, isProbing: false, first: 0 });
  });

  it('goes on after a refusal, which tells nothing while the place is a guess', async () => {
    const refused = err(serviceError('refused', { status: 400 }));
    const answers = [refused, refused, ok(mediaRecord())];
    const client: Pick<Client, 'getMedia'> = { getMedia: async () => answers.shift() ?? err(NOT_THERE) };
    expect(await mediaStep(createIo(client)).run(job, signal)).toMatchObject({ came: 'pending', seen: true });
  });

  it('names the refusal that is no 404, where the time is up', async () => {
    const denied = serviceError('refused', { status: 403, serviceMessage: 'No access to media.' });
    const answers = [err(NOT_THERE), err(denied), err(NOT_THERE)];
    const client: Pick<Client, 'getMedia'> = { getMedia: async () => answers.shift() ?? err(NOT_THERE) };
    const step = mediaStep(createIo(client));
    const first = await step.run(job, signal);
    expect(first).toMatchObject({
      came: 'absent',
      memo: { polls: 1, seen: false, refused: '403 (No access to media.)' },
    });
    const memo = first.memo ?? null;
    expect(await step.run({ ...job, memo, runningMs: 1_800_000 }, signal)).toEqual({
      came: 'unclear',
      sent: 'yes',
      problem: {
        summary: 'Still pending after 30 min',
        cause: 'media-timeout',
        detail:
          'The service answered 403 (No access to media.), and never had the post: check service.media_path and what the key may do.',
      },
    });
  });

  it('does not take another refusal than 404 for a loss', async () => {
    const client: Pick<Client, 'getMedia'> = {
      getMedia: async () => err(serviceError('refused', { status: 403 })),
    };
    const missed = { answers: 5, sinceMs: 0 };
    const late = { ...job, memo: { polls: 6, seen: true, missed }, runningMs: 60_000 };
    expect(await mediaStep(createIo(client)).run(late, signal)).toMatchObject({
      came: 'absent',
      memo: { missed },
    });
  });

  it('ends with an error, and begins behind the place that failed: a wrong place may fail for ever', async () => {
    const asked: string[] = [];
    const client: Pick<Client, 'getMedia'> = {
      getMedia: async (objectId, id) => {
        asked.push(`${objectId} ${id}`);
        return err(serviceError('server-error', { status: 500 }));
      },
    };
    const step = mediaStep(createIo(client));
    for (let poll = 0; poll < 4; poll += 1) {
      expect(await step.run(job, signal)).toMatchObject({ came: 'server-error' });
    }
    expect(asked).toEqual(['c-1 i-1', 'k-1 i-1', 'i-1 c-1', 'c-1 i-1']);
  });

  it("is one medium's work at a time: others wait without a request", async () => {
    const gate = deferred<Awaited<ReturnType<Client['getMedia']>>>();
    let requests = 0;
    const client: Pick<Client, 'getMedia'> = {
      getMedia: () => {
        requests += 1;
        return gate.promise;
      },
    };
    const step = mediaStep(createIo(client));
    const first = step.run(job, signal);
    expect(await step.run({ ...job, memo: { polls: 2, seen: true } }, signal)).toMatchObject({
      came: 'busy',
      waitMs: 250,
      memo: { polls: 2, seen: true },
    });
    expect(requests).toBe(1);
    gate.resolve(ok(mediaRecord({ status: 'success' })));
    expect(await first).toMatchObject({ came: 'result', sent: 'yes' });
    expect(await step.run(job, signal)).toMatchObject({ came: 'result', sent: 'yes' });
  });

  it('is given up for others when it throws', async () => {
    const lookup = createMediaLookup(undefined);
    const client: Pick<Client, 'getMedia'> = { getMedia: () => Promise.reject(new Error('bug')) };
    await expect(mediaStep(createIo(client, { lookup })).run(job, signal)).rejects.toThrow('bug');
    expect(lookup.isProbing).toBe(false);
  });
});
