import type { CoreOf } from '../../core.ts';
import type { Books, PlaceTasks, TaskRecords } from '../articles/index.ts';
import type { Orders } from '../orders/index.ts';

/** State shared by the functions for tasks. */
export type TasksContext = Pick<CoreOf<'tasks'>, 'reads' | 'repositories' | 'settings' | 'writer'> & {
  books: Books;
  records: TaskRecords;
  placeTasks: PlaceTasks;
  orders: Pick<Orders, 'putBack'>;
};
