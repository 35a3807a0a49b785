import { describe, expect, it } from 'vitest';
import { dayIn, isTimeZone, timeZones } from '../../src/util/time-zone.ts';

const dayAt = (zone: string, time: string) => dayIn(zone, Date.parse(time));

describe('the day in a zone', () => {
  it.each([
    // The last and first minute of a day, in winter, in summer and in the nights of the change.
    ['Europe/Berlin', '2026-11-22T22:59:59.999Z', '2026-11-22'],
    ['Europe/Berlin', '2026-11-22T23:00:00Z', '2026-11-23'],
    ['Europe/Berlin', '2026-07-01T21:59:59Z', '2026-07-01'],
    ['Europe/Berlin', '2026-07-01T22:00:00Z', '2026-07-02'],
    ['Europe/Berlin', '2026-03-28T23:00:00Z', '2026-03-29'],
    ['Europe/Berlin', '2026-03-29T21:59:59Z', '2026-03-29'],
    ['Europe/Berlin', '2026-03-29T22:00:00Z', '2026-03-30'],
    ['Europe/Berlin', '2026-10-24T22:00:00Z', '2026-10-25'],
    ['Europe/Berlin', '2026-10-25T22:59:59Z', '2026-10-25'],
    ['America/New_York', '2026-03-08T04:59:59Z', '2026-03-07'],
    ['America/New_York', '2026-03-09T03:59:59Z', '2026-03-08'],
    ['America/New_York', '2027-01-01T04:59:59Z', '2026-12-31'],
    ['Pacific/Kiritimati', '2026-12-31T10:00:00Z', '2027-01-01'],
    ['Pacific/Apia', '2011-12-30T09:59:59Z', '2011-12-29'],
    // A day that this zone left out.
    ['Pacific/Apia', '2011-12-30T10:00:00Z', '2011-12-31'],
    ['Asia/Kathmandu', '2026-01-01T18:14:59Z', '2026-01-01'],
    ['UTC', '2026-11-22T23:59:59Z', '2026-11-22'],
  ])('%s at %s is %s', (zone, time, day) => {
    expect(dayAt(zone, time)).toBe(day);
  });
});

it('a zone has a name of the database', () => {
  const names = ['Europe/Berlin', 'europe/berlin', 'UTC', 'Etc/GMT+1', 'EST'];
  expect(names.map(isTimeZone)).toEqual(names.map(() => true));
  const none = ['', 'Berlin', 'Europe/Atlantis', '+01:00', 'UTC+1', '2026', 'Europe/Berlin '];
  expect(none.map(isTimeZone)).toEqual(none.map(() => false));
  expect(timeZones()).toContain('America/New_York');
});
