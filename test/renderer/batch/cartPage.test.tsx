import { act, cleanup, screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Batch } from '#shared/api/batch.ts';
import type { PickLine } from '../../../renderer/src/features/pick/session/sessionTypes.ts';
import { readNumbers } from '../../../renderer/src/features/pick/batch/keptNumbers.ts';
import { browserStorage } from '../../../renderer/src/storage.ts';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { openBatchPage, press, scan, useClockOfPage } from './batchSupport.tsx';
import { actAnswer, CART, cartBatch, cartLine, cartShare, LINES, PACK, PACK_CODE, SHARES } from './cartRig.ts';
import { scanResult } from '../pick/pickRig.ts';
import { progress } from '../orders/workSupport.tsx';
import type { Stubs } from '../support.tsx';

const HELD = [
  cartShare('A1', 10, { quantity: 2, picked: 2, in_hand: 2, state: 'in_hand' }),
  cartShare('A2', 11, { quantity: 3, picked: 3, in_hand: 3, state: 'in_hand' }),
];
beforeEach(useClockOfPage);

const openCart = (
  first: Parameters<typeof openBatchPage>[0],
  calls: Partial<Stubs> = {},
  path = '/pick/carts/1',
  me = 'Anna',
) => openBatchPage(first, { loadCarriers: async (kind) => (kind === 'cart' ? [CART] : []), ...calls }, path, me);

test('shows what to pick at a place, then what to put into each slot, and then the next place', async () => {
  const acts = vi.fn<Stubs['actInBatch']>(() => new Promise(() => undefined));
  await openCart({ batch: cartBatch(SHARES), lines: LINES }, { actInBatch: acts });
  await screen.findByRole('heading', { name: 'A-1' });
  const split = screen.getByRole('list', { name: 'Who gets how many' });
  expect([split.textContent, split.parentElement?.textContent]).toEqual(['A1 2A2 3', 'Cart slotsA1 2A2 3']);
  await press(/^Picked/);
  await screen.findByRole('heading', { name: 'Put 5' });
  expect(screen.getByText('Then A-2 · 1')).toBeTruthy();
  await press(/^Put 2 into A1/);
  await screen.findByRole('heading', { name: 'A-2' });
  const lines = [
    { item_id: 10, quantity: 2, seen: 0 },
    { item_id: 11, quantity: 3, seen: 0 },
  ];
  expect(acts.mock.calls).toMatchObject([[{ path: { id: 7 }, body: { acts: [{ act: 'pick', lines }] } }]]);
});

test('tells the station which line of the batch it shows, and that it shows none while pieces are put', async () => {
  const shown = vi.fn<Stubs['setCurrentLine']>(() => Promise.resolve(undefined));
  const calls = { setCurrentLine: shown, actInBatch: () => new Promise<never>(() => undefined) };
  await openCart({ batch: cartBatch(SHARES), lines: LINES }, calls);
  await screen.findByRole('heading', { name: 'A-1' });
  await press(/^Picked/);
  await screen.findByRole('heading', { name: 'Put 5' });
  await press(/^Put 2 into A1/);
  await screen.findByRole('heading', { name: 'A-2' });
  const bodies = shown.mock.calls.map(([{ body }]) => body);
  expect(bodies.slice(-3)).toEqual([{ command_id: '1' }, { item_id: null }, { command_id: '2' }]);
});

test('shows one Undo button at a time, which names the place while pieces are being put', async () => {
  const acts = vi.fn<Stubs['actInBatch']>(() => new Promise(() => undefined));
  await openCart({ batch: cartBatch(SHARES), lines: LINES }, { actInBatch: acts });
  await screen.findByRole('heading', { name: 'A-1' });
  const undos = () => screen.queryAllByRole('button', { name: /Undo/ }).map(({ textContent }) => textContent);
  await press(/^Picked/);
  await screen.findByRole('heading', { name: 'Put 5' });
  expect(undos()).toEqual(['UndoA-1']);
  await press(/^Put 2 into A1/);
  await screen.findByRole('heading', { name: 'A-2' });
  expect(undos()).toEqual(['Undo']);
});

test('shows a warning at a slot whose light may fail', async () => {
  const slots = CART.slots.map((slot) => (slot.slot === 'A2' ? { ...slot, deviceid: '51D000:000009' } : slot));
  const { context } = await openCart(
    { batch: cartBatch(HELD), lines: LINES.slice(1) },
    { loadCarriers: async (kind) => (kind === 'cart' ? [{ ...CART, slots }] : []) },
  );
  await screen.findByRole('heading', { name: 'Put 5' });
  expect(screen.queryByText('Weak battery')).toBeNull();
  await act(async () => context.store.setState({ lowBatteries: new Set(['51D000:000009']) }));
  expect(screen.getAllByRole('button', { name: /Weak battery/ }).map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('A2'),
  ]);
});

test('shows a press by somebody else as soon as the stream reports it', async () => {
  const { change } = await openCart({ batch: cartBatch(SHARES), lines: LINES });
  await screen.findByRole('heading', { name: 'A-1' });
  const held = cartBatch(HELD, {
    hands: [{ by: 'Ben', shares: [{ slot: 'A1', order_number: 'SO-A1', item_id: 10, quantity: 2 }] }],
  });
  await change({ batch: held, lines: LINES.slice(1) });
  await screen.findByRole('heading', { name: 'A-2' });
  expect(screen.getByText('Ben holds 2 pieces: A1 2')).toBeTruthy();
});

test('after a put into a wrong slot, shows an error that names the right slots', async () => {
  await openCart({ batch: cartBatch(HELD), lines: [] });
  await screen.findByRole('heading', { name: 'Put 5' });
  await press('B2 free');
  expect(within(screen.getByRole('alert')).getByText('That was B2. Put 2 into A1, 3 into A2.')).toBeTruthy();
});

test('after a reload, scanned packs still count, Undo removes the last one, and Picked books the whole line', async () => {
  const acts = vi.fn<Stubs['actInBatch']>(() => new Promise(() => undefined));
  const lines = [cartLine(1, { A1: 2, A2: 3 }, PACK), ...LINES.slice(1)];
  const open = async () => {
    await openCart({ batch: cartBatch(SHARES), lines }, { actInBatch: acts });
    await screen.findByRole('heading', { name: 'A-1' });
  };
  const kept = (me: string) => readNumbers(browserStorage('sessionStorage'), { kind: 'cart', id: 1 }, me).packs.size;
  await open();
  await scan(PACK_CODE);
  await scan(PACK_CODE);
  cleanup();
  expect([kept('Anna'), kept('Ben')]).toEqual([1, 0]);
  await open();
  expect(screen.getByText('A-1 · 4 of 5 counted')).toBeTruthy();
  expect(screen.getByText('4 counted')).toBeTruthy();
  await press(/^Undo/);
  expect(screen.getByText('2 counted')).toBeTruthy();
  await press(/^Picked/);
  expect(acts.mock.calls.map(([{ body }]) => body.acts[0]?.lines.map(({ quantity }) => quantity))).toEqual([[2, 3]]);
  expect(kept('Anna')).toBe(0);
});

test.each(['{', '1', '{"me":"Anna"}', '{"me":"Anna","packs":[1],"undos":[]}'])(
  'ignores damaged stored packs: %s',
  async (stored) => {
    sessionStorage.setItem('pickstation.packs.cart.1', stored);
    await openCart({ batch: cartBatch(SHARES), lines: LINES });
    await screen.findByRole('heading', { name: 'A-1' });
    expect(screen.queryByText(/counted/)).toBeNull();
  },
);

const LOADED = { ...cartBatch(SHARES, { state: 'loading' }), left_out: [] };

test('scanning the first order at a cart without a batch creates the batch', async () => {
  const addBatch = vi.fn<Stubs['addBatch']>(async () => LOADED);
  const ask = async () => scanResult('order', { order_number: 'SO-A1' });
  await openCart({}, { addBatch, scan: ask, getBatch: async () => LOADED });
  await screen.findByRole('heading', { name: 'Scan an order' });
  await scan('SO-A1');
  expect(addBatch).toHaveBeenCalledExactlyOnceWith({
    body: { mode: 'cart', cart: 1, slots: [{ order_number: 'SO-A1' }] },
  });
  expect(screen.getByText('Order SO-A1: A1. You can scan another slot, or a tote.')).toBeTruthy();
  expect(screen.getByRole('button', { name: /^Go/ })).toBeTruthy();
});

test('while the station is slow to answer, orders and a slot scanned quickly one after another all count', async () => {
  const asked: string[] = [];
  const answers: (() => void)[] = [];
  let now = { ...cartBatch([cartShare('A1', 10)], { state: 'loading' }), left_out: [] };
  const slow = (call: string, after = now) => {
    asked.push(call);
    return new Promise<typeof now>((resolve) => answers.push(() => resolve((now = after))));
  };
  await openCart(
    {},
    {
      scan: async ({ body: { code } }) => scanResult('order', { order_number: code }),
      addBatch: ({ body: { slots } }) => slow(`new ${slots?.map(({ order_number: order }) => order).join()}`),
      addToBatch: ({ body: { order_number: order } }) => slow(`add ${order}`, LOADED),
      moveSlot: ({ path: { slot }, body: { to } }) => slow(`move ${slot} ${to}`),
      getBatch: async () => now,
    },
  );
  await screen.findByRole('heading', { name: 'Scan an order' });
  await scan('SO-A1');
  await scan('SO-A2', 300);
  await scan('C-B2', 300);
  expect(asked).toEqual(['new SO-A1']);
  for (let turn = 0; turn < 3; turn += 1) await act(async () => answers[turn]?.());
  expect(asked).toEqual(['new SO-A1', 'add SO-A2', 'move A2 B2']);
});

test('an order whose tote is refused keeps its slot', async () => {
  const batch = cartBatch([cartShare('A1', 10)], { state: 'loading' });
  const asked: unknown[] = [];
  await openCart(
    { batch },
    {
      scan: async ({ body: { code } }) =>
        code === 'T-7' ? scanResult('unknown') : scanResult('order', { order_number: code }),
      removeFromBatch: async ({ path: { slot } }) => void asked.push(slot),
      addToBatch: async ({ body }) => {
        asked.push(body);
        if (body.tote !== undefined) throw new ApiError('conflict', 'The tote T-7 is already in a slot of batch 3.');
        return { ...batch, left_out: [] };
      },
    },
  );
  await screen.findByText(/^SO-A1/);
  await scan('SO-A1');
  await scan('T-7');
  expect(asked).toEqual([
    'A1',
    { order_number: 'SO-A1', slot: 'A1', tote: 'T-7' },
    { order_number: 'SO-A1', slot: 'A1' },
  ]);
  expect(screen.getByText('The tote T-7 is already in a slot of batch 3.')).toBeTruthy();
});

test('OK scanned twice launches the cart once, even if the walk is slow to load', async () => {
  const launched = Promise.withResolvers<void>();
  const read = Promise.withResolvers<void>();
  const launchBatch = vi.fn<Stubs['launchBatch']>(async () => {
    await launched.promise;
    return cartBatch(SHARES);
  });
  const acts = vi.fn<Stubs['actInBatch']>(async () => actAnswer());
  let lines = async () => [] as PickLine[];
  let batch: Batch = LOADED;
  await openCart(
    { batch: LOADED },
    { launchBatch, actInBatch: acts, getBatch: async () => batch, listWork: () => lines() },
  );
  await screen.findByRole('button', { name: /^Go/ });
  await scan('PICK:OK');
  await scan('PICK:OK');
  batch = cartBatch(SHARES);
  lines = () => read.promise.then(() => [...LINES]);
  await act(async () => launched.resolve());
  await act(async () => read.resolve());
  await screen.findByRole('heading', { name: 'A-1' });
  expect([launchBatch.mock.calls.length, acts.mock.calls.length]).toEqual([1, 0]);
});

test('“Fill” loads a cart without a batch with as many orders as the cart has slots', async () => {
  const addBatch = vi.fn<Stubs['addBatch']>(async () => LOADED);
  await openCart({}, { addBatch });
  await screen.findByRole('heading', { name: 'Scan an order' });
  await press('Fill: 4 orders');
  expect(addBatch).toHaveBeenCalledExactlyOnceWith({ body: { mode: 'cart', cart: 1, fill: { count: 4 } } });
});

test('asks to take the cart to packing once nothing is in hand or left to pick, and can empty the cart', async () => {
  const done = cartShare('A1', 10, { quantity: 2, picked: 1, put: 1, state: 'short' });
  const batch = cartBatch([done]);
  const slots = batch.slots.map((slot) => (slot.slot === 'A1' ? { ...slot, state: 'complete' as const } : slot));
  const freeBatch = vi.fn<Stubs['freeBatch']>(async () => batch);
  await openCart({ batch: { ...batch, slots }, lines: [] }, { freeBatch });
  await screen.findByRole('heading', { name: 'Take Cart 1 to packing' });
  expect(screen.getByText('A1: order SO-A1 is missing 1 piece.')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'A1 SO-A1 1 of 2 complete, short' })).toBeTruthy();
  await press(/^Cart emptied/);
  expect(freeBatch).toHaveBeenCalledExactlyOnceWith({ path: { id: 7 } });
});

test('a cart with complete slots leads to its pack page', async () => {
  const batch = cartBatch([cartShare('A1', 10, { quantity: 2, picked: 2, put: 2, state: 'put' })]);
  const slots = batch.slots.map((slot) => (slot.slot === 'A1' ? { ...slot, state: 'complete' as const } : slot));
  await openCart({ batch: { ...batch, slots }, lines: [] });
  await screen.findByRole('heading', { name: 'Take Cart 1 to packing' });
  await press(/^Pack and print/);
  expect(window.location.pathname).toBe('/pack/1');
});

test('a pick of fewer pieces shows which orders get fewer, and asks for one reason', async () => {
  const acts = vi.fn<Stubs['actInBatch']>(async () => actAnswer());
  await openCart({ batch: cartBatch(SHARES), lines: LINES }, { actInBatch: acts });
  await screen.findByRole('heading', { name: 'A-1' });
  await press('One less');
  await press(/^Picked/);
  expect(screen.getByText('A2 gets 2 of 3')).toBeTruthy();
  await press('Missing');
  const lines = [
    { item_id: 10, quantity: 2, seen: 0 },
    { item_id: 11, quantity: 2, seen: 0 },
  ];
  expect(acts.mock.calls).toMatchObject([[{ body: { acts: [{ lines, reason: 'missing' }] } }]]);
});

test('Picked at a place without a light books all its orders in one request', async () => {
  const dark = cartLine(
    3,
    { A1: 3, A2: 3, B1: 3 },
    { deviceid: null, command_id: null, light: false, location: 'Q-1' },
  );
  const shares = [cartShare('A1', 30), cartShare('A2', 31), cartShare('B1', 32)];
  const acts = vi.fn<Stubs['actInBatch']>(() => new Promise(() => undefined));
  await openCart({ batch: cartBatch(shares), lines: [dark] }, { actInBatch: acts });
  await screen.findByRole('heading', { name: 'Q-1' });
  await press(/^Picked/);
  await screen.findByRole('heading', { name: 'Put 9' });
  const lines = [30, 31, 32].map((item_id) => ({ item_id, quantity: 3, seen: 0 }));
  expect(acts.mock.calls).toMatchObject([[{ path: { id: 7 }, body: { acts: [{ act: 'pick', lines }] } }]]);
});

test('if scans are required, Picked asks for the article, and scanning it picks the place and verifies the items', async () => {
  const acts = vi.fn<Stubs['actInBatch']>(() => new Promise(() => undefined));
  const shares = SHARES.map((share) => ({ ...share, awaits_scan: true }));
  await openCart({ batch: cartBatch(shares), lines: LINES }, { actInBatch: acts });
  await screen.findByRole('heading', { name: 'A-1' });
  await press(/^Picked/);
  await screen.findByRole('heading', { name: 'Scan the article' });
  expect(screen.getByText('5 at A-1: nothing is picked yet.')).toBeTruthy();
  expect(document.activeElement).toBe(document.body);
  await press('Back');
  await press(/^Picked/);
  expect(acts).not.toHaveBeenCalled();
  await scan('SKU-1');
  await screen.findByRole('heading', { name: 'Put 5' });
  expect(acts.mock.calls).toMatchObject([[{ body: { acts: [{ act: 'pick', code: 'SKU-1' }] } }]]);
});

test('the same article scanned twice within 22 ms counts once, even while a button has the focus', async () => {
  const acts = vi.fn<Stubs['actInBatch']>(() => new Promise(() => undefined));
  const shares = SHARES.map((share) => ({ ...share, awaits_scan: true }));
  await openCart({ batch: cartBatch(shares), lines: LINES }, { actInBatch: acts });
  await screen.findByRole('heading', { name: 'A-1' });
  await scan('SKU-1', 3_000, screen.getByRole('button', { name: 'One more' }));
  await scan('SKU-1', 22);
  await screen.findByRole('heading', { name: 'Put 5' });
  expect(acts).toHaveBeenCalledOnce();
  expect(screen.getByText('SKU-1: scanned twice.')).toBeTruthy();
});

test('pieces picked by a press at the shelf can be put only after a scan or “Cannot be scanned”', async () => {
  const verifyItem = vi.fn<Stubs['verifyItem']>(() => new Promise(() => undefined));
  const held = HELD.map((share) => ({ ...share, awaits_scan: true }));
  await openCart({ batch: cartBatch(held), lines: [] }, { verifyItem });
  await screen.findByRole('heading', { name: 'Scan the article' });
  expect(screen.getByText('Then put A1 2 · A2 3.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^All put/ })).toBeNull();
  await press('Cannot be scanned');
  await screen.findByRole('heading', { name: 'Put 5' });
  expect(verifyItem).toHaveBeenCalledExactlyOnceWith({
    path: { order_number: 'SO-A1', id: 10 },
    body: expect.anything(),
  });
});

test('the Pick page offers carts in use, and opens a scanned cart', async () => {
  const ask = async () => scanResult('cart', { batch: 7 });
  await openCart({ batch: cartBatch(SHARES), lines: LINES }, { scan: ask }, '/pick');
  expect(await screen.findByRole('button', { name: /^Continue Cart 1/ })).toBeTruthy();
  await scan('CART-1');
  await screen.findByRole('heading', { name: 'A-1' });
  expect(window.location.pathname).toBe('/pick/carts/1');
});

/** Three open orders, of which SO-A1 and SO-A2 are in a batch. */
const loadOrdersIn: Stubs['loadOrdersIn'] = async (state) =>
  state === 'open' ? ['SO-A1', 'SO-A2', 'SO-9'].map((number) => progress(number)) : [];

test('an order in a batch is not listed as waiting, and scanning its number opens its cart', async () => {
  const ask = async () => scanResult('order', { order_number: 'SO-A1' });
  await openCart({ batch: cartBatch(SHARES), lines: LINES }, { scan: ask, loadOrdersIn }, '/pick');
  const waiting = await screen.findByRole('region', { name: 'Waiting' });
  expect(within(waiting).getAllByRole('button')).toHaveLength(1);
  expect(within(waiting).getByText('SO-9')).toBeTruthy();
  await scan('SO-A1');
  await screen.findByRole('heading', { name: 'A-1' });
  expect(window.location.pathname).toBe('/pick/carts/1');
});

test('scanning an order in a batch opens its cart even if the page has not loaded the batches yet', async () => {
  const ask = async () => scanResult('order', { order_number: 'SO-A1' });
  const { promise, resolve } = Promise.withResolvers<void>();
  const scanOrder = vi.fn<Stubs['scan']>(ask);
  const batch = cartBatch(SHARES);
  const getBatch: Stubs['getBatch'] = () => promise.then(() => batch);
  await openCart({ batch, lines: LINES }, { scan: scanOrder, loadOrdersIn, getBatch }, '/pick');
  await scan('SO-A1');
  await act(async () => resolve());
  await screen.findByRole('heading', { name: 'A-1' });
  expect([window.location.pathname, scanOrder.mock.calls.length]).toEqual(['/pick/carts/1', 1]);
});

test('does not offer a cart that is being sorted at a wall, and opens the wall if one of its orders is scanned', async () => {
  const batch = cartBatch(SHARES, { mode: 'wall', wall: 3, wall_name: 'Wall 1', state: 'sorting' });
  const ask = async () => scanResult('order', { order_number: 'SO-A1' });
  await openCart({ batch }, { scan: ask, loadOrdersIn }, '/pick');
  await screen.findByRole('region', { name: 'Waiting' });
  expect(screen.queryByRole('button', { name: /Cart 1/ })).toBeNull();
  await scan('SO-A1');
  expect(window.location.pathname).toBe('/pick/walls/3');
});

test("scanning a wall on a cart's page opens the wall", async () => {
  const wall = cartBatch([], { id: 9, mode: 'wall', cart: 1, wall: 3, wall_name: 'Wall 1' });
  const ask = async () => scanResult('wall', { batch: 9, says: 'Wall 1: batch 9 is being sorted.' });
  const getBatch: Stubs['getBatch'] = async ({ path: { id } }) => (id === 9 ? wall : cartBatch(SHARES));
  await openCart({ batch: cartBatch(SHARES), lines: LINES }, { scan: ask, getBatch });
  await screen.findByRole('heading', { name: 'A-1' });
  await scan('WALL-1');
  expect(window.location.pathname).toBe('/pick/walls/3');
});
