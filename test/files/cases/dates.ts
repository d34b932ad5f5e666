import { A1, type FileCase } from './fileCase.ts';
import { PROGRAM_DATES } from './programs.ts';

/**
 * Creates a case for a due time. `read` is the time that the station reads in Europe/Berlin, or null if it leaves the due time out with a
 * note.
 */
const due = (title: string, text: string, read: string | null, more: Partial<FileCase> = {}): FileCase => ({
  title: `${title}: ${text}`,
  file: `Order;SKU;Qty;Due date\nA1;M8;2;${text}\n`,
  orders: [read === null ? A1 : { ...A1, due: read }],
  ...(read === null ? { notes: [2] } : {}),
  ...more,
});

/** Cases of due times, none of which causes a refusal. */
export const DATE_CASES: readonly FileCase[] = [
  due('ISO with an offset', '2026-11-28T14:30:00+02:00', '2026-11-28T14:30:00+02:00'),
  due('ISO in UTC', '2026-11-28T14:30:00Z', '2026-11-28T14:30:00+00:00'),
  due('ISO without a zone is shop time', '2026-11-28T14:30', '2026-11-28T14:30'),
  due('ISO with a blank', '2026-11-28 14:30:00', '2026-11-28T14:30'),
  due('a day lasts until its end', '2026-11-28', '2026-11-28'),
  due('month, day, year', 'Nov-26-26', '2026-11-26'),
  due('a day above twelve', '11/26/26', '2026-11-26'),
  due('a day above twelve', '26/11/2026', '2026-11-26'),
  due('points', '26.11.2026 14:30', '2026-11-26T14:30'),
  due('points', '3.4.2026', '2026-04-03'),
  due('English', 'November 26, 2026', '2026-11-26'),
  due('English', '26 Nov 2026', '2026-11-26'),
  due('German', '26. November 2026', '2026-11-26'),
  due('German', '5. März 2026', '2026-03-05'),
  due('French', '26 novembre 2026', '2026-11-26'),
  due('French', '3 août 2026', '2026-08-03'),
  due('Spanish', '26 de noviembre de 2026', '2026-11-26'),
  due('several days fit', '03/04/2026', null, { asks: 'date_order', says: /date_order/ }),
  due('the caller says the order', '03/04/2026', '2026-04-03', { given: { date_order: 'dmy' } }),
  due('the caller says the order', '03/04/2026', '2026-03-04', { given: { date_order: 'mdy' } }),
  due('both orders give the same day', '04/04/2026', '2026-04-04'),
  due('a day that the calendar lacks', '2026-02-30', null),
  due('words', 'soon', null),
  due('a time that the clock skips is the later one', '2026-03-29 02:30', '2026-03-29T03:30:00+02:00'),
  due('a time that the clock repeats is the later one', '2026-10-25 02:30', '2026-10-25T02:30:00+01:00'),
  ...PROGRAM_DATES.map(([text, means]) => due('of programs', text, means)),
  ...['ab 02.12.2026', 'Lot 02.12.2026', '02.12.2026 25 Uhr', '02.12.2026 14'].map((text) =>
    due('no date of a day', text, null),
  ),
];
