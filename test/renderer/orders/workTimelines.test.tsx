import { act, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { DeliveryExchange } from '#shared/api/callback.ts';
import type { DeliveryTimeline, OrderTimeline, TimelineCallback } from '#shared/api/history.ts';
import { CallbacksPage } from '../../../renderer/src/features/callbacks/CallbacksPage.tsx';
import { AT, userOf } from '../../helpers/snapshots.ts';
import { device, show, station, testContext } from '../support.tsx';
import { item, ONE, openWork, order, press } from './workSupport.tsx';

const LATER = '2026-11-22T09:00:00.000Z';
const LIT = item(1, { name: 'Cable tie', deviceid: ONE, state: 'active', command_id: 'c1' });
const ORDER = order('10418', [LIT], { state: 'in_progress', launched_time: AT });

function callback(id: string, given: Partial<TimelineCallback> = {}): TimelineCallback {
  return {
    id,
    acknack: 'item_added',
    state: 'pending',
    attempts: 0,
    at: AT,
    last_status: null,
    last_error: null,
    delivered_at: null,
    ...given,
  };
}

const TIMELINE: OrderTimeline = {
  order_number: '10418',
  state: 'in_progress',
  steps: [
    { at: AT, kind: 'order_created' },
    { at: AT, kind: 'order_launched', by: 'erp', detail: '1 lit.' },
    { at: AT, kind: 'shown', by: 'device', item: 'Cable tie', location: 'A-1', deviceid: ONE, command_id: 'c1' },
    { at: LATER, kind: 'order_corrected', by: 'Ann', item: 'Cable tie', location: 'A-1', deviceid: ONE },
  ],
  callbacks: [],
  callbacks_kept: true,
  complete: true,
};

const steps = () => within(screen.getByRole('region', { name: 'Timeline of order 10418' })).getAllByRole('listitem');
const said = () => steps().map((step) => step.textContent?.replace(/^[\d:.]*/, ''));

const openOrder = (timeline: OrderTimeline, load = vi.fn(() => Promise.resolve(timeline))) =>
  openWork(
    'orders',
    { getOrder: () => Promise.resolve(ORDER), getOrderTimeline: load },
    { path: '/orders/10418?show=timeline' },
  ).then((opened) => ({ ...opened, load }));

test("an order's timeline shows what happened, to which item, by whom and on which day", async () => {
  await openOrder(TIMELINE);
  expect(said()).toEqual([
    'Order created',
    'Order launched by erp · 1 lit.',
    'Shown on the device · Cable tie at A-1',
    'Line corrected by Ann · Cable tie at A-1 · on 22 Nov 2026',
  ]);
  expect(screen.getByRole('link', { name: 'Cable tie at A-1' }).getAttribute('href')).toBe('/history/c1');
  expect(screen.queryByText(/Older steps/)).toBeNull();
});

test('shows the items first, and keeps the open view in the address', async () => {
  await openWork(
    'orders',
    { getOrder: () => Promise.resolve(ORDER), getOrderTimeline: () => Promise.resolve(TIMELINE) },
    { path: '/orders/10418' },
  );
  expect(screen.getByRole('grid')).toBeDefined();
  await press('Timeline', 'radio');
  expect(window.location.search).toBe('?show=timeline');
  expect(steps()).toHaveLength(4);
});

test('reloads the timeline after each event of the order and its devices', async () => {
  let timeline = { ...TIMELINE, steps: TIMELINE.steps.slice(0, 2) };
  const { load, tell } = await openOrder(
    TIMELINE,
    vi.fn(() => Promise.resolve(timeline)),
  );
  expect(load).toHaveBeenCalledTimes(1);
  await tell({ type: 'order.item', order_number: '10418', item: { ...LIT, quantity_fulfilled: 3 } });
  expect(load).toHaveBeenCalledTimes(2);
  timeline = TIMELINE;
  await tell({ type: 'command.unreachable', deviceid: ONE, command_id: 'c1', at: LATER });
  expect(load).toHaveBeenCalledTimes(3);
  expect(said()).toContain('Shown on the device · Cable tie at A-1');
});

test('distinguishes callbacks to the broker from callbacks to the callback URL', async () => {
  await openOrder({ ...TIMELINE, callbacks: [callback('msg_1'), callback('msg_1.mqtt')] });
  expect(said().slice(-2)).toEqual([
    'nowdelivering the callback item_added',
    'nowdelivering the callback item_added over MQTT',
  ]);
});

test('links an incomplete timeline to the full history, and shows many pending callbacks in one line', async () => {
  const callbacks = ['1', '2', '3', '4'].map((id) => callback(id));
  await openOrder({ ...TIMELINE, complete: false, callbacks });
  expect(screen.getByRole('link', { name: 'Show full history' })).toBeDefined();
  expect(said().at(-1)).toBe('now4 callbacks not delivered yet');
  expect(steps()).toHaveLength(5);
});

test("a delivery's page shows its timeline starting with the request, and links to the order", async () => {
  const delivery: DeliveryExchange = {
    id: 'msg_1',
    receiver: 'http',
    receiver_name: null,
    webhook_id: 'msg_1',
    state: 'pending',
    family: 'order',
    payload: { order_event: 'item_added', order: '10418', deviceid: ONE },
    url: null,
    attempts: 0,
    next_attempt: null,
    last_attempt: null,
    last_status: null,
    last_error: null,
    created: AT,
    command_id: 'c1',
    request: null,
    answer: null,
    milliseconds: null,
  };
  const timeline: DeliveryTimeline = {
    id: 'msg_1',
    event: 'item_added',
    state: 'pending',
    command_id: 'c1',
    sequenceid: null,
    order_number: '10418',
    steps: [
      { at: AT, kind: 'requested', by: 'erp', item: 'Cable tie', location: 'A-1', command_id: 'c1' },
      { at: AT, kind: 'callback_created' },
    ],
    callbacks: [callback('msg_1')],
  };
  window.history.replaceState(null, '', '/connections/callbacks/msg_1');
  const context = testContext(
    { station: { ...station(device(ONE)), user: userOf('Ann', 'admin') } },
    {
      listCallbacks: () => Promise.resolve([delivery]),
      countCallbacks: () => Promise.resolve({ pending: 1, dead: 0, oldest_pending: null, held: null }),
      getCallback: () => Promise.resolve(delivery),
      getDeliveryTimeline: () => Promise.resolve(timeline),
    },
  );
  await act(async () => show(context, <CallbacksPage />));
  const part = within(screen.getByRole('region', { name: 'Timeline' }));
  expect(part.getAllByRole('listitem').map((step) => step.textContent?.replace(/^[\d:.]*/, ''))).toEqual([
    'Requested by erp',
    'Callback created',
    'nowdelivering the callback item_added',
  ]);
  expect(part.getByRole('link', { name: 'Open order 10418' }).getAttribute('href')).toBe('/orders/10418');
});
