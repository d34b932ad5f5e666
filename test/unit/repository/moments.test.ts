import { expect, test } from 'vitest';
import { momentSchema } from '#shared/api/fields.ts';

// Contract, section 2: any ISO 8601 form with a zone.
test.each([
  '2026-11-20T08:30:00Z',
  '2026-11-20T08:30:00.000z',
  '2026-11-20t08:30Z',
  '2026-11-20 08:30:00Z',
  '2026-11-20T09:30:00+01:00',
  '2026-11-20T09:30:00+0100',
  '2026-11-20T09:30:00,0+01',
  '2026-11-20 09:30:00 +0100',
  '2026-11-20T03:00:00.0000000-05:30',
  ' 2026-11-20T09:30+01:00 ',
  '20261120T083000Z',
  '20261120T0830Z',
  '20261120T093000.0+0100',
  '20261120 093000,0 +01:00',
  '2026-11-20T083000Z',
  '2026-324T08:30:00Z',
  '2026324T083000Z',
  '2026-W47-5T08:30:00Z',
  '2026W475T0830Z',
  '2026-11-20T09:30:00+01:00[Europe/Berlin]',
])('reads %s', (text) => {
  expect(Date.parse(momentSchema.parse(text))).toBe(Date.parse('2026-11-20T08:30:00Z'));
});

test('reads ordinal dates and week dates at year boundaries', () => {
  for (const [text, day] of [
    ['2024-366T00:00Z', '2024-12-31'],
    ['2020-W53-7T00:00Z', '2021-01-03'],
    ['2026-W01-1T00:00Z', '2025-12-29'],
    ['0000-001T00:00Z', '0000-01-01'],
  ] as const) {
    expect(momentSchema.parse(text), text).toBe(`${day}T00:00:00Z`);
  }
});

test.each([
  '2026-11-20',
  '2026-11-20T08:30:00',
  '20261120T083000',
  '20261120',
  '2026-1120T08:30Z',
  '20261120T0830[Europe/Berlin]',
  '2026-366T08:30Z',
  '2026-000T08:30Z',
  '2025-W53-1T08:30Z',
  '2026-W00-1T08:30Z',
  '2026-W47-8T08:30Z',
  '2026-W47T08:30Z',
  '20261120T253000Z',
  '20.11.2026 08:30',
  '1764150000',
  '2026-02-30T08:30:00Z',
  '20260230T0830Z',
  '',
])('refuses %s and asks for a zone', (text) => {
  expect(() => momentSchema.parse(text)).toThrow(/as ISO 8601 with its zone, such as 2026-11-20T08:00:00Z\."/);
});

test.each(['2026-11-20T09:30:00 01:00', '2026-11-20T09:30:00.123 0100', '2026-11-20 09:30 01', '20261120T093000 0100'])(
  'explains that the space in %s was a +',
  (text) => {
    expect(() => momentSchema.parse(text)).toThrow('write the + before the zone as %2B');
  },
);
