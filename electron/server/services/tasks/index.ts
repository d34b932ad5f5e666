import type { CoreOf } from '../../core.ts';
import type { AlertRecords } from '../alerts/index.ts';
import type { Commands } from '../commands/index.ts';
import { createLeftQuestions } from './left.ts';
import { createOverdueTasks } from './overdue.ts';
import { createTasks } from './tasks.ts';
import type { TasksContext } from './types.ts';

export type { LeftQuestions } from './left.ts';
export type { Tasks } from './tasks.ts';

/** Creates the services for stock tasks, for questions to workers about stock, and for alerts about overdue tasks. */
export function createTaskGroup(
  core: CoreOf<'tasks'>,
  needs: Pick<TasksContext, 'books' | 'orders' | 'placeTasks' | 'records'> & {
    alerts: AlertRecords;
    commands: Commands;
  },
) {
  const { reads, repositories, settings, writer } = core;
  const { books, commands, orders, placeTasks, records, alerts } = needs;
  const tasks = createTasks({ reads, repositories, settings, writer, books, orders, placeTasks, records });
  const overdue = createOverdueTasks(core, { records, alerts });
  core.onStop(() => overdue.stop());
  core.onStart(() => overdue.start());
  const left = createLeftQuestions(core, { books, commands, placeTasks, reads, repositories, writer });
  core.onStart(() => core.onStop(left.start()));
  return { left, tasks };
}
