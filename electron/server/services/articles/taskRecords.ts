import type { Task, TaskEvent, TaskState } from '#shared/api/task.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { ArticleRow } from '../../db/repositories/articles.ts';
import type { TaskRow, TaskSource } from '../../db/repositories/tasks.ts';
import type { Transaction } from '../../db/writer.ts';
import { isoTime } from '../../domain/station/isoTime.ts';
import type { Callbacks } from '../callbacks/index.ts';

type TaskTables = Pick<Repositories, 'aliases' | 'devices' | 'tasks'>;

type Tables = TaskTables & Pick<Repositories, 'batches'>;

/** A task to open. For pieces to put back, `item` is their order item, or `deleted` describes an item that was deleted with its order. */
export type WantedTask = Pick<TaskRow, 'kind' | 'place' | 'quantity'> & {
  article: Pick<ArticleRow, 'id' | 'sku'>;
  by: string;
  item?: { id: number; orderNumber: string };
  deleted?: { orderNumber: string; sources: readonly TaskSource[] };
};

/**
 * Stores tasks. Each change publishes a fact in the same commit, and opening, ending and becoming overdue also send a callback. Call these
 * functions inside the transaction of the cause.
 */
export function createTaskRecords({ tables, callbacks }: { tables: Tables; callbacks: Callbacks }) {
  const { tasks } = tables;

  function report(tx: Transaction, row: TaskRow, event: TaskEvent): void {
    const { overdue: _overdue, ended: _ended, ended_by: _by, ...task } = taskAnswer(tables, row);
    callbacks.add(tx, { family: 'task', historyId: null, at: tx.now, payload: { task_event: event, ...task } });
  }

  function publish(tx: Transaction, row: TaskRow): void {
    tx.emit({ type: 'task.changed', task: taskAnswer(tables, row) });
  }

  /** Publishes a task that has ended or changed, and the batches that list the task's pieces. */
  function publishChange(tx: Transaction, row: TaskRow): void {
    publish(tx, row);
    if (row.kind !== 'put_back' || row.orderNumber === null) return;
    for (const { id, state } of tables.batches.listPutBackOf(row.orderNumber))
      tx.emit({ type: 'batch.changed', batch_id: id, state });
  }

  return {
    /**
     * Opens a task, unless the article already has a task of this kind at the place, or the line already has one. With `deleted`, always
     * opens a task.
     */
    open(tx: Transaction, { kind, place, quantity, article, by, item, deleted }: WantedTask): void {
      const placeKey = nameKey(place);
      const open = item === undefined ? tasks.findOpen(article.id, placeKey, kind) : tasks.findOpenOfItem(item.id);
      if (open !== undefined && deleted === undefined) return;
      const id = tasks.insert({
        kind,
        articleId: article.id,
        sku: article.sku,
        place,
        placeKey,
        quantity,
        createdAt: tx.now,
        createdBy: by,
        orderNumber: item?.orderNumber ?? deleted?.orderNumber ?? null,
        itemId: item?.id ?? null,
      });
      if (deleted !== undefined) tasks.setSources(JSON.stringify(deleted.sources), id);
      const row = tasks.find(id);
      if (row === undefined) return;
      report(tx, row, 'opened');
      publish(tx, row);
    },
    /** Ends a task. `by` is empty if the station itself ends the task. */
    end(
      tx: Transaction,
      row: TaskRow,
      {
        state,
        by = '',
        quantity = row.quantity,
      }: { state: Exclude<TaskState, 'open'>; by?: string; quantity?: number | null },
    ): TaskRow {
      tasks.end(state, quantity, tx.now, by, row.id);
      const ended: TaskRow = { ...row, state, quantity, endedAt: tx.now, endedBy: by };
      report(tx, ended, state);
      publishChange(tx, ended);
      return ended;
    },
    setQuantity(tx: Transaction, row: TaskRow, quantity: number | null): void {
      if (row.quantity === quantity) return;
      tasks.setQuantity(quantity, row.id);
      publishChange(tx, { ...row, quantity });
    },
    overdue(tx: Transaction, row: TaskRow): void {
      tasks.setOverdue(row.id);
      const late = { ...row, isOverdue: true };
      report(tx, late, 'overdue');
      publish(tx, late);
    },
    publish,
  };
}

export type TaskRecords = ReturnType<typeof createTaskRecords>;

/** Converts a task to the form that the API and the event stream use. */
export function taskAnswer(tables: TaskTables, row: TaskRow): Task {
  return {
    id: row.id,
    kind: row.kind,
    SKU: row.sku,
    location: row.place,
    deviceid: deviceAt(tables, row.place),
    quantity: row.quantity,
    state: row.state,
    created: isoTime(row.createdAt),
    by: row.createdBy,
    order: row.orderNumber,
    overdue: row.isOverdue,
    ended: row.endedAt === null ? null : isoTime(row.endedAt),
    ended_by: row.endedBy === '' ? null : row.endedBy,
  };
}

/**
 * Returns the device that has this place as an alias or, if there is none, as its label. Returns an empty string if there is no such
 * device.
 */
function deviceAt({ aliases, devices }: TaskTables, place: string): string {
  if (place === '') return '';
  return aliases.findByName(place)?.deviceid ?? devices.listByLabel(place)[0] ?? '';
}
