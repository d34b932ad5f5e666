import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { PickPage } from '../../../renderer/src/features/pick/PickPage.tsx';
import type { Item } from '#shared/api/order.ts';
import type { PickLine } from '../../../renderer/src/features/pick/session/sessionTypes.ts';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import type { KeptAction } from '../../../renderer/src/station/outbox/actions.ts';
import { userOf } from '../../helpers/snapshots.ts';
import { litItem, pickLine, pickOrder, scanResult } from './pickRig.ts';
import { progress } from '../orders/workSupport.tsx';
import { paint, show, command, device, station, testContext, type Stubs, touchPainted } from '../support.tsx';

const AWAY = new ApiError('unreachable', 'no answer');
const PICKERS = [
  { name: 'Anna', color: 'blue', orders: ['SO-1'] },
  { name: 'Ben', color: 'red', orders: ['SO-2'] },
];
/**
 * Current time on the page's clock in milliseconds. Only presses advance it, so that results do not depend on the
 * machine's speed.
 */
let nowMs = 0;

beforeEach(() => {
  localStorage.clear();
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  return () => vi.restoreAllMocks();
});

/** Presses a button after a second, because buttons ignore touches right after they appear. */
const press = (name: string | RegExp, inside: Pick<typeof screen, 'getByRole'> = screen) =>
  touchPainted(
    () => inside.getByRole('button', { name }),
    () => (nowMs += 1_000),
  );

async function openPick(
  lines: readonly PickLine[],
  calls: Partial<Stubs> = {},
  { isKiosk = false, path = '/pick/SO-1', online = true, others = [] as ReturnType<typeof device>[] } = {},
) {
  window.history.replaceState(null, '', path);
  const commands = [
    command('b1', { order_number: 'SO-2', color: 'red' }),
    command('1', { state: 'queued', order_number: 'SO-1', color: 'blue' }),
  ];
  const known = {
    ...station(device('51D000:000001', { commands, online }), ...others),
    user: userOf('Anna', 'picker'),
  };
  const context = testContext(
    {
      station: known,
      connection: { kind: 'live' },
      session: 'signedIn',
      ...(isKiosk ? { kiosk: { kiosk: { id: '1', name: 'Bench' }, people: [] } } : {}),
    },
    {
      listWork: () => Promise.resolve(lines as never),
      getOrder: () => Promise.resolve(pickOrder(lines.map(({ item_id: id }) => litItem(id ?? 0)))),
      listPickers: () => Promise.resolve(PICKERS),
      acknowledgeCommand: () => Promise.resolve(),
      ...calls,
    },
  );
  await act(async () => show(context, <PickPage />));
  return context;
}

const ANNAS = progress('SO-1', { pickers: [{ name: 'Anna', color: 'blue', paused: false, deviceid: null }] });

const place = () => screen.getByRole('heading', { level: 2 }).textContent;

test('shows whose work is lit at a place, and offers to wait', async () => {
  await openPick([pickLine(1, { waiting: true }), pickLine(2)]);
  expect(screen.getByText("Ben's work is lit here. Wait, or continue with A-2.")).toBeDefined();
  await press('Wait');
  expect(screen.getByText("Ben's work is lit here. Wait for your color.")).toBeDefined();
  expect([place(), screen.queryByRole('button', { name: 'Wait' })]).toEqual(['A-1', null]);
});

test.each([
  [true, null],
  [false, 'Device offline: confirm here'],
])(
  'says that the light of a place is off if its device went offline after it was lit (online: %s)',
  async (online, says) => {
    await openPick([pickLine(1)], {}, { online });
    expect(screen.queryByText('Device offline: confirm here')?.textContent ?? null).toBe(says);
  },
);

test('while other work is lit at a place, can continue with the next place', async () => {
  await openPick([pickLine(1, { waiting: true }), pickLine(2)]);
  await press('Continue with A-2');
  expect(place()).toBe('A-2');
});

test('shows a wrong scan, the last action and the lost connection at the same time', async () => {
  const context = await openPick([pickLine(1), pickLine(2)], { acknowledgeCommand: () => Promise.reject(AWAY) });
  await press(/^Picked/);
  await act(async () => context.store.setState({ connection: { kind: 'lost', sinceAt: 0 } }));
  await act(async () => {
    for (const key of ['x', 'y', 'Enter']) fireEvent.keyDown(document.body, { key, code: `Key${key}` });
  });
  expect(screen.getByText('A-1 · 5 picked')).toBeDefined();
  expect(screen.getByText(/^No connection: 1 confirmation is kept here/)).toBeDefined();
  expect(within(screen.getByRole('alert')).getByText(/./, { selector: 'span' })).toBeDefined();
});

test('names a wrong place before the page has noticed that the station is away', async () => {
  const others = [device('51D000:000009', { location: 'A-9', locationoverride: 'A-9' })];
  await openPick([pickLine(1), pickLine(2)], { scan: () => Promise.reject(AWAY) }, { others });
  await act(async () => {
    for (const key of ['A', '-', '9', 'Enter']) fireEvent.keyDown(document.body, { key, code: `Key${key}` });
  });
  expect(await within(screen.getByRole('alert')).findByText('Wrong place: that was A-9. Scan A-1.')).toBeDefined();
});

test('Picked takes a number that was typed without Enter, and the next line does not get it', async () => {
  const confirm = vi.fn<Stubs['acknowledgeCommand']>(() => Promise.resolve());
  const short = vi.fn<Stubs['closeItemShort']>(() => new Promise(() => undefined));
  const reasons = [{ key: 'missing', text: null }];
  await openPick([pickLine(1), pickLine(2)], {
    acknowledgeCommand: confirm,
    closeItemShort: short,
    listShortReasons: () => Promise.resolve(reasons as never),
  });
  nowMs += 1_000;
  await act(async () => {
    fireEvent.keyDown(document.body, { key: '3', code: 'Digit3' });
  });
  await press(/^Picked/);
  expect(within(screen.getByRole('dialog')).getByText('3')).toBeTruthy();
  await press('Missing');
  expect(short.mock.calls).toMatchObject([[{ path: { id: 1 }, body: { quantity_fulfilled: 3, reason: 'missing' } }]]);
  expect(place()).toBe('A-2');
  nowMs += 1_000;
  await act(async () => {
    fireEvent.keyDown(document.body, { key: 'Enter', code: 'Enter' });
  });
  expect([place(), screen.queryByRole('dialog')]).toEqual(['A-2', null]);
  expect(screen.getByLabelText('Take 5')).toBeTruthy();
});

test('lists unbooked work until it is booked or discarded', async () => {
  const action = (id: number): KeptAction => ({
    kind: 'confirm',
    key: `k${id}`,
    order_number: 'SO-0',
    item_id: id,
    place: `A-3-${id}`,
    deviceid: 'D',
    command_id: '7',
    quantity: 5,
    seen: 0,
    at: new Date(2026, 10, 25, 10, 42).getTime(),
    tries: 1,
  });
  vi.spyOn(Date, 'now').mockReturnValue(new Date(2026, 10, 25, 11).getTime());
  const refused = [1, 2].map((id) => ({ action: action(id), why: 'It ended.' }));
  localStorage.setItem('pickstation.outbox.Anna', JSON.stringify({ actions: [], refused }));
  await openPick([pickLine(1)]);
  const alerts = screen.getAllByRole('alert').map((each) => each.textContent);
  expect(alerts).toEqual(['Not booked: A-3-1, 5 at 10:42.BookDiscard', 'Not booked: A-3-2, 5 at 10:42.BookDiscard']);
  const [first] = screen.getAllByRole('alert');
  await press('Discard', within(first ?? document.body));
  expect(screen.getAllByRole('alert')).toHaveLength(1);
});

test('asks about a pick whose line was booked or whose order is gone, and each entry ends by one touch', async () => {
  const action = (id: number): KeptAction => ({
    key: `k${id}`,
    order_number: 'SO-0',
    item_id: id,
    place: `A-3-${id}`,
    kind: 'confirm',
    deviceid: 'D',
    command_id: '7',
    quantity: 5,
    seen: 0,
    tries: 1,
    at: new Date(2026, 10, 25, 10, 42).getTime(),
  });
  const at = new Date(2026, 10, 25, 10, 43).getTime();
  const refused = [
    { action: action(1), why: '', remedy: { kind: 'done', at, by: 'device', quantity: 5 } },
    { action: action(2), why: '', remedy: { kind: 'putBack', quantity: 5 } },
  ];
  localStorage.setItem('pickstation.outbox.Anna', JSON.stringify({ actions: [], refused }));
  const recordReturned = vi.fn<Stubs['recordReturned']>(() => Promise.resolve());
  await openPick([pickLine(1)], { recordReturned });
  const alerts = () => screen.getAllByRole('alert').map((each) => each.textContent);
  expect(alerts()).toEqual([
    'A-3-1 was booked at 10:43 by its light, 5.Those are mineI took 5 more',
    'Put 5 back at A-3-2.Done',
  ]);
  await press('Done');
  expect(recordReturned).toHaveBeenCalledExactlyOnceWith({
    path: { order_number: 'SO-0' },
    body: expect.objectContaining({ item_id: 2, quantity: 5, location: 'A-3-2' }) as object,
  });
  await press('I took 5 more');
  expect(alerts()).toEqual(['Put 5 back at A-3-1.Done']);
});

test('lists a refused short, reason, undo and scan, each with its own text', async () => {
  const about = { key: 'k', order_number: 'SO-0', item_id: 1, place: 'A-3-1', tries: 1 } as const;
  const at = new Date(2026, 10, 25, 10, 42).getTime();
  const actions: KeptAction[] = [
    { ...about, key: 'a', at, kind: 'short', quantity_fulfilled: 1, reason: 'damaged', seen: 0 },
    { ...about, key: 'b', at, kind: 'reason', quantity_fulfilled: 1, reason: 'missing' },
    { ...about, key: 'c', at, kind: 'undo' },
    { ...about, key: 'd', at, kind: 'verify' },
  ];
  const refused = actions.map((action) => ({ action, why: 'It ended.' }));
  localStorage.setItem('pickstation.outbox.Anna', JSON.stringify({ actions: [], refused }));
  await openPick([pickLine(1)]);
  expect(screen.getAllByRole('alert').map((each) => each.textContent)).toEqual([
    'Not booked: A-3-1, short (Damaged) at 10:42.BookDiscard',
    'Reason not saved: A-3-1, Missing at 10:42.Try againDiscard',
    'Not undone: A-3-1 at 10:42.Try againDiscard',
    '“Cannot be scanned” not saved: A-3-1 at 10:42.Try againDiscard',
  ]);
});

test('if some codes are as short as quantities, a plain number counts as a code, and the page shows how to enter a quantity', async () => {
  const scan = vi.fn(() => Promise.resolve(scanResult('order', { order_number: '7', says: 'Order 7.' })));
  await openPick([pickLine(1)], {
    getShortNumbers: () => Promise.resolve({ exist: true }),
    adjustCommand: () => Promise.resolve(),
    scan,
  });
  expect(await screen.findByText(/^Type \* before a quantity/)).toBeDefined();
  const type = (...keys: string[]) =>
    act(async () => {
      for (const key of [...keys, 'Enter']) fireEvent.keyDown(document.body, { key, code: `Digit${key}` });
    });
  await type('7');
  await vi.waitFor(() => expect(scan).toHaveBeenCalled());
  await type('*', '3');
  expect(screen.getByLabelText('Take 3')).toBeDefined();
});

test.each(['Take 5', 'Number pad: 5'])(
  'a touch on the quantity opens the number pad, and only OK sets the count (%s)',
  async (quantity) => {
    const adjust = vi.fn(() => Promise.resolve());
    const acknowledge = vi.fn(() => Promise.resolve());
    await openPick([pickLine(1, { quantity: 5 }), pickLine(2)], {
      adjustCommand: adjust,
      acknowledgeCommand: acknowledge,
    });
    await press(quantity);
    const dialog = screen.getByRole('dialog', { name: 'How many from A-1?' });
    const shown = () => within(dialog).getByRole('status').textContent;
    expect(shown()).toBe('5');
    for (const key of ['1', '2', 'Delete the last digit', '0']) await press(key);
    expect([shown(), adjust.mock.calls]).toEqual(['10', []]);
    await press('OK');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.getByLabelText('Take 10').textContent).toBe('10of 5');
    expect([adjust.mock.calls.length, acknowledge.mock.calls.length]).toEqual([1, 0]);
    await press(/^Picked/);
    expect(screen.getByRole('dialog', { name: 'You counted 10 of 5' })).toBeDefined();
    expect(acknowledge).not.toHaveBeenCalled();
  },
);

test('if a different person signs in on the same page, a new session starts', async () => {
  const context = await openPick([pickLine(1), pickLine(2)]);
  await press(/^Picked/);
  const known = context.store.getState().station;
  await act(async () => context.store.setState({ station: known && { ...known, user: userOf('Ben', 'picker') } }));
  // Ben is not a picker of this order.
  expect([place(), screen.queryByText('A-1 · 5 picked')]).toEqual(['Order SO-1', null]);
});

test('signing out with unsent work asks first, and keeps the work for that person', async () => {
  const signOut = vi.fn(() => Promise.resolve(undefined as never));
  await openPick(
    [pickLine(1), pickLine(2)],
    { acknowledgeCommand: () => Promise.reject(AWAY), signOut },
    { isKiosk: true },
  );
  await press(/^Picked/);
  await press('Exit');
  const question = screen.getByRole('alertdialog');
  expect(within(question).getByText('1 confirmation has not been sent')).toBeDefined();
  await press('Stay');
  expect([screen.queryByRole('alertdialog'), signOut.mock.calls]).toEqual([null, []]);
  await press('Exit');
  await press('Sign out and keep');
  expect(signOut).toHaveBeenCalledTimes(1);
  expect(JSON.parse(localStorage.getItem('pickstation.outbox.Anna') ?? '{}')).toMatchObject({
    actions: [{ item_id: 1 }],
  });
});

test.each<[string, () => Promise<never>]>([
  ['is slow', () => new Promise(() => undefined)],
  ['fails', () => Promise.reject(AWAY)],
])('signing out asks about pieces in hand also if the answer of the station %s', async (_, listBatches) => {
  const signOut = vi.fn(() => Promise.resolve(undefined as never));
  await openPick([pickLine(1)], { listBatches, signOut }, { isKiosk: true });
  await paint();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  fireEvent.click(screen.getByRole('button', { name: 'Exit' }));
  await act(() => vi.advanceTimersByTimeAsync(2_100));
  vi.useRealTimers();
  const question = screen.getByRole('alertdialog', { name: 'Are you still holding pieces?' });
  expect([within(question).getByText(/did not answer in time/), signOut.mock.calls]).toEqual([expect.anything(), []]);
  await press('Sign out anyway');
  expect(signOut).toHaveBeenCalledTimes(1);
});

test('a line shows the picture of its article', async () => {
  await openPick([pickLine(1, { picture: '/api/articles/X/picture/?v=1' }), pickLine(2)]);
  const shown = () => document.querySelector('section[aria-label] img')?.getAttribute('src');
  expect(shown()).toBe('/api/articles/X/picture/?v=1');
  await press(/^Picked/);
  expect([place(), shown()]).toEqual(['A-2', undefined]);
});

test.each([
  [[], 'Next order'],
  [[ANNAS], 'Continue order SO-1'],
] as const)("focuses the user's own order, or else the next order (%#)", async (open, name) => {
  await openPick(
    [pickLine(1)],
    {
      loadOrdersIn: (state) => Promise.resolve(state === 'open' ? [...open] : []),
      getNextOrder: () => Promise.resolve({ order: progress('SO-2'), waiting: 1 }),
    },
    { path: '/pick' },
  );
  expect(document.activeElement?.textContent).toContain(name);
});

test.each([
  ['open', 'Pick order SO-1'],
  ['in_progress', 'Continue order SO-1'],
] as const)('an order without a picker in the state “%s” offers “%s”', async (state, name) => {
  await openPick([], {
    getOrder: () => Promise.resolve({ ...pickOrder([litItem(1, { state: 'open' })]), state, pickers: [] }),
  });
  expect(screen.getByRole('button', { name })).toBeTruthy();
});

test('taking a different order from the list shows which order was paused', async () => {
  await openPick(
    [pickLine(1)],
    {
      loadOrdersIn: (state) => Promise.resolve(state === 'open' ? [ANNAS, progress('SO-2')] : []),
      getNextOrder: () => Promise.resolve({ order: null, waiting: 1 }),
      scan: () => Promise.resolve(scanResult('order', { order_number: 'SO-2', taken: true })),
    },
    { path: '/pick' },
  );
  await press(/^SO-2/);
  expect(screen.getByText('Order SO-2 is yours now. Order SO-1 is paused.')).toBeDefined();
});

test('a slow answer to a scan opens nothing after a newer scan or after another order was opened', async () => {
  const answers = new Map<string, () => void>();
  await openPick(
    [pickLine(1)],
    {
      loadOrdersIn: (state) => Promise.resolve(state === 'open' ? [ANNAS, progress('SO-2')] : []),
      getNextOrder: () => Promise.resolve({ order: null, waiting: 1 }),
      scan: ({ body: { code } }) =>
        new Promise((resolve) => answers.set(code, () => resolve(scanResult('lit', { order_number: `SO-${code}` })))),
    },
    { path: '/pick' },
  );
  const scan = (code: string) =>
    act(async () => {
      for (const key of [...code.split(''), 'Enter']) fireEvent.keyDown(document.body, { key, code: `Key${key}` });
    });
  const answer = (code: string) => act(async () => answers.get(code)?.());
  await scan('71');
  await scan('72');
  await answer('71');
  expect(window.location.pathname).toBe('/pick');
  await press(/^Continue order SO-1/);
  expect(window.location.pathname).toBe('/pick/SO-1');
  await answer('72');
  expect([window.location.pathname, [...answers.keys()]]).toEqual(['/pick/SO-1', ['71', '72']]);
});

test('letter shortcuts can be turned off, and letters then count as codes', async () => {
  const scan = vi.fn<Stubs['scan']>(() => Promise.resolve(scanResult('unknown')));
  await openPick([pickLine(1), pickLine(2)], { scan });
  const type = (letter: string) =>
    act(async () => {
      for (const key of [letter, 'Enter']) {
        nowMs += 1_000;
        fireEvent.keyDown(document.body, { key });
      }
    });
  await press('More…');
  await press('Scanner and camera');
  nowMs += 1_000;
  await act(async () => fireEvent.click(screen.getByRole('switch', { name: /^Use the letters/ })));
  await press('Close');
  await type('s');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(scan.mock.calls.map(([{ body }]) => body.code)).toEqual(['s']);
});

test('shows that a bounce was ignored: the button shakes, and the line stays', async () => {
  await openPick([pickLine(1), pickLine(2)]);
  // Freeze the clock, so that the second touch counts as a bounce even on a slow machine.
  const at = performance.now() + 1_000;
  vi.spyOn(performance, 'now').mockReturnValue(at);
  await press(/^Picked/);
  expect(place()).toBe('A-2');
  await act(async () => fireEvent.click(screen.getByRole('button', { name: /^Picked/ })));
  expect([place(), document.querySelectorAll('button[data-refused]').length]).toEqual(['A-2', 1]);
});

test('buttons become active again even if rendering takes longer than the time in which they ignore touches', async () => {
  const next = pickLine(2);
  let drawingMs = 0;
  // This getter runs while the line renders and advances the clock, as a slow render would.
  Object.defineProperty(next, 'description', { get: () => ((nowMs += drawingMs), '') });
  await openPick([pickLine(1), next]);
  drawingMs = 1_000;
  await press(/^Picked/);
  drawingMs = 0;
  expect(place()).toBe('A-2');
  await vi.waitFor(() => expect(document.querySelector('[data-inert]')).toBeNull());
});

const DONE = { state: 'done', command_id: null, quantity_fulfilled: 5, quantity_remaining: 0 } as const;

/** Opens an order that has ended with these items. */
const openDone = (items: readonly Item[]) =>
  openPick([], { getOrder: () => Promise.resolve(pickOrder([...items], { state: 'fulfilled' })) });

test('an order completed with shorts says so in its title, and shows how many pieces are missing', async () => {
  await openDone([litItem(1, DONE), litItem(2, { ...DONE, state: 'short', quantity_fulfilled: 3 })]);
  expect(place()).toBe('Order SO-1 complete with shorts');
  expect(screen.getByText('2 pieces missing')).toBeDefined();
  expect(screen.getByText('Item 2: 3 of 5')).toBeDefined();
  expect(screen.getByText(/^2 lines · 1 short · /)).toBeDefined();
});

test('Next order at a complete order takes the next order with one press', async () => {
  const scan = vi.fn(() => Promise.resolve(scanResult('order', { taken: true, order_number: 'SO-2' })));
  await openPick([], {
    getOrder: () =>
      Promise.resolve(
        pickOrder([litItem(1, { state: 'done', quantity_fulfilled: 5, command_id: null })], { state: 'fulfilled' }),
      ),
    loadOrdersIn: () => Promise.resolve([]),
    getNextOrder: () => Promise.resolve({ order: progress('SO-2'), waiting: 1 }),
    scan,
  });
  await press(/^Next order/);
  expect(window.location.pathname).toBe('/pick/SO-2');
  expect(scan).toHaveBeenCalledTimes(1);
  expect(scan).toHaveBeenCalledWith({ body: expect.objectContaining({ code: 'SO-2', act: true }) });
});

test('an order completed without shorts does not mention missing pieces', async () => {
  await openDone([litItem(1, DONE), litItem(2, DONE)]);
  expect(place()).toBe('Order SO-1 complete');
  expect([screen.queryByText(/missing/), screen.queryByText(/short/)]).toEqual([null, null]);
});

test('a single message colors the whole message strip, and two messages color half of it each', async () => {
  await openPick([pickLine(1), pickLine(2)]);
  await press(/^Picked/);
  const half = screen.getByText('A-1 · 5 picked').parentElement;
  const colors = () =>
    [half?.parentElement, ...(half?.parentElement?.children ?? [])].map(
      (each) => each?.getAttribute('data-kind') ?? undefined,
    );
  expect(colors()).toEqual(['right', 'right', 'none']);
  await act(async () => {
    for (const key of ['x', 'y', 'Enter']) fireEvent.keyDown(document.body, { key, code: `Key${key}` });
  });
  expect(colors()).toEqual([undefined, 'right', 'wrong']);
});

test('waiting orders show their customer, if any', async () => {
  const loadOrdersIn: Stubs['loadOrdersIn'] = async (state) =>
    state === 'open' ? [progress('SO-7', { customer: 'Rosa Lind' }), progress('SO-8')] : [];
  await openPick([], { loadOrdersIn, getNextOrder: async () => ({ order: null, waiting: 2 }) }, { path: '/pick' });
  const rows = within(await screen.findByRole('region', { name: 'Waiting' })).getAllByRole('button');
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^SO-7Rosa Lind3 lines/),
    expect.stringMatching(/^SO-83 lines/),
  ]);
});

test('a late order says that it is late, in the list, on Next order and while it is picked', async () => {
  const late = { due_time: '2020-11-20T08:00:00.000Z' };
  const loadOrdersIn: Stubs['loadOrdersIn'] = async (state) =>
    state === 'open' ? [progress('SO-7', late), progress('SO-8', { due_time: '2099-11-20T08:00:00.000Z' })] : [];
  const getNextOrder: Stubs['getNextOrder'] = async () => ({ order: progress('SO-7', late), waiting: 2 });
  await openPick([], { loadOrdersIn, getNextOrder }, { path: '/pick' });
  const rows = within(await screen.findByRole('region', { name: 'Waiting' })).getAllByRole('button');
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^SO-73 lines · late, due /),
    expect.stringMatching(/^SO-83 lines · due /),
  ]);
  expect(rows.map((row) => row.querySelector('[data-care]') !== null)).toEqual([true, false]);
  expect(screen.getByRole('button', { name: /^Next order/ }).textContent).toMatch(/3 lines · late, due /);
  cleanup();
  await openPick([pickLine(1)], { getOrder: () => Promise.resolve({ ...pickOrder([litItem(1)]), ...late }) });
  expect(screen.getByRole('banner').textContent).toMatch(/late, due /);
});
