import { z } from 'zod';
import { LARGEST_QUANTITY } from '../lib/requests/deviceFields.ts';
import { CONTROL_CHARACTER, hasControl, hasUnseen } from '../lib/text/text.ts';

/** Returns an object schema with a name in the OpenAPI document. */
export const named = <Shape extends z.core.$ZodShape>(id: string, shape: Shape) => z.object(shape).meta({ id });

/** Like `named`, with a description. */
export const described = <Shape extends z.core.$ZodShape>(id: string, description: string, shape: Shape) =>
  z.object(shape).meta({ id, description });

/** Refuses control and invisible characters in numbers, codes and place names, because people scan and type these. */
export const withoutControl = <Text extends z.ZodType<string>>(text: Text): Text =>
  text.refine((value) => !hasControl(value) && !hasUnseen(value), CONTROL_CHARACTER);
/** Refuses the names `.` and `..`, because they mean folders in a path. */
export const inPath = <Text extends z.ZodType<string>>(text: Text): Text =>
  text.refine((value) => !/^\.{1,2}$/.test(value), 'An address cannot contain . or .. as a name. Choose another one.');
/** A person's name. Refuses an empty name, which is a mistake, such as a variable without a value. */
export const personName = (max: number) =>
  z
    .string()
    .max(max)
    .refine((text) => text.trim() !== '', 'This is empty. Give the name of a person, or leave the field out.');

export const oneOf = z.enum;
export const textUpTo = (max: number) => z.string().max(max);
export const textOrNull = z.string().nullable();
export const whole = (min: number, max: number) => z.int().min(min).max(max);
/** A text. `message` is the error for other types; an `error` of the text itself would also replace the error for its length. */
export const textBut = (message: string) =>
  z.string({ error: ({ code }) => (code === 'invalid_type' ? message : undefined) });
export const intOrNull = z.int().nullable();
/** A time in ISO 8601. */
export const timestamp = z.iso.datetime();
export const timestampOrNull = timestamp.nullable();

/**
 * First and last time that an answer can contain, in epoch milliseconds. A time from a caller can be outside this range because of its
 * zone.
 */
const MOMENTS = { first: Date.parse('0000-01-01T00:00:00Z'), last: Date.parse('9999-12-31T23:59:59.999Z') };

/** ISO 8601 date, time and zone, extended or basic. Allows the zone name that Java appends. */
const MOMENT =
  /^(\d[\dW-]{6,9})[T ](?:(\d{2}):(\d{2})(?::(\d{2}(?:[.,]\d+)?))?|(\d{2})(\d{2})(?:(\d{2}(?:[.,]\d+)?))?) ?(?:(Z)|([+-]\d{2})(?::?(\d{2}))?)(?:\[[\w/+-]+\])?$/i;
const CALENDAR_DATE = /^(\d{4})(-?)(\d{2})\2(\d{2})$/;
const ORDINAL_DATE = /^(\d{4})-?(\d{3})$/;
const WEEK_DATE = /^(\d{4})(-?)W(\d{2})\2([1-7])$/i;
/** A time whose zone has a space instead of a +, as in an address that is not percent-encoded. */
const BLANK_ZONE = /(?:\d{2}:\d{2}|T\d{4})[\d:.,]* \d{2}(?::?\d{2})?$/i;
const NO_MOMENT = 'Give the time as ISO 8601 with its zone, such as 2026-11-20T08:00:00Z.';

/** Converts a time to the form that `z.iso.datetime` accepts. Returns other texts unchanged. */
function asMoment(text: string): string {
  const [, date = '', hour, minute, second, basicHour, basicMinute, basicSecond, utc, hours = '+00', minutes = '00'] =
    MOMENT.exec(text.trim()) ?? [];
  const day = calendarDay(date);
  if (day === undefined) return text;
  const time = `${hour ?? basicHour}:${minute ?? basicMinute}:${(second ?? basicSecond ?? '00').replace(',', '.')}`;
  return `${day}T${time}${utc === undefined ? `${hours}:${minutes}` : 'Z'}`;
}

/** Converts an ISO calendar, ordinal or week date to `YYYY-MM-DD`. Returns undefined if the day does not exist. */
function calendarDay(date: string): string | undefined {
  const [, year, , month, day] = CALENDAR_DATE.exec(date) ?? [];
  if (year !== undefined) return `${year}-${month}-${day}`;
  const [, yearOfDay, dayOfYear] = ORDINAL_DATE.exec(date) ?? [];
  if (yearOfDay !== undefined) {
    const found = dayAfter(`${yearOfDay}-01-01`, Number(dayOfYear) - 1);
    return found?.startsWith(yearOfDay) === true ? found : undefined;
  }
  const [, yearOfWeek, , week, weekday] = WEEK_DATE.exec(date) ?? [];
  if (yearOfWeek === undefined) return undefined;
  // Week 1 contains January 4, and a week belongs to the year of its Thursday.
  const fourth = new Date(`${yearOfWeek}-01-04T00:00:00Z`);
  const monday = (Number(week) - 1) * 7 - ((fourth.getUTCDay() + 6) % 7);
  const thursday = dayAfter(`${yearOfWeek}-01-04`, monday + 3);
  return thursday?.startsWith(yearOfWeek) === true
    ? dayAfter(`${yearOfWeek}-01-04`, monday + Number(weekday) - 1)
    : undefined;
}

function dayAfter(date: string, days: number): string | undefined {
  const at = Date.parse(`${date}T00:00:00Z`) + days * DAY_MS;
  return Number.isNaN(at) ? undefined : new Date(at).toISOString().slice(0, 10);
}

const DAY_MS = 86_400_000;

/** A time in ISO 8601. Requires a zone, because otherwise each reader would assume a different one. */
export const momentSchema = z
  .string({ error: NO_MOMENT })
  .overwrite(asMoment)
  .check(
    z.iso.datetime({
      offset: true,
      error: ({ input }) =>
        typeof input === 'string' && BLANK_ZONE.test(input)
          ? `${NO_MOMENT} In an address, + means a blank: write the + before the zone as %2B.`
          : NO_MOMENT,
    }),
  )
  .refine((text) => !(Date.parse(text) < MOMENTS.first || Date.parse(text) > MOMENTS.last), {
    error: 'Give a time in the years 0000 to 9999 UTC.',
  });

/** The parameter `after` of lists with numeric ids. */
export const afterId = (thing: string) =>
  z
    .string()
    .regex(/^\d{1,15}$/, `This is not the id of ${thing}.`)
    .optional()
    .describe('Last id of the previous page.');

/** Whether a person has checked a confirmation that may be old. */
export const lateField = z
  .boolean()
  .optional()
  .describe(
    'true: a person has checked since that this is right. The time of the confirmation can then be of any age.',
  );

/** Fields of a confirmation that a browser may send late, for example because it was offline. See the contract, section 16. */
export const waitedFields = {
  confirmed_at: momentSchema
    .optional()
    .describe('Time of the confirmation, if it was sent later. Refused with 409 `outdated` after more than an hour.'),
  seen: z
    .union([
      whole(0, LARGEST_QUANTITY),
      z.object({
        picked: whole(0, LARGEST_QUANTITY).describe('`quantity_fulfilled` as shown.'),
        asked: whole(0, LARGEST_QUANTITY).optional().describe('`ordered_quantity` as shown.'),
        place: textUpTo(200)
          .optional()
          .describe('`location` of the line as shown. Compared only for a line without a light.'),
      }),
    ])
    .optional()
    .describe(
      'What the page showed of the item at the confirmation: `quantity_fulfilled`, or an object with it (`picked`), its `ordered_quantity` (`asked`) and the `location` of its line (`place`). If one of them has changed since, the request is refused with 409 `outdated`.',
    ),
};

/** Warnings in an answer, for example about unknown fields of the request. */
export const warningsSchema = described('Warnings', 'Warnings about the request.', {
  warnings: z
    .array(z.string())
    .optional()
    .describe(
      'Possible mistakes, such as an unknown field that was ignored, with similar known names. Present only if there are any.',
    ),
});

/** An answer that has warnings about the request, if there are any. */
export type Warned<Answer> = Answer & z.infer<typeof warningsSchema>;

/** Idempotency key in the body of a request. See the contract, section 2. */
export const confirmationKey = textUpTo(200)
  .min(1)
  .optional()
  .describe(
    'Any text; replaces the header `Idempotency-Key`. Repeating the request with the same key within 24 hours has no further effect and returns the first answer.',
  );

const FLAGS = new Map(Object.entries<boolean>({ 1: true, true: true, 0: false, false: false }));

/** Reads a query parameter that is either on or off. Returns undefined for any other text. */
export const readFlag = (text: string): boolean | undefined => FLAGS.get(text);

/** Query parameter for the entries of a list that changed after a revision. `things` names the entries. */
export const afterRevision = (things: string) =>
  z.coerce
    .number()
    .int()
    .min(0)
    .optional()
    .describe(
      `Only ${things} that changed in commits after this revision, even if the station's clock was changed. Send the value of the header pickstation-revision of the previous list; if it had several pages, of its first page.`,
    );

/** Whether the value is an object. Checks with this condition also run if a field is invalid, so that one answer lists all errors. */
export function isObject({ value }: { value: unknown }): boolean {
  return typeof value === 'object' && value !== null;
}
