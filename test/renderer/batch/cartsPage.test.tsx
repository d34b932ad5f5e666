import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { BatchProgress } from '#shared/api/batch.ts';
import type { Carrier } from '#shared/api/carrier.ts';
import { findPage } from '#shared/lib/station/pageRoutes.ts';
import { CartsPage } from '../../../renderer/src/features/carts/CartsPage.tsx';
import { applyMessages } from '../../../renderer/src/station/live/store.ts';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { AT, userOf } from '../../helpers/snapshots.ts';
import { pressOf } from '../places/setupDevicesSupport.tsx';
import { device, show, station, testContext, type Stubs } from '../support.tsx';
import { press, send, type } from '../people/usersSupport.tsx';

const [FIRST, SECOND] = ['51D000:000001', '51D000:000002'] as const;

function slot(name: string, given: Partial<Carrier['slots'][number]> = {}): Carrier['slots'][number] {
  return { slot: name, code: null, deviceid: null, back_deviceid: null, ...given };
}

const CART: Carrier = {
  id: 1,
  name: 'Cart 1',
  code: 'CART-1',
  rows: 1,
  columns: 2,
  slots: [slot('A1', { code: 'CART-1-A1', deviceid: FIRST }), slot('A2')],
};
const WALL: Carrier = { id: 2, name: 'Wall', code: null, rows: 1, columns: 1, slots: [slot('A1')] };
const BATCH = {
  id: 7,
  mode: 'cart',
  cart: 1,
  cart_name: 'Cart 1',
  state: 'picking',
  attention: [],
} as never as BatchProgress;
const IN_BATCH = new ApiError('conflict', 'The cart Cart 1 is in batch 7. End the batch first, then delete it.');

async function openCarts(calls: Partial<Stubs> = {}, scope: 'admin' | 'control' = 'admin', path = '/places/carts') {
  window.history.replaceState(null, '', path);
  const context = testContext(
    { station: { ...station(device(FIRST), device(SECOND, { locationoverride: 'S-2' })), user: userOf('Ann', scope) } },
    {
      loadCarriers: async (kind) => (kind === 'cart' ? [CART] : [WALL]),
      listBatches: async () => [],
      ...calls,
    },
  );
  await act(async () => show(context, <CartsPage />));
  let revision = 100;
  const pressDevice = (deviceid: string) =>
    act(async () =>
      applyMessages(context.store, [{ kind: 'facts', revision: ++revision, facts: [pressOf(deviceid)] }]),
    );
  return { context, pressDevice };
}

const rows = () => within(screen.getByRole('list', { name: 'Carts and walls' })).getAllByRole('listitem');
const chooseSlot = (name: string) =>
  act(async () => fireEvent.click(screen.getByRole('radio', { name: new RegExp(`^${name}`) })));

test('lists carts and walls with their size, devices and current batch', async () => {
  await openCarts({ listBatches: async () => [{ ...BATCH, id: 6, state: 'done' }, BATCH] });
  const [cart, wall] = rows().map((row) => row.textContent);
  expect(cart).toMatch(/Cart 1Cart.*CART-1.*1 × 2 · 1 device.*Batch 7: Picking/);
  expect(wall).toMatch(/WallWall.*1 × 1 · No devices.*Not in a batch/);
  expect(findPage('/places/carts')).toBe('carts');
});

test('lists slots whose light may fail, until the light works again', async () => {
  const { context } = await openCarts();
  expect(rows()[0]?.textContent).not.toContain('Light offline');
  const set = (online: boolean, low: string[]) =>
    act(async () =>
      context.store.setState(({ station: now }) => ({
        station: now && { ...now, devices: now.devices.map((each) => ({ ...each, online })) },
        lowBatteries: new Set(low),
      })),
    );
  await set(true, [FIRST]);
  expect(rows().map((row) => row.textContent.match(/A1: [A-Z][a-z]+ [a-z]{7}/)?.[0])).toEqual([
    'A1: Weak battery',
    undefined,
  ]);
  await set(false, [FIRST]);
  expect(screen.getByText('A1: Light offline')).toBeTruthy();
  await set(true, []);
  expect(screen.queryByText(/A1: /)).toBeNull();
});

test('does not offer to edit or delete a cart with a current batch, and says why', async () => {
  await openCarts({ listBatches: async () => [BATCH] });
  const [cart, wall] = rows();
  const buttons = (row: HTMLElement | undefined) =>
    within(row ?? document.body)
      .getAllByRole('button')
      .map((button) => button.textContent);
  expect(buttons(cart)).toEqual(['Slots']);
  expect(cart?.textContent).toContain('To edit or delete it, end the batch first.');
  expect(buttons(wall)).toEqual(['Load next orders', 'Edit', 'Delete']);
  expect(wall?.textContent).not.toContain('end the batch');
});

test('marks a stalled batch', async () => {
  await openCarts({ listBatches: async () => [{ ...BATCH, attention: ['stalled'] }] });
  const [cart, wall] = rows();
  expect(cart?.textContent).toContain('Stalled');
  expect(wall?.textContent).not.toContain('Stalled');
});

test('reloads the batches when one changes', async () => {
  const loadBatches = vi.fn(async () => [BATCH]);
  const { context } = await openCarts({ listBatches: loadBatches });
  const fact = { type: 'batch.changed', batch_id: 7, state: 'paused' } as const;
  loadBatches.mockResolvedValue([{ ...BATCH, state: 'paused' }]);
  await act(async () => applyMessages(context.store, [{ kind: 'facts', revision: 100, facts: [fact] }]));
  expect(rows()[0]?.textContent).toContain('Batch 7: Paused');
});

test('stops asking for presses once every slot has a device', async () => {
  const { pressDevice } = await openCarts({});
  await press('Add a cart or wall');
  for (const field of ['Rows', 'Columns']) {
    // oxlint-disable-next-line no-await-in-loop -- one field after the other
    await act(async () => fireEvent.change(screen.getByLabelText(field), { target: { value: '1' } }));
  }
  await pressDevice(FIRST);
  expect(screen.getByRole('status').textContent).toMatch(/^A1 now has .*Every slot has a device at its front\./);
  expect(screen.getByRole('status').textContent).not.toContain('Press the device');
});

test('creates a wall with slot codes, and assigns devices by pressing them', async () => {
  const addCarrier = vi.fn<Stubs['addCarrier']>(async () => ({ ...WALL, name: 'Wall 2', warnings: ['A1: a label.'] }));
  const { pressDevice } = await openCarts({ addCarrier });
  await press('Add a cart or wall');
  await act(async () => fireEvent.click(screen.getByRole('radio', { name: 'Wall' })));
  await type('Name', 'Wall 2');
  await act(async () => fireEvent.change(screen.getByLabelText(/^Code ?optional/), { target: { value: 'W2' } }));
  await act(async () => fireEvent.change(screen.getByLabelText('Rows'), { target: { value: '1' } }));
  await press('Add the missing slot codes');
  await chooseSlot('A2');
  await pressDevice(FIRST);
  expect(screen.getByRole('status').textContent).toMatch(/^A2 now has 51D000:000001.*front of A3/);
  // The same button is pressed again, or bounces.
  await pressDevice(FIRST);
  expect(screen.getByRole('status').textContent).toContain('already serves A2');
  await act(async () => fireEvent.click(screen.getByRole('radio', { name: 'Back' })));
  await pressDevice(SECOND);
  expect(screen.getByRole('status').textContent).toContain('Press the device at the back of A1.');
  await send('New cart or wall');
  expect(addCarrier).toHaveBeenCalledExactlyOnceWith('wall', {
    name: 'Wall 2',
    code: 'W2',
    rows: 1,
    columns: 3,
    slots: [
      { slot: 'A1', code: 'W2-A1', deviceid: null, back_deviceid: null },
      { slot: 'A2', code: 'W2-A2', deviceid: FIRST, back_deviceid: null },
      { slot: 'A3', code: 'W2-A3', deviceid: null, back_deviceid: SECOND },
    ],
  });
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(screen.getByText('Wall 2 was created. A1: a label.')).toBeTruthy();
});

test('an edit sends the whole cart, including unchanged fields', async () => {
  const replaceCarrier = vi.fn<Stubs['replaceCarrier']>(async () => ({ ...CART, warnings: [] }));
  await openCarts({ replaceCarrier });
  await press('Edit Cart 1');
  await chooseSlot('A2');
  await act(async () => fireEvent.change(screen.getByLabelText(/^Code of A2/), { target: { value: 'X' } }));
  await send('Edit Cart 1');
  expect(replaceCarrier).toHaveBeenCalledExactlyOnceWith({
    kind: 'cart',
    seen: expect.objectContaining(CART),
    carrier: {
      name: 'Cart 1',
      code: 'CART-1',
      rows: 1,
      columns: 2,
      slots: [
        { slot: 'A1', code: 'CART-1-A1', deviceid: FIRST, back_deviceid: null },
        { slot: 'A2', code: 'X', deviceid: null, back_deviceid: null },
      ],
    },
  });
});

test('if two people edit a cart at the same time, the second sees what the first has saved, and keeps both changes', async () => {
  const theirs: Carrier = {
    ...CART,
    name: 'Cart One',
    slots: [slot('A1', { code: 'CART-1-A1', deviceid: SECOND }), slot('A2', { code: 'Y' })],
  };
  const replaceCarrier = vi
    .fn<Stubs['replaceCarrier']>(async () => ({ ...CART, warnings: [] }))
    .mockRejectedValueOnce(new ApiError('changed', 'Changed since you read it: name, slots.'));
  await openCarts({ replaceCarrier, loadCarrier: async () => theirs });
  await press('Edit Cart 1');
  await act(async () => fireEvent.change(screen.getByLabelText('Columns'), { target: { value: '3' } }));
  await chooseSlot('A2');
  await act(async () => fireEvent.change(screen.getByLabelText(/^Code of A2/), { target: { value: 'X' } }));
  await send('Edit Cart 1');
  expect(
    screen.getByText(
      /^Somebody else has just changed this, .* They set the code of A2 to “Y”. Save again to replace it/,
    ),
  ).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Cart One');
  await send('Edit Cart 1');
  expect(replaceCarrier).toHaveBeenLastCalledWith({
    kind: 'cart',
    seen: theirs,
    carrier: {
      name: 'Cart One',
      code: 'CART-1',
      rows: 1,
      columns: 3,
      slots: [
        { slot: 'A1', code: 'CART-1-A1', deviceid: SECOND, back_deviceid: null },
        { slot: 'A2', code: 'X', deviceid: null, back_deviceid: null },
      ],
    },
  });
  expect(screen.queryByRole('dialog')).toBeNull();
});

test.each([
  ['Rows', '27', 'Enter a number from 1 to 26.'],
  ['Columns', '0', 'Enter a number from 1 to 9.'],
])('for the field %s, rejects the value %s and sends nothing', async (field, value, sentence) => {
  await openCarts();
  await press('Edit Cart 1');
  await act(async () => fireEvent.change(screen.getByLabelText(field), { target: { value } }));
  await send('Edit Cart 1');
  expect(screen.getByText(sentence)).toBeTruthy();
});

test.each([
  ['S-9', 'No device is called S-9.'],
  [FIRST, `${FIRST} also serves A1.`],
])('shows at the slot why the device %s is rejected, and sends nothing', async (typed, sentence) => {
  await openCarts();
  await press('Edit Cart 1');
  await chooseSlot('A2');
  await act(async () =>
    fireEvent.change(screen.getByRole('combobox', { name: 'Device at the front' }), { target: { value: typed } }),
  );
  await chooseSlot('A1');
  await send('Edit Cart 1');
  expect(screen.getByText(sentence, { exact: false })).toBeTruthy();
  expect(screen.getByRole('radio', { name: /^A2/ }).getAttribute('aria-checked')).toBe('true');
});

test('if the station refuses an edit, shows its message and keeps the input', async () => {
  const message = 'S-2 has a place on the map. Remove it there first, then give it to A2.';
  const replaceCarrier = vi.fn<Stubs['replaceCarrier']>(() =>
    Promise.reject(new ApiError('conflict', message, [{ path: '/slots', message }])),
  );
  const { pressDevice } = await openCarts({ replaceCarrier });
  await press('Edit Cart 1');
  await chooseSlot('A2');
  await pressDevice(SECOND);
  await send('Edit Cart 1');
  expect(screen.getByText(`Nothing was saved. ${message}`)).toBeTruthy();
  expect(screen.getByRole('radio', { name: /^A2/ }).textContent).toContain('S-2');
});

test('asks before deleting, and shows the reason if the station refuses', async () => {
  const removeCarrier = vi.fn<Stubs['removeCarrier']>(() => Promise.reject(IN_BATCH));
  await openCarts({ removeCarrier });
  await press('Delete Cart 1');
  expect(removeCarrier).not.toHaveBeenCalled();
  await press('Delete');
  expect(removeCarrier).toHaveBeenCalledExactlyOnceWith('cart', CART);
  expect(within(screen.getByRole('alertdialog')).getByText(IN_BATCH.message)).toBeTruthy();
  removeCarrier.mockResolvedValue();
  await press('Delete');
  expect(screen.getByText('Cart 1 was deleted.')).toBeTruthy();
});

test('loads the next orders onto a cart without a batch, and lists those that were left out', async () => {
  const left = [{ order_number: 'SO-3', reason: 'Ben picks it.' }];
  const addBatch = vi.fn<Stubs['addBatch']>(async () => {
    const one = {
      slot: 'A1',
      state: 'open',
      order_number: 'SO-1',
      shipment_number: null,
      tote: null,
      shares: [],
      freed: null,
    } as const;
    const rest = { put_confirmation: 'once', picker: null, created_time: AT, updated_time: AT } as const;
    const none = { hands: [], put_back: [], waiting: [], scanned: [] };
    return { ...BATCH, ...rest, ...none, id: 8, slots: [{ ...one, shares: [] }], left_out: left };
  });
  const getBatch = () => new Promise<never>(() => undefined);
  await openCarts({ addBatch, getBatch });
  await press('Load the next orders onto Cart 1');
  expect(addBatch).toHaveBeenCalledExactlyOnceWith({ body: { mode: 'cart', cart: 1, fill: { count: 2 } } });
  expect(screen.getByText(/^1 order was loaded onto Cart 1\..*SO-3 was left out: Ben picks it\.$/)).toBeTruthy();
  expect(window.location.pathname).toBe('/places/carts/batches/8');
});

test('a device waiting to be accepted cannot be assigned to a slot', async () => {
  const { pressDevice } = await openCarts();
  await press('Edit Cart 1');
  await pressDevice('51D000:000099');
  expect(screen.getByRole('status').textContent).toMatch(/^51D000:000099 is not accepted yet.*front of A1/);
});

test('a user who is not an admin can see the slots but not change them', async () => {
  await openCarts({}, 'control');
  expect(screen.queryByRole('button', { name: /^Edit/ })).toBeNull();
  await press('Slots of Cart 1');
  const [, first] = within(screen.getByRole('table')).getAllByRole('row');
  expect(first?.textContent).toBe(`A1CART-1-A1${FIRST}–`);
});

test('prints a label for a wall and one for each slot, on the chosen paper', async () => {
  const loadCarrier = vi.fn<Stubs['loadCarrier']>(async () => ({
    ...WALL,
    code: 'W1',
    slots: [slot('A1', { code: 'W1-A1' })],
  }));
  await openCarts({});
  expect(screen.getByRole('link', { name: 'Print the labels of Wall' }).getAttribute('href')).toBe(
    '/places/carts/print?wall=2',
  );
  cleanup();
  await openCarts({ loadCarrier }, 'control', '/places/carts/print?wall=2');
  await screen.findByRole('article', { name: 'A1, Wall' });
  expect(loadCarrier).toHaveBeenCalledExactlyOnceWith('wall', 2);
  const labels = screen.getAllByRole('article');
  expect(labels.map((label) => label.getAttribute('data-code'))).toEqual(['barcode', 'barcode']);
  expect(labels.map((label) => label.textContent)).toEqual(['WallW1', 'A1WallW1-A1']);
  await act(async () => fireEvent.click(screen.getByRole('radio', { name: '62 × 29 mm' })));
  expect(screen.getAllByRole('region', { name: /^Sheet/ })).toHaveLength(2);
});

test('without a cart or wall in the address, the page of labels shows the carts and walls', async () => {
  const loadCarrier = vi.fn<Stubs['loadCarrier']>();
  await openCarts({ loadCarrier }, 'control', '/places/carts/print');
  expect(screen.getByRole('link', { name: 'Print the labels of Wall' })).toBeTruthy();
  expect(loadCarrier).not.toHaveBeenCalled();
});

test('in the desktop window, prints labels on the chosen printer with one press, and remembers printer and paper', async () => {
  const jobs: object[] = [];
  const answers = ['printed', 'gone', 'printed'];
  const dialogs = vi.fn();
  vi.stubGlobal('print', dialogs);
  vi.stubGlobal('pickstation', {
    printers: async () => [{ name: 'roll', text: 'Label printer' }],
    print: async (job: object) => {
      jobs.push({ ...job, labels: document.querySelectorAll('[data-sheets] article').length });
      return answers.shift();
    },
  });
  const open = () => openCarts({ loadCarrier: async () => CART }, 'admin', '/places/carts/print?cart=1');
  await open();
  await screen.findByRole('article', { name: 'A1, Cart 1' });
  await act(async () => fireEvent.click(screen.getByRole('radio', { name: '62 × 29 mm' })));
  await press('Print');
  expect([dialogs.mock.calls.length, jobs]).toEqual([1, []]);
  await act(async () => fireEvent.click(screen.getByRole('button', { name: /Printer$/ })));
  await act(async () => fireEvent.click(screen.getByRole('option', { name: 'Label printer' })));
  await press('Print');
  const job = { printer: 'roll', width: 62, height: 29, labels: 3 };
  expect([dialogs.mock.calls.length, jobs]).toEqual([1, [job]]);
  expect(screen.getByText('3 labels were sent to the printer.')).toBeTruthy();
  await press('Print');
  expect(screen.getByText('This computer no longer has the printer roll. Choose another one.')).toBeTruthy();
  expect(dialogs).toHaveBeenCalledTimes(2);
  cleanup();
  await open();
  await screen.findByRole('article', { name: 'A1, Cart 1' });
  await press('Print');
  expect([dialogs.mock.calls.length, jobs.length, jobs.at(-1)]).toEqual([2, 3, job]);
});
