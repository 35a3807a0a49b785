import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StateEvent } from '../../src/model/state-event.ts';
import { emptyState, fold } from '../../src/log/fold.ts';
import { folded, intent, plain, timed, type Happening } from './fold-events.ts';
import { bytesOf, linesOf, readBytes } from '../store/file/sample-log.ts';
import { happening } from './any-happening.ts';

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
    const started: Happening = {
      type: 'run-started',
      command: 'apply',
      version: '1',
      manifest: 'm.yaml',
      by: 'anna@studio',
    };
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
