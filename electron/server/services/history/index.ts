import type { ReportQuery, ReportTable } from '#shared/api/historyReport.ts';
import type { PeopleQuery } from '#shared/api/historySummary.ts';
import type { CoreOf } from '../../core.ts';
import type { Orders } from '../orders/index.ts';
import { createWorkbookWriter } from '../tables/index.ts';
import { createHistory } from './history.ts';
import { listPickerFigures } from './people.ts';
import { readReport } from './report.ts';
import { reportRows } from './reportFile.ts';
import { createRetention } from './retention.ts';
import { createHistorySearch } from './search.ts';
import { createWorkTimelines } from './workTimelines.ts';

export type { HistoryService } from './history.ts';
export type { HistorySearch } from './search.ts';
export type { WorkTimelines } from './workTimelines.ts';

export function createHistoryGroup(
  core: CoreOf<'history'>,
  needs: {
    orders: Pick<Orders, 'forgetCustomers' | 'removeOldest'>;
    batches: { removeOldest(before: number): Promise<boolean> };
  },
) {
  const history = createHistory(core);
  const retention = createRetention({ ...core, ...needs });
  core.onStart(() => {
    core.onStop(() => retention.stop());
    retention.start();
  });
  const pickerFigures = (query: PeopleQuery, signal: AbortSignal) =>
    core.backgroundReads.takeAll(listPickerFigures(core.reads, query, signal));
  const report = (query: ReportQuery, signal: AbortSignal) =>
    core.backgroundReads.takeAll(
      readReport(core.reads, { ...query, now: core.clock.now(), timeZone: core.settings.current().time_zone }, signal),
    );
  return {
    pickerFigures,
    report,
    writeWorkbook: createWorkbookWriter(core.backgroundReads),
    /** Returns the header and rows of one table in a report. */
    reportTable: async (table: ReportTable, query: ReportQuery, signal: AbortSignal) =>
      reportRows(await report(query, signal), table),
    history,
    search: createHistorySearch(core),
    workTimelines: createWorkTimelines(core),
  };
}
