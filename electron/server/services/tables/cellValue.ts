import { type FileCell, NO_RESULT } from '#shared/lib/tables/table.ts';
import { PLAIN, type NumberFormat } from './numberFormats.ts';

/** Cell before it is interpreted. `value` is the stored value, if any, and `inline` is text that is stored in the cell itself. */
export type RawCell = {
  reference: string;
  type: string;
  style: number;
  value: string | undefined;
  inline: string;
  hasFormula: boolean;
};

/** Parts of the workbook to which cells refer. `isStale` is true if the program that wrote the file did not calculate its formulas. */
export type CellContext = {
  texts: readonly string[];
  formats: readonly NumberFormat[];
  is1904: boolean;
  isStale: boolean;
};

/** Number of significant digits that spreadsheets keep. */
const DIGITS = 15;
const TOO_LONG = 1e15;
const DAY_MS = 86_400_000;
/** Day 0 in each date system. Spreadsheets treat 1900 as a leap year, so the serial numbers of days before March 1900 are off by one. */
const EPOCH_1900 = Date.UTC(1899, 11, 30);
const EPOCH_1904 = Date.UTC(1904, 0, 1);
const FALSE_LEAP_DAY = 60;
const LAST_DAY = 2_958_466;

/** Reads a cell by its type, not as it is displayed. Returns undefined if the cell is empty. */
export function cellValue(raw: RawCell, context: CellContext): FileCell | undefined {
  const { type, value, reference } = raw;
  if (raw.hasFormula && (value === undefined || context.isStale || (value === '' && type !== 'str'))) {
    return fault(
      raw,
      `The formula in ${reference} has no stored result. Open the file in a spreadsheet program, save it, and send it again.`,
    );
  }
  if (type === 'inlineStr') return nonEmpty(readEscapes(raw.inline));
  if (value === undefined || value === '') return undefined;
  return (READERS.get(type) ?? readNumber)(value, raw, context);
}

type Reader = (value: string, raw: RawCell, context: CellContext) => FileCell | undefined;

const READERS = new Map(
  Object.entries<Reader>({
    s(value, raw, { texts }) {
      const text = texts[Number(value)];
      return text === undefined
        ? fault(raw, `${raw.reference} refers to a missing text. ${ENTER_AGAIN}`)
        : nonEmpty(text);
    },
    str: (value) => nonEmpty(readEscapes(value)),
    b: (value) => (value === '1' || value === 'true' ? 'TRUE' : 'FALSE'),
    e: (value, raw) =>
      fault(raw, `${raw.reference} shows the error ${value}. Correct the formula, or enter the value itself.`),
    d(value, raw) {
      const text = isoText(value);
      return text === undefined
        ? fault(raw, `${raw.reference} has an unreadable date. ${ENTER_AGAIN}`)
        : { kind: 'date', text };
    },
  }),
);

const ENTER_AGAIN = 'Enter the value again.';

function readNumber(value: string, raw: RawCell, { formats, is1904 }: CellContext): FileCell | undefined {
  const number = Number(value);
  if (value.trim() === '') return undefined;
  if (!Number.isFinite(number)) return fault(raw, `${raw.reference} has an unreadable number. ${ENTER_AGAIN}`);
  const format = formats[raw.style] ?? PLAIN;
  if (format.kind === 'date') return readDay(number, raw, format, is1904);
  if (Math.abs(number) >= TOO_LONG) {
    return fault(
      raw,
      `The number in ${raw.reference} has more than ${DIGITS} digits, which spreadsheets round. Format the cell as text, and enter it again.`,
    );
  }
  const rounded = Number(number.toPrecision(DIGITS));
  const text = inFull(rounded);
  const isPadded = Number.isInteger(rounded) && rounded >= 0;
  const padded = isPadded ? text.padStart(format.zeros, '0') : text;
  const code = format.prefix + withDecimals(padded, format.decimals);
  return {
    kind: 'number',
    value: rounded,
    text: padded,
    ...(format.unit === '' ? {} : { unit: format.unit }),
    ...(code === padded ? {} : { code }),
  };
}

/** Adds zeros to the decimals of a number that has some. Formats often show whole numbers with decimals that mean nothing. */
function withDecimals(text: string, decimals: number): string {
  const [, whole = '', fraction] = /^(-?\d+)\.(\d+)$/.exec(text) ?? [];
  return fraction === undefined ? text : `${whole}.${fraction.padEnd(decimals, '0')}`;
}

/** Formats a number without an exponent. */
function inFull(number: number): string {
  const text = String(number);
  const [, sign = '', whole = '', fraction = '', exponent = ''] = /^(-?)(\d+)(?:\.(\d+))?e-(\d+)$/.exec(text) ?? [];
  if (exponent === '') return text;
  return `${sign}0.${'0'.repeat(Number(exponent) - whole.length)}${whole}${fraction}`;
}

function readDay(number: number, raw: RawCell, { hasDay }: { hasDay: boolean }, is1904: boolean): FileCell {
  const seconds = Math.round(number * 86_400);
  if (number >= 0 && number < 1 && !hasDay) return timeText(seconds * 1_000);
  const isBeforeLeapDay = !is1904 && number < FALSE_LEAP_DAY + 1;
  const shift = isBeforeLeapDay && number < FALSE_LEAP_DAY ? DAY_MS : 0;
  const isNoDay = number < (is1904 ? 0 : 1) || number >= LAST_DAY || (isBeforeLeapDay && number >= FALSE_LEAP_DAY);
  if (isNoDay) return fault(raw, `The number in ${raw.reference} is not a date, but formatted as one. ${ENTER_AGAIN}`);
  const moment = new Date((is1904 ? EPOCH_1904 : EPOCH_1900) + shift + seconds * 1_000);
  const [day = ''] = moment.toISOString().split('T', 1);
  const isWholeDay = seconds % 86_400 === 0;
  return { kind: 'date', text: isWholeDay ? day : `${day}T${timeText(moment.getTime())}` };
}

/** Formats a time as `14:30`, or as `14:30:05` if the seconds are not 0. */
function timeText(ms: number): string {
  const time = new Date(ms).toISOString().slice(11, 19);
  return time.endsWith(':00') ? time.slice(0, 5) : time;
}

/** Formats an ISO date without its time zone. Returns undefined if the text is not a date. */
function isoText(value: string): string | undefined {
  const [, day, hours, minutes, seconds = '00'] =
    /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?Z?)?$/.exec(value) ?? [];
  if (day === undefined || Number.isNaN(Date.parse(day))) return undefined;
  if (hours === undefined || (hours === '00' && minutes === '00' && seconds === '00')) return day;
  return `${day}T${hours}:${minutes ?? '00'}${seconds === '00' ? '' : `:${seconds}`}`;
}

function nonEmpty(text: string): string | undefined {
  return text === '' ? undefined : text;
}

function fault(raw: RawCell, message: string): FileCell {
  const text = raw.value ?? raw.inline;
  return { kind: 'fault', text: text.trim() === '' ? NO_RESULT : text, message };
}

/** Decodes escaped characters that XML cannot contain, such as `_x000D_`. */
export function readEscapes(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replaceAll(/_x([0-9a-f]{4})_/gi, (_all, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
}
