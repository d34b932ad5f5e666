import { momentShowing, type WallClock, wallClockOf } from '../../station/wallClock.ts';
import { DATE_ORDERS, type DateOrder } from './dateOrders.ts';
import { MONTH_NAMES } from './months.ts';
import { plainText } from './texts.ts';
import type { FileCell } from '../table.ts';

/** Result of reading a time. It is `unclear` if the date has several readings, between which `date_order` decides. */
export type ReadMoment = { ok: true; value: number } | { ok: false; why: 'unclear' | 'unreadable' };

type Day = { year: number; month: number; day: number };
type TimeOfDay = { hour: number; minute: number; second: number };

const END_OF_DAY: TimeOfDay = { hour: 23, minute: 59, second: 59 };

const OFFSET = String.raw`\s*(?<offset>Z|UTC|GMT|[+-]\d{2}:?\d{2})`;
/** Words before a time, and after it. A time without minutes needs one after it. */
const BEFORE_TIME = String.raw`(?:um|at|à|a las?|alle|ore|om|o|godz\.?)\s*`;
const HALF = String.raw`[ap]\.?\s?m\.?`;
const AFTER_TIME = String.raw`(?:uhr|uur|hrs?|h|godz\.?)`;
const TIME = String.raw`(?:[T,]?\s*(?:${BEFORE_TIME})?(?<hour>\d{1,2})(?:(?:[:.]|\s?h\s?)(?<minute>\d{2})(?:[:.](?<second>\d{2})(?:[.,]\d+)?)?|(?=\s*(?:${HALF}|${AFTER_TIME})))\s*(?<half>${HALF})?\s*${AFTER_TIME}?(?:${OFFSET})?)?`;
/** Days of the week in English, German, French, Spanish, Italian, Dutch and Polish, in full and short. */
const WEEKDAYS = `monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun
  montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag mo di mi do fr sa so
  lundi mardi mercredi jeudi vendredi samedi dimanche lun mar mer jeu ven sam dim
  lunes martes miércoles miercoles jueves viernes sábado sabado domingo mié mie jue vie sáb sab dom
  lunedì martedì mercoledì giovedì venerdì sabato domenica gio
  maandag dinsdag woensdag donderdag vrijdag zaterdag zondag ma wo vr za zo
  poniedziałek wtorek środa czwartek piątek sobota niedziela pon pn wt śr czw pt sob nd niedz`
  .split(/\s+/)
  .toSorted((a, b) => b.length - a.length)
  .join('|');
const DIGITS = new RegExp(
  String.raw`^(?:(?:am|on|le|el|il|op|dnia)\s)?(?:(?:${WEEKDAYS})\.?,?\s+)?(?<a>\d{1,4})(?<sign>[./-])(?<b>\d{1,2})\k<sign>(?<c>\d{1,4})\.?(?:\s*r\.)?${TIME}(?:\s*\((?:${WEEKDAYS})\.?\))?$`,
  'iu',
);
const NAMED = [
  new RegExp(
    String.raw`^(?:\p{L}+\.?,?\s+)?(?<month>\p{L}+)\.?[\s-]+(?<day>\d{1,2})(?:st|nd|rd|th)?,?[\s-]+(?<year>\d{4}|\d{2})${TIME}$`,
    'iu',
  ),
  new RegExp(
    String.raw`^(?:\p{L}+\.?,?\s+)?(?<day>\d{1,2})(?:er)?\.?(?:\s*de\s+|[\s-]*)(?<month>\p{L}+)\.?(?:\s*de\s+|[\s-]*)(?<year>\d{4}|\d{2})${TIME}$`,
    'iu',
  ),
];

/**
 * Creates a reader for due times. Times without a zone are local times of the shop; dates without a time mean the end of the day. If a
 * clock change skips or repeats a local time, the reader returns the later moment.
 */
export function createMomentReader(how: {
  timeZone: string;
  dateOrder: DateOrder | undefined;
}): (cell: FileCell) => ReadMoment {
  const wallClock = wallClockOf(how.timeZone);
  // Cached, because many rows have the same due time.
  const known = new Map<string, ReadMoment>();

  function read(text: string): ReadMoment {
    const digits = DIGITS.exec(text);
    const named = NAMED.map((form) => form.exec(text)).find((found) => found !== null);
    const groups = (digits ?? named)?.groups;
    if (groups === undefined) return { ok: false, why: 'unreadable' };
    const [day, ...others] = digits === null ? namedDays(groups) : daysOf(groups, how.dateOrder);
    const time = timeOf(groups);
    if (day === undefined || time === undefined) return { ok: false, why: 'unreadable' };
    if (others.length > 0) return { ok: false, why: 'unclear' };
    return { ok: true, value: momentOf(day, time, groups.offset, wallClock) };
  }

  return (cell) => {
    const text = plainText(cell);
    if (!text.ok || (typeof cell === 'object' && cell.kind !== 'date')) return { ok: false, why: 'unreadable' };
    const moment = known.get(text.value) ?? read(text.value);
    known.set(text.value, moment);
    return moment;
  };
}

type Groups = Readonly<Record<string, string | undefined>>;

function namedDays({ day = '', month = '', year = '' }: Groups): Day[] {
  return possible([{ year: fullYear(year), month: MONTH_NAMES.get(month.toLowerCase()) ?? 0, day: Number(day) }]);
}

/** Returns all distinct readings of a date written in digits. */
function daysOf({ a = '', b = '', c = '', sign = '' }: Groups, dateOrder: DateOrder | undefined): Day[] {
  const orders = possibleOrders({ a, c, sign }, dateOrder);
  const days = orders.map((order): Day => {
    const [day = '', month = '', year = ''] = { dmy: [a, b, c], mdy: [b, a, c], ymd: [c, b, a] }[order];
    return { year: fullYear(year), month: Number(month), day: Number(day) };
  });
  const byDay = new Map(possible(days).map((day) => [JSON.stringify(day), day]));
  return [...byDay.values()];
}

function possibleOrders(
  { a, c, sign }: { a: string; c: string; sign: string },
  dateOrder: DateOrder | undefined,
): readonly DateOrder[] {
  if (a.length === 4) return ['ymd'];
  if (a.length > 2 || c.length === 3) return [];
  // Dates with dots are always in the order day, month, year.
  if (sign === '.' && c.length === 4) return ['dmy'];
  if (dateOrder !== undefined && !(dateOrder === 'ymd' && c.length === 4)) return [dateOrder];
  if (sign === '.') return ['dmy'];
  return c.length < 4 && sign === '-' ? DATE_ORDERS : ['dmy', 'mdy'];
}

/** Removes days that do not exist or are not in the years 2000 to 2099. */
function possible(days: readonly Day[]): Day[] {
  return days.filter(({ year, month, day }) => {
    const date = new Date(Date.UTC(year, month - 1, day));
    return year >= 2000 && year <= 2099 && month >= 1 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  });
}

function fullYear(year: string): number {
  return year.length === 2 ? 2000 + Number(year) : Number(year);
}

/** Returns the time of day, or undefined if it is invalid. Without a time, returns the end of the day. */
function timeOf({ hour, minute = '0', second = '0', half }: Groups): TimeOfDay | undefined {
  if (hour === undefined) return END_OF_DAY;
  const said = Number(hour);
  if (half !== undefined && (said < 1 || said > 12)) return undefined;
  const inDay = half === undefined ? said : (said % 12) + (/^p/i.test(half) ? 12 : 0);
  const time = { hour: inDay, minute: Number(minute), second: Number(second) };
  return time.hour <= 23 && time.minute <= 59 && time.second <= 59 ? time : undefined;
}

function momentOf(
  { year, month, day }: Day,
  { hour, minute, second }: TimeOfDay,
  offset: string | undefined,
  wallClock: WallClock,
): number {
  const wall = Date.UTC(year, month - 1, day, hour, minute, second);
  if (offset === undefined) return momentShowing(wall, wallClock);
  const [, sign = '+', hours = '0', minutes = '0'] = /^([+-])(\d{2}):?(\d{2})$/.exec(offset) ?? [];
  const ahead = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return sign === '-' ? wall + ahead : wall - ahead;
}
