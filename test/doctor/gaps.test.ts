import { describe, expect, it } from 'vitest';
import { form, nothingDone, onUnknown } from '../../src/doctor/gaps/creates.ts';
import type { CheckResult } from '../../src/doctor/check.ts';
import { adviceFor } from '../../src/model/nothing-done.ts';
import { mediaPath, mediaUrls, statuses } from '../../src/doctor/gaps/posts.ts';
import { successCodes, uploadUrl } from '../../src/doctor/gaps/answers.ts';
import { contextOf, readingOf, requestOf } from './context.ts';

const MADE = { id: 'g1', concept: 'c', items: {} };

describe('a setting that is written', () => {
  it('is what the line shows', async () => {
    const gaps = {
      mediaPath: '/media/{item.id}/{config.id}/',
      uploadUrl: '/data/link',
      form: 'guide',
      statuses: { done: ['ready'], failed: [] },
      nothingDone: [503, '!403'],
      onUnknown: { product: 'retry', concept: 'retry' },
    } as const;
    const context = contextOf({ gaps });
    const shown: string[] = [];
    for (const check of [mediaPath, uploadUrl, form, statuses, nothingDone, onUnknown]) {
      shown.push((await check.look(context)).summary);
    }
    expect(shown).toEqual([
      '/media/{item.id}/{config.id}/ (set)',
      'set to /data/link',
      'guide; not seen before the first request (service.form)',
      'not seen before the first poll (service.statuses), besides {"done":["ready"],"failed":[]}',
      '400–406, 410, 411, 413–415, 422, 429 and 431; set: 503, "!403"',
      'product and concept creates are repeated, a person decides the rest; none is open',
    ]);
  });
});

describe('media_path', () => {
  it('that gives nothing is a warning, whoever said it', async () => {
    const [template, readings] = [
      '/media/{config.id}/{item.id}/',
      [readingOf('/media/{config.id}/{item.id}/', 404)],
    ];
    const set = await mediaPath.look(
      contextOf({ gaps: { mediaPath: template }, asked: { media: readings } }),
    );
    expect(set).toEqual({
      status: 'warning',
      summary: '/media/{config.id}/{item.id}/ (set) does not give media/hero/1@1: 404',
      action: 'Correct service.media_path, or leave it out: then it is found out.',
    });
    const state = { learned: new Map([['media_path', template]]) };
    const learned = await mediaPath.look(contextOf({ state, asked: { media: readings } }));
    expect([learned.status, learned.action]).toEqual([
      'warning',
      'If posts moved there, set service.media_path.',
    ]);
  });

  it('names what every place said', async () => {
    const media = [
      readingOf('/a/', 404),
      readingOf('/b/', { generate_config: 'other' }),
      readingOf('/c/', 400),
    ];
    expect(await mediaPath.look(contextOf({ asked: { media } }))).toMatchObject({
      status: 'warning',
      summary: 'media/hero/1@1 is at none of 3 places: 404, another post, 400',
    });
  });
});

describe('media_path of a post that is not begun', () => {
  it('is not known before it is somewhere', async () => {
    const media = [{ ...readingOf('/a/', 404), isKnown: false }];
    expect(await mediaPath.look(contextOf({ asked: { media } }))).toEqual({
      status: 'unknown',
      summary: 'not seen before the first post (service.media_path)',
    });
    const gaps = { mediaPath: '/a/' };
    expect((await mediaPath.look(contextOf({ gaps, asked: { media } }))).summary).toBe('/a/ (set)');
  });
});

describe('a post that was read', () => {
  it('shows what its status means', async () => {
    const media = [readingOf('/a/', { status: 'Ready' })];
    const gaps = { statuses: { done: ['ready'], failed: [] } };
    expect(await statuses.look(contextOf({ gaps, asked: { media } }))).toEqual({
      status: 'ok',
      summary: '"Ready" means done',
    });
  });

  it('whose files are elsewhere is a warning', async () => {
    const media = [readingOf('/a/', { media_info: '{"files":["https://cdn.example.com/1.png"]}' })];
    const found = async (gaps: object) =>
      (await mediaUrls.look(contextOf({ gaps, asked: { media } }))).summary;
    expect(await found({})).toBe('media_info holds 1 file');
    expect(await found({ mediaUrls: '/final' })).toBe('/final in media_info holds no URL');
  });
});

describe('what the state knows', () => {
  it('of a refused form is a warning, until one was accepted', () => {
    const refused = requestOf(1, { status: 'failed', problem: { summary: 'refused', status: 422 } });
    expect(form.look(contextOf({ state: { requests: new Map([refused]) } }))).toEqual({
      status: 'warning',
      summary: 'schema: media-config/hero@1 was refused (422)',
      action: 'If its message is about fields, try service.form: guide.',
    });
    const requests = new Map([refused, requestOf(2, { result: MADE })]);
    expect(form.look(contextOf({ state: { requests } }))).toMatchObject({
      status: 'ok',
      summary: 'schema, media-config/hero@2 was accepted',
    });
  });

  it('of unknown creates is a warning with both ways out', () => {
    const unknown = requestOf(1, { status: 'unknown', evidence: { summary: 'failed', status: 503 } });
    const context = contextOf({ gaps: { nothingDone: ['!403'] }, state: { requests: new Map([unknown]) } });
    expect(nothingDone.look(context)).toEqual({
      status: 'warning',
      summary: 'media-config/hero@1 is unknown since it got 503',
      action:
        'Only if the documentation of the service promises that it does nothing when it answers 503, say service.nothing_done: ["!403", 503]. ' +
        'A gateway may say 503 as well, after the request was carried out; then it is sent again, and made twice.',
    });
    expect(onUnknown.look(context)).toEqual({
      status: 'warning',
      summary: 'a person decides; 1 create unknown',
      action: 'Look whether it exists there, then decide: campaign resolve m.yaml media-config/hero@1',
    });
  });
});

describe('a status that proves nothing', () => {
  const look = (status: number, set: readonly (number | string)[] = []) => {
    const unknown = requestOf(1, { status: 'unknown', evidence: { summary: 'failed', status } });
    return nothingDone.look(
      contextOf({ gaps: { nothingDone: set }, state: { requests: new Map([unknown]) } }),
    ) as CheckResult;
  };

  it.each([502, 504, 500, 524, 408, 499])('is never offered: %d', (status) => {
    const { summary, action } = look(status);
    expect(summary).toBe(`media-config/hero@1 is unknown since it got ${status}`);
    expect(action).toContain('may have carried the request out. Look whether it exists there');
    expect(action).not.toContain('nothing_done');
  });

  it('is a warning where the manifest has it, and is in no list that is offered', () => {
    expect(look(503, [503, 504])).toMatchObject({
      status: 'warning',
      summary: '504 is set, and proves nothing',
    });
    expect(adviceFor(503, [504, '!403', 409])).toContain('service.nothing_done: ["!403", 409, 503].');
    expect(look(403, ['!403'])).toMatchObject({ status: 'ok' });
  });
});

describe('success_codes', () => {
  it('shows those that were seen, each once', async () => {
    const seen = { request: 'GET /a/', contentType: undefined, date: undefined, arrivedAt: 0, data: null };
    const observed = [200, 404, 202, 200].map((status) => ({ ...seen, status }));
    expect(await successCodes.look(contextOf({ asked: { observed } }))).toEqual({
      status: 'ok',
      summary: 'any 2xx is a success; seen: 200, 202',
    });
  });
});
