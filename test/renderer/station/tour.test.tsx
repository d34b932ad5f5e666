import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Device } from '#shared/api/device.ts';
import { HelpPage } from '../../../renderer/src/features/help/HelpPage.tsx';
import { PickPage } from '../../../renderer/src/features/pick/PickPage.tsx';
import { StationPage } from '../../../renderer/src/features/station/StationPage.tsx';
import { tourMemory } from '../../../renderer/src/shop/tour/tourMemory.ts';
import { takeSnapshot } from '../../../renderer/src/station/live/store.ts';
import { demoStation, said } from './tourSupport.tsx';
import { order, progress } from '../orders/workSupport.tsx';

const strip = () => screen.getByRole('complementary', { name: 'Tour' });
const noStrip = () => expect(screen.queryByRole('complementary', { name: 'Tour' })).toBeNull();
/** Time limit for loading a page, which can take long on a busy machine. The other page tests use the same limit. */
const PATIENCE = { timeout: 60_000 };

let lookedMs = 0;
/** Presses a button after a second, because buttons ignore touches right after they appear. */
const press = (name: string | RegExp) => {
  lookedMs += 1_000;
  return act(async () => fireEvent.click(screen.getByRole('button', { name })));
};
const pressLight = (place: string) => press(new RegExp(`^Front button of ${place},`));

/** Opens the Pick page at the order of a tour that has started. */
async function openTour(options: Parameters<typeof demoStation>[0] = {}) {
  const shop = demoStation(options);
  await shop.open(<PickPage />);
  await screen.findByRole('complementary', { name: 'Tour' });
  return shop;
}

/** Applies a snapshot of the station with these devices. */
function changeDevices({ context: { store } }: ReturnType<typeof demoStation>, devices: readonly Device[]): void {
  const { station } = store.getState();
  if (station !== null) takeSnapshot(store, { station: { ...station, devices: [...devices] }, clockSkewMs: 0 });
}

beforeEach(() => {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + lookedMs);
  localStorage.clear();
  window.history.replaceState(null, '', '/pick/10418');
  tourMemory('Ann').begin('10418');
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test('runs the whole tour: a press at the shelf, a pick on the page, a pick by either method, and the last press', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const shop = demoStation({ isQuick: false });
  await shop.open(<PickPage />);
  await vi.waitFor(() => strip(), PATIENCE);
  expect(said()).toBe('A-4-2 is receiving its picture by radio. This takes a second or two.');
  await shop.draw();
  expect(said()).toBe('A-4-2 lights blue, your color. Take 12 and press its button here.');
  expect(within(strip()).getByText('Tour · Step 1 of 5')).toBeDefined();
  expect(within(strip()).getAllByRole('img')).toHaveLength(4);
  await pressLight('A-4-2');
  expect(said()).toBe('That pick is recorded. A-3-4 is next: if its button is out of reach, press Picked on the page.');
  expect(within(strip()).getAllByText('picked')).toHaveLength(1);
  await press(/^Picked/);
  expect(said()).toBe('A-3-2 is next. Press its button or Picked: both record the same pick.');
  await pressLight('A-3-2');
  expect(said()).toBe('B-2-1 is the last one. The tour presses it for you: the page follows every press at the shelf.');
  expect(within(strip()).getByText('Tour · Step 4 of 5')).toBeDefined();
  expect(shop.presses).toEqual(['51D000:000001', '51D000:000003']);
  await act(async () => vi.advanceTimersByTime(3_000));
  expect(shop.presses).toEqual(['51D000:000001', '51D000:000003', '51D000:000004']);
  expect(said()).toBe('Done: the order is complete.');
  vi.useRealTimers();
  await press('Close the tour');
  noStrip();
  expect(tourMemory('Ann').isEnded()).toBe(true);
});

test('the end of the tour leads to the three next steps', async () => {
  const shop = await openTour();
  await shop.happens(() => ({ state: 'fulfilled', shipments: finished() }));
  expect(screen.queryByRole('button', { name: 'Remove the demo shop' })).toBeNull();
  const next = ['Import your orders', 'Connect real devices', 'Set up devices'];
  const led = next.map((name) => screen.getByRole('link', { name }).getAttribute('href'));
  expect(led).toEqual(['/import?what=orders', '/connections', '/places/set-up']);
  await act(async () => fireEvent.click(screen.getByRole('link', { name: 'Connect real devices' })));
  expect(window.location.pathname).toBe('/connections');
  expect(tourMemory('Ann').isEnded()).toBe(true);
});

test('the last step offers to remove the demo shop if it still exists, and removing it ends the tour', async () => {
  const removeDemoShop = vi.fn(() => Promise.resolve(DEMO));
  const calls = {
    getFirstDay: () => Promise.resolve({ dismissed: true, demo: true, steps: [] }),
    getDemoShop: () => Promise.resolve(DEMO),
    removeDemoShop,
  };
  const shop = await openTour({ calls });
  await shop.happens(() => ({ state: 'fulfilled', shipments: finished() }));
  await act(async () => fireEvent.click(await screen.findByRole('button', { name: 'Remove the demo shop' })));
  await act(async () => fireEvent.click(await screen.findByRole('button', { name: 'Remove' })));
  expect(removeDemoShop).toHaveBeenCalledOnce();
  await waitFor(noStrip);
  expect(tourMemory('Ann').isEnded()).toBe(true);
});

const DEMO = { orders: ['10418'], sequences: [], racks: ['Rack A'], devices: [], kept: [], lit: [] };
const finished = () =>
  order('10418', []).shipments.map((shipment) => ({
    ...shipment,
    items: [{ ...demoItem, state: 'done' as const, quantity_fulfilled: 12 }],
  }));
const demoItem = {
  id: 1,
  name: 'M8 nut',
  ordered_quantity: 12,
  quantity_fulfilled: 0,
  quantity_remaining: 12,
  deviceid: null,
  state: 'open' as const,
  command_id: null,
  timed_out: false,
  picker: null,
  verified: false,
  awaits_scan: false,
  guessed: false,
  no_stock: false,
};

test('after a press at a place that is not the next one, the tour continues with the remaining places', async () => {
  const shop = await openTour();
  await shop.finger('B-2-1');
  expect(said()).toBe('That pick is recorded. A-4-2 is next: if its button is out of reach, press Picked on the page.');
  await shop.finger('A-3-4');
  expect(said()).toBe('A-4-2 is next. Press its button or Picked: both record the same pick.');
  await shop.finger('A-4-2');
  expect(said()).toBe('A-3-2 is the last one. The tour presses it for you: the page follows every press at the shelf.');
});

test('after a line is skipped, the tour names the same place as the page', async () => {
  await openTour();
  await press('More…');
  await press('Skip for now');
  expect(said()).toBe('A-3-4 lights blue, your color. Take 1 and press its button here.');
});

test('if the order is aborted, the tour says so and can start again', async () => {
  const shop = await openTour();
  await shop.happens(({ shipments }) => ({
    state: 'aborted',
    shipments: shipments.map((each) => ({
      ...each,
      items: each.items.map((item) => ({ ...item, state: 'cancelled' as const, command_id: null })),
    })),
  }));
  expect(said()).toBe('The order was aborted, and its lights are off. Start again with it.');
  await press('Start again');
  await waitFor(() => expect(said()).toMatch(/^A-4-2 lights blue/));
  expect(shop.added).toEqual([]);
});

test('if the order is paused, handed over or deleted, the tour explains what to do', async () => {
  const shop = await openTour();
  const pickers = (paused: boolean) => [{ name: 'Ann', color: 'blue', paused, deviceid: null }];
  await shop.happens(() => ({ pickers: pickers(true) }));
  expect(said()).toBe('The order is paused, and its lights are off. Press Continue.');
  await shop.happens(() => ({ pickers: [] }));
  expect(said()).toBe('You are no longer picking order 10418. Take it again to continue the tour.');
  await shop.happens(({ shipments }) => ({
    pickers: pickers(false),
    shipments: shipments.map((each) => ({
      ...each,
      items: each.items.map((item) => ({ ...item, state: 'open' as const, command_id: null })),
    })),
  }));
  await waitFor(() => expect(said()).toMatch(/^Nothing is lit for you now/));
  await shop.happens(() => ({ order_number: 'gone' }));
  await waitFor(() => expect(said()).toMatch(/^Order 10418 was deleted/));
  await press('Start again');
  await waitFor(() => expect(shop.added).toEqual(['10418']));
  await waitFor(() => expect(said()).toMatch(/^A-4-2 lights blue/));
});

test.for([
  { why: 'cannot press', press: () => Promise.reject(new Error('The turbo is off.')) },
  { why: 'presses a device that is off', press: () => Promise.resolve() },
])('continues after a reload, and leaves the last press to the user if the tour $why', async ({ press: pressed }) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const shop = demoStation({ calls: { pressSimulatedDevice: pressed } });
  await shop.finger('A-4-2');
  await shop.finger('A-3-4');
  await shop.finger('A-3-2');
  await shop.open(<PickPage />);
  await vi.waitFor(
    () =>
      expect(said()).toBe(
        'B-2-1 is the last one. The tour presses it for you: the page follows every press at the shelf.',
      ),
    PATIENCE,
  );
  await act(async () => vi.advanceTimersByTime(3_000));
  vi.useRealTimers();
  expect(said()).toBe('The last one is B-2-1. Press its button.');
  await press(/^Picked/);
  expect(said()).toBe('Done: the order is complete.');
});

test('while the connection is lost, the tour delays the last press, and then presses once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const shop = demoStation();
  for (const place of ['A-4-2', 'A-3-4', 'A-3-2']) await shop.finger(place);
  await shop.open(<PickPage />);
  await vi.waitFor(() => strip(), PATIENCE);
  await act(async () => shop.context.store.setState({ connection: { kind: 'lost', sinceAt: 0 } }));
  await act(async () => vi.advanceTimersByTime(60_000));
  expect(shop.presses).toEqual([]);
  await act(async () => shop.context.store.setState({ connection: { kind: 'live' } }));
  await act(async () => vi.advanceTimersByTime(3_000));
  vi.useRealTimers();
  expect(shop.presses).toEqual(['51D000:000004']);
});

test('an ended tour does not return, but stays available to other users', async () => {
  const shop = await openTour();
  await press('End the tour');
  noStrip();
  cleanup();
  await shop.open(<PickPage />);
  noStrip();
  expect(tourMemory('Ben').isEnded()).toBe(false);
});

test('in the order list, the tour leads back to its order, and leaving the complete order ends the tour', async () => {
  window.history.replaceState(null, '', '/pick');
  const shop = await openTour();
  expect(said()).toBe('The tour continues with order 10418.');
  await press('Continue');
  await waitFor(() => expect(said()).toMatch(/^A-4-2 lights blue/));
  expect(window.location.pathname).toBe('/pick/10418');
  for (const place of ['A-4-2', 'A-3-4', 'A-3-2', 'B-2-1']) await shop.finger(place);
  await press('Next order');
  await waitFor(noStrip);
  expect(tourMemory('Ann').isEnded()).toBe(true);
});

test('Help and Station offer the tour only while each place of the demo order has a device to press', async () => {
  const offered = () => screen.queryByRole('button', { name: 'Take the tour' }) !== null;
  for (const page of [<HelpPage key="help" />, <StationPage key="station" />]) {
    const shop = demoStation();
    const { devices = [] } = shop.context.store.getState().station ?? {};
    const has = (changed: typeof devices) => act(async () => changeDevices(shop, changed));
    await shop.open(page);
    await act(async () => vi.dynamicImportSettled());
    expect(offered()).toBe(true);
    await has(devices.slice(1));
    expect(offered()).toBe(false);
    await has(devices);
    expect(offered()).toBe(true);
    await has(devices.map((each, index) => (index === 0 ? { ...each, can_press: false } : each)));
    expect(offered()).toBe(false);
    cleanup();
  }
});

test('Help and Station offer the tour only to users with the right to set up the station', async () => {
  const offered = async (page: 'help' | 'station', options: Parameters<typeof demoStation>[0]) => {
    const shop = demoStation(options);
    await shop.open(page === 'help' ? <HelpPage /> : <StationPage />);
    await act(async () => vi.dynamicImportSettled());
    const found = screen.queryByRole('button', { name: 'Take the tour' }) !== null;
    cleanup();
    return found;
  };
  expect(await offered('help', {})).toBe(true);
  expect(await offered('station', {})).toBe(true);
  expect(await offered('help', { scope: 'picker' })).toBe(false);
  expect(await offered('station', { scope: 'picker' })).toBe(false);
});

test.for([
  { orders: [progress('10418')], opened: '10418', added: [] },
  { orders: [progress('10418', { state: 'fulfilled' })], opened: 'DEMO-2', added: ['DEMO-2'] },
  { orders: [progress('10418', { state: 'fulfilled' }), progress('DEMO-2')], opened: 'DEMO-2', added: [] },
  {
    orders: [
      progress('10418', { pickers: [{ name: 'Ben', color: 'red', paused: false, deviceid: null }] }),
      progress('DEMO-2', { state: 'fulfilled' }),
    ],
    opened: 'DEMO-3',
    added: ['DEMO-3'],
  },
  { orders: [], opened: '10418', added: ['10418'] },
])('“Take the tour” opens $opened, and creates $added', async ({ orders, opened, added }) => {
  tourMemory('Ann').end();
  window.history.replaceState(null, '', '/help');
  const shop = demoStation({ isLaunched: false, orders });
  await shop.open(<HelpPage />);
  await press('Take the tour');
  await waitFor(() => expect(window.location.pathname).toBe(`/pick/${opened}`));
  expect(shop.added).toEqual(added);
  expect(tourMemory('Ann').order()).toBe(opened);
});
