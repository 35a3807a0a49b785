/**
 * A period of a post plan with `every`: `2026-11-22`, `2026-w47` (the ISO week, with its ISO year) or `2026-11`. It is
 * the last part of the instance: `hero/2026-w47`, `grid/morning+tote+2026-w47`. Days are calendar days (`2026-11-22`)
 * of whatever time zone they were told in.
 */
export type Every = 'day' | 'week' | 'month';

export interface Period {
  readonly name: string;
  /** The day that it was made for. */
  readonly day: string;
}

const DAY_MS = 86_400_000;

const FORMS: Readonly<Record<Every, RegExp>> = {
  day: /^\d{4}-\d{2}-\d{2}$/,
  week: /^\d{4}-w\d{2}$/,
  month: /^\d{4}-\d{2}$/,
};

export function periodOf(every: Every, day: string): Period {
  const name = { day: () => day, week: () => weekOf(day), month: () => day.slice(0, 'yyyy-mm'.length) }[
    every
  ]();
  return { name, day };
}

/** The length of the periods whose names look like this; undefined for other texts. */
export function everyOf(name: string): Every | undefined {
  return (['day', 'week', 'month'] as const).find((every) => FORMS[every].test(name));
}

export function hasDay(name: string, day: string): boolean {
  const every = everyOf(name);
  return every !== undefined && periodOf(every, day).name === name;
}

export function firstDayOf(name: string): string {
  if (FORMS.month.test(name)) return `${name}-01`;
  if (!FORMS.week.test(name)) return name;
  const [year = '', week = ''] = name.split('-w');
  // The fourth of January is always in the first week.
  const first = mondayOf(Date.parse(`${year}-01-04`));
  return dayOf(first + (Number(week) - 1) * 7 * DAY_MS);
}

/** Whether a text is a day that the calendar has: `2026-02-29` is none. */
export function isDay(text: string): boolean {
  if (!FORMS.day.test(text)) return false;
  const ms = Date.parse(text);
  return !Number.isNaN(ms) && dayOf(ms) === text;
}

/** `base` is `<post>[/<instance>]` without a period, here and below. */
export function withPeriod(base: string, period: string | undefined): string {
  if (period === undefined) return base;
  return `${base}${base.includes('/') ? '+' : '/'}${period}`;
}

export function withoutPeriod(path: string, period: string | undefined): string {
  return period === undefined ? path : path.slice(0, -1 - period.length);
}

/** A week belongs to the year that has its Thursday. */
function weekOf(day: string): string {
  const thursday = mondayOf(Date.parse(day)) + 3 * DAY_MS;
  const year = new Date(thursday).getUTCFullYear();
  const week = 1 + Math.floor((thursday - Date.UTC(year, 0, 1)) / (7 * DAY_MS));
  return `${year}-w${String(week).padStart(2, '0')}`;
}

function mondayOf(ms: number): number {
  const daysSince = (new Date(ms).getUTCDay() + 6) % 7;
  return ms - daysSince * DAY_MS;
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 'yyyy-mm-dd'.length);
}
