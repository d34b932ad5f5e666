import type { WallBoard, WallOrder } from '#shared/api/wallBoard.ts';
import { VERSION } from '#shared/api/version.ts';

export const AT = '2026-11-20T10:00:00.000Z';

export const wallOrder = (number: string, given: Partial<WallOrder> = {}): WallOrder => ({
  order_number: number,
  state: 'open',
  due_time: null,
  late: false,
  item_count: 4,
  done_count: 0,
  short_count: 0,
  attention: [],
  pickers: [],
  ...given,
});

export const wallBoard = (given: Partial<WallBoard> = {}): WallBoard => ({
  at: AT,
  version: VERSION,
  time_zone: 'UTC',
  order_count: 0,
  late_count: 0,
  orders: [],
  batches: [],
  batch_count: 0,
  care: [],
  lines_today: 0,
  lines_last_hour: 0,
  hours: [],
  people: [],
  ...given,
});
