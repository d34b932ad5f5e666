import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Fact } from '#shared/api/station.ts';
import { PickPage } from '../../../renderer/src/features/pick/PickPage.tsx';
import { createPresses } from '../../../renderer/src/features/pick/whose/usePresses.ts';
import { browserStorage } from '../../../renderer/src/storage.ts';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { userOf } from '../../helpers/snapshots.ts';
import { cartBatch, cartShare } from '../batch/cartRig.ts';
import { progress } from '../orders/workSupport.tsx';
import { litItem, pickLine, pickOrder, scanResult } from './pickRig.ts';
import { bookedFact, ownFact, PRESSED_AT } from './pressSupport.ts';
import { show, device, station, testContext, type Stubs, touchPainted } from '../support.tsx';

let nowMs = 0;
let clock = 0;

beforeEach(() => {
  localStorage.clear();
  clock = Date.parse(PRESSED_AT) + 1_000;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  vi.spyOn(Date, 'now').mockImplementation(() => clock);
  return () => vi.restoreAllMocks();
});

const press = (name: string | RegExp) =>
  touchPainted(
    () => screen.getByRole('button', { name }),
    () => (nowMs += 1_000),
  );

/** Opens Pick for a person, with two open lines of order SO-1. */
async function open(
  path = '/pick/SO-1',
  { me = 'Anna', isKiosk = false, calls = {} }: { me?: string; isKiosk?: boolean; calls?: Partial<Stubs> } = {},
) {
  window.history.replaceState(null, '', path);
  const context = testContext(
    {
      station: { ...station(device('51D000:000001')), user: userOf(me, 'picker') },
      connection: { kind: 'live' },
      session: 'signedIn',
      ...(isKiosk ? { kiosk: { kiosk: { id: '1', name: 'Bench' }, people: [] } } : {}),
    },
    {
      listWork: () => Promise.resolve([pickLine(1), pickLine(2)] as never),
      getOrder: () => Promise.resolve(pickOrder([litItem(1), litItem(2)])),
      listPickers: () => Promise.resolve([]),
      listBatches: () => Promise.resolve([]),
      ...calls,
    },
  );
  await act(async () => show(context, <PickPage />));
  nowMs += 1_000;
  return context;
}

/** Tells facts, and waits until the page has painted what they change. */
async function tell(context: Awaited<ReturnType<typeof open>>, ...facts: Fact[]) {
  await act(async () => context.store.setState({ told: facts }));
  await act(painted);
}
const painted = () =>
  new Promise<void>((resolve) => void requestAnimationFrame(() => requestAnimationFrame(() => resolve())));

/** Finds a text, of which the page keeps the names of places together. */
const find = (text: string): Element | undefined =>
  [...document.querySelectorAll('span, p')].find(({ textContent }) => textContent === text);

const BOOKED = "A-1: that booked Ben's 5.";
const OWN = 'A press at A-1 booked your 5.';

test('a notice survives a reload, another order and the list of orders, until it is touched', async () => {
  await tell(await open(), bookedFact());
  expect(screen.getByRole('alert').textContent).toContain(BOOKED);
  for (const path of ['/pick/SO-1', '/pick', '/pick/SO-2']) {
    cleanup();
    await open(path);
    expect(find(BOOKED)).toBeTruthy();
  }
  await press('OK');
  cleanup();
  await open();
  expect(find(BOOKED)).toBeUndefined();
});

test('after a sign-out, the notice is shown to its person again within two minutes, and to nobody else', async () => {
  await tell(await open(), bookedFact());
  cleanup();
  await open('/pick', { me: 'Ben' });
  expect(find(BOOKED)).toBeUndefined();
  cleanup();
  clock += 110_000;
  await open('/pick');
  expect(find(BOOKED)).toBeTruthy();
  cleanup();
  // The time of the press counts, not that of the page.
  clock += 10_000;
  await open('/pick');
  expect(find(BOOKED)).toBeUndefined();
});

test('an answer in another tab ends the notice here', async () => {
  await tell(await open(), bookedFact());
  const other = createPresses(browserStorage(), 'Anna', () => clock);
  other.answered(other.list()[0]?.key ?? '', undefined);
  expect(find(BOOKED)).toBeTruthy();
  await act(async () => window.dispatchEvent(new StorageEvent('storage', { key: 'pickstation.presses.Anna' })));
  expect(find(BOOKED)).toBeUndefined();
});

test('a quiet notice is not an alert', async () => {
  await tell(await open(), bookedFact({ quiet: true }));
  expect([screen.queryByRole('alert'), find(BOOKED)?.closest('[data-kind]')?.getAttribute('data-kind')]).toEqual([
    null,
    'note',
  ]);
});

test('each person has one answer: "It was mine" if another line was booked, "Not mine" if it was their own line', async () => {
  await tell(await open(), bookedFact());
  expect(screen.queryByRole('button', { name: 'Not mine' })).toBeNull();
  expect(screen.getByRole('button', { name: 'It was mine' })).toBeTruthy();
  cleanup();
  localStorage.clear();
  await tell(await open(), ownFact());
  expect(screen.queryByRole('button', { name: 'It was mine' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Not mine' })).toBeTruthy();
});

test('on the list of orders, the answer goes directly to the station, and a refusal is shown in its place', async () => {
  const reopen = vi.fn(() => Promise.reject(new ApiError('conflict', 'Both are booked. Nothing was changed.')));
  await tell(await open('/pick', { calls: { reopenItem: reopen } }), bookedFact());
  await press('It was mine');
  expect(reopen.mock.calls).toMatchObject([
    [{ path: { order_number: 'SO-9', id: 77 }, body: { quantity_fulfilled: 1, seen: 6, instead: 1 } }],
  ]);
  expect(screen.getByText('Both are booked. Nothing was changed.')).toBeTruthy();
  expect([screen.queryByRole('button', { name: 'It was mine' }), screen.queryByText(/Not booked|not undone/i)]).toEqual(
    [null, null],
  );
  await press('OK');
  expect(screen.queryByText(/Both are booked/)).toBeNull();
});

test('an entry that a notice about a press moves down ignores a touch at first', async () => {
  const about = { key: 'k', order_number: '', item_id: 0, place: 'A-3-1, 2', batch: 9, at: 0, tries: 0 };
  const put = { does: 'put', pieces: [{ slot: 'A1', order_number: 'SO-1', item_id: 1, quantity: 2 }] };
  const refused = [
    { action: { ...about, kind: 'cart', act: put }, why: '', remedy: { kind: 'hands', does: 'nothing' } },
  ];
  localStorage.setItem('pickstation.outbox.Anna', JSON.stringify({ actions: [], refused }));
  const context = await open('/pick');
  await vi.waitFor(() => screen.getByText(/^Not booked/));
  await tell(context, bookedFact());
  const touch = async (after: number) => {
    nowMs += after;
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Done' })));
    await act(painted);
  };
  await touch(100);
  expect(screen.getByText(/^Not booked/)).toBeTruthy();
  await touch(300);
  expect(screen.queryByText(/^Not booked/)).toBeNull();
});

test('on the list of orders, a touch that was made before a notice was painted, or just after, answers nothing', async () => {
  const reopen = vi.fn<Stubs['reopenItem']>(() => new Promise(() => undefined));
  const second = bookedFact({ item_id: 78, deviceid: '51D000:000002', location: 'A-2' });
  await tell(await open('/pick', { calls: { reopenItem: reopen } }), bookedFact(), second);
  const touch = async (name: string, after: number) => {
    nowMs += after;
    await act(async () => fireEvent.click(screen.getAllByRole('button', { name })[0] ?? document.body));
    await act(painted);
  };
  await touch('It was mine', 200);
  await touch('OK', 10);
  expect([reopen.mock.calls, screen.getAllByRole('alert').length]).toEqual([[], 2]);
  expect(document.querySelector('[data-notices][data-refused]')).not.toBeNull();
  await touch('It was mine', 20);
  expect([reopen.mock.calls.length, screen.getAllByRole('alert').length]).toEqual([1, 1]);
  // The next notice is under the finger now.
  await touch('It was mine', 100);
  expect(screen.getAllByRole('alert')).toHaveLength(1);
  await touch('It was mine', 200);
  expect(screen.queryAllByRole('alert')).toEqual([]);
});

test('PICK:MINE on the list of orders answers the newest notice', async () => {
  const reopen = vi.fn<Stubs['reopenItem']>(() => new Promise(() => undefined));
  await tell(await open('/pick', { calls: { reopenItem: reopen } }), bookedFact());
  nowMs += 1_000;
  await act(async () => {
    for (const key of ['P', 'I', 'C', 'K', ':', 'M', 'I', 'N', 'E', 'Enter']) fireEvent.keyDown(document.body, { key });
  });
  expect(reopen.mock.calls).toMatchObject([[{ path: { id: 77 }, body: { instead: 1 } }]]);
});

test('"Order complete" names a press about which nobody said whose it was, even after two minutes', async () => {
  const done = [1, 2].map((id) => litItem(id, { state: 'done', quantity_fulfilled: 5, command_id: null }));
  const calls = {
    listWork: () => Promise.resolve([] as never),
    getOrder: () => Promise.resolve(pickOrder(done, { state: 'fulfilled' })),
  };
  await tell(await open('/pick/SO-1', { calls }), ownFact());
  expect(find(OWN)).toBeTruthy();
  const named = 'A-1: a press booked 5 while Ben waited there. Nobody said whose it was.';
  expect(screen.getByText(named)).toBeTruthy();
  cleanup();
  clock += 600_000;
  await open('/pick/SO-1', { calls });
  expect([find(OWN), screen.getByText(named).textContent]).toEqual([undefined, named]);
});

test('signing out with pieces in hand asks first', async () => {
  const signOut = vi.fn(() => Promise.resolve(undefined as never));
  const held = cartBatch([cartShare('A1', 10, { picked: 3, in_hand: 3 })]);
  const calls = {
    signOut,
    listBatches: ({ query }: { query?: { holder?: string } } = {}) =>
      Promise.resolve(query?.holder === 'Anna' ? [held] : []),
    getBatch: () => Promise.resolve(held),
  };
  await open('/pick/SO-1', { isKiosk: true, calls });
  await press('Exit');
  expect(screen.getByRole('alertdialog').textContent).toContain('Cart 1: A1 3');
  await press('Stay');
  expect([screen.queryByRole('alertdialog'), signOut.mock.calls]).toEqual([null, []]);
  await press('Exit');
  await press('Sign out anyway');
  expect(signOut).toHaveBeenCalledTimes(1);
});

test('signing out at a station that hangs asks about pieces in hand, and then says that it failed', async () => {
  const signOut = vi.fn(() => Promise.reject(new ApiError('unreachable', 'The station does not answer.')));
  const listBatches = () => new Promise<never>(() => undefined);
  await open('/pick/SO-1', { isKiosk: true, calls: { signOut, listBatches } });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await press('Exit');
  await act(() => vi.advanceTimersByTimeAsync(2_000));
  vi.useRealTimers();
  expect(signOut).not.toHaveBeenCalled();
  await press('Sign out anyway');
  expect(signOut).toHaveBeenCalledTimes(1);
  expect(document.body.textContent).toContain('Sign-out failed. Try again. The station does not answer.');
});

const HELD = cartBatch([cartShare('A1', 10, { picked: 3, in_hand: 3 })]);
const holding = {
  listBatches: ({ query }: { query?: { state?: string } } = {}) =>
    Promise.resolve(query?.state === 'picking' ? [HELD] : []),
  getBatch: () => Promise.resolve(HELD),
};
const FULL = /First put the pieces you hold into their slots\./;

/** Scans a code that no other test scans, because the scanners of a window remember codes. */
async function scanCode(code: string) {
  nowMs += 1_000;
  await act(async () => {
    for (const key of [...code.split(''), 'Enter']) fireEvent.keyDown(document.body, { key });
  });
}

test.each([
  ['Take', []],
  ['Join', [{ name: 'Ben', color: 'red', paused: false, deviceid: null }]],
])('who holds pieces of a cart takes no order on its page either: %s', async (_, pickers) => {
  const [launchOrder, joinOrder, scan] = [vi.fn(), vi.fn(), vi.fn()];
  const calls = {
    ...holding,
    launchOrder,
    joinOrder,
    scan,
    listWork: async () => [],
    getOrder: async () => pickOrder([litItem(1, { picker: 'Ben' })], { pickers }),
  };
  await open('/pick/SO-1', { calls });
  await press(/^Continue order SO-1/);
  if (pickers.length > 0) await press(/^Join/);
  await vi.waitFor(() => expect(document.body.textContent).toMatch(FULL));
  if (pickers.length > 0) await press('Leave it');
  await scanCode('SLIP-8');
  await vi.waitFor(() => expect(screen.getAllByRole('alert').at(-1)?.textContent).toMatch(FULL));
  expect([launchOrder.mock.calls, joinOrder.mock.calls, scan.mock.calls]).toEqual([[], [], []]);
});

test('who holds pieces of a cart takes no order by a scan, even before the page has loaded the batches', async () => {
  const scan = vi.fn<Stubs['scan']>(async () => scanResult('order', { order_number: 'SO-2' }));
  let isLoading = true;
  const calls: Partial<Stubs> = {
    scan,
    ...holding,
    listBatches: (given) => (isLoading ? new Promise(() => undefined) : holding.listBatches(given)),
    loadOrdersIn: async () => [],
  };
  await open('/pick', { calls });
  isLoading = false;
  await scanCode('SLIP-8');
  await vi.waitFor(() => expect(screen.getByText(FULL)).toBeTruthy());
  expect(scan.mock.calls.map(([{ body }]) => body.act)).toEqual([undefined]);
});

test('who holds pieces of a cart takes no order', async () => {
  const scan = vi.fn(() => new Promise(() => undefined));
  const calls = {
    scan,
    ...holding,
    loadOrdersIn: () => Promise.resolve([]),
    getNextOrder: () => Promise.resolve({ order: progress('SO-2'), waiting: 1 }),
  };
  await open('/pick', { calls: calls as never });
  await press(/^Next order/);
  expect(screen.getByText('First put the pieces you hold into their slots.')).toBeTruthy();
  expect(scan).not.toHaveBeenCalled();
});
