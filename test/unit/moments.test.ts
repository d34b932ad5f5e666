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
])('reads %s', (text) => {
  expect(Date.parse(momentSchema.parse(text))).toBe(Date.parse('2026-11-20T08:30:00Z'));
});

test.each(['2026-11-20', '2026-11-20T08:30:00', '20.11.2026 08:30', '1764150000', '2026-02-30T08:30:00Z', ''])(
  'refuses %s and asks for a zone',
  (text) => {
    expect(() => momentSchema.parse(text)).toThrow(/as ISO 8601 with its zone, such as 2026-11-20T08:00:00Z\."/);
  },
);

test.each(['2026-11-20T09:30:00 01:00', '2026-11-20T09:30:00.123 0100', '2026-11-20 09:30 01'])(
  'explains the blank in %s, which was a +',
  (text) => {
    expect(() => momentSchema.parse(text)).toThrow('write the + before the zone as %2B');
  },
);
