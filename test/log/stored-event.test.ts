import { expect, it } from 'vitest';
import type { StateEvent } from '../../src/model/state-event.ts';
import { storedEvent } from '../../src/log/stored-event.ts';

const OF = { at: '2026-03-01T10:00:00.000Z', address: 'x/1' } as const;
const MEANT = { ...OF, inputs: { a: 1 }, fingerprint: 'f' } as const;
/** What an answer may bring along. */
const MORE = { api_key: 'canary', media_info: 'https://x/1?sig=1' };

/** An event whose result has more than its type says. */
function withMore(event: StateEvent, result: object): StateEvent {
  return { ...event, result: { ...result, ...MORE } } as StateEvent;
}

it.each<[StateEvent, object]>([
  [{ type: 'uploaded', ...MEANT, result: { url: 'https://x/1' } }, { url: 'https://x/1' }],
  [{ type: 'uploaded', ...MEANT, result: { url: 'https://x/1?sig=1' } }, {}],
  [{ type: 'uploaded', ...MEANT, result: {} }, {}],
  [{ type: 'updated', ...MEANT, result: { id: 'k' } }, { id: 'k' }],
  [
    { type: 'created', ...OF, result: { id: 'p', url: 'https://written/1?w=2' } },
    { id: 'p', url: 'https://written/1?w=2' },
  ],
  [
    { type: 'updated', ...MEANT, result: { id: 'p', name: 'Bär' } },
    { id: 'p', name: 'Bär' },
  ],
  [
    { type: 'created', ...OF, result: { id: 'c', concept: 'k', items: { a: { id: 'i' } } } },
    { id: 'c', concept: 'k', items: { a: { id: 'i' } } },
  ],
  [
    { type: 'listed', ...OF, result: { id: 'c', concept: 'k', items: { b: { id: 'j' } } } },
    { id: 'c', concept: 'k', items: { b: { id: 'j' } } },
  ],
  [
    {
      type: 'resolved',
      ...OF,
      decision: 'created',
      result: { id: 'c', concept: 'k', items: {}, surplus: ['2'] },
    },
    { id: 'c', concept: 'k', items: {}, surplus: ['2'] },
  ],
  [
    { type: 'generated', ...OF, result: { id: 'm', urls: ['https://u:p@x/1?sig=1#p', 'https://x/2'] } },
    { id: 'm', urls: ['https://x/1', 'https://x/2'] },
  ],
])('the log takes the stated members of a result alone: %j', (event, result) => {
  const given = withMore(event, 'result' in event && event.result ? event.result : {});
  expect(storedEvent(given)).toEqual({ ...event, result });
});

it('the log takes what a problem says, not how it is shown or how a command ends', () => {
  const problem = {
    summary: 's',
    detail: 'd',
    cause: 'disk',
    photos: ['a.jpg'],
    status: 503,
    retry_at: OF.at,
    source: '#/posts/a',
  } as const;
  const shown = { code: 'c', severity: 'warning', exit: 74, sourceLine: 'a: b' } as const;
  const given: StateEvent = { type: 'failed', ...OF, problem: { ...problem, ...shown } };
  expect(storedEvent(given)).toStrictEqual({ type: 'failed', ...OF, problem });
});

it.each<StateEvent>([
  { type: 'resolved', ...OF, decision: 'skipped' },
  { type: 'seen', ...OF },
  { type: 'downloaded', ...OF, result: { media: 'm', files: [] } },
])('what has no result of the service is as it was: %j', (event) => {
  expect(storedEvent(event)).toBe(event);
});
