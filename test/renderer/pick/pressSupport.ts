import type { Fact } from '#shared/api/station.ts';
import { hearPresses, type PressNotice } from '../../../renderer/src/features/pick/whose/pressNotices.ts';
import { item } from '../orders/workSupport.tsx';

/** Reports the state of an item. */
export const itemFact = (id: number, given: Parameters<typeof item>[1]) =>
  ({ type: 'order.item', order_number: 'SO-1', item: item(id, given) }) as const;

type Booked = Extract<Fact, { type: 'line.booked' }>;

/** When the presses of these tests were made. */
export const PRESSED_AT = '2026-11-29T10:42:00.000Z';

/** A press at A-1 that booked 5 pieces of Ben while Anna waited there with item 1. */
export const bookedFact = (given: Partial<Booked> = {}): Booked => ({
  type: 'line.booked',
  deviceid: '51D000:000001',
  at: PRESSED_AT,
  location: 'A-1',
  order_number: 'SO-9',
  item_id: 77,
  quantity: 5,
  before: 1,
  picker: 'Ben',
  waiting: [{ picker: 'Anna', item_id: 1 }],
  quiet: false,
  ...given,
});

/** The same press, told to the person whose line it booked. */
export const ownFact = (given: Partial<Booked> = {}): Booked =>
  bookedFact({
    order_number: 'SO-1',
    item_id: 1,
    before: 0,
    picker: 'Anna',
    waiting: [{ picker: 'Ben', item_id: 77 }],
    ...given,
  });

/** Returns what Anna is asked about these presses. */
export const noticesOf = (...facts: Booked[]): readonly PressNotice[] => hearPresses([], facts, 'Anna');
