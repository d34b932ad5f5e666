import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { StationPage } from '../../../renderer/src/features/station/StationPage.tsx';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { listPlaces } from '../../../renderer/src/station/places.ts';
import { ConnectionBar } from '../../../renderer/src/app/frame/ConnectionBar.tsx';
import { alert, userOf } from '../../helpers/snapshots.ts';
import { showPage, smallShop } from './stationMapSupport.tsx';
import { command, device, show, station, testContext } from '../support.tsx';
import { order, progress } from '../orders/workSupport.tsx';

const devices = [
  device('51D000:000001', { locationoverride: 'A-10' }),
  device('51D000:000002', {
    locationoverride: 'A-2',
    online: false,
    commands: [command('1', { state: 'queued' })],
    state: 'active',
  }),
  device('51D000:000003', { battery: 18 }),
];

const TURBO = {
  serial_number: 'T1',
  name: 'North',
  transport: 'usb',
  status: 'online',
  port: '/dev/ttyUSB0',
  firmware: 12,
  uptime: 1,
  last_seen: null,
  device_count: 3,
  problem: null,
} as const;

/** Returns the names on the tiles, without the links of an open panel. */
const names = () =>
  screen.getAllByRole('link').flatMap((link) => (link.closest('[data-deviceid]') === null ? [] : link.textContent));

beforeEach(() => {
  window.history.replaceState(null, '', '/');
  localStorage.clear();
});

test('lists places in natural order, and devices without a label last', () => {
  expect(listPlaces(devices).map(({ name }) => name)).toEqual(['A-2', 'A-10', '51D000:000003']);
  show(testContext({ station: station(...devices) }), <StationPage />);
  expect(names()).toEqual(['A-2', 'A-10', '51D000:000003']);
});

test('the heading shows the number of devices and turbos, and names an offline turbo first', () => {
  const well = { ...station(...devices), turbos: [TURBO] };
  const down = [{ ...TURBO, status: 'offline' as const }];
  const { unmount } = show(testContext({ station: well }), <StationPage />);
  expect(screen.getByRole('heading', { level: 1 }).nextSibling?.textContent).toBe('3 devices · 1 gateway online');
  unmount();
  show(testContext({ station: { ...well, turbos: down } }), <StationPage />);
  expect(screen.getByRole('heading', { level: 1 }).nextSibling?.textContent).toBe(
    'Gateway North is offline · 3 devices',
  );
});

test('the built-in simulator does not count as a turbo', () => {
  const shop = smallShop();
  const simulated = { ...TURBO, serial_number: 'T2', transport: 'simulated' } as const;
  const { unmount } = show(testContext({ station: { ...shop, turbos: [simulated] } }), <StationPage />);
  expect(screen.getByRole('heading', { level: 1 }).nextSibling?.textContent).toContain('simulated devices only');
  unmount();
  const empty = show(
    testContext({ station: { ...shop, turbos: [{ ...simulated, device_count: 0 }] } }),
    <StationPage />,
  );
  expect(screen.getByRole('heading', { level: 1 }).nextSibling?.textContent).toContain('no real gateway connected');
  empty.unmount();
  show(testContext({ station: { ...shop, turbos: [simulated, TURBO] } }), <StationPage />);
  expect(screen.getByRole('heading', { level: 1 }).nextSibling?.textContent).toContain('1 gateway online');
});

test('a card counts its devices, and a press on it filters the list or shows all devices again', () => {
  // The count follows the open alerts, not the current battery percentage.
  const alerts = [alert('1', { deviceid: '51D000:000003' })];
  show(testContext({ station: { ...station(...devices), alerts } }), <StationPage />);
  const waiting = screen.getByRole('button', { name: /Waiting in queues/ });
  expect(waiting.textContent).toContain('1');
  fireEvent.click(waiting);
  expect(waiting.getAttribute('aria-pressed')).toBe('true');
  expect(names()).toEqual(['A-2']);
  expect(screen.getByText('1 of 3 devices')).toBeTruthy();
  fireEvent.click(waiting);
  expect(names()).toHaveLength(3);
  const low = screen.getByRole('button', { name: /Low battery/ });
  expect(low.textContent).toContain('1');
  fireEvent.click(low);
  expect(names()).toEqual(['51D000:000003']);
});

test('finds devices by part of a label or DeviceID, and offers to show all devices if none matches', () => {
  show(testContext({ station: station(...devices) }), <StationPage />);
  const search = screen.getByRole('searchbox');
  fireEvent.change(search, { target: { value: 'a-1' } });
  expect(names()).toEqual(['A-10']);
  fireEvent.change(search, { target: { value: '0003' } });
  expect(names()).toEqual(['51D000:000003']);
  fireEvent.change(search, { target: { value: 'nowhere' } });
  expect(screen.getByText('No device matches')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Show all devices' }));
  expect(names()).toHaveLength(3);
});

test('a device found by its order stays in the results after its work has ended, until the search changes', () => {
  const lit = (id: string) => ({ commands: [command(id, { order_number: '10418' })], state: 'active' as const });
  const [first, second, other] = ['A-1', 'A-2', 'A-3'].map((locationoverride, index) =>
    device(`51D000:00000${index + 1}`, { locationoverride, ...(index < 2 ? lit(String(index)) : {}) }),
  );
  const context = testContext({ station: station(...[first, second, other].filter((each) => each !== undefined)) });
  show(context, <StationPage />);
  const search = screen.getByRole('searchbox');
  fireEvent.change(search, { target: { value: '10418' } });
  expect(names()).toEqual(['A-1', 'A-2']);
  act(() =>
    context.store.setState(({ station: before }) => ({
      station: before && {
        ...before,
        devices: before.devices.map((each) => (each.deviceid === first?.deviceid ? { ...each, commands: [] } : each)),
      },
    })),
  );
  expect(names()).toEqual(['A-1', 'A-2']);
  fireEvent.change(search, { target: { value: '1041' } });
  expect(names()).toEqual(['A-2']);
});

test('Enter opens the only matching device, and Escape clears the search', async () => {
  show(testContext({ station: station(...devices) }), <StationPage />);
  const search = screen.getByRole('searchbox');
  fireEvent.change(search, { target: { value: 'a-' } });
  await act(async () => fireEvent.keyDown(search, { key: 'Enter' }));
  expect(`${window.location.pathname}${window.location.search}`).toBe('/');
  fireEvent.change(search, { target: { value: 'a-10' } });
  await act(async () => fireEvent.keyDown(search, { key: 'Enter' }));
  expect(`${window.location.pathname}${window.location.search}`).toBe('/today?device=51D000:000001');
  await act(async () => fireEvent.keyDown(search, { key: 'Escape' }));
  expect(names()).toHaveLength(3);
});

test('devices that do not match stay in place on the map, but are inactive', () => {
  showPage(smallShop());
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'a-2-2' } });
  expect(names()).toEqual(['A-2-2']);
  const faded = document.querySelector('[data-deviceid="51D000:000001"]');
  expect(faded?.hasAttribute('inert')).toBe(true);
  expect(faded?.closest('[role="gridcell"]')?.getAttribute('aria-colindex')).toBe('1');
  expect(screen.getByRole('link').closest('[role="gridcell"]')?.getAttribute('aria-colindex')).toBe('2');
});

test('the zoom level can be chosen by button or key, and is remembered in this browser', async () => {
  const first = showPage(smallShop());
  expect(screen.getByRole('radio', { name: 'Shelf' }).getAttribute('aria-checked')).toBe('true');
  fireEvent.keyDown(document.body, { key: '-' });
  await waitFor(() => expect(screen.queryByRole('img', { name: /^(Screen|Blank)/ })).toBeNull());
  first.unmount();
  showPage(smallShop());
  expect(screen.getByRole('radio', { name: 'Overview' }).getAttribute('aria-checked')).toBe('true');
  fireEvent.keyDown(screen.getByRole('searchbox'), { key: '+' });
  expect(screen.getByRole('radio', { name: 'Overview' }).getAttribute('aria-checked')).toBe('true');
  fireEvent.click(screen.getByRole('radio', { name: 'Close-up' }));
  expect(screen.getAllByRole('img', { name: /^(Screen|Blank)/ }).length).toBeGreaterThan(2);
});

test('a rack shows its note and the number of lit devices, and devices without a place are in the tray', () => {
  const shop = smallShop();
  const led = { mode: 'steady', hex: '#00ff00', letter: 'G' } as const;
  const screenOf = { label: '', lines: [], quantity: 1, arrow: null, barcode: '', qrcode: '', icon: '' };
  shop.devices = shop.devices.map((each, index) =>
    index === 0 ? { ...each, displayed: { command_id: '1', screen: screenOf, led } } : each,
  );
  shop.map.racks = shop.map.racks.map((rack) => ({ ...rack, note: 'by the door' }));
  showPage(shop);
  expect(screen.getByText('by the door · 3 devices · 1 lit')).toBeTruthy();
  expect(screen.getByText('by the door · 0 devices')).toBeTruthy();
  expect(screen.getByRole('heading', { name: 'Not placed yet' })).toBeTruthy();
  expect(screen.queryByText('Empty')).toBeNull();
});

test('without racks, offers an admin to create one, and the hint can be dismissed', () => {
  const first = show(testContext({ station: station(...devices) }), <StationPage />);
  expect(screen.getByRole('button', { name: 'Create a rack' })).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Not now' }));
  expect(screen.queryByRole('button', { name: 'Create a rack' })).toBeNull();
  first.unmount();
  show(testContext({ station: station(...devices) }), <StationPage />);
  expect(screen.queryByRole('button', { name: 'Create a rack' })).toBeNull();
});

test('opening a device changes the address, and closing it returns the focus to its tile', async () => {
  show(testContext({ station: station(...devices) }), <StationPage />);
  const link = screen.getByRole('link', { name: 'A-10' });
  link.focus();
  fireEvent.click(link);
  expect(`${window.location.pathname}${window.location.search}`).toBe('/today?device=51D000:000001');
  expect(screen.getByRole('heading', { name: 'A-10' })).toBe(document.activeElement);
  expect(screen.getByRole('link', { name: 'A-10' }).getAttribute('aria-current')).toBe('true');
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Close panel' })));
  expect(`${window.location.pathname}${window.location.search}`).toBe('/today');
  expect(screen.getByRole('link', { name: 'A-10' })).toBe(document.activeElement);
});

test('an empty station offers to add simulated devices, and shows why they were not added', async () => {
  const context = testContext(
    { station: station() },
    { addSimulatedDevices: () => Promise.reject(new ApiError('forbidden', 'You may not.')) },
  );
  show(context, <StationPage />);
  const add = await screen.findByRole('button', { name: 'Add 6 simulated devices' });
  await act(async () => fireEvent.click(add));
  expect(screen.getByText('The devices were not added. You may not.')).toBeTruthy();
});

test('creating the demo shop on an empty station starts the tour', async () => {
  const context = testContext(
    { station: station() },
    {
      makeDemoShop: () => Promise.resolve({ racks: [], places: [], zones: [] }),
      loadOrders: () => Promise.resolve([progress('10418')]),
      launchOrder: () => Promise.resolve(order('10418', [])),
    },
  );
  show(context, <StationPage />);
  const create = await screen.findByRole('button', { name: 'Create the demo shop' });
  await act(async () => fireEvent.click(create));
  await waitFor(() => expect(window.location.pathname).toBe('/pick/10418'));
});

test('offers the demo shop only to admins, and only without racks', async () => {
  const map = { racks: [{ id: 'a', name: 'Rack A', note: '', columns: 1, shelves: [] }], places: [], zones: [] };
  const offers = async (given: Partial<ReturnType<typeof station>>) => {
    const { unmount } = show(testContext({ station: { ...station(), ...given } }), <StationPage />);
    await screen.findByRole('heading', { name: 'No devices yet' });
    const found = screen.queryByRole('button', { name: 'Create the demo shop' });
    unmount();
    return found !== null;
  };
  expect(await offers({})).toBe(true);
  expect(await offers({ map })).toBe(false);
  expect(await offers({ user: userOf('Ann', 'control') })).toBe(false);
});

test('shows a lost connection immediately, and removes the message once it is back', () => {
  const context = testContext({ station: station(...devices), connection: { kind: 'live' } });
  show(context, <ConnectionBar />);
  expect(screen.getByRole('alert').textContent).toBe('');
  act(() => context.store.setState({ connection: { kind: 'lost', sinceAt: Date.now() } }));
  expect(screen.getByRole('alert').textContent).toMatch(/Connection to the station lost\.This page may be out of date/);
  act(() => context.store.setState({ connection: { kind: 'live' } }));
  expect(screen.getByRole('alert').textContent).toBe('');
});

test('shows a failing receiver to all users, including those who cannot send callbacks again', () => {
  const receiver = { failing_since: '2026-11-20T10:42:00.000Z', status: null, waiting: 12 };
  const context = testContext({ station: { ...station(...devices), receiver, user: userOf('Ann', 'picker') } });
  show(context, <StationPage />);
  expect(screen.getByText(/^Your system has not answered since /)).toBeTruthy();
  expect(screen.getByRole('button', { name: /^Send all now/ }).hasAttribute('data-denied')).toBe(true);
});

test('finds a shelf or rack by its devices, and ranks exact names first', async () => {
  const shop = smallShop();
  showPage({
    ...shop,
    devices: shop.devices.map((each) => (each.deviceid.endsWith('3') ? { ...each, locationoverride: 'A-2' } : each)),
  });
  const search = screen.getByRole('searchbox', { name: 'Find a place or device' });
  const look = async (typed: string) => {
    await act(async () => fireEvent.change(search, { target: { value: typed } }));
    const faint = (link: Element) => link.closest('[data-faded]') !== null;
    return screen
      .queryAllByRole('link')
      .filter((link) => !faint(link))
      .map((link) => link.textContent);
  };
  expect(await look('a-1')).toEqual(['A-2']);
  expect((await look('rack a')).toSorted()).toEqual(['A-2', 'A-2-1', 'A-2-2']);
  expect(await look('bench')).toEqual(['Bench']);
  await look('a-2');
  await act(async () => fireEvent.keyDown(search, { key: 'Enter' }));
  expect(`${window.location.pathname}${window.location.search}`).toBe('/today?device=51D000:000003');
});
