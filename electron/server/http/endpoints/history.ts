import { z } from 'zod';
import * as api from '#shared/api/history.ts';
import {
  historySummarySchema,
  type PeopleQuery,
  peopleQuerySchema,
  type PickerFigures,
  pickerFiguresSchema,
} from '#shared/api/historySummary.ts';
import type { HistorySearch, HistoryService, WorkTimelines } from '../../services/history/index.ts';
import { BYTE_ORDER_MARK, csvLines, harmless } from '#shared/lib/tables/cells/csv.ts';
import {
  type HistoryReport,
  historyReportSchema,
  reportFileQuerySchema,
  type ReportQuery,
  reportQuerySchema,
  type ReportTable,
} from '#shared/api/historyReport.ts';
import type { TableFiles, WrittenCell } from '../../services/tables/index.ts';
import { csvSeparatorFor } from '../bodies/csvSeparator.ts';
import { endpointsOf, idParams, pageBy, type Endpoint } from '../endpoint.ts';
import { goneSignal, sendCsv, untilGone } from '../bodies/longReads.ts';
import { workbook, WORKBOOK_TYPE } from './imports.ts';
import { batchParams } from './batches.ts';
import { orderParams } from './orders.ts';
import { DEVICE } from './examples.ts';

const define = endpointsOf('history');

const HISTORY_FILTER = {
  deviceid: DEVICE,
  command_id: '2',
  kind: 'acknowledged,timedOut',
  order_number: '4711',
  sequenceid: 'aisle-1',
  location: 'A-3-2',
  by: 'paula',
  from: '2026-11-19T00:00:00Z',
  to: '2026-11-21T00:00:00Z',
};

const CSV = 'text/csv';
const PERIOD = { from: '2026-11-19T00:00:00Z', to: '2026-11-21T00:00:00Z' };

type Parts = {
  history: HistoryService;
  workTimelines: WorkTimelines;
  search: HistorySearch;
  pickerFigures(query: PeopleQuery, signal: AbortSignal): Promise<PickerFigures[]>;
  report(query: ReportQuery, signal: AbortSignal): Promise<HistoryReport>;
  reportTable(
    table: ReportTable,
    query: ReportQuery,
    signal: AbortSignal,
  ): Promise<{ head: readonly string[]; rows: WrittenCell[][] }>;
  writeWorkbook: TableFiles['writeWorkbook'];
};

export const historyEndpoints = ({
  history,
  workTimelines,
  search,
  pickerFigures,
  report,
  reportTable,
  writeWorkbook,
}: Parts): Endpoint[] => [
  define('listHistory', 'read', 'List the history, newest first', {
    description:
      'Lists ended commands, late presses, presses on idle devices, replaced devices, and alerts. For open commands, see `commands` of a device. Entries are sorted by the time when the station received them. If a turbo was offline and reported a press later, its `at` is earlier than that of the entries next to it.',
    query: api.historyQuerySchema,
    page: pageBy('id'),
    parameterExamples: { ...HISTORY_FILTER, limit: 50, after: '1000' },
    answer: z.array(api.historyEntrySchema),
    handle: ({ query, res }) => untilGone(res, (signal) => search.list(query, signal)),
  }),
  define('summarizeHistory', 'read', 'Get statistics: picks per hour, time to acknowledge, timeouts', {
    description:
      'Divides the time from `from` to `to` into at most 62 buckets of minutes, hours, days or weeks. `from` defaults to the oldest entry, `to` to now. The median and the 95th percentile are accurate to 0.5%. A million entries take some seconds, because presses have priority.',
    query: api.historyFilterSchema,
    parameterExamples: HISTORY_FILTER,
    answer: historySummarySchema,
    handle: ({ query, res }) => untilGone(res, (signal) => search.summary(query, signal)),
  }),
  define('listPickerFigures', 'read', 'Get statistics per picker', {
    description:
      'Returns the lines, pieces, shorts and median time per line of each person who finished a line, most lines first.',
    query: peopleQuerySchema,
    parameterExamples: { from: '2026-11-19T00:00:00Z', to: '2026-11-21T00:00:00Z' },
    answer: z.array(pickerFiguresSchema),
    handle: ({ query, res }) => untilGone(res, (signal) => pickerFigures(query, signal)),
  }),
  define('getHistoryReport', 'read', 'Get a report: lines per person and day, shorts, slow places', {
    description:
      'Counts finished lines of orders. Medians require at least 20 lines. Days without lines are left out. Two years of history take some seconds, because presses have priority.',
    query: reportQuerySchema,
    parameterExamples: PERIOD,
    answer: historyReportSchema,
    handle: ({ query, res }) => untilGone(res, (signal) => report(query, signal)),
  }),
  define('exportHistoryReport', 'read', 'Export a table of the report as a file', {
    description:
      'Returns CSV or a workbook. CSV follows RFC 4180 and has a byte order mark. The separator is `;` if the language of the caller has a decimal comma, otherwise a comma.',
    query: reportFileQuerySchema,
    parameterExamples: { table: 'days', ...PERIOD, format: 'csv' },
    answer: { contentType: CSV },
    alternative: { contentType: WORKBOOK_TYPE },
    handle({ query: { table, format = 'csv', ...query }, caller, req, res }) {
      if (format === 'xlsx') {
        return workbook(res, `${table}.xlsx`, async (signal) => {
          const { head, rows } = await reportTable(table, query, signal);
          return writeWorkbook(table, head, rows);
        });
      }
      const separator = csvSeparatorFor(req, caller);
      res.vary('Accept-Language');
      const read = async function* parts() {
        const { head, rows } = await reportTable(table, query, goneSignal(res));
        yield BYTE_ORDER_MARK + csvLines([head], separator);
        yield csvLines(
          rows.map((cells) => cells.map((cell) => (typeof cell === 'string' ? harmless(cell) : (cell ?? '')))),
          separator,
        );
      };
      return sendCsv({ req, res }, `${table}.csv`, read());
    },
  }),
  define('exportHistory', 'read', 'Export the history as a file, newest first', {
    description:
      'Returns CSV or a workbook, with times in UTC. Accepts the filters of the list. CSV follows RFC 4180 and has a byte order mark; texts that a spreadsheet would run as a formula begin with an apostrophe. A workbook has at most 100,000 entries; a CSV file has no limit.',
    query: api.historyFilterSchema.extend({ format: z.enum(['csv', 'xlsx']).optional().describe('Default: csv.') }),
    parameterExamples: { ...HISTORY_FILTER, format: 'csv' },
    answer: { contentType: CSV },
    alternative: { contentType: WORKBOOK_TYPE },
    handle({ query: { format = 'csv', ...query }, req, res }) {
      if (format === 'csv') return sendCsv({ req, res }, 'history.csv', search.export(query, goneSignal(res)));
      return workbook(res, 'history.xlsx', async (signal) => {
        const { head, rows } = await search.table(query, signal);
        return writeWorkbook('History', head, rows);
      });
    },
  }),
  define('getTimeline', 'read', 'Get the timeline of a command, from the request to the delivery of its callback', {
    description: 'For open and ended commands, as far as recorded.',
    params: z.object({
      command_id: z.string().describe('The id from the response to the command.').meta({ example: '2' }),
    }),
    answer: api.timelineSchema,
    refusals: { 404: 'There was no such command.' },
    handle: ({ params }) => history.timeline(params.command_id),
  }),
  define(
    'getOrderTimeline',
    'read',
    'Get the timeline of an order, from its creation to the delivery of its callbacks',
    {
      description:
        'Returns launches, corrections and completion, when each item was shown and how it ended, and the deliveries of the callbacks of the order. The timeline of a deleted order is kept as long as history. If several orders had the same number, returns the timeline of the last one.',
      params: orderParams,
      answer: api.orderTimelineSchema,
      refusals: { 404: 'There was no such order.' },
      handle: ({ params }) => workTimelines.order(params.order_number),
    },
  ),
  define('getBatchTimeline', 'read', 'Get the timeline of a batch, from its loading to its end', {
    description:
      'Returns events of the orders while they were in the batch, what its lights showed and how they ended, and its launches, pauses and end. Callbacks are in the timelines of the orders.',
    params: batchParams,
    answer: api.batchTimelineSchema,
    refusals: { 404: 'There is no such batch.' },
    handle: ({ params }) => workTimelines.batch(params.id),
  }),
  define('getDeliveryTimeline', 'read', 'Get the timeline of a delivery, from the event to its last attempt', {
    description:
      'For a callback about a command, the timeline begins with the request; for other callbacks, with the event. `id` is the `webhook-id`.',
    params: idParams('delivery', 'msg_2b1f9a'),
    answer: api.deliveryTimelineSchema,
    refusals: { 404: 'There is no such delivery.' },
    handle: ({ params }) => workTimelines.delivery(params.id),
  }),
];
