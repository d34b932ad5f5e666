import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { PickPage } from '../../../renderer/src/features/pick/PickPage.tsx';
import { applyMessages } from '../../../renderer/src/station/live/store.ts';
import { userOf } from '../../helpers/snapshots.ts';
import { openBatchPage } from '../batch/batchSupport.tsx';
import { cartBatch, cartShare, LINES, SHARES, wallBatch } from '../batch/cartRig.ts';
import { device, show, station, testContext, type Stubs, touchPainted } from '../support.tsx';
import { litItem, pickLine, pickOrder } from './pickRig.ts';

// A typed number belongs to its line until that line ends, also if the page is reloaded meanwhile.
let nowMs = 0;
beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  return () => vi.restoreAllMocks();
});

async function openOrder(me = 'Anna', calls: Partial<Stubs> = {}) {
  cleanup();
  window.history.replaceState(null, '', '/pick/SO-1');
  const context = testContext(
    {
      station: { ...station(device('51D000:000001')), user: userOf(me, 'picker') },
      connection: { kind: 'live' },
      session: 'signedIn',
    },
    {
      listWork: async () => [pickLine(1), pickLine(2)],
      getOrder: async () => pickOrder([litItem(1), litItem(2)]),
      listPickers: async () => [],
      listShortReasons: async () => [{ key: 'missing', label: null }] as never,
      adjustCommand: () => new Promise(() => undefined),
      ...calls,
    },
  );
  await act(async () => show(context, <PickPage />));
  await vi.waitFor(() => expect(document.querySelector('h2')).not.toBeNull());
  return { context };
}

const press = (name: string | RegExp) =>
  touchPainted(
    () => screen.getByRole('button', { name }),
    () => (nowMs += 1_000),
  );
const type = (...keys: string[]) =>
  act(async () => {
    nowMs += 1_000;
    for (const key of keys) fireEvent.keyDown(document.body, { key, code: key.length === 1 ? `Digit${key}` : key });
  });

const ways: [string, () => Promise<unknown>][] = [
  ['typed without Enter', () => type('3')],
  ['typed with Enter', () => type('3', 'Enter')],
  [
    'in the number pad',
    async () => {
      await press(/^Number pad/);
      await press('3');
    },
  ],
  [
    'in the Short dialog',
    async () => {
      await press(/^Short/);
      await type('3', 'Enter');
    },
  ],
];

test.each(ways)(
  'a number of an order survives a reload and another person at this tab, who does not see it: %s',
  async (_, begin) => {
    await openOrder();
    await begin();
    await openOrder();
    expect(screen.getByLabelText('Take 3')).toBeTruthy();
    await press(/^Picked/);
    expect(within(screen.getByRole('dialog')).getByText('3')).toBeTruthy();
    await openOrder('Ben', { getOrder: async () => pickOrder([litItem(1, { picker: 'Ben' })]) });
    expect(screen.queryByLabelText('Take 3')).toBeNull();
    await openOrder();
    expect(screen.getByLabelText('Take 3')).toBeTruthy();
  },
);

const bookedMeanwhile = (given: Parameters<typeof litItem>[1] = {}): Partial<Stubs> => ({
  listWork: async () => [pickLine(2)],
  getOrder: async () =>
    pickOrder([litItem(1, { state: 'done', command_id: null, quantity_fulfilled: 5, ...given }), litItem(2)]),
});
const DIFFERS = 'The light booked 5. You typed 3.';

test.each(ways)('a press during a reload that booked another number is asked about: %s', async (_, begin) => {
  await openOrder();
  await begin();
  const reopenItem = vi.fn<Stubs['reopenItem']>(() => new Promise(() => undefined));
  await openOrder('Anna', { ...bookedMeanwhile(), adjustCommand: async () => ({}) as never, reopenItem });
  expect(screen.getByText(DIFFERS)).toBeTruthy();
  await press('3');
  expect(reopenItem.mock.calls).toMatchObject([[{ body: { quantity_fulfilled: 0, instead: 1, instead_quantity: 3 } }]]);
  expect(within(screen.getByRole('dialog')).getByText('What is wrong?')).toBeTruthy();
});

test('the question for the reason of fewer pieces survives a reload, until it is answered or the line is open again', async () => {
  const short = { state: 'short', quantity_fulfilled: 3 } as const;
  const sent = { reopenItem: async () => ({}) as never, closeItemShort: async () => ({}) as never };
  const isAsked = () => screen.queryByText('What is wrong?') !== null;
  await openOrder();
  await type('3');
  await openOrder('Anna', { ...bookedMeanwhile(), ...sent });
  await press('3');
  expect(isAsked()).toBe(true);
  await openOrder('Anna', { ...bookedMeanwhile(short), ...sent });
  expect(isAsked()).toBe(true);
  await openOrder('Ben', bookedMeanwhile(short));
  expect(isAsked()).toBe(false);
  await openOrder('Anna', { ...bookedMeanwhile({ ...short, quantity_fulfilled: 4 }), ...sent });
  expect(isAsked()).toBe(false);
  await openOrder();
  await type('3');
  await openOrder('Anna', { ...bookedMeanwhile(), ...sent });
  await press('3');
  await press('Missing');
  await openOrder('Anna', { ...bookedMeanwhile(short), ...sent });
  expect(isAsked()).toBe(false);
});

test('a press during a reload is asked about once, and only if it booked another number of this person', async () => {
  await openOrder();
  await type('3');
  await openOrder('Anna', bookedMeanwhile());
  await press('5');
  await openOrder('Anna', bookedMeanwhile());
  expect(screen.queryByRole('dialog')).toBeNull();
  await openOrder();
  await type('3');
  await openOrder('Anna', bookedMeanwhile({ state: 'short', quantity_fulfilled: 3 }));
  expect(screen.queryByText(/You typed/)).toBeNull();
  await openOrder();
  await type('3');
  await openOrder('Anna', bookedMeanwhile({ picker: 'Ben' }));
  expect(screen.queryByText(/You typed/)).toBeNull();
});

test('the question about a press that booked another number survives a reload', async () => {
  const done = litItem(1, { state: 'done', command_id: null, quantity_fulfilled: 5 });
  let isDone = false;
  const calls: Partial<Stubs> = {
    listWork: async () => (isDone ? [pickLine(2)] : [pickLine(1), pickLine(2)]),
    getOrder: async () => pickOrder([isDone ? done : litItem(1), litItem(2)]),
  };
  const { context } = await openOrder('Anna', calls);
  await type('3');
  isDone = true;
  await act(async () => {
    const ended = { deviceid: '51D000:000001', command_id: '1', at: '', qty: 5, by: '' };
    const facts = [
      { type: 'command.acknowledged', ...ended },
      { type: 'order.item', order_number: 'SO-1', item: done },
    ] as const;
    applyMessages(context.store, [{ kind: 'facts', revision: 100, facts: [...facts] }]);
  });
  const question = 'The light booked 5. You typed 3.';
  await vi.waitFor(() => screen.getByText(question));
  await openOrder('Anna', calls);
  expect(screen.getByText(question)).toBeTruthy();
  await press('5');
  await openOrder('Anna', calls);
  expect(screen.queryByText(question)).toBeNull();
});

const cart = (first: Parameters<typeof openBatchPage>[0] = { batch: cartBatch(SHARES), lines: LINES }, me?: string) => {
  cleanup();
  return openBatchPage(first, {}, '/pick/carts/1', me);
};

test.each(ways)('a number of a cart survives a reload and another person at this tab: %s', async (_, begin) => {
  await cart();
  await screen.findByRole('heading', { name: 'A-1' });
  await begin();
  const pickers = ['Anna', 'Ben'].map((name) => ({ name, color: 'blue' as const }));
  const lines = LINES.map((line) => ({ ...line, picker: 'Ben' }));
  await cart({ batch: cartBatch(SHARES, { pickers }), lines }, 'Ben');
  await screen.findByRole('heading', { name: 'A-1' });
  expect(screen.queryByLabelText('Take 3')).toBeNull();
  await cart();
  await screen.findByRole('heading', { name: 'A-1' });
  expect(screen.getByLabelText('Take 3')).toBeTruthy();
  // It ends with its line.
  await cart({ batch: cartBatch(SHARES), lines: LINES.slice(1) });
  await screen.findByRole('heading', { name: 'A-2' });
  expect(screen.queryByLabelText('Take 3')).toBeNull();
});

/** Lets hours pass on the clock of the browser. */
function passHours(hours: number): void {
  const later = Date.now() + hours * 3_600_000;
  vi.spyOn(Date, 'now').mockImplementation(() => later);
}

test('a number that nobody has booked for hours is forgotten, also if its order has ended elsewhere', async () => {
  await openOrder();
  await type('3');
  await cart();
  await screen.findByRole('heading', { name: 'A-1' });
  await type('2');
  const kept = () => JSON.stringify(sessionStorage);
  expect(kept()).toContain('SO-1');
  passHours(5);
  await cart();
  await screen.findByRole('heading', { name: 'A-1' });
  expect(screen.queryByLabelText('Take 2')).toBeNull();
  await type('4');
  expect(kept()).not.toContain('SO-1');
  await openOrder('Anna', bookedMeanwhile());
  expect(screen.queryByText(DIFFERS)).toBeNull();
  await openOrder();
  await type('3');
  passHours(5);
  await openOrder('Anna', bookedMeanwhile());
  expect(screen.queryByText(DIFFERS)).toBeNull();
});

const heldAtCart = (first: number, second: number) =>
  cartBatch([
    cartShare('A1', 10, { quantity: 2, picked: first, in_hand: first }),
    cartShare('A2', 11, { quantity: 3, picked: second, in_hand: second }),
    cartShare('A1', 20, { quantity: 1 }),
  ]);

test.each(ways)('a press during a reload of a cart that booked another number is asked about: %s', async (_, begin) => {
  await cart();
  await screen.findByRole('heading', { name: 'A-1' });
  await begin();
  await cart({ batch: heldAtCart(2, 3), lines: LINES.slice(1) });
  expect(await screen.findByText(DIFFERS)).toBeTruthy();
  await press('5');
  await cart({ batch: heldAtCart(2, 3), lines: LINES.slice(1) });
  await screen.findByRole('heading', { name: 'Put 5' });
  expect(screen.queryByText(DIFFERS)).toBeNull();
});

test('a press during a reload of a cart that booked the number, or was of a colleague, is not asked about', async () => {
  const typed = async () => {
    await cart();
    await screen.findByRole('heading', { name: 'A-1' });
    await type('3');
  };
  await typed();
  await cart({ batch: heldAtCart(2, 1), lines: LINES.slice(1) });
  await screen.findByRole('button', { name: 'Missing' });
  expect(screen.queryByText(/You typed/)).toBeNull();
  sessionStorage.clear();
  await typed();
  const [hand] = heldAtCart(2, 3).hands;
  const hands = [{ by: 'Ben', shares: hand?.shares ?? [] }];
  await cart({ batch: { ...heldAtCart(2, 3), hands }, lines: LINES.slice(1) });
  await screen.findByRole('heading', { name: 'A-2' });
  expect(screen.queryByText(/You typed/)).toBeNull();
});

test('a number for the next slot of a cart, and the question about a press there, survive a reload', async () => {
  const held = (inHand: number, put: number) =>
    cartBatch([cartShare('A2', 11, { quantity: 3, picked: 3, in_hand: inHand, put })]);
  await cart({ batch: held(3, 0), lines: [] });
  await screen.findByRole('heading', { name: 'Put 3' });
  await type('2', 'Enter');
  const { change } = await cart({ batch: held(3, 0), lines: [] });
  await screen.findByRole('heading', { name: 'Put 3' });
  await change({ batch: held(0, 3), lines: [] });
  await screen.findByText('The light booked 3. You typed 2.');
  await cart({ batch: held(0, 3), lines: [] });
  expect(await screen.findByText('The light booked 3. You typed 2.')).toBeTruthy();
});

test('a number for the next article of a wall survives a reload', async () => {
  const sorted = vi.fn<Stubs['scan']>(() => new Promise(() => undefined));
  const open = async () => {
    cleanup();
    await openBatchPage({ batch: wallBatch(SHARES), lines: LINES }, { scan: sorted }, '/pick/walls/3');
    await vi.waitFor(() => screen.getByRole('button', { name: /^No barcode/ }));
  };
  await open();
  await type('4', 'Enter');
  await open();
  await type('C', 'T', 'Enter');
  await vi.waitFor(() => expect(sorted.mock.calls).toMatchObject([[{ body: { code: 'CT', quantity: 4 } }]]));
});

test('a number for the next article of a wall ends with its batch', async () => {
  const sorted = vi.fn<Stubs['scan']>(() => new Promise(() => undefined));
  const open = async (id: number) => {
    cleanup();
    const batch = { ...wallBatch(SHARES), id };
    await openBatchPage({ batch, lines: LINES }, { scan: sorted }, '/pick/walls/3');
    await vi.waitFor(() => screen.getByRole('button', { name: /^No barcode/ }));
  };
  await open(7);
  await type('4', 'Enter');
  await open(8);
  await type('C', 'T', 'Enter');
  await vi.waitFor(() => expect(sorted).toHaveBeenCalledTimes(1));
  expect(sorted.mock.calls[0]?.[0]).not.toHaveProperty('body.quantity');
});
