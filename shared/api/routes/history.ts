import type { z } from 'zod';
import type * as alert from '../alert.ts';
import type * as history from '../history.ts';
import type * as historyReport from '../historyReport.ts';
import type * as historySummary from '../historySummary.ts';
import { get, post, type Download } from './route.ts';

/** Query in which `kind` is sent as text: one kind, or several separated by commas. */
type Kinds<Query> = Omit<Query, 'kind'> & { kind?: string };

/** The history and alerts. */
export const HISTORY_ROUTES = {
  // History
  listHistory: get('/api/history/')<{ query: Kinds<history.HistoryQuery>; answer: history.HistoryEntry[] }>(),
  summarizeHistory: get('/api/history/summary/')<{
    query: Kinds<history.HistoryFilterQuery>;
    answer: historySummary.HistorySummary;
  }>(),
  exportHistory: get('/api/history/export/')<{
    query: Kinds<history.HistoryFilterQuery> & { format?: 'csv' | 'xlsx' };
    answer: Download;
  }>(),
  getTimeline: get('/api/history/commands/{command_id}/')<{ answer: history.Timeline }>(),
  listPickerFigures: get('/api/history/people/')<{
    query: historySummary.PeopleQuery;
    answer: historySummary.PickerFigures[];
  }>(),
  getHistoryReport: get('/api/history/report/')<{
    query: historyReport.ReportQuery;
    answer: historyReport.HistoryReport;
  }>(),
  exportHistoryReport: get('/api/history/report/export/')<{
    query: z.input<typeof historyReport.reportFileQuerySchema>;
    answer: Download;
  }>(),
  getOrderTimeline: get('/api/history/orders/{order_number}/')<{ answer: history.OrderTimeline }>(),
  getBatchTimeline: get('/api/history/batches/{id}/')<{ answer: history.BatchTimeline }>(),
  getDeliveryTimeline: get('/api/history/deliveries/{id}/')<{ answer: history.DeliveryTimeline }>(),
  // Alerts
  listAlerts: get('/api/alerts/')<{ query: alert.AlertQuery; answer: alert.Alert[] }>(),
  acknowledgeAlerts: post('/api/alerts/acknowledge/')<{ answer: z.output<typeof alert.seenResultSchema> }>(),
  acknowledgeAlert: post('/api/alerts/{id}/acknowledge/')<{ answer: alert.Alert }>(),
  endAlert: post('/api/alerts/{id}/end/')<{ answer: alert.Alert }>(),
  allowRefusedCaller: post('/api/alerts/{id}/allow/')<{ answer: alert.Alert }>(),
  neverAllowRefusedCaller: post('/api/alerts/{id}/never-allow/')<{ answer: alert.Alert }>(),
} as const;
