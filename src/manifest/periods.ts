/** The periods of post plans with `every`. They are decided once for a plan: when its manifest is read. */
import type { Problems } from '../document/problems.ts';
import { periodOf } from '../model/period.ts';
import { memberOf, type SourceRef } from '../model/source.ts';
import { isTimeZone, timeZones } from '../util/time-zone.ts';
import { fillIn, hasExpression, mapStrings } from './expressions.ts';
import type { Post as PostEntry } from './generated/campaign-document.js';
import type { PlanPeriod } from './manifest.ts';

/** The calendar day of the plan in a time zone. */
export type Today = (zone: string) => string;

/** By the key of the post plan. */
export type Periods = ReadonlyMap<string, PlanPeriod>;

export function readPeriods(
  posts: Readonly<Record<string, PostEntry>>,
  { today, problems }: { readonly today: Today; readonly problems: Problems },
): Periods {
  return new Map(
    Object.entries(posts).flatMap(([post, { every, timezone }]) => {
      const source = `#/posts/${post}`;
      const zone = timezone ?? 'UTC';
      const isUsable = isSameForAll({ every, timezone }, source, problems) && isKnown(zone, source, problems);
      if (every === undefined && timezone !== undefined) {
        const detail =
          '`timezone` says where the periods of `every` begin, and this post has no `every`. Write `every: day`, `week` or `month`, or remove it.';
        problems.add({ code: 'missing-key', detail, source: memberOf(source, 'timezone'), part: 'key' });
      }
      if (every === undefined || !isUsable || problems.isExplained(memberOf(source, 'every'))) return [];
      return [[post, { post, every, timezone: zone, ...periodOf(every, today(zone)) }] as const];
    }),
  );
}

/** An entry with its period filled in. */
export function fillPeriod(entry: PostEntry, { name: period }: Pick<PlanPeriod, 'name'>): PostEntry {
  return mapStrings(entry, (text) =>
    fillIn(text, ({ context, name }) => (context === 'run' && name === 'period' ? period : undefined)),
  );
}

function isSameForAll(
  written: { readonly [name in 'every' | 'timezone']: string | undefined },
  source: SourceRef,
  problems: Problems,
): boolean {
  const open = Object.entries(written).filter(([, text]) => text !== undefined && hasExpression(text));
  for (const [name] of open) {
    const detail = `All posts of a post plan have the same periods, so \`${name}\` can depend on variables only. Write the value out, or make several post plans.`;
    problems.add({ code: 'invalid-expression', detail, source: memberOf(source, name) });
  }
  return open.length === 0;
}

function isKnown(zone: string, source: SourceRef, problems: Problems): boolean {
  if (isTimeZone(zone)) return true;
  const city = timeZones().find((name) => name.toLowerCase().endsWith(`/${zone.toLowerCase()}`));
  const hint =
    (city === undefined ? '' : ` Did you mean "${city}"?`) ||
    problems.didYouMean(zone, timeZones) ||
    ' Write a name of the IANA database, such as Europe/Berlin, America/New_York or UTC.';
  const detail = `There is no time zone "${zone}".${hint}`;
  problems.add({ code: 'unknown-timezone', detail, source: memberOf(source, 'timezone') });
  return false;
}
