import { createAlarm } from '../../scheduling/alarm.ts';
import type { CoreOf } from '../../core.ts';
import type { AlertRow } from '../../db/repositories/alerts.ts';
import type { TaskRow } from '../../db/repositories/tasks.ts';
import type { Transaction } from '../../db/writer.ts';
import type { AlertRecords } from '../alerts/index.ts';
import type { TaskRecords } from '../articles/index.ts';

const HOUR_MS = 60 * 60_000;
/** Maximum delay of the timer. Timers are limited to about 24 days, so one day is safe. */
const LONGEST_MS = 24 * HOUR_MS;
const KIND = 'task_overdue';

const VERBS: Readonly<Record<TaskRow['kind'], string>> = {
  replenish: 'Fill up',
  count: 'Count',
  put_back: 'Put back',
};

/** Raises an alert for each task that has been open for longer than the setting `task_overdue_hours`. The alert ends with the task. */
export function createOverdueTasks(
  core: Pick<CoreOf<'tasks'>, 'bus' | 'clock' | 'log' | 'reads' | 'repositories' | 'settings' | 'writer'>,
  {
    records,
    alerts,
  }: { records: TaskRecords; alerts: Pick<AlertRecords, 'end' | 'findOpen' | 'listSubjects' | 'raise'> },
) {
  const { bus, clock, log, reads, repositories, settings, writer } = core;
  const alarm = createAlarm(clock, look);
  let unsubscribe: (() => void) | undefined;

  const limitMs = (): number => settings.current().task_overdue_hours * HOUR_MS;
  /** Returns the cutoff time: open tasks that were created before it are overdue. */
  const dueBefore = (): number => clock.now() - limitMs();

  function look(): void {
    writer
      .writeSoon((tx) => {
        endOld(tx);
        if (limitMs() > 0) for (const task of repositories.tasks.listOpenSince(dueBefore())) report(tx, task);
      })
      .catch((error: unknown) => log.warn({ err: error }, 'raising alerts for overdue tasks failed'));
    arm();
  }

  /** Ends alerts for closed tasks, and for tasks that the current setting no longer counts as overdue. */
  function endOld(tx: Transaction): void {
    for (const subject of alerts.listSubjects(KIND)) {
      const task = repositories.tasks.find(Number(subject));
      if (task?.state === 'open' && limitMs() > 0 && task.createdAt <= dueBefore()) continue;
      const open: AlertRow | undefined = alerts.findOpen(KIND, subject);
      if (open !== undefined) alerts.end(tx, open);
    }
  }

  function report(tx: Transaction, task: TaskRow): void {
    const subject = String(task.id);
    if (!task.isOverdue) records.overdue(tx, task);
    if (alerts.findOpen(KIND, subject) !== undefined) return;
    const { kind, sku, place, createdAt: since } = task;
    const where = place === '' ? '' : ` at ${place}`;
    const problem = `${VERBS[kind]} ${sku}${where}: task ${subject} has been open for too long.`;
    alerts.raise(tx, {
      kind: KIND,
      subject,
      since,
      value: null,
      threshold: settings.current().task_overdue_hours,
      problem,
    });
  }

  function arm(): void {
    const [first] =
      limitMs() === 0
        ? []
        : reads.tasks.listOpenSince(Number.MAX_SAFE_INTEGER).filter((task) => task.createdAt > dueBefore());
    if (first !== undefined) alarm.within(Math.min(LONGEST_MS, Math.max(0, first.createdAt - dueBefore())));
  }

  return {
    start(): void {
      unsubscribe = bus.subscribe({
        commit({ facts }) {
          const concerns = facts.some(
            (fact) => fact.type === 'settings.changed' || (fact.type === 'task.changed' && fact.task.state !== 'open'),
          );
          if (concerns) alarm.within(0);
          else if (facts.some(({ type }) => type === 'task.changed')) arm();
        },
        clockChange: () => alarm.within(0),
      });
      alarm.within(0);
    },
    stop(): void {
      unsubscribe?.();
      alarm.stop();
    },
  };
}
