import {
  type BatchTimeline,
  workStepSchema,
  type DeliveryTimeline,
  type HistoryKind,
  type OrderTimeline,
  type TimelineStep,
  type WorkStep,
} from '#shared/api/history.ts';
import type { TablesOf } from '../../core.ts';
import type { HistoryRow } from '../../db/repositories/history.ts';
import { deliveryId } from '../../db/repositories/outboxRow.ts';
import type { OrderRow } from '../../db/repositories/orders.ts';
import { locationOf, workOf, type QueuedCommand } from '../../domain/commands/commandQueue.ts';
import { deliverySteps, inTime, stepsOf } from '../../domain/commands/timeline.ts';
import { StationError } from '../../errors.ts';
import { findDelivery } from '../callbacks/index.ts';
import { workNames } from './entry.ts';
import { callbackEntry, deliveryOf, eventOf, isEnding, lifeOfEnded, lifeOfOpen } from './life.ts';

/** Maximum number of entries in an order's timeline. Reading these and their callbacks takes a few milliseconds. */
const MAX_ENTRIES = 200;

/** Command steps that the timelines of orders and batches include. Only the command's own timeline shows how the command was sent. */
const OF_ITEM: ReadonlySet<WorkStep['kind']> = new Set([
  'unreachable',
  'reached',
  'shown',
  'adjusted',
  'acknowledged',
  'timed_out',
  'killed',
  'replaced',
] satisfies TimelineStep['kind'][]);

/** Reads the timelines of orders, batches and deliveries. */
export function createWorkTimelines({ reads }: { reads: TablesOf<'history'> }) {
  /** Returns an order's history entries, newest first. If several orders used the number, returns the entries of the latest order only. */
  function entriesOf(orderNumber: string, isThere: boolean): { entries: HistoryRow[]; complete: boolean } {
    const work = workOf({ kind: 'item', id: 0, of: orderNumber }) ?? '';
    const span = { from: 0, before: Number.MAX_SAFE_INTEGER };
    const { rows } = reads.historyFind.step({ work }, span, MAX_ENTRIES + 1);
    const earlier = rows.findIndex(({ kind }, place) => kind === 'order_removed' && (isThere || place > 0));
    const own = earlier < 0 ? rows : rows.slice(0, earlier);
    return { entries: own.slice(0, MAX_ENTRIES), complete: own.length <= MAX_ENTRIES };
  }

  function stepsOfOpen(command: QueuedCommand): WorkStep[] {
    const { id, deviceId, content } = command;
    const location = locationOf(command, reads.devices.find(deviceId)?.label ?? '');
    const about = subjectOf({ commandId: id, deviceId, location, item: firstLine(content.lines) });
    return stepsOf(lifeOfOpen(command)).map((step) => ({ ...step, ...about }));
  }

  function openCommands(order: OrderRow | undefined): QueuedCommand[] {
    if (order === undefined || order.counts.active === 0) return [];
    return reads.items.listCommandIds(order.id, MAX_ENTRIES).flatMap((id) => reads.commands.find(id) ?? []);
  }

  return {
    /** Returns an order's timeline, even if the order was removed. Throws `not_found`. */
    order(name: string): OrderTimeline {
      const order = reads.orders.findByName(name);
      const orderNumber = order?.orderNumber ?? name;
      const { entries, complete } = entriesOf(orderNumber, order !== undefined);
      if (order === undefined && entries.length === 0) throw unknown(orderNumber);
      const withCallbacks = entries.toReversed().map((row) => ({ row, callbacks: reads.outbox.listByHistory(row.id) }));
      const callbacks = withCallbacks.flatMap((each) => each.callbacks);
      const created: WorkStep[] =
        order === undefined ? [] : [{ at: new Date(order.createdAt).toISOString(), kind: 'order_created' }];
      const ended = withCallbacks.flatMap(({ row }) =>
        isEnding(row) ? stepsOfItem(stepsOfEntry(row)) : stepsOfEntry(row),
      );
      const open = openCommands(order).flatMap((command) => stepsOfItem(stepsOfOpen(command)));
      const oldest = entries.at(-1);
      return {
        order_number: orderNumber,
        state: order?.state ?? 'removed',
        steps: inTime([...created, ...ended, ...open, ...deliverySteps(callbacks.map(deliveryOf))]),
        callbacks: callbacks.map(callbackEntry),
        callbacks_kept: oldest === undefined || reads.outbox.isKeptSince(oldest.id),
        complete,
      };
    },
    /** Returns the timeline of a batch. Throws `not_found`. */
    batch(id: number): BatchTimeline {
      const batch = reads.batches.find(id);
      if (batch === undefined)
        throw new StationError('not_found', `There is no batch ${id}. GET /api/batches/ lists them.`);
      const span = { from: 0, before: Number.MAX_SAFE_INTEGER };
      const { rows } = reads.historyFind.step({ batch: id }, span, MAX_ENTRIES + 1);
      const steps = rows
        .slice(0, MAX_ENTRIES)
        .toReversed()
        .flatMap((row) => {
          const { order_number: orderNumber } = workNames(row.work);
          const slot = row.detail.batch?.slot ?? null;
          const where = {
            ...(orderNumber === null ? {} : { order_number: orderNumber }),
            ...(slot === null ? {} : { slot }),
          };
          const own = isEnding(row) ? stepsOfItem(stepsOfEntry(row)) : stepsOfEntry(row);
          return own.map((step) => ({ ...step, ...where }));
        });
      return {
        id,
        name: batch.carrierName,
        state: batch.state,
        steps: inTime(steps),
        complete: rows.length <= MAX_ENTRIES,
      };
    },
    /** Returns the timeline of a delivery. Throws `not_found`. */
    delivery(id: string): DeliveryTimeline {
      const row = findDelivery(reads.outbox, id);
      const historyId = reads.outbox.findHistory(row.id);
      const about = historyId === undefined ? undefined : reads.history.find(historyId);
      const created: WorkStep = { at: new Date(row.created_at).toISOString(), kind: 'callback_created' };
      const before = about === undefined ? [] : stepsOfEntry(about);
      return {
        id: deliveryId(row),
        event: eventOf(row),
        state: row.state,
        command_id: textOf(about?.commandId ?? null),
        ...workNames(about?.work),
        steps: [...before, created, ...deliverySteps([deliveryOf(row)])],
        callbacks: [callbackEntry(row)],
      };
    },
  };
}

export type WorkTimelines = ReturnType<typeof createWorkTimelines>;

function stepsOfItem(steps: readonly WorkStep[]): WorkStep[] {
  return steps.filter(({ kind }) => OF_ITEM.has(kind));
}

/**
 * Returns all steps of a command if the row records its end. Otherwise returns the row as one step, or nothing if timelines do not show
 * rows of this kind.
 */
function stepsOfEntry(row: HistoryRow): WorkStep[] {
  const { at, kind, commandId, deviceId, location, detail } = row;
  const item = detail.item?.name ?? firstLine(detail.content?.lines ?? []);
  const about = subjectOf({ commandId, deviceId, location, item });
  const { by = '', for: whom = '' } = detail;
  if (isEnding(row)) {
    return stepsOf(lifeOfEnded(row, { late: [], callbacks: [] })).map((step) => ({
      ...step,
      ...(whom !== '' && step.kind === 'acknowledged' ? { for: whom } : {}),
      ...about,
    }));
  }
  if (!isStepKind(kind)) return [];
  const words = detailOf(row);
  return [
    {
      at: new Date(at).toISOString(),
      kind,
      ...(by === '' ? {} : { by }),
      ...(whom === '' ? {} : { for: whom }),
      ...(words === '' ? {} : { detail: words }),
      ...about,
    },
  ];
}

function isStepKind(kind: HistoryKind): kind is HistoryKind & WorkStep['kind'] {
  return workStepSchema.shape.kind.safeParse(kind).success;
}

function detailOf({ kind, qty, detail }: HistoryRow): string {
  const { reason = '', item, alert, batch, changed = [] } = detail;
  const counted = item === undefined ? '' : `${qty} counted, ${item.before} before.`;
  const figures: Partial<Record<HistoryKind, string>> = {
    order_launched: `${qty} lit.`,
    order_fulfilled: `${qty} counted.`,
    order_aborted: `${qty} counted.`,
    order_removed: `${qty} counted.`,
    order_changed: `${changed.join(', ')}.${item === undefined ? '' : ` ${qty} ordered, ${item.before} before.`}`,
    order_corrected: counted,
    order_counted: counted,
    order_short: counted,
    order_reopened: counted,
    order_confirmed: counted,
    order_dismissed: counted,
    order_not_scanned: counted,
    order_returned: `${qty} put back.`,
    order_put: `${qty} in the slot, ${item?.before ?? 0} before.`,
    order_put_undone: `${qty} in the slot, ${item?.before ?? 0} before.`,
  };
  const where = batch === undefined ? '' : `${batch.name}${batch.slot === null ? '' : `, slot ${batch.slot}`}.`;
  return [figures[kind] ?? '', where, alert === undefined ? '' : `${alert.kind}.`, reason]
    .filter((part) => part !== '')
    .join(' ');
}

/** Returns the fields of a step that are not empty. */
function subjectOf(about: { commandId: number | null; deviceId: string; location: string; item: string }) {
  const { commandId, deviceId, location, item } = about;
  return {
    ...(commandId === null ? {} : { command_id: String(commandId) }),
    ...(deviceId === '' ? {} : { deviceid: deviceId }),
    ...(location === '' ? {} : { location }),
    ...(item === '' ? {} : { item }),
  };
}

function firstLine(lines: readonly string[]): string {
  return lines.find((line) => line !== '') ?? '';
}

function unknown(orderNumber: string): StationError {
  return new StationError('not_found', `There is no order ${orderNumber}, and history does not know one either.`);
}

function textOf(id: number | null): string | null {
  return id === null ? null : String(id);
}
