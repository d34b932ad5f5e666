import { expect, test } from 'vitest';
import type { Delivery } from '#shared/api/callback.ts';
import { withPage, type DeliveryList } from '../../../renderer/src/features/callbacks/deliveryPages.ts';

const delivery = (id: number, attempts = 0): Delivery => ({
  id: String(id),
  receiver: 'http',
  receiver_name: null,
  webhook_id: String(id),
  state: 'pending',
  family: 'device',
  payload: { acknack: 'ack' },
  url: null,
  attempts,
  next_attempt: null,
  last_attempt: null,
  last_status: null,
  last_error: null,
  created: '2026-11-20T10:00:00.000Z',
  command_id: null,
});

/** Returns deliveries with ids from `first` down to `last`. */
const from = (first: number, last: number) =>
  Array.from({ length: first - last + 1 }, (_, place) => delivery(first - place));
const ids = (list: DeliveryList | undefined) => list?.entries.map(({ id }) => Number(id));
const KNOWN: DeliveryList = { entries: from(20, 11), isEnd: false };

test('adds newer deliveries at the top and older ones at the bottom', () => {
  expect(ids(withPage(KNOWN, undefined, from(22, 18), false))).toEqual([22, 21, ...(ids(KNOWN) ?? [])]);
  const longer = withPage(KNOWN, '11', from(10, 8), true);
  expect(ids(longer)).toEqual([...(ids(KNOWN) ?? []), 10, 9, 8]);
  expect(longer?.isEnd).toBe(true);
});

test('a page from the middle removes deliveries that it no longer contains, and updates changed ones', () => {
  const list = withPage(KNOWN, '18', [delivery(17), delivery(15, 3), delivery(14)], false);
  expect(ids(list)).toEqual([20, 19, 18, 17, 15, 14, 13, 12, 11]);
  expect(list?.entries[4]?.attempts).toBe(3);
  expect(list?.entries[3]).toBe(KNOWN.entries[3]);
});

test('discards the known deliveries if there is a gap between them and the new first page', () => {
  const list = withPage(KNOWN, undefined, from(40, 31), false);
  expect(ids(list)).toEqual(ids({ entries: from(40, 31), isEnd: false }));
  expect(list?.isEnd).toBe(false);
});

test('the last page removes any later entries from the list', () => {
  expect(ids(withPage(KNOWN, '18', from(17, 16), true))).toEqual([20, 19, 18, 17, 16]);
  expect(withPage(KNOWN, undefined, [], true)).toEqual({ entries: [], isEnd: true });
});

test('ignores a page that follows a delivery no longer in the list', () => {
  expect(withPage(KNOWN, '99', from(98, 90), false)).toBe(KNOWN);
});

test('returns the same list when nothing changed', () => {
  expect(withPage(KNOWN, undefined, from(20, 16), false)).toBe(KNOWN);
  expect(withPage(KNOWN, '15', from(14, 12), false)).toBe(KNOWN);
});

test('without known deliveries, the first page becomes the whole list', () => {
  expect(withPage(undefined, undefined, from(3, 1), true)).toEqual({ entries: from(3, 1), isEnd: true });
});
