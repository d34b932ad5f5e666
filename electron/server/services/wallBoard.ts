import { WALL_CARE, type WallBoard, type WallBatch, type WallCare, type WallOrder } from '#shared/api/wallBoard.ts';
import { shopDaysIn } from '#shared/lib/station/shopDay.ts';
import type { BatchCounts } from '../db/repositories/batches.ts';
import type { OrderRow } from '../db/repositories/orders.ts';
import type { TablesOf } from '../core.ts';
import { isoTime } from '../domain/station/isoTime.ts';
import { attentionOf, haltOf } from '../domain/orders/order.ts';
import type { Clock } from '../ports.ts';
import { isoOrNull } from './base/index.ts';
import type { SettingsService } from './settings/index.ts';

const MAX_ORDERS = 30;
const MAX_BATCHES = 10;
const MAX_NAMES = 3;
const HOUR_MS = 3_600_000;
/** How long all screens share one response, in milliseconds. */
const SHARED_MS = 1_000;

/** Reads the content of wall screens: orders, alerts, and the number of picked lines. */
export function createWallBoard(
  core: {
    reads: TablesOf<'wallBoard'>;
    clock: Clock;
    settings: Pick<SettingsService, 'current'>;
  },
  { version }: { version: string },
) {
  const { reads, clock, settings } = core;
  let last: { board: WallBoard; at: number } | undefined;

  function cares(midnight: number): WallCare[] {
    const open = reads.alerts.listOpen();
    const labelOf = (id: string): string => reads.devices.find(id)?.label ?? '';
    const nameOf = (kind: WallCare['kind'], subject: string): string[] => {
      if (kind === 'receiver_failing') return [];
      if (kind === 'turbo_offline') return [reads.turboNames.find(subject) ?? subject];
      const label = labelOf(subject);
      return [label === '' ? subject : label];
    };
    return WALL_CARE.flatMap((kind): WallCare[] => {
      if (kind === 'short') {
        const count = reads.picks.countShort(midnight);
        return count === 0 ? [] : [{ kind, count, names: reads.picks.listShortOrders(midnight, MAX_NAMES) }];
      }
      const subjects = open.filter((alert) => alert.kind === kind).map(({ subject }) => subject);
      if (subjects.length === 0) return [];
      const names = subjects.slice(0, MAX_NAMES).flatMap((subject) => nameOf(kind, subject));
      return [{ kind, count: subjects.length, names }];
    });
  }

  function read(now: number): WallBoard {
    const days = shopDaysIn(settings.current().time_zone);
    const midnight = days.startOfDay(now);
    const { all = 0, late = 0 } = reads.orders.countUnfinished(now) ?? {};
    const people = reads.picks.countByPicker(now - HOUR_MS, midnight);
    const batches = reads.batches.listUnderWay();
    const total = (of: 'lines' | 'recent') => people.reduce((sum, each) => sum + each[of], 0);
    return {
      at: isoTime(now),
      version,
      time_zone: days.zone,
      order_count: all,
      late_count: late,
      orders: reads.orders.listDue(MAX_ORDERS).map((order) => wallOrder(order, now)),
      batches: batches.slice(0, MAX_BATCHES).map(wallBatch),
      batch_count: batches.length,
      care: cares(midnight),
      lines_today: total('lines'),
      lines_last_hour: total('recent'),
      hours: reads.picks
        .countByHour({ at: midnight })
        .map(({ hour, lines }) => ({ at: isoTime(midnight + hour * HOUR_MS), lines })),
      people: people.map(({ picker, lines }) => ({ name: picker, lines })),
    };
  }

  return (): WallBoard => {
    const at = clock.monotonic();
    if (last === undefined || at - last.at >= SHARED_MS) last = { board: read(clock.now()), at };
    return last.board;
  };
}

function wallBatch({ id, mode, name, state, slots, complete, stopped, waiting }: BatchCounts): WallBatch {
  const counts = { slot_count: slots, complete_count: complete, stopped_count: stopped, waiting_count: waiting };
  return { id, name, mode, state, ...counts };
}

function wallOrder(order: OrderRow, now: number): WallOrder {
  const { orderNumber, state, dueAt, counts, pickers } = order;
  return {
    order_number: orderNumber,
    state: state === 'open' ? 'open' : 'in_progress',
    due_time: isoOrNull(dueAt),
    late: dueAt !== null && dueAt < now,
    item_count: counts.items,
    done_count: counts.done,
    short_count: counts.short,
    attention: attentionOf(order, haltOf(order)),
    pickers: pickers
      .toSorted((a, b) => a.joinedAt - b.joinedAt)
      .map(({ name, isPaused }) => ({ name, paused: isPaused })),
  };
}
