/** Where the time of a run went: each moment belongs to one part, so that the parts add up to the run. Pure. */
import { durationText } from '../util/duration.ts';

/** In the order in which they claim a moment that several of them share. */
export const TIME_PARTS = ['sending', 'downloading', 'generating', 'waiting', 'other'] as const;
export type TimePart = (typeof TIME_PARTS)[number];

/** Milliseconds since the run began. */
export interface Stretch {
  readonly part: Exclude<TimePart, 'other'>;
  readonly begin: number;
  readonly end: number;
}

export interface PartOfTime {
  readonly part: TimePart;
  readonly ms: number;
}

/** What is in no stretch is `other`: reading photos, planning, closing. All parts, the longest first. */
export function partsOfTime(stretches: readonly Stretch[], ms: number): PartOfTime[] {
  const inside = (time: number) => Math.min(ms, Math.max(0, time));
  const changes = stretches.flatMap(({ part, begin, end }) => [
    { at: inside(begin), part, by: 1 },
    { at: inside(Math.max(begin, end)), part, by: -1 },
  ]);
  changes.sort((a, b) => a.at - b.at);
  const open = { sending: 0, downloading: 0, generating: 0, waiting: 0, other: 1 };
  const spent = { sending: 0, downloading: 0, generating: 0, waiting: 0, other: 0 };
  let before = 0;
  for (const { at, part, by } of [...changes, { at: ms, part: 'other' as const, by: 0 }]) {
    const owner = TIME_PARTS.find((each) => open[each] > 0) ?? 'other';
    spent[owner] += at - before;
    open[part] += by;
    before = at;
  }
  return TIME_PARTS.map((part) => ({ part, ms: spent[part] })).toSorted((a, b) => b.ms - a.ms);
}

export const PART_WORDS: Readonly<Record<TimePart, string>> = {
  sending: 'sending photos, products, concepts and requests',
  downloading: 'downloading',
  generating: 'waiting for the service to generate the posts',
  waiting: 'waiting to try again',
  other: 'reading, planning and everything else',
};

/** `Of 4 min 12 s, 3 min 1 s (72 %) went into waiting for the service to generate the posts, and 40 s (16 %) into …` */
export function timeSentence(parts: readonly PartOfTime[], ms: number): string {
  const told = parts.filter((part) => part.ms > 0 && part.ms >= ms * WORTH_TELLING).slice(0, 2);
  const words = told.map(
    (part, index) =>
      `${durationText(part.ms)} (${Math.round((part.ms / ms) * 100)} %) ${index ? 'into' : 'went into'} ${PART_WORDS[part.part]}`,
  );
  return words.length ? `Of ${durationText(ms)}, ${words.join(', and ')}.` : 'The run took no time.';
}

const WORTH_TELLING = 0.05;
