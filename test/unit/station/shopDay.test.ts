import { expect, test } from 'vitest';
import { shopDaysIn } from '../../../shared/lib/station/shopDay.ts';

// The setting `time_zone` decides which day it is in the shop.
const at = (text: string): number => Date.parse(text);
const iso = (moment: number): string => new Date(moment).toISOString();

test.each([
  ['Europe/Berlin', '2026-11-29T23:30:00Z', '2026-11-30', '2026-11-29T23:00:00.000Z'],
  ['America/Los_Angeles', '2026-11-30T06:00:00Z', '2026-11-29', '2026-11-29T08:00:00.000Z'],
  ['Pacific/Kiritimati', '2026-11-29T12:00:00Z', '2026-11-30', '2026-11-29T10:00:00.000Z'],
  ['Asia/Kathmandu', '2026-11-29T18:20:00Z', '2026-11-30', '2026-11-29T18:15:00.000Z'],
  // The clock goes forward and back, also at midnight.
  ['Europe/Berlin', '2026-03-29T20:00:00Z', '2026-03-29', '2026-03-28T23:00:00.000Z'],
  ['Europe/Berlin', '2026-10-25T22:30:00Z', '2026-10-25', '2026-10-24T22:00:00.000Z'],
  ['America/Havana', '2026-11-01T05:30:00Z', '2026-11-01', '2026-11-01T04:00:00.000Z'],
  ['Africa/Cairo', '2026-04-24T10:00:00Z', '2026-04-24', '2026-04-23T22:00:00.000Z'],
])('in %s, %s is on %s, which began at %s', (zone, moment, day, start) => {
  const days = shopDaysIn(zone);
  expect([days.dayOf(at(moment)), iso(days.startOfDay(at(moment)))]).toEqual([day, start]);
});

test('an hour ends with the clock of the shop', () => {
  expect(iso(shopDaysIn('Asia/Kathmandu').endOfHour(at('2026-11-29T18:20:30.500Z')))).toBe('2026-11-29T19:15:00.000Z');
  expect(iso(shopDaysIn('Europe/Berlin').endOfHour(at('2026-11-29T18:00:00Z')))).toBe('2026-11-29T19:00:00.000Z');
});
