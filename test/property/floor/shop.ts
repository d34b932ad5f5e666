import { expect } from 'vitest';
import type { Batch, BatchProgress, BatchShare } from '#shared/api/batch.ts';
import type { Item, Order } from '#shared/api/order.ts';
import { type Answer, API_KEY, type TestStation } from '../../helpers/startTestStation.ts';
import type { Random } from '../model/random.ts';
import { type SlotPut, watchSlots } from './slotPuts.ts';

export const PEOPLE = ['Anna', 'Ben'] as const;
/** The color of each person. Cleo never picks, but other people hand lines over to her. */
export const COLORS = { Anna: 'blue', Ben: 'magenta', Cleo: 'cyan' } as const;
export const PASSWORD = 'harbour 7';

/** Devices at the places, and at the slots A1 and A2 of the cart and A1 of the wall. */
export const PLACES = ['51D000:000001', '51D000:000002', '51D000:000003'] as const;
export const SLOT_DEVICES = ['51D000:000004', '51D000:000005', '51D000:000006'] as const;
export const SLOTS = ['A1', 'A2', 'B1'] as const;

/** Returns the cart's slot that a device serves, or undefined if it serves none. */
export function cartSlotOf(deviceId: string): string | undefined {
  const index = SLOT_DEVICES.slice(0, 2).indexOf(deviceId as (typeof SLOT_DEVICES)[number]);
  return index === -1 ? undefined : SLOTS[index];
}

export const REASONS = ['missing', 'damaged', 'other'] as const;

export const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/** Kinds of requests that the oracle predicts. `given` is a handover in a batch with several people. */
export const ASKED = ['hand', 'handover', 'given', 'short', 'refused', 'repeated', 'both'] as const;
export type FloorAsk = (typeof ASKED)[number];

/**
 * Kinds of events with two people at one light. `pressed`, `slotted` and `wrong` are presses at lines, lit slots and unlit slots while
 * somebody holds pieces; `waited` is a press while others waited; `exchanged` and `swapped` are presses that were given to another line or
 * hand; `takenOut` is a press at a slot whose pieces its person took out again; `already` is a press at an unlit slot that holds somebody's
 * pieces already; `late` is a request to give a press after both lines were booked; `read` is a scan that only reads a place; `unbooked` is
 * any refused request that changed nothing; `left` is a hand whose person signed out.
 */
export const MET = [
  'pressed',
  'slotted',
  'wrong',
  'waited',
  'exchanged',
  'swapped',
  'takenOut',
  'already',
  'late',
  'read',
  'unbooked',
  'left',
] as const;

/** A request that was sent with an idempotency key, and its answer. `person` is null for a program. */
export type KeyedAsk = { person: string | null; path: string; body: object; answer: Answer };

export type ModelFloor = {
  station: TestStation;
  random: Random;
  orders: string[];
  /** Initial stock of the counted places, by article and place. It is 0, because the first movement adds the counted pieces. */
  initial: Map<string, number>;
  /** API keys of the people. */
  keys: Map<string, string>;
  /** The line at which each person has arrived, by `lineName`, and when, in monotonic milliseconds. */
  arrived: Map<string, { line: string; at: number }>;
  /** What presses put into slots of the cart while somebody else held pieces for the slot, too. */
  slotPuts: SlotPut[];
  /** Numbers of pieces in slots when they were last read. */
  inSlots: Map<string, { batch: number; slot: string; quantity: number }>;
  /** Requests with an idempotency key that changed something, with their answers. */
  kept: KeyedAsk[];
  done: string[];
  counts: Record<'picked' | 'put' | 'complete' | 'shared' | 'moved' | 'cuts' | FloorAsk | (typeof MET)[number], number>;
  /** Simulates kill -9: another station opens the data that is on disk at this moment. */
  cut(): Promise<void>;
};

/** Sends any request. A refusal is a valid answer, but an internal error is not. */
export async function send(floor: ModelFloor, method: string, path: string, body?: object): Promise<number> {
  const { station, done } = floor;
  const { status, body: answer } = await station.request(method, path, body);
  done.push(`${method} ${path} ${JSON.stringify(body ?? {})}: ${status}`);
  expect(status, `${path} ${JSON.stringify(answer)}`).toBeLessThan(500);
  watchSlots(floor);
  await station.clock.advance(400);
  return status;
}

/** Sends a request with the key of a person, or with the API key for a program. */
export async function sendAs(
  floor: ModelFloor,
  { person, path, body, method = 'POST' }: { person: string | null; path: string; body: object; method?: string },
): Promise<Answer> {
  const headers = { 'api-key': floor.keys.get(person ?? '') ?? API_KEY, 'content-type': 'application/json' };
  const answer = await floor.station.request(method, path, body, headers);
  watchSlots(floor);
  return answer;
}

export async function live({ station }: ModelFloor): Promise<Batch[]> {
  const all = await station.get<BatchProgress[]>('/api/batches/');
  const found: Batch[] = [];
  // oxlint-disable-next-line no-await-in-loop -- each request advances the clock
  for (const { id, state } of all) if (state !== 'done') found.push(await station.get<Batch>(`/api/batches/${id}/`));
  return found;
}

export const sharesOf = (batch: Batch): BatchShare[] => {
  const all = [...batch.slots.flatMap(({ shares }) => shares), ...batch.waiting, ...batch.put_back];
  return all.filter(
    (share, index) => all.findIndex((each) => JSON.stringify(each) === JSON.stringify(share)) === index,
  );
};

export async function fulfilledIn(floor: ModelFloor): Promise<number> {
  return sum((await itemsIn(floor)).map(({ quantity_fulfilled: fulfilled }) => fulfilled));
}

export type OrderedItem = Item & { order: string };

export async function itemsIn({ station, orders }: ModelFloor): Promise<OrderedItem[]> {
  const items: OrderedItem[] = [];
  for (const number of orders) {
    // oxlint-disable-next-line no-await-in-loop -- each request advances the clock
    const { shipments } = await station.get<Order>(`/api/orders/${number}/`);
    items.push(...shipments.flatMap((shipment) => shipment.items.map((item) => ({ ...item, order: number }))));
  }
  return items;
}
