import { expect, it } from 'vitest';
import { createMediaClaims } from '../../src/engine/media-claims.ts';

it('admits what fits beside reserved and generating posts', () => {
  const claims = createMediaClaims(5);
  claims.reserve(2);
  claims.hold('media/a/1@1');
  expect([claims.fits(2), claims.fits(3)]).toEqual([true, false]);
  claims.unreserve(2);
  expect([claims.fits(4), claims.fits(5)]).toEqual([true, false]);
});

it('admits anything when nothing is being generated', () => {
  const claims = createMediaClaims(5);
  expect(claims.fits(50)).toBe(true);
  claims.hold('media/a/1@1');
  expect(claims.fits(50)).toBe(false);
  claims.release('media/a/1@1');
  expect(claims.fits(50)).toBe(true);
});

it('counts the posts of a request until each has ended', () => {
  const claims = createMediaClaims(5);
  claims.hold('media-config/a@1', 2);
  claims.release('media-config/a@1');
  expect([claims.fits(4), claims.fits(5)]).toEqual([true, false]);
  claims.release('media-config/a@1');
  claims.release('media-config/a@1');
  expect(claims.fits(50)).toBe(true);
});

it('never refuses a medium that is being generated already', () => {
  const claims = createMediaClaims(1);
  claims.hold('media/a/1@1');
  claims.hold('media/a/2@1');
  claims.hold('media/a/2@1');
  claims.release('media/a/1@1');
  claims.release('media/unheard-of@1');
  expect(claims.fits(1)).toBe(false);
});
