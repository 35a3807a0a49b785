import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StateEvent } from '../../src/model/state-event.ts';
import { emptyState, fold } from '../../src/log/fold.ts';
import {
  createdRequest,
  folded,
  intent,
  plain,
  PROBLEM,
  requested,
  timed,
  type Happening,
} from './fold-events.ts';
import { bytesOf, linesOf, readBytes } from '../store/file/sample-log.ts';

const objects = fc.constantFrom('product/a', 'product/b', 'concept/a');
const requests = fc.constantFrom('media-config/hero@1', 'media-config/hero@2');
const takes = fc.constantFrom('media/hero/1@1', 'media/hero/2@2', 'media/banner/1@1');

/** Any events in any order: a log of ours is more orderly, but the fold must not depend on that. */
const happening: fc.Arbitrary<Happening> = fc.oneof(
  objects.map((address) => intent(address)),
  fc.constantFrom(requested(1, ['1', '2']), requested(2, ['2'])),
  fc.constantFrom(createdRequest(1), createdRequest(2, ['10'])),
  objects.map((address): Happening => ({ type: 'created', address, result: { id: 'x' } })),
  fc
    .tuple(fc.constantFrom('rejected', 'not-sent', 'throttled', 'failed'), fc.oneof(objects, requests))
    .map(([type, address]): Happening => ({ type, address, problem: PROBLEM })),
  fc
    .tuple(fc.constantFrom('not-created', 'skipped'), fc.oneof(objects, requests, takes))
    .map(([decision, address]): Happening => ({ type: 'resolved', address, decision })),
  takes.map((address): Happening => ({ type: 'generated', address, result: { id: 'm', urls: [] } })),
  fc.constantFrom<Happening>(
    { type: 'moved', from: 'product/a', to: 'product/b' },
    { type: 'moved', from: 'media/hero/1', to: 'media/banner/1' },
    { type: 'learned', name: 'media_path', value: '/media/{config.id}' },
  ),
);

function foldAll(events: readonly StateEvent[], state = emptyState()) {
  for (const event of events) fold(state, event);
  return state;
}

describe('fold', () => {
  it('starts from nothing', () => {
    const spending = { open: [], carried: [], command: '' };
    const maps = { objects: [], requests: [], media: [], learned: [], gone: [], before: [] };
    expect(plain(emptyState())).toEqual({ ...maps, spending });
  });

  it('keeps the last value of what was learned', () => {
    const learned = (value: string): Happening => ({ type: 'learned', name: 'media_path', value });
    expect([...folded(learned('a'), learned('b')).learned]).toEqual([['media_path', 'b']]);
  });

  it('passes over runs and over addresses that it does not know', () => {
    const started: Happening = { type: 'run-started', command: 'apply', version: '1', manifest: 'm.yaml' };
    const { spending: _, ...rest } = plain(folded(started, intent('nothing'))) as Record<string, unknown>;
    expect(rest).toEqual({ objects: [], requests: [], media: [], learned: [], gone: [], before: [] });
  });

  it('gives the same however a log is cut, written down and read again', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { maxLength: 20 }), async (happenings) => {
        const events = timed(...happenings);
        const whole = plain(foldAll(events));
        const { records } = await readBytes(bytesOf(linesOf(events)));
        const read = records.map(({ event }) => event);
        for (let cut = 0; cut <= events.length; cut++) {
          const state = foldAll(read.slice(cut), foldAll(read.slice(0, cut)));
          expect(plain(state)).toEqual(whole);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('never changes what was taken out of a state', () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 20 }), (happenings) => {
        const state = emptyState();
        for (const event of timed(...happenings)) {
          const taken = { ...state, objects: new Map(state.objects), media: new Map(state.media) };
          const { requests, learned, before, spending } = emptyState();
          const values = () => plain({ ...taken, requests, learned, before, spending });
          const copy = values();
          fold(state, event);
          expect(values()).toEqual(copy);
        }
      }),
    );
  });

  it('never has an item without a take, nor an item at another address than its own', () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 30 }), (happenings) => {
        for (const [address, media] of folded(...happenings).media) {
          expect(media.takes.length).toBeGreaterThan(0);
          expect(media.address).toBe(address);
          expect(`media/${media.post}/${media.item}`).toBe(address);
        }
      }),
    );
  });
});
