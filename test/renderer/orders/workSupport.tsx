import { useLocation } from 'wouter';
import { act, fireEvent, screen } from '@testing-library/react';
import type { Item, Order, OrderProgress } from '#shared/api/order.ts';
import type { Sequence, SequenceProgress, SequenceResult, Step } from '#shared/api/sequence.ts';
import type { Device } from '#shared/api/device.ts';
import type { Fact, Station } from '#shared/api/station.ts';
import { ImportPage } from '../../../renderer/src/features/import/ImportPage.tsx';
import { OrdersPage } from '../../../renderer/src/features/orders/OrdersPage.tsx';
// The page loads this form when it opens.
import '../../../renderer/src/shop/order/NewOrderDialog.tsx';
import { SequencesPage } from '../../../renderer/src/features/sequences/SequencesPage.tsx';
import { applyMessages } from '../../../renderer/src/station/live/store.ts';
import { AT, userOf } from '../../helpers/snapshots.ts';
import { command, device, show, station, testContext, type Stubs } from '../support.tsx';

export const ONE = '51D000:000001';
export const TWO = '51D000:000002';

/** Two devices: A-1 is lit for order 10418, A-2 is idle. */
export const DEVICES: readonly Device[] = [
  device(ONE, {
    locationoverride: 'A-1',
    location: 'A-1',
    state: 'active',
    commands: [command('c1', { order_number: '10418' })],
    displayed: {
      command_id: 'c1',
      screen: { label: 'A-1', lines: [], quantity: 5, arrow: null, barcode: '', qrcode: '', icon: '' },
      led: { mode: 'blink', hex: '#00ff00', letter: 'G' },
    },
  }),
  device(TWO, { locationoverride: 'A-2', location: 'A-2', statica: 'M8 nut' }),
];

/** Fields of an order that nobody is picking. */
const UNTOUCHED = { priority: 0, due_time: null, scan_required: false, attention: [], pickers: [], waits: false };

export function progress(number: string, given: Partial<OrderProgress> = {}): OrderProgress {
  return {
    id: Number(number.replace(/\D/g, '')) || 1,
    order_number: number,
    ...UNTOUCHED,
    state: 'open',
    created_time: AT,
    updated_time: AT,
    launched_time: null,
    fulfilled_time: null,
    item_count: 3,
    done_count: 0,
    short_count: 0,
    active_count: 0,
    unassigned_count: 0,
    unscanned_count: 0,
    ordered_quantity: 8,
    quantity_fulfilled: 0,
    ...given,
  };
}

export function item(id: number, given: Partial<Item> = {}): Item {
  return {
    id,
    name: `Item ${id}`,
    ordered_quantity: 5,
    quantity_fulfilled: 0,
    quantity_remaining: 5,
    deviceid: null,
    state: 'open',
    command_id: null,
    timed_out: false,
    picker: null,
    verified: false,
    awaits_scan: false,
    guessed: false,
    no_stock: false,
    ...given,
  };
}

/** Returns an order with one shipment that has these items; `given` overrides fields. */
export function order(number: string, items: Item[], given: Partial<Order> = {}): Order {
  return {
    id: 1,
    order_number: number,
    ...UNTOUCHED,
    state: 'open',
    created_time: AT,
    updated_time: AT,
    launched_time: null,
    fulfilled_time: null,
    shipments: [{ id: 1, shipment_number: number, state: 'open', attention: [], items }],
    items,
    unassigned: [],
    ...given,
  };
}

export function sequenceProgress(id: string, given: Partial<SequenceProgress> = {}): SequenceProgress {
  return {
    sequenceid: id,
    sequencenonce: '',
    state: 'unstarted',
    created_time: AT,
    start_time: null,
    completed_time: null,
    step_count: 3,
    acknowledged_count: 0,
    active_count: 0,
    halted_count: 0,
    ...given,
  };
}

export function step(order: number, given: Partial<Step> = {}): Step {
  return {
    order,
    location: `A-${order}`,
    line1: `Do ${order}`,
    state: 'pending',
    deviceid: null,
    command_id: null,
    qty: null,
    finished_time: null,
    ...given,
  };
}

export function sequence(id: string, steps: Step[], given: Partial<Sequence> = {}): SequenceResult {
  return {
    sequenceid: id,
    sequencenonce: '',
    state: 'unstarted',
    created_time: AT,
    start_time: null,
    completed_time: null,
    steps,
    warnings: [],
    ...given,
  };
}

type Given = { path?: string; scope?: Station['user']['scope']; devices?: readonly Device[] };

/** Renders the import page or the orders page, depending on the address. */
function OrdersOrImport() {
  const [at] = useLocation();
  return at === '/import' ? <ImportPage /> : <OrdersPage />;
}

export async function openWork(page: 'orders' | 'sequences', api: Partial<Stubs>, given: Given = {}) {
  const { path = `/${page}`, scope = 'control', devices = DEVICES } = given;
  window.history.replaceState(null, '', path);
  const known = { ...station(...devices), user: userOf('Ann', scope) };
  const context = testContext(
    { station: known, connection: { kind: 'live' } },
    {
      loadLastOrderImport: () => Promise.resolve(null),
      listImportDrafts: () => Promise.resolve([]),
      listArticles: () => Promise.resolve([]),
      ...api,
    },
  );
  const { unmount } = await act(async () => show(context, page === 'orders' ? <OrdersOrImport /> : <SequencesPage />));
  let revision = known.revision;
  const tell = (...facts: Fact[]) =>
    act(async () => applyMessages(context.store, [{ kind: 'facts', revision: (revision += 1), facts }]));
  return { context, tell, unmount };
}

export const press = (name: string | RegExp, role = 'button') =>
  act(async () => fireEvent.click(screen.getByRole(role, { name })));

export const type = (name: string | RegExp, text: string, role = 'textbox') =>
  act(async () => fireEvent.change(screen.getByRole(role, { name }), { target: { value: text } }));

/** Returns the text of each row below the header. */
export function rowsShown(): string[] {
  return screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.textContent ?? '');
}
