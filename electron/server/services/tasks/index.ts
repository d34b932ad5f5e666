import type { CoreOf } from '../../core.ts';
import type { AlertRecords } from '../alerts/index.ts';
import { createOverdueTasks } from './overdue.ts';
import { createTasks } from './tasks.ts';
import type { TasksContext } from './types.ts';

export type { Tasks } from './tasks.ts';

/** Tasks about stock: what people do about them, and when one waits for too long. */
export function createTaskGroup(
  core: CoreOf<'tasks'>,
  needs: Pick<TasksContext, 'books' | 'orders' | 'placeTasks' | 'records'> & { alerts: AlertRecords },
) {
  const { reads, repositories, settings, writer } = core;
  const { books, orders, placeTasks, records, alerts } = needs;
  const tasks = createTasks({ reads, repositories, settings, writer, books, orders, placeTasks, records });
  const overdue = createOverdueTasks(core, { records, alerts });
  core.onStop(() => overdue.stop());
  core.onStart(() => overdue.start());
  return { tasks };
}
