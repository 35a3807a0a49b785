/** Time zones are those of the IANA database that Node has; it knows all changes to summer time. */

/**
 * Offsets such as `+01:00` are no zones: newer versions of Node take them, older ones do not. The zone of posts that name
 * none is known without a format, which takes 8 ms to make the first time, and is asked for by each post.
 */
export function isTimeZone(name: string): boolean {
  return name === 'UTC' || (/^[A-Za-z]/.test(name) && formatOf(name) !== undefined);
}

export function timeZones(): readonly string[] {
  return Intl.supportedValuesOf('timeZone');
}

/** The calendar day, `2026-11-22`, that a moment has in a zone. `now` is in epoch milliseconds. */
export function dayIn(zone: string, now: number): string {
  const parts = formatOf(zone)?.formatToParts(now) ?? [];
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? '';
  return [part('year').padStart(4, '0'), part('month'), part('day')].join('-');
}

function formatOf(zone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    });
  } catch {
    return undefined;
  }
}
