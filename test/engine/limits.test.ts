import { describe, expect, it } from 'vitest';
import { createLimits, type LimitSettings } from '../../src/engine/limits.ts';
import { createManualClock } from '../support/manual-clock.ts';

function setUp(settings: Partial<LimitSettings>) {
  const clock = createManualClock();
  const all = { total: 8, perKind: {}, mediaInFlight: 200, ...settings };
  return { clock, limits: createLimits({ settings: all, clock, random: () => 0.5 }) };
}

describe('createLimits', () => {
  it('leaves one slot free for polls and downloads', () => {
    const { limits } = setUp({ total: 3 });
    limits.started('upload');
    limits.started('product');
    expect([limits.opensAt('concept'), limits.opensAt('media')]).toEqual([Infinity, -Infinity]);
    limits.started('download');
    expect(limits.opensAt('media')).toBe(Infinity);
    limits.ended('upload', 'neither');
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

  it('lowers one kind alone when it is overloaded', () => {
    const { limits } = setUp({ total: 4 });
    limits.started('media');
    limits.ended('media', 'overloaded');
    limits.started('media');
    limits.started('media');
    expect([limits.opensAt('media'), limits.opensAt('upload')]).toEqual([Infinity, -Infinity]);
  });

  it('holds a whole kind, then lets it start one after the other until one succeeds', async () => {
    const { limits, clock } = setUp({ total: 5 });
    limits.started('media');
    limits.hold('media', 3000);
    limits.hold('media', 1000);
    expect([limits.opensAt('media'), limits.opensAt('upload')]).toEqual([3000, -Infinity]);
    limits.ended('media', 'succeeded');
    await clock.advance(3000);
    limits.started('media');
    expect(limits.opensAt('media')).toBe(3100);
    await clock.advance(100);
    limits.started('media');
    limits.ended('media', 'succeeded');
    expect(limits.opensAt('media')).toBe(-Infinity);
  });
});
