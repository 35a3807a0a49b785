/**
 * What has to hold of every plan, whatever is edited, left, decided or interrupted. The oracle is written from the rules
 * alone; the worlds are random edits of a campaign, and nights of a feed.
 */
import { expect, it } from 'vitest';
import { IS_FULL } from '../sweep/stride.ts';
import { playCampaign, playFeed } from './world/nights.ts';

const FIRST = Number(process.env['SEED'] ?? 0);
const WORLDS = Number(process.env['WORLDS'] ?? (IS_FULL ? 10_000 : 200));
/** Of one test, so that each has its own time limit. */
const AT_ONCE = 1000;
const STARTS = Array.from({ length: Math.ceil(WORLDS / AT_ONCE) }, (_, n) => FIRST + n * AT_ONCE);

/** The shortest story first. */
function wrongOnes(play: (seed: number) => string[], from: number, share = 1): string[][] {
  const end = Math.min(from + AT_ONCE, FIRST + WORLDS);
  const worlds = Array.from({ length: Math.ceil((end - from) * share) }, (_, index) => play(from + index));
  return worlds.filter((each) => each.length).sort(([a = ''], [b = '']) => a.length - b.length);
}

it.each(STARTS)(
  'holds to the rules, whatever is edited, left, decided or interrupted: from world %i',
  (from) => {
    expect(wrongOnes(playCampaign, from)).toEqual([]);
  },
);

it.each(STARTS)('asks about nothing where products only leave and come: from feed %i', (from) => {
  expect(wrongOnes(playFeed, from, 1 / 4)).toEqual([]);
});
