import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Article } from '#shared/api/article.ts';
import type { Batch, BatchProgress, BatchShare } from '#shared/api/batch.ts';
import type { Carrier } from '#shared/api/carrier.ts';
import type { Order } from '#shared/api/order.ts';
import { PackPage } from '../../../renderer/src/features/pack/PackPage.tsx';
import { applyMessages } from '../../../renderer/src/station/live/store.ts';
import { windowScans } from '../../../renderer/src/scan/windowScans.ts';
import { userOf } from '../../helpers/snapshots.ts';
import { device, show, station, testContext, type Stubs } from '../support.tsx';
import { press } from '../people/usersSupport.tsx';

const WALL: Carrier = {
  id: 2,
  name: 'Wall 1',
  code: 'W1',
  rows: 2,
  columns: 2,
  slots: ['A1', 'A2', 'B1', 'B2'].map((slot) => ({ slot, code: `W1-${slot}`, deviceid: null, back_deviceid: null })),
};
const [LIGHT, LOW] = ['51D000:000001', '51D000:000002'] as const;
const PROGRESS = { id: 7, mode: 'wall', wall: 2, wall_name: 'Wall 1', state: 'sorting' } as BatchProgress;

const share = (
  slot: string,
  order: string,
  itemId: number,
  put: number,
  given: Partial<BatchShare> = {},
): BatchShare => ({
  slot,
  order_number: order,
  item_id: itemId,
  quantity: put,
  picked: put,
  put,
  put_back: 0,
  awaits_scan: false,
  in_hand: 0,
  state: 'put',
  ...given,
});
const slotOf = (
  slot: string,
  state: Batch['slots'][number]['state'],
  order: string | null,
  shares: BatchShare[] = [],
) => ({
  slot,
  state,
  order_number: order,
  shipment_number: order,
  tote: null,
  shares,
  freed: null,
});
const BATCH = {
  ...PROGRESS,
  hands: [],
  put_back: [],
  waiting: [],
  scanned: [],
  slots: [
    slotOf('A1', 'complete', 'SO-1', [share('A1', 'SO-1', 1, 2), share('A1', 'SO-1', 2, 3)]),
    slotOf('A2', 'open', 'SO-2', [share('A2', 'SO-2', 3, 2, { quantity: 5, state: 'open' })]),
    slotOf('B1', 'complete', 'SO-3', [share('B1', 'SO-3', 4, 1, { quantity: 3, state: 'short' })]),
    slotOf('B2', 'free', null),
  ],
} as unknown as Batch;

const item = (id: number, name: string, SKU: string) =>
  ({
    id,
    name,
    SKU,
    ordered_quantity: 2,
    quantity_fulfilled: 2,
    state: 'done',
    deviceid: null,
  }) as Order['shipments'][number]['items'][number];
const ORDERS: Readonly<Record<string, Order>> = {
  'SO-1': orderOf('SO-1', { customer: 'Rosa Lind', note: 'Gift: no prices' }, [
    item(1, 'Cable tie 200', 'CT-200'),
    item(2, 'Bell', 'BE-7'),
  ]),
  'SO-3': orderOf('SO-3', {}, [item(4, 'Saddle', 'SA-1')]),
};
function orderOf(number: string, given: object, items: object[]): Order {
  return {
    order_number: number,
    state: 'fulfilled',
    created_time: '2026-11-20T08:00:00.000Z',
    due_time: null,
    priority: 0,
    shipments: [
      { id: 1, shipment_number: number, state: 'fulfilled', attention: [], items },
      { id: 2, shipment_number: 'another', state: 'open', attention: [], items: [item(9, 'Elsewhere', 'EL-1')] },
    ],
    ...given,
  } as unknown as Order;
}
const ARTICLE = {
  sku: 'CT-200',
  picture: '/api/articles/CT-200/picture/?v=1',
  barcodes: [
    { code: '4006381333931', quantity: 1 },
    { code: 'TIE-PAIR', quantity: 2 },
  ],
} as unknown as Article;

let prints: string[];
beforeEach(() => {
  prints = [];
  vi.stubGlobal('print', () => prints.push(document.querySelector('[data-sheets]')?.textContent ?? 'nothing'));
});
afterEach(() => {
  vi.unstubAllGlobals();
  window.localStorage.clear();
});

async function openPack(calls: Partial<Stubs> = {}, { isChecked = false, path = '/pack/2', batch = BATCH } = {}) {
  window.history.replaceState(null, '', path);
  const context = testContext(
    { station: { ...station(), pack_check: isChecked, user: userOf('Ann', 'picker') } },
    {
      loadCarriers: async (kind) => (kind === 'wall' ? [WALL] : []),
      listBatches: async () => [{ ...PROGRESS, id: 6, state: 'done' }, PROGRESS],
      getBatch: async () => batch,
      getOrder: async ({ path: { order_number: number } }) => ORDERS[number] ?? Promise.reject(new Error(number)),
      listArticles: async ({ query: { q } }) => (q === 'CT-200' ? [ARTICLE] : []),
      ...calls,
    },
  );
  await act(async () => show(context, <PackPage />));
  let revision = 100;
  const tap = (slot: string, batch_id = 7) =>
    act(async () =>
      applyMessages(context.store, [
        { kind: 'facts', revision: ++revision, facts: [{ type: 'batch.slot_pressed', batch_id, slot }] },
      ]),
    );
  return { context, tap };
}

const card = (slot: string) => within(screen.getByRole('listitem', { name: `Slot ${slot}` }));
const others = () => within(screen.getByRole('region', { name: 'Other slots' }));
const scan = (code: string) => act(async () => windowScans().seen(code));
const endPrint = () => act(async () => void window.dispatchEvent(new Event('afterprint')));

test('shows a stopped slot as an alarm', async () => {
  const slots = [slotOf('A2', 'stopped', 'SO-2', [share('A2', 'SO-2', 3, 2, { state: 'stopped' })])];
  await openPack({}, { batch: { ...BATCH, slots } });
  const link = await screen.findByRole('link', { name: 'Stopped: empty it' });
  expect(link.querySelector('[data-tone]')?.getAttribute('data-tone')).toBe('alarm');
});

test('shows complete slots with order, customer, note and articles, and the progress of other slots', async () => {
  await openPack();
  const text = screen.getByRole('listitem', { name: 'Slot A1' }).textContent;
  for (const part of ['A1', 'Complete', 'SO-1', 'Rosa Lind', 'Gift: no prices', 'Cable tie 200', 'Bell'])
    expect(text).toContain(part);
  const [ties, bells] = card('A1').getAllByRole('listitem');
  expect(ties?.textContent).toBe('2Cable tie 200CT-200');
  expect(ties?.querySelector('img')?.getAttribute('src')).toBe('/api/articles/CT-200/picture/?v=1&size=96');
  expect(bells?.textContent).toBe('3BellBE-7');
  expect(
    others()
      .getAllByRole('listitem')
      .map((each) => each.textContent),
  ).toEqual(['A22 of 5SO-2']);
  expect(screen.getByText('2 of 3 slots complete')).toBeTruthy();
});

test('a complete slot with shorts shows what is missing, and is not green', async () => {
  await openPack();
  expect(card('B1').getByText('Complete, 2 pieces missing')).toBeTruthy();
  expect(
    card('B1')
      .getAllByRole('listitem')
      .map((each) => each.textContent),
  ).toEqual(['1 of 3SaddleSA-12 missing']);
  const edge = (slot: string) => screen.getByRole('listitem', { name: `Slot ${slot}` }).style.borderTopColor;
  expect([edge('A1') !== '', edge('B1')]).toEqual([true, '']);
});

test('the print button prints only the packing slip of that slot', async () => {
  await openPack();
  await press('Print the packing slip for A1');
  expect(prints).toHaveLength(1);
  expect(prints[0]).toContain('Cable tie 200');
  expect(prints[0]).toContain('Rosa Lind');
  const [parcel = '', others = ''] = (prints[0] ?? '').split('In another parcel');
  expect(parcel).not.toContain('Elsewhere');
  expect(others).toContain('Elsewhere');
  await endPrint();
  expect(document.querySelector('[data-sheets]')).toBeNull();
});

test('a press at the back prints at most once in three seconds, and never for a different batch or an open slot', async () => {
  const { tap } = await openPack();
  const now = vi.spyOn(performance, 'now').mockReturnValue(10_000);
  await tap('A1');
  await endPrint();
  now.mockReturnValue(12_900);
  await tap('A1');
  expect(prints).toHaveLength(1);
  await tap('B1');
  await endPrint();
  expect(prints[1]).toContain('Saddle');
  now.mockReturnValue(13_100);
  await tap('A1');
  await tap('A1', 8);
  await tap('A2');
  expect(prints).toHaveLength(3);
  now.mockRestore();
});

test('a press at a slot whose completion the page does not know yet prints once it does, unless that takes too long', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(10_000);
  for (const [afterMs, count] of [
    [2_900, 1],
    [3_000, 0],
  ] as const) {
    prints = [];
    const slots = BATCH.slots.map((slot) => (slot.slot === 'A1' ? { ...slot, state: 'open' as const } : slot));
    let batch: typeof BATCH = { ...BATCH, slots };
    const { context, tap } = await openPack({ getBatch: async () => batch });
    await tap('A1');
    expect(prints).toHaveLength(0);
    batch = BATCH;
    now.mockReturnValue(10_000 + afterMs);
    const facts = [{ type: 'batch.changed', batch_id: 7, state: 'sorting' } as const];
    await act(async () => applyMessages(context.store, [{ kind: 'facts', revision: 200, facts }]));
    expect([afterMs, prints.length]).toEqual([afterMs, count]);
    await endPrint();
    now.mockReturnValue(10_000);
    cleanup();
  }
  now.mockRestore();
});

/** Fakes the locks that pages of one browser share. Locks are held until `end` is called. */
function createLocks() {
  const held = new Set<string>();
  const ends: (() => void)[] = [];
  vi.stubGlobal('navigator', {
    locks: {
      async request(name: string, _options: object, run: (lock: object | null) => Promise<void>) {
        if (held.has(name)) return run(null);
        held.add(name);
        void run({ name });
        ends.push(() => held.delete(name));
      },
    },
  });
  return { held, end: () => ends.splice(0).forEach((end) => end()) };
}

test('if several pages are open in one browser, a press prints in only one of them', async () => {
  const { held, end } = createLocks();
  const { tap } = await openPack();
  held.add('pickstation.pack.7.A1');
  await tap('A1');
  expect(prints).toEqual([]);
  await tap('B1');
  expect([prints.length, [...held]]).toEqual([1, ['pickstation.pack.7.A1', 'pickstation.pack.7.B1']]);
  end();
});

test('a press prints even if the browser refuses locks', async () => {
  vi.stubGlobal('navigator', { locks: { request: () => Promise.reject(new DOMException('', 'SecurityError')) } });
  const { tap } = await openPack();
  await tap('A1');
  expect(prints).toHaveLength(1);
});

test('a press does not print while “A press at a slot prints here” is off, even after a reload', async () => {
  await openPack();
  await act(async () => fireEvent.click(screen.getByRole('switch', { name: 'A press at a slot prints here' })));
  cleanup();
  const { tap } = await openPack();
  await tap('A1');
  expect(prints).toEqual([]);
  await press('Print the packing slip for A1');
  expect(prints).toHaveLength(1);
  await act(async () => fireEvent.click(screen.getByRole('switch', { name: 'A press at a slot prints here' })));
  await tap('B1');
  expect(prints).toHaveLength(2);
});

test('marks slots whose light may fail', async () => {
  const wall = {
    ...WALL,
    slots: WALL.slots.map((slot) =>
      slot.slot === 'A1' ? { ...slot, back_deviceid: LIGHT } : slot.slot === 'A2' ? { ...slot, deviceid: LOW } : slot,
    ),
  };
  const { context } = await openPack({ loadCarriers: async (kind) => (kind === 'wall' ? [wall] : []) });
  expect(screen.queryByText('Light offline')).toBeNull();
  await act(async () =>
    context.store.setState(({ station: now }) => ({
      station: now && { ...now, devices: [device(LIGHT, { online: false }), device(LOW)] },
      lowBatteries: new Set([LOW]),
    })),
  );
  expect(card('A1').getByText('Light offline')).toBeTruthy();
  expect(card('B1').queryByText('Light offline')).toBeNull();
  expect(others().getByText('Weak battery')).toBeTruthy();
});

test('shows the packing check only while its setting is on', async () => {
  const { context } = await openPack();
  const set = (pack_check: boolean) =>
    act(async () => context.store.setState(({ station: now }) => ({ station: now && { ...now, pack_check } })));
  expect(screen.queryByText('0 of 5 checked')).toBeNull();
  await set(true);
  expect(card('A1').getByText('0 of 5 checked')).toBeTruthy();
  await set(false);
  expect(screen.queryByText('0 of 5 checked')).toBeNull();
});

/** Fakes the desktop window with two printers. `answers` contains the results of the print jobs, in order. */
function useShell(answers: string[] = []) {
  const jobs: object[] = [];
  vi.stubGlobal('pickstation', {
    desktop: true,
    printers: async () => [
      { name: 'laser', text: 'Office laser' },
      { name: 'roll', text: 'Receipts' },
    ],
    print: async (job: object) => {
      jobs.push({ ...job, slip: document.querySelector('[data-sheets]')?.textContent.includes('SO-1') });
      return answers.shift() ?? 'printed';
    },
  });
  return jobs;
}
const A4 = { width: 210, height: 297, slip: true };

async function choosePrinter(text: string) {
  await act(async () => fireEvent.click(screen.getByRole('button', { name: /Printer$/ })));
  await act(async () => fireEvent.click(screen.getByRole('option', { name: text })));
}

test('in the desktop window, prints slips on the chosen printer without a dialog, even after a reload', async () => {
  const jobs = useShell();
  await openPack();
  await press('Print the packing slip for A1');
  await endPrint();
  expect([prints.length, jobs]).toEqual([1, []]);
  await choosePrinter('Office laser');
  await press('Print the packing slip for A1');
  expect([prints.length, jobs]).toEqual([1, [{ printer: 'laser', ...A4 }]]);
  expect(document.querySelector('[data-sheets]')).toBeNull();
  cleanup();
  const { tap } = await openPack();
  await tap('A1');
  expect([prints.length, jobs.length]).toEqual([1, 2]);
  await choosePrinter('Ask each time');
  await press('Print the packing slip for A1');
  expect([prints.length, jobs.length]).toEqual([2, 2]);
});

test.each([
  ['gone', 'This computer no longer has the printer laser. Choose another one.'],
  ['failed', 'The printer laser did not print. Use the print dialog instead.'],
])('if the print result is “%s”, shows a message and opens the print dialog', async (answer, says) => {
  const jobs = useShell([answer]);
  await openPack();
  await choosePrinter('Office laser');
  await press('Print the packing slip for A1');
  expect(jobs).toHaveLength(1);
  expect(prints).toHaveLength(1);
  expect(prints[0]).toContain('Cable tie 200');
  expect(screen.getByText(says)).toBeTruthy();
});

test('prints two slips one after the other', async () => {
  const jobs: string[] = [];
  const ends: (() => void)[] = [];
  vi.stubGlobal('pickstation', {
    printers: async () => [{ name: 'laser', text: 'Office laser' }],
    print: () =>
      new Promise((resolve) => {
        jobs.push(document.querySelector('[data-sheets]')?.textContent.includes('SO-1') === true ? 'SO-1' : 'SO-3');
        ends.push(() => resolve('printed'));
      }),
  });
  const { tap } = await openPack();
  await choosePrinter('Office laser');
  await tap('A1');
  await tap('B1');
  expect(jobs).toEqual(['SO-1']);
  await act(async () => ends[0]?.());
  expect(jobs).toEqual(['SO-1', 'SO-3']);
});

test('asks to scan again if the chosen slot is still loading', async () => {
  await openPack({ getOrder: () => new Promise(() => undefined) }, { isChecked: true });
  await press('Check A1');
  await scan('BE-7');
  expect(screen.getByText('This slot is still loading. Scan again.')).toBeTruthy();
});

test('names who freed a slot, with Undo, until another order takes it', async () => {
  const undoFreeSlot = vi.fn<Stubs['undoFreeSlot']>(async () => BATCH);
  const freed = (order_number: string, by: string) => ({ at: '2026-03-01T08:00:00.000Z', by, order_number });
  const slots = [
    { ...slotOf('A1', 'free', null), freed: freed('SO-1', 'Ben') },
    { ...slotOf('B2', 'free', null), freed: freed('SO-2', 'device') },
    slotOf('A2', 'free', null),
  ];
  await openPack({ undoFreeSlot }, { batch: { ...BATCH, slots } });
  const rows = within(screen.getByRole('region', { name: 'Freed slots' })).getAllByRole('listitem');
  expect(rows.map((each) => each.textContent)).toEqual(['A1SO-1 freed by BenUndo', 'B2SO-2 freed at its lightUndo']);
  await press('Undo: SO-2 is still in B2');
  expect(undoFreeSlot).toHaveBeenCalledExactlyOnceWith({ path: { id: 7, slot: 'B2' } });
});

test('“Empty” frees the slot', async () => {
  const freeSlot = vi.fn<Stubs['freeSlot']>(async () => BATCH);
  await openPack({ freeSlot });
  await press('Empty B1');
  expect(freeSlot).toHaveBeenCalledExactlyOnceWith({ path: { id: 7, slot: 'B1' } });
  expect(screen.getByText('B1 is free.')).toBeTruthy();
});

test('with the check on, counts scans, rejects surplus and wrong articles, and warns before printing unchecked pieces', async () => {
  const { tap } = await openPack({}, { isChecked: true });
  const message = () =>
    screen
      .getAllByRole('status')
      .map(({ textContent }) => textContent)
      .join(' ');
  await scan('CT-200');
  expect(message()).toContain('Scan a slot first');
  await scan('w1-a1');
  expect(message()).toContain('Now checking A1.');
  await scan('4006381333931');
  expect(message()).toContain('Cable tie 200: 1 of 2');
  // A pack with too many pieces is not counted.
  await scan('TIE-PAIR');
  expect(message()).toContain('Too many: only 2 of Cable tie 200 needed.');
  expect(card('A1').getByText('1 of 5 checked')).toBeTruthy();
  await scan('SA-1');
  expect(message()).toContain('Not in order SO-1');
  await tap('A1');
  expect(prints).toHaveLength(0);
  const warning = within(screen.getByRole('alertdialog', { name: 'A1 is not checked' }));
  expect(warning.getByText('4 pieces are not checked yet.')).toBeTruthy();
  await act(async () => fireEvent.click(warning.getByRole('button', { name: 'Cancel' })));
  let at = performance.now() + 5_000;
  const clock = vi.spyOn(performance, 'now');
  for (const code of ['ct-200', 'BE-7', 'be-7', 'BE-7']) {
    clock.mockReturnValue((at += 1_000));
    await scan(code);
  }
  clock.mockRestore();
  expect(message()).toContain('All pieces of A1 are checked.');
  expect(card('A1').getByText('All checked')).toBeTruthy();
  await press('Print the packing slip for A1');
  expect(prints).toHaveLength(1);
});

test('counts two scans that arrive together, as from a scanner at a serial port', async () => {
  await openPack({}, { isChecked: true });
  // Later than the scans of the test before, because a repeated code counts once.
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000);
  await scan('w1-a1');
  await act(async () => ['CT-200', 'BE-7'].forEach((code) => windowScans().seen(code)));
  clock.mockRestore();
  expect(card('A1').getByText(/of 5 checked/).textContent).toBe('2 of 5 checked');
});

test('asks for confirmation before emptying a slot with unchecked pieces', async () => {
  const freeSlot = vi.fn<Stubs['freeSlot']>(async () => BATCH);
  await openPack({ freeSlot }, { isChecked: true });
  await press('B1 is packed');
  expect(freeSlot).not.toHaveBeenCalled();
  expect(screen.getByText('1 piece is not checked yet.')).toBeTruthy();
  await press('Empty anyway');
  expect(freeSlot).toHaveBeenCalledExactlyOnceWith({ path: { id: 7, slot: 'B1' } });
});

test('without a wall in the address, links to walls and carts in use', async () => {
  await openPack({}, { path: '/pack' });
  // Packers know walls and carts by name, and no batches.
  expect(screen.getByText('Sorting')).toBeTruthy();
  expect(document.body.textContent).not.toMatch(/batch/i);
  expect(screen.getByRole('link', { name: 'Pack what is in Wall 1' }).getAttribute('href')).toBe('/pack/2');
});

test.each([
  ['/pack/2', { listBatches: async () => [] }, 'Nothing is sorted'],
  ['/pack/9', {}, 'No such wall or cart'],
])('%s shows “%s”', async (path, calls, says) => {
  await openPack(calls, { path });
  expect(screen.getByText(says)).toBeTruthy();
});
