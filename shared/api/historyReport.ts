import { z } from 'zod';
import { momentSchema, named, oneOf, timestamp } from './fields.ts';

const count = z.int().min(0);

export const reportQuerySchema = z.object({
  from: momentSchema.optional().describe('Only lines finished at or after this time. Defaults to all.'),
  to: momentSchema.optional().describe('Only lines finished before this time. Defaults to now.'),
});
export type ReportQuery = z.infer<typeof reportQuerySchema>;

/** The tables of a report. Each can be exported as a file. */
export const REPORT_TABLES = ['days', 'shorts', 'places'] as const;
export type ReportTable = (typeof REPORT_TABLES)[number];

export const reportFileQuerySchema = reportQuerySchema.extend({
  table: oneOf(REPORT_TABLES).describe(
    'days: lines per person and day. shorts: shorts by article and reason. places: the time from light to press of each place.',
  ),
  format: z.enum(['csv', 'xlsx']).optional().describe('Defaults to csv.'),
});

const work = {
  lines: count.describe('Number of finished lines, including shorts.'),
  units: z.int().describe('Number of pieces picked.'),
  shorts: count.describe('Number of lines closed with less than ordered.'),
};
const PICKER = 'Name of the picker; empty for lines without a picker.';

export const reportPersonSchema = named('ReportPerson', {
  picker: z.string().describe(PICKER),
  ...work,
  median_seconds: z
    .number()
    .nullable()
    .describe(
      'Median time from one line to the next in seconds, excluding breaks of more than 15 minutes. Null for fewer than 20 lines.',
    ),
});

export const reportDaySchema = named('ReportDay', {
  day: z.string().describe("Date such as `2026-11-20`, in the station's time zone."),
  people: z.array(z.object({ picker: z.string().describe(PICKER), ...work })).describe('Most lines first.'),
});

export const reportShortSchema = named('ReportShort', {
  sku: z.string().describe('Empty if not given.'),
  name: z.string().describe('The name, otherwise the UPC; empty if not given.'),
  lines: count.describe('Number of short lines of the article.'),
  reasons: z
    .array(
      z.object({
        reason: z.string().describe('Empty if not given.'),
        lines: count.describe('Number of lines with this reason.'),
      }),
    )
    .describe('Most lines first.'),
});
export type ReportShort = z.infer<typeof reportShortSchema>;

export const reportPlaceSchema = named('ReportPlace', {
  place: z.string().describe('The alias through which the place was lit, otherwise the label or DeviceID.'),
  lines: count.describe('Number of presses for lines at the place.'),
  median_seconds: z.number().describe('Median time from light to press in seconds.'),
});

/** Figures for the owner: who picked how much, what was short, and where picking is slow. */
export const historyReportSchema = named('HistoryReport', {
  from: timestamp,
  to: timestamp,
  lines: work.lines,
  units: work.units,
  short_lines: work.shorts,
  pressed: count.describe('Number of lines whose time from light to press is known.'),
  median_seconds: z
    .number()
    .nullable()
    .describe('Median time from light to press in seconds. Null for fewer than 20 lines.'),
  people: z.array(reportPersonSchema).describe('Most lines first.'),
  days: z.array(reportDaySchema).describe('Newest first. Days without lines are left out.'),
  shorts: z.array(reportShortSchema).describe('Most lines first.'),
  places: z.array(reportPlaceSchema).describe('Slowest first; only places with at least 20 presses.'),
  places_with_few: count.describe('Number of places with fewer presses, which are too few for a figure.'),
});
export type HistoryReport = z.infer<typeof historyReportSchema>;
