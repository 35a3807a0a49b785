import { describe, expect, it } from 'vitest';
import type { StateEvent } from '../../src/model/state-event.ts';
import { whyIncomplete } from '../../src/log/event-members.ts';
import { snapshotEvents } from '../../src/log/snapshot.ts';
import {
  at,
  createdRequest,
  folded,
  type Happening,
  intent,
  PROBLEM,
  requested,
  timed,
} from './fold-events.ts';
import { AT, EVENTS } from '../store/file/sample-log.ts';

const about = (address: string, rest: object) => ({ ...rest, address }) as Happening;
const MEANING = { inputs: { n: 1 }, fingerprint: 'f1' };
const FILES = [{ path: 'out/a.png', sha256: 'aa', bytes: 7, contentType: 'image/png' }];
const FINISHED = EVENTS.at(-1);

/** One of every kind, as the program writes them. */
const HAPPENINGS: readonly Happening[] = [
  { type: 'run-started', command: 'apply', version: '0.1.0', manifest: 'campaign.yaml', by: 'mia@studio' },
  about('upload/1', { type: 'uploaded', ...MEANING, result: { url: 'u' } }),
  about('upload/2', { type: 'failed', problem: PROBLEM }),
  intent('product/tote'),
  about('product/tote', { type: 'created', result: { id: 'p-1', url: 'u' } }),
  about('product/tote', { type: 'updating' }),
  about('product/tote', { type: 'updated', ...MEANING, result: { id: 'p-1' } }),
  about('product/tote', { type: 'accepted', ...MEANING }),
  intent('concept/morning'),
  about('concept/morning', { type: 'unknown', evidence: { summary: 'reset' } }),
  about('concept/morning', { type: 'resolved', decision: 'created', result: { id: 'k-1' } }),
  about('concept/night', { type: 'rejected', problem: PROBLEM }),
  about('concept/night', { type: 'not-sent', problem: PROBLEM }),
  requested(1, ['1', '2']),
  about('media-config/hero@1', { type: 'throttled', problem: PROBLEM }),
  requested(2, ['1', '2']),
  createdRequest(2, ['3']),
  about('media-config/hero@2', {
    type: 'listed',
    result: { id: 'c-2', concept: 'k-1', items: { 1: { id: 'i-1' } } },
  }),
  about('media/hero/1@2', { type: 'seen' }),
  about('media/hero/1@2', { type: 'generated', result: { id: 'm-1', urls: ['https://u'] } }),
  about('media/hero/2@2', { type: 'generation-failed', problem: PROBLEM }),
  about('media/hero/2@2', { type: 'lost', problem: PROBLEM }),
  about('media/hero/2@2', { type: 'resolved', decision: 'skipped' }),
  about('download/hero/1@2', {
    type: 'downloaded',
    result: { media: 'm-1', files: FILES, renamed: [{ take: 1, files: FILES }] },
  }),
  { type: 'moved', moves: [{ from: 'product/tote', to: 'product/bag' }] },
  { type: 'learned', name: 'media_path', value: '/x' },
  about('media/hero/3', { type: 'forgotten' }),
  { type: 'rebound', campaign: 'c', environment: 'e', base_url: 'b' },
  FINISHED as Happening,
];

/** An event as an edit by hand may have left it. */
const edited = (event: object) => whyIncomplete({ at: at(0), ...event } as StateEvent);

/** The members that an event of `HAPPENINGS` has. */
const like = (type: string, change: object) =>
  edited({ ...HAPPENINGS.find((each) => each.type === type), ...change });

describe('an event of the log', () => {
  it('is whole as the program writes it, also in a compacted log', () => {
    for (const event of [...EVENTS, ...timed(...HAPPENINGS)])
      expect([event, whyIncomplete(event)]).toEqual([event, undefined]);
    const runs = [
      {
        run: 'r',
        command: 'apply',
        version: '0.1.0',
        manifest: 'm',
        startedAt: AT,
        last: { seq: 1, crc: 2 },
      },
    ];
    const kept = [...snapshotEvents(folded(...HAPPENINGS), runs, AT)];
    expect(new Set(kept.flatMap((event) => Object.keys(event)))).toEqual(
      new Set(['type', 'at', 'run', 'name', 'value', 'object', 'request', 'media']),
    );
    for (const event of kept) expect([event, whyIncomplete(event)]).toEqual([event, undefined]);
  });

  it('is not without its time, or without what it is about', () => {
    expect(like('moved', { at: undefined })).toBe('its event "moved" has no at');
    expect(like('moved', { moves: undefined })).toBe('its event "moved" has no moves');
    expect(like('seen', { address: undefined })).toBe('its event "seen" has no address');
    expect(like('failed', { problem: {} })).toBe('its event "failed" has no problem.summary');
    expect(like('run-finished', { nodes: undefined })).toBe('its event "run-finished" has no nodes');
  });

  it('is not without the result of its node, whatever that is called', () => {
    expect(like('created', { result: undefined, resutl: { id: 'p-1' } })).toBe(
      'its event "created" has no result',
    );
    expect(like('created', { result: { url: 'u' } })).toBe('its event "created" has no result.id');
    expect(like('uploaded', { result: {} })).toBeUndefined();
    expect(like('generated', { result: { id: 'm-1' } })).toBe('its event "generated" has no result.urls');
    expect(like('downloaded', { result: { media: 'm-1' } })).toBe(
      'its event "downloaded" has no result.files',
    );
    const request = { address: 'media-config/hero@1', result: { id: 'c-1', items: {} } };
    expect(like('created', request)).toBe('its event "created" has no result.concept');
    expect(like('resolved', { result: undefined })).toBe('its event "resolved" has no result');
    expect(like('resolved', { decision: 'not-created', result: undefined })).toBeUndefined();
  });

  it.each([
    ['uploaded', { result: [] }, 'has result, which is not an object'],
    ['uploaded', { inputs: null }, 'has inputs, which is not an object'],
    ['uploaded', { fingerprint: 7 }, 'has fingerprint, which is not text'],
    ['intent', { attempt: '1' }, 'has attempt, which is not a whole number'],
    ['seen', { address: 7 }, 'has address, which is not text'],
    ['generated', { result: { id: 'm-1', urls: {} } }, 'has result.urls, which is not a list'],
    ['generated', { result: { id: 'm-1', urls: ['u', 7] } }, 'has result.urls[1], which is not text'],
    [
      'downloaded',
      { result: { media: 'm-1', files: [...FILES, { ...FILES[0], bytes: 'many' }] } },
      'has result.files[1].bytes, which is not a whole number',
    ],
    [
      'downloaded',
      { result: { media: 'm-1', files: FILES, renamed: [{ take: 1, files: ['a'] }] } },
      'has result.renamed[0].files[0], which is not an object',
    ],
  ])('is not %s with %j', (type, change, lack) => {
    expect(like(type, change)).toBe(`its event "${type}" ${lack}`);
  });

  it('is whole with whatever else it has', () => {
    expect(like('uploaded', { more: null, result: { url: 'u', more: 7 } })).toBeUndefined();
  });

  it('says what a member may be where it is none of those', () => {
    expect(like('run-finished', { outcome: 'done' })).toBe(
      'its event "run-finished" has outcome, which is none of succeeded, failed, incomplete, undecided, needs-consent, refused, invalid, ' +
        'unavailable, error, locked and cancelled',
    );
    const made = { file: 'm.yaml', commit: 7, dirty: null };
    const { request } = requested(1, ['1']) as { request?: object };
    expect(edited({ ...requested(1, ['1']), request: { ...request, manifest: made } })).toBe(
      'its event "intent" has request.manifest.commit, which is not text or null',
    );
  });

  it('is not an intent of a request without what is requested', () => {
    expect(edited({ ...requested(1, ['1']), request: undefined })).toBe('its event "intent" has no request');
    const [item] = [{ item: '1', fingerprint: 'f', inputs: {} }];
    const request = {
      post: 'hero',
      n: 1,
      concept: { id: 'k-1' },
      numberOfPosts: 1,
      items: [item],
      nextItem: 2,
    };
    expect(edited({ ...requested(1, ['1']), request })).toBe(
      'its event "intent" has no request.items[0].payload',
    );
  });

  it('is about a node that such an event can be about, with its take', () => {
    expect(like('created', { address: 'prodcut/tote' })).toBe(
      'its event "created" cannot be about prodcut/tote',
    );
    expect(like('downloaded', { address: 'media/hero/1@2' })).toBe(
      'its event "downloaded" cannot be about media/hero/1@2',
    );
    expect(like('seen', { address: 'media/hero/1' })).toBe(
      'its event "seen" is about media/hero/1, which lacks an @ and a number',
    );
    expect(like('seen', { address: 'media/hero/1@x' })).toBe(
      'its event "seen" is about media/hero/1@x, which lacks an @ and a number',
    );
    expect(like('created', { address: 'media-config/hero' })).toBe(
      'its event "created" is about media-config/hero, which lacks an @ and a number',
    );
    expect(like('created', { address: 'media/hero/1' })).toBe(
      'its event "created" cannot be about media/hero/1',
    );
    expect(edited({ ...about('media/hero/1@1', { type: 'resolved', decision: 'created' }) })).toBe(
      'its event "resolved" cannot be about media/hero/1@1',
    );
    expect(like('updated', { address: 'upload/1' })).toBe('its event "updated" cannot be about upload/1');
    expect(like('forgotten', { address: 'hero' })).toBe('its event "forgotten" cannot be about hero');
  });

  it.each([
    [{ result: 'x' }, 'object.result, which is not an object'],
    [{ versions: ['f1'] }, 'object.versions[0], which is not a list'],
    [{ versions: [['f1', {}], ['f2']] }, 'object.versions[1], which is not a pair'],
    [{ versions: [['f1', {}, {}]] }, 'object.versions[0], which is not a pair'],
    [{ versions: [['f1', 'x']] }, 'object.versions[0][1], which is not an object'],
  ])('keeps an object whole: not with %j', (change, lack) => {
    const object = { address: 'product/tote', status: 'done', ...MEANING, versions: [], at: AT };
    expect(edited({ type: 'kept', object, before: [object, null] })).toBeUndefined();
    expect(edited({ type: 'kept', object: { ...object, ...change } })).toBe(`its event "kept" has ${lack}`);
    expect(edited({ type: 'kept', object, before: [null, { ...object, ...change }] })).toBe(
      `its event "kept" has ${lack.replace('object.', 'before[1].')}`,
    );
  });

  it('keeps one node or run of a compacted log', () => {
    expect(edited({ type: 'kept' })).toBe(
      'its event "kept" has none of object, request, media, run and gone',
    );
    expect(edited({ type: 'kept', object: { address: 'product/tote' } })).toBe(
      'its event "kept" has no object.status',
    );
    expect(
      edited({ type: 'kept', media: { address: 'a', post: 'p', item: 'i', surplus: 1, takes: [] } }),
    ).toBe('its event "kept" has media.surplus, which is not true or false');
  });
});
