const ISO =
  /^P(?:(\d+(?:\.\d+)?)W)?(?:(\d+(?:\.\d+)?)D)?(?:T(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?$/i;
const ISO_UNITS_MS = [604_800_000, 86_400_000, 3_600_000, 60_000, 1000];
const CLOCK = /^(?:(\d+) )?(?:(\d+):)?(\d+):(\d+(?:\.\d+)?)$/;
const CLOCK_UNITS_MS = [86_400_000, 3_600_000, 60_000, 1000];
const WORDS = /^(?:\d+(?:\.\d+)?\s*[a-z]+\.?(?:\s*(?:,|and)?\s*))+$/i;

/**
 * Milliseconds of an `estimated_duration`, whose format is not documented: seconds as a number or text, an ISO 8601
 * duration, `[days ]hh:mm:ss`, or words such as "2 minutes" and "1 min 30 s". Undefined where it is none of these.
 */
export function readDuration(value: string | number): number | undefined {
  const text = String(value)
    .trim()
    .replace(/^(?:~|about |approx\.? )\s*/i, '');
  if (/^\d+(?:\.\d+)?$/.test(text)) return finite(Number(text) * 1000);
  const iso = /\d/.test(text) ? ISO.exec(text) : null;
  if (iso) return sum(iso, ISO_UNITS_MS);
  const clock = CLOCK.exec(text);
  if (clock) return sum(clock, CLOCK_UNITS_MS);
  return text.length < 100 && WORDS.test(text) ? readWords(text) : undefined;
}

function readWords(text: string): number | undefined {
  let total = 0;
  for (const [, amount = '', unit = ''] of text.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)/gi)) {
    const ms = unitMs(unit.toLowerCase());
    if (ms === undefined) return undefined;
    total += Number(amount) * ms;
  }
  return finite(total);
}

function unitMs(unit: string): number | undefined {
  if (/^(?:ms|msecs?|millis(?:econds?)?|milliseconds?)$/.test(unit)) return 1;
  if (/^(?:s|secs?|seconds?)$/.test(unit)) return 1000;
  if (/^(?:m|mins?|minutes?)$/.test(unit)) return 60_000;
  if (/^(?:h|hrs?|hours?)$/.test(unit)) return 3_600_000;
  return /^(?:d|days?)$/.test(unit) ? 86_400_000 : undefined;
}

function sum(match: RegExpExecArray, units: readonly number[]): number | undefined {
  return finite(units.reduce((total, ms, index) => total + Number(match[index + 1] ?? 0) * ms, 0));
}

function finite(ms: number): number | undefined {
  return Number.isFinite(ms) ? ms : undefined;
}
