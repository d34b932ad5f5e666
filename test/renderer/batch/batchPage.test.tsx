import { act, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { Batch } from '#shared/api/batch.ts';
import type { Carrier } from '#shared/api/carrier.ts';
import { CartsPage } from '../../../renderer/src/features/carts/CartsPage.tsx';
import { applyMessages } from '../../../renderer/src/station/live/store.ts';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { AT, userOf } from '../../helpers/snapshots.ts';
import { show, station, testContext, type Stubs } from '../support.tsx';
import { openWork, press, progress } from '../orders/workSupport.tsx';

type Slot = Batch['slots'][number];

function share(slot: string, given: Partial<Slot['shares'][number]> = {}): Slot['shares'][number] {
  const none = { picked: 0, put: 0, put_back: 0, in_hand: 0, state: 'open', awaits_scan: false } as const;
  return { slot, order_number: `SO-${slot}`, item_id: 1, quantity: 3, ...none, ...given };
}

function slot(name: string, state: Slot['state'], shares: Slot['shares'] = []): Slot {
  const order = shares[0]?.order_number ?? null;
  return { slot: name, state, order_number: order, shipment_number: null, tote: null, shares, freed: null };
}

function batch(given: Partial<Batch> = {}): Batch {
  return {
    id: 7,
    mode: 'cart',
    cart: 1,
    cart_name: 'Cart 1',
    wall: null,
    wall_name: '',
    singles: false,
    scanned: [],
    state: 'loading',
    put_confirmation: 'once',
    picker: null,
    pickers: [],
    attention: [],
    created_time: AT,
    updated_time: AT,
    slots: [slot('A1', 'open', [share('A1')]), slot('A2', 'free')],
    hands: [],
    put_back: [],
    waiting: [],
    ...given,
  };
}

const PICKING = batch({
  state: 'picking',
  picker: 'Ann',
  slots: [
    slot('A1', 'open', [share('A1', { picked: 3, put: 1, in_hand: 2, state: 'in_hand' })]),
    slot('A2', 'complete', [share('A2', { picked: 2, put: 2, state: 'short' })]),
    slot('A3', 'stopped', [share('A3', { picked: 1, put: 1, state: 'stopped' })]),
  ],
  hands: [{ by: 'Ann', shares: [{ slot: 'A1', order_number: 'SO-A1', item_id: 1, quantity: 2 }] }],
  put_back: [share('A3', { put_back: 1 })],
});

async function openBatch(known: Batch, calls: Partial<Stubs> = {}) {
  window.history.replaceState(null, '', '/places/carts/batches/7');
  const getBatch = vi.fn<Stubs['getBatch']>(async () => known);
  const context = testContext({ station: { ...station(), user: userOf('Ann', 'picker') } }, { getBatch, ...calls });
  await act(async () => show(context, <CartsPage />));
  let revision = 100;
  const changed = (id: number) =>
    act(async () =>
      applyMessages(context.store, [
        {
          kind: 'facts',
          revision: ++revision,
          facts: [{ type: 'batch.changed', batch_id: id, state: 'picking' }],
        },
      ]),
    );
  return { getBatch, changed };
}

const tiles = () => within(screen.getByRole('list', { name: 'Slots' })).getAllByRole('listitem');
const buttons = () => screen.getAllByRole('button').map((each) => each.textContent);

test("shows a batch's slots, the pieces in hand and the pieces to put back", async () => {
  await openBatch(PICKING);
  const [a1, a2, a3] = tiles().map((tile) => tile.textContent);
  expect(a1).toBe('A1OpenSO-A11 of 3 putPut 2');
  expect(a2).toBe('A2Complete, with shortsSO-A22 of 3 put · 1 shortFree');
  expect(a3).toBe('A3Stopped: empty itSO-A31 of 3 putFree');
  expect(screen.getByRole('region', { name: 'In hand' }).textContent).toContain('Ann holds: A1 2');
  expect(screen.getByRole('region', { name: 'To return' }).textContent).toContain('1 piece of order SO-A3');
  expect(screen.getByText('Cart 1 · Picking · Picked by Ann')).toBeTruthy();
});

test('reloads the batch when it changes, but not when a different batch changes', async () => {
  const { getBatch, changed } = await openBatch(batch());
  expect(tiles()).toHaveLength(2);
  getBatch.mockResolvedValue(PICKING);
  await changed(8);
  expect(getBatch).toHaveBeenCalledTimes(1);
  await changed(7);
  expect(tiles()).toHaveLength(3);
});

test('links to the Pick page once the batch is launched', async () => {
  await openBatch(PICKING);
  expect(screen.getByRole('link', { name: 'Pick' }).getAttribute('href')).toBe('/pick/carts/1');
});

test.each<[string, Batch, string[]]>([
  ['loading', batch(), ['Carts and walls', 'Abort…', 'Go']],
  [
    'picking',
    PICKING,
    ['Carts and walls', 'Abort…', 'Free complete slots', 'Pause', 'Put all', 'Put 2', 'Free', 'Free'],
  ],
  ['done', batch({ state: 'done', slots: [slot('A1', 'free')] }), ['Carts and walls']],
])('offers only the possible actions while a batch is %s', async (_, known, offered) => {
  await openBatch(known);
  expect(buttons()).toEqual(offered);
});

test.each<[string, Batch, keyof Stubs, object]>([
  ['Go', batch(), 'launchBatch', { path: { id: 7 } }],
  ['Pause', PICKING, 'pauseBatch', { path: { id: 7 } }],
  ['Put all', PICKING, 'putIntoSlot', { path: { id: 7 }, body: { all: true } }],
  ['Put 2 into A1', PICKING, 'putIntoSlot', { path: { id: 7 }, body: { slot: 'A1', quantity: 2 } }],
  ['Free complete slots', PICKING, 'freeSlot', { path: { id: 7, slot: 'A2' } }],
  ['Free A3', PICKING, 'freeSlot', { path: { id: 7, slot: 'A3' } }],
])('“%s” sends one request, and a refusal shows the reason', async (name, known, operation, given) => {
  const call = vi.fn(() => Promise.reject(new ApiError('conflict', 'Nothing is in hand.')));
  const { getBatch } = await openBatch(known, { [operation]: call });
  await press(name);
  expect(call).toHaveBeenCalledExactlyOnceWith(given);
  expect(screen.getByText(/Nothing is in hand\./)).toBeTruthy();
  expect(getBatch).toHaveBeenCalledTimes(2);
});

test('after a put into a wrong slot, shows where the pieces belong', async () => {
  const says = 'Nothing in hand belongs in A1. Put 2 into A3.';
  const put: Stubs['putIntoSlot'] = async () => ({ result: 'wrong_slot', says, quantity: 0, expected: [] });
  await openBatch(PICKING, { putIntoSlot: put });
  await press('Put 2 into A1');
  expect(screen.getByText(says)).toBeTruthy();
});

test('asks before aborting a batch', async () => {
  const abortBatch = vi.fn<Stubs['abortBatch']>(async () => PICKING);
  await openBatch(PICKING, { abortBatch });
  await press('Abort…');
  expect(abortBatch).not.toHaveBeenCalled();
  await press('Abort');
  expect(abortBatch).toHaveBeenCalledExactlyOnceWith({ path: { id: 7 } });
});

const CARTS: readonly Carrier[] = ['Cart 1', 'Cart 2'].map((name, at) => ({
  id: at + 1,
  name,
  code: null,
  rows: 1,
  columns: 2,
  slots: ['A1', 'A2'].map((each) => ({ slot: each, code: null, deviceid: null, back_deviceid: null })),
}));

function openOrders(calls: Partial<Stubs>) {
  return openWork('orders', {
    loadOrders: async () => [progress('10418'), progress('10419'), progress('10420')],
    loadCarriers: async (kind) => (kind === 'cart' ? CARTS : []),
    listBatches: async () => [batch()],
    ...calls,
  });
}

/** Opens the dialog Pick together, whose code is loaded only then. */
async function pressTogether(): Promise<void> {
  await press('Pick together…');
  await screen.findByRole('dialog');
}

test('loads the selected orders onto the first cart without a batch, and opens the new batch', async () => {
  const addBatch = vi.fn<Stubs['addBatch']>(async () => ({ ...batch(), id: 8, cart_name: 'Cart 2', left_out: [] }));
  await openOrders({ addBatch });
  await press('Select order 10418', 'checkbox');
  await press('Select order 10420', 'checkbox');
  await pressTogether();
  await press('Load the cart');
  expect(addBatch).toHaveBeenCalledExactlyOnceWith({
    body: {
      mode: 'cart',
      cart: 2,
      slots: [{ order_number: '10418' }, { order_number: '10420' }],
    },
  });
  expect(window.location.pathname).toBe('/places/carts/batches/8');
});

test('the preselected cart stays selected when somebody else loads it in the meantime', async () => {
  const addBatch = vi.fn<Stubs['addBatch']>(() => Promise.reject(new ApiError('conflict', 'Cart 1 is in batch 9.')));
  let batches: Batch[] = [];
  const { context } = await openOrders({ addBatch, listBatches: async () => batches });
  await press('Select order 10418', 'checkbox');
  await pressTogether();
  batches = [batch()];
  await act(async () => context.queries.refresh(['batches']));
  await press('Load the cart');
  expect(addBatch.mock.calls.map(([{ body }]) => body.cart)).toEqual([1]);
});

test('explains why orders cannot be picked together', async () => {
  const message = 'Order 10418 is in batch 7 already.';
  await openOrders({ addBatch: () => Promise.reject(new ApiError('conflict', message)) });
  await press('Select order 10418', 'checkbox');
  await pressTogether();
  await press('Load the cart');
  expect(screen.getByText(`Nothing was loaded. ${message}`)).toBeTruthy();
  expect(window.location.pathname).toBe('/orders');
});

const WALLS = CARTS.slice(0, 1).map((cart) => ({ ...cart, id: 5, name: 'Wall 1' }));

test.each([
  [['Wall 1, 2 slots'], { mode: 'wall', wall: 5 }],
  [['Wall 1, 2 slots', 'Cart 2, 2 slots'], { mode: 'wall', cart: 2, wall: 5 }],
])('loads the selected orders into a wall, with or without a cart: %j', async (names, asked) => {
  const addBatch = vi.fn<Stubs['addBatch']>(async () => ({ ...batch(), id: 8, wall_name: 'Wall 1', left_out: [] }));
  await openOrders({ addBatch, loadCarriers: async (kind) => (kind === 'cart' ? CARTS : WALLS) });
  await press('Select order 10418', 'checkbox');
  await pressTogether();
  for (const name of names) {
    // oxlint-disable-next-line no-await-in-loop -- one field after the other
    await press(name.startsWith('Wall') ? /Wall$/ : /Cart$/);
    // oxlint-disable-next-line no-await-in-loop -- as above
    await press(name, 'option');
  }
  await press('Load the wall');
  expect(addBatch).toHaveBeenCalledExactlyOnceWith({ body: { ...asked, slots: [{ order_number: '10418' }] } });
});
