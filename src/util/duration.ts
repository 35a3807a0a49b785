const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Milliseconds of `90s`, `30m` or `1h30m`; undefined when it is none. */
export function parseDuration(text: string): number | undefined {
  if (!/^(?:\d+(?:ms|[smhd]))+$/.test(text)) return undefined;
  let total = 0;
  for (const [, count, unit = ''] of text.matchAll(/(\d+)(ms|[smhd])/g)) {
    total += Number(count) * (UNIT_MS[unit] ?? 0);
  }
  return Number.isSafeInteger(total) ? total : undefined;
}
