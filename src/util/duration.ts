const UNITS: readonly (readonly [name: RegExp, ms: number])[] = [
  [/^(?:ms|msecs?|millis(?:econds?)?|milliseconds?)$/, 1],
  [/^(?:s|secs?|seconds?)$/, 1000],
  [/^(?:m|mins?|minutes?)$/, 60_000],
  [/^(?:h|hrs?|hours?)$/, 3_600_000],
  [/^(?:d|days?)$/, 86_400_000],
];

const STRICT = /^(?:\d+(?:\.\d+)?(?:ms|[smhd]))+$/;
const WORDS = /^(?:\d+(?:\.\d+)?\s*[a-z]+\.?(?:\s*(?:,|and)?\s*))+$/i;
const ISO =
  /^P(?=.*\d)(?:(\d+(?:\.\d+)?)W)?(?:(\d+(?:\.\d+)?)D)?(?:T(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?$/i;
const CLOCK = /^(?:(\d+) )?(?:(\d+):)?(\d+):(\d+(?:\.\d+)?)$/;

/** What the groups of a form count, in milliseconds. */
const FORMS: readonly (readonly [form: RegExp, units: readonly number[]])[] = [
  [/^(\d+(?:\.\d+)?)$/, [1000]],
  [ISO, [604_800_000, 86_400_000, 3_600_000, 60_000, 1000]],
  [CLOCK, [86_400_000, 3_600_000, 60_000, 1000]],
];

/** Milliseconds of `90s`, `30m` or `1h30m`; undefined when it is no duration, or too long for a number. */
export function parseDuration(text: string): number | undefined {
  const total = STRICT.test(text) ? sumOfWords(text) : undefined;
  return total === undefined || total > Number.MAX_SAFE_INTEGER ? undefined : total;
}

/**
 * Milliseconds of a duration whose format is not documented: seconds as a number or text, an ISO 8601 duration,
 * `[days ]hh:mm:ss`, or words such as "2 minutes" and "1 min 30 s". Undefined where it is none of these.
 */
export function guessDuration(value: string | number): number | undefined {
  const text = String(value)
    .trim()
    .replace(/^(?:~|about |approx\.? )\s*/i, '');
  for (const [form, units] of FORMS) {
    const parts = form.exec(text)?.slice(1);
    if (parts)
      return finite(parts.reduce((total, part, index) => total + Number(part ?? 0) * (units[index] ?? 0), 0));
  }
  return text.length < 100 && WORDS.test(text) ? sumOfWords(text) : undefined;
}

function sumOfWords(text: string): number | undefined {
  let total = 0;
  for (const [, amount, word = ''] of text.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)/gi)) {
    const unit = UNITS.find(([name]) => name.test(word.toLowerCase()));
    if (!unit) return undefined;
    total += Number(amount) * unit[1];
  }
  return finite(total);
}

function finite(ms: number): number | undefined {
  return Number.isFinite(ms) ? ms : undefined;
}

/** Milliseconds as `0.4 s`, `12 s`, `3 min 20 s`. */
export function durationText(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
