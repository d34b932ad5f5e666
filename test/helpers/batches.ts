import type { Batch, NewBatchResult } from '#shared/api/batch.ts';
import type { CarrierResult } from '#shared/api/carrier.ts';
import { addOrder } from './orders.ts';
import type { Answer, TestStation } from './startTestStation.ts';

/** DeviceIDs of devices at two places and at the cart slots A1 and A2. */
export const PLACE = '51D000:000001';
export const OTHER_PLACE = '51D000:000002';
export const SLOT_A1 = '51D000:000003';
export const SLOT_A2 = '51D000:000004';

/** Creates a cart with two rows of two slots. A1 and A2 have devices. */
export function addCart(station: TestStation, given: object = {}): Promise<CarrierResult> {
  return station.post<CarrierResult>('/api/carts/', {
    name: 'Cart 1',
    code: 'CART-1',
    rows: 2,
    columns: 2,
    slots: [
      { slot: 'A1', code: 'C1-A1', deviceid: SLOT_A1 },
      { slot: 'A2', deviceid: SLOT_A2 },
    ],
    ...given,
  });
}

/** Creates an order for pieces of one article at PLACE. */
export function addTies(
  station: TestStation,
  orderNumber: string,
  quantity: number,
  given: object = {},
): Promise<unknown> {
  const item = { name: 'Cable tie', SKU: 'CT-200', ordered_quantity: quantity, deviceid: PLACE };
  return addOrder(station, orderNumber, [item], given);
}

/** Loads orders onto the cart, starting at A1. */
export function addBatch(station: TestStation, orders: readonly string[], given: object = {}): Promise<NewBatchResult> {
  return station.post<NewBatchResult>('/api/batches/', {
    mode: 'cart',
    cart: 1,
    slots: orders.map((order_number) => ({ order_number })),
    ...given,
  });
}

export function getBatch(station: TestStation, id = 1): Promise<Batch> {
  return station.get<Batch>(`/api/batches/${id}/`);
}

/** Posts to a batch and gives the devices 3 s to show the result. */
export async function act<T = Batch>(station: TestStation, path: string, body?: object, id = 1): Promise<T> {
  const answer = await station.post<T>(`/api/batches/${id}/${path}`, body);
  await station.clock.advance(3_000);
  return answer;
}

export function tryTo(station: TestStation, path: string, body?: object, method = 'POST'): Promise<Answer> {
  return station.request(method, `/api/batches/${path}`, body);
}

/** Returns the state of each slot that is not free, with the pieces put, in hand and needed, such as `A1 open 1+0/2`. */
export async function slotsOf(station: TestStation, id = 1): Promise<string[]> {
  const { slots } = await getBatch(station, id);
  return slots
    .filter(({ state }) => state !== 'free')
    .map(({ slot, state, shares }) => {
      const parts = shares.map((share) => `${share.put}+${share.in_hand}/${share.quantity}`);
      return `${slot} ${state} ${parts.join(' ')}`;
    });
}

/** Returns the number of pieces in each person's hands. */
export async function handsOf(station: TestStation, id = 1): Promise<Record<string, number>> {
  const { hands } = await getBatch(station, id);
  return Object.fromEntries(
    hands.map(({ by, shares }) => [by, shares.reduce((sum, { quantity }) => sum + quantity, 0)]),
  );
}

/** Returns the first line, quantity and color that a device shows, or `dark` if it shows nothing. */
export async function shownAt(station: TestStation, deviceId: string): Promise<string> {
  const { commands } = await station.device(deviceId);
  const [first] = commands;
  return first === undefined ? 'dark' : `${first.line1} ${first.quantity ?? ''} ${first.color}`;
}
