import { createAlarm } from '../../scheduling/alarm.ts';
import type { CoreOf } from '../../core.ts';
import type { BatchRow } from '../../db/repositories/batches.ts';
import type { Transaction } from '../../db/writer.ts';
import { inHandOf, isLaunched, openOf } from '../../domain/batches/shares.ts';
import type { AlertRecords } from '../alerts/index.ts';

const MINUTE_MS = 60_000;
/** Maximum timer delay: one day, because timers are limited to about 24 days. */
const LONGEST_MS = 24 * 60 * MINUTE_MS;
const KIND = 'batch_attention';

export type BatchAlerts = Pick<AlertRecords, 'findOpen' | 'raise' | 'end'>;

/** Ends the alert of a batch because somebody worked on the batch, and returns the batch's row with the current time as `workedAt`. */
export function worked(alerts: BatchAlerts, tx: Transaction, row: BatchRow): BatchRow {
  if (row.isStalled === 1) {
    const open = alerts.findOpen(KIND, String(row.id));
    if (open !== undefined) alerts.end(tx, open);
  }
  return { ...row, workedAt: tx.now, isStalled: 0 };
}

/**
 * Marks launched batches that have been idle for `order_stalled_minutes`, and raises one alert for each. A restart of the station restarts
 * the idle time.
 */
export function createBatchStalls(
  core: Pick<CoreOf<'batches'>, 'bus' | 'clock' | 'log' | 'reads' | 'repositories' | 'settings' | 'writer'>,
  { alerts }: { alerts: BatchAlerts },
) {
  const { bus, clock, log, reads, repositories, settings, writer } = core;
  const alarm = createAlarm(clock, look);
  let unsubscribe: (() => void) | undefined;
  let startedAt = 0;

  const limitMs = (): number => settings.current().order_stalled_minutes * MINUTE_MS;
  const dueAt = ({ workedAt }: Pick<BatchRow, 'workedAt'>): number => Math.max(workedAt, startedAt) + limitMs();

  function look(): void {
    if (limitMs() > 0 && reads.batches.listWorked().some((row) => dueAt(row) <= clock.now()))
      writer
        .writeSoon((tx) => {
          for (const row of repositories.batches.listWorked()) if (dueAt(row) <= tx.now) mark(tx, row);
        })
        .catch((error: unknown) => log.warn({ err: error }, 'could not record stalled batches'));
    arm();
  }

  function mark(tx: Transaction, row: BatchRow): void {
    const batch = repositories.batches.read(row);
    if (!isLaunched(batch) || !batch.shares.some((share) => openOf(share) + inHandOf(share) > 0)) return;
    repositories.batches.update({ ...row, isStalled: 1 }, tx.now);
    const problem = `Batch ${row.id} of ${row.carrierName}: something is lit, and nobody has pressed for a long time.`;
    const subject = String(row.id);
    const values = { since: tx.now, value: null, threshold: settings.current().order_stalled_minutes };
    if (alerts.findOpen(KIND, subject) === undefined) alerts.raise(tx, { kind: KIND, subject, ...values, problem });
    tx.emit({ type: 'batch.changed', batch_id: row.id, state: row.state });
  }

  function arm(): void {
    const next = Math.min(
      ...reads.batches
        .listWorked()
        .map(dueAt)
        .filter((at) => at > clock.now()),
    );
    if (limitMs() > 0 && Number.isFinite(next)) alarm.in(Math.min(LONGEST_MS, Math.max(1, next - clock.now())));
  }

  return {
    start(): void {
      startedAt = clock.now();
      unsubscribe = bus.subscribe({
        commit({ facts }) {
          if (facts.some(({ type }) => type === 'settings.changed')) alarm.within(0);
          else if (facts.some(({ type }) => type === 'batch.changed')) arm();
        },
        clockChange: () => alarm.within(0),
      });
      arm();
    },
    stop(): void {
      unsubscribe?.();
      alarm.stop();
    },
  };
}
