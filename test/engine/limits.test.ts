import { describe, expect, it } from 'vitest';
import { createLimits, type RequestLimits, type LimitSettings } from '../../src/engine/limits.ts';
import { createManualClock } from '../support/manual-clock.ts';

function setUp(settings: Partial<LimitSettings>) {
  const clock = createManualClock();
  const all = { total: 8, perKind: {}, mediaInFlight: 200, ...settings };
  return { clock, limits: createLimits({ settings: all, clock }) };
}

describe('createLimits', () => {
  it('leaves one slot free for polls and downloads', () => {
    const { limits } = setUp({ total: 3 });
    limits.started('upload');
    limits.started('product');
    expect([limits.opensAt('concept'), limits.opensAt('media')]).toEqual([Infinity, -Infinity]);
    limits.started('download');
    expect(limits.opensAt('media')).toBe(Infinity);
    limits.ended('upload', undefined, 100);
    expect(limits.opensAt('concept')).toBe(-Infinity);
  });

  it('reserves nothing when there is only one slot', () => {
    const { limits } = setUp({ total: 1 });
    expect(limits.opensAt('upload')).toBe(-Infinity);
    limits.started('upload');
    expect([limits.opensAt('upload'), limits.opensAt('media')]).toEqual([Infinity, Infinity]);
  });

  it('keeps to the limit of a kind', () => {
    const { limits } = setUp({ perKind: { 'media-config': 1 } });
    limits.started('media-config');
    expect([limits.opensAt('media-config'), limits.opensAt('upload')]).toEqual([Infinity, -Infinity]);
  });

  it('keeps to the requests per second', () => {
    const { limits } = setUp({ requestsPerSecond: 4 });
    limits.started('upload');
    expect(limits.opensAt('media')).toBe(250);
  });

  it('lowers the kind that is refused, as long as no other is', async () => {
    const { limits, clock } = setUp({ total: 8 });
    for (let second = 0; second < 3; second += 1) {
      limits.started('media');
      limits.ended('media', 'overloaded', 100);
      await clock.advance(1000);
    }
    expect([slots(limits, 'media'), slots(limits, 'download')]).toEqual([3, 8]);
  });

  it('lowers all together where several kinds are refused in turn', async () => {
    const { limits, clock } = setUp({ total: 8 });
    for (const kind of ['media', 'download', 'media', 'download'] as const) {
      limits.started(kind);
      limits.ended(kind, 'overloaded', 100);
      await clock.advance(1000);
    }
    expect(slots(limits, 'media')).toBe(3);
    limits.started('media');
    limits.started('media');
    limits.started('media');
    expect([limits.opensAt('upload'), limits.opensAt('download')]).toEqual([Infinity, Infinity]);
  });

  it('takes many refusals within a second for one', async () => {
    const { limits, clock } = setUp({ total: 8 });
    limits.started('download');
    limits.ended('download', 'overloaded', 100);
    for (let i = 0; i < 6; i += 1) {
      limits.started('media');
      limits.ended('media', 'overloaded', 100);
    }
    await clock.advance(1000);
    // 0.7 of 0.7 of 8 for downloads, as all came down and they did too.
    expect(slots(limits, 'download')).toBe(6);
  });

  it('holds a whole kind until the latest time that was asked for', () => {
    const { limits } = setUp({ total: 5 });
    limits.hold('media', 3000);
    limits.hold('media', 1000);
    expect([limits.opensAt('media'), limits.opensAt('upload')]).toEqual([3000, -Infinity]);
  });
});

/** How many of this kind could start now, beside none. */
function slots(limits: RequestLimits, kind: 'media' | 'download'): number {
  let started = 0;
  while (limits.opensAt(kind) < Infinity && started < 100) {
    limits.started(kind);
    started += 1;
  }
  for (let i = 0; i < started; i += 1) limits.ended(kind, undefined, 100);
  return started;
}
