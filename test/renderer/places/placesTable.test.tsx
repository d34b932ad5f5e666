import { act, fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { applyMessages } from '../../../renderer/src/station/live/store.ts';
import { device } from '../support.tsx';
import { ALIASES, DEVICES, devicesShown, LOW, MAP, openPlaces, press, SILENT, WEAK, WELL } from './placesSupport.tsx';

const search = (value: string) =>
  act(async () => fireEvent.change(screen.getByRole('searchbox'), { target: { value } }));
const rowOf = (name: string) => {
  const row = screen.getByRole('button', { name: `More for ${name}` }).closest<HTMLElement>('[role="row"]');
  if (row === null) throw new Error(`${name} has no row.`);
  return row;
};

test('lists offline devices first, then low batteries, then weak signals, the worst of each first', async () => {
  const label = { locationoverride: 'A-0', location: 'A-0' };
  const later = device('51D000:000006', { ...label, online: false, last_seen: '2026-11-19T20:00:00.000Z' });
  const lower = device('51D000:000007', { locationoverride: 'C-1', location: 'C-1', battery: 2 });
  await openPlaces({}, { devices: [...DEVICES, later, lower] });
  expect(devicesShown()).toEqual(['A-10', 'A-0', 'B-1', 'C-1', 'A-2', WEAK, 'A-1']);
  expect(screen.getByText('7 devices · 6 need care')).toBeTruthy();
});

test('a row shows the place, the battery, the firmware and the state of the device', async () => {
  await openPlaces();
  const text = rowOf('A-2').textContent ?? '';
  expect(text).toContain('Low battery');
  expect(text).toContain('Rack A, shelf A-2, column 1');
  expect(text).toContain(LOW);
  expect(text).toContain('9\u00a0%2.27\u00a0V');
  expect(text).toContain('66');
  expect(within(rowOf('A-2')).getByRole('link').getAttribute('href')).toBe(`/places?device=${LOW}`);
  expect(rowOf('B-1').textContent).toContain('never');
  expect(rowOf(WEAK).textContent).toContain('\u221291\u00a0dBm');
});

test("a device at a cart slot shows its cart, is found by the cart's name, and does not count as unnamed", async () => {
  const slots = [{ slot: 'A1', code: null, deviceid: WEAK, back_deviceid: null }];
  const cart = { id: 1, name: 'Cart 7', code: null, rows: 1, columns: 1, slots };
  await openPlaces({ loadCarriers: async (kind) => (kind === 'cart' ? [cart] : []) });
  expect(rowOf(WEAK).textContent).toContain('Cart 7 · A1');
  expect(rowOf('A-2').textContent).not.toContain('Cart');
  await search('cart 7');
  expect(devicesShown()).toEqual(['Cart 7 · A1']);
  expect(screen.getByRole('radio', { name: /^Without a name/ }).textContent).toContain('0');
});

test('a click on a column header sorts, a second click reverses the order, and unknown values come last', async () => {
  await openPlaces();
  await press('Battery');
  expect(devicesShown()).toEqual(['A-2', 'A-1', 'A-10', WEAK, 'B-1']);
  await press('Battery');
  expect(devicesShown()).toEqual(['A-10', WEAK, 'A-1', 'A-2', 'B-1']);
  await press('Last seen');
  await press('Last seen');
  expect(devicesShown().at(-1)).toBe('B-1');
  await press('Place');
  expect(devicesShown()).toEqual(['A-1', 'A-2', 'A-10', 'B-1', WEAK]);
  await press('Place');
  expect(devicesShown()).toEqual(['B-1', 'A-10', 'A-2', 'A-1', WEAK]);
  expect(screen.getByRole('columnheader', { name: 'Place' }).getAttribute('aria-sort')).toBe('descending');
});

test.each([
  [/^Offline/, ['A-10', 'B-1']],
  [/^Low battery/, ['A-2']],
  [/^Weak signal/, [WEAK]],
  [/^Without a name/, [WEAK]],
] as const)('the filter %s lists the matching devices and is kept in the address', async (name, left) => {
  await openPlaces();
  await press(name, 'radio');
  expect(devicesShown()).toEqual(left);
  expect(window.location.search).toMatch(/&show=\w+$/);
});

test('a device with only an alias counts as named', async () => {
  const aliases = [...ALIASES, { id: 2, name: 'Packing', deviceid: WEAK, deviceIs: 'Below' as const }];
  await openPlaces({}, { aliases });
  expect(screen.getByRole('radio', { name: /^Without a name/ }).textContent).toContain('0');
});

test('uses the alert levels for low batteries and weak signals', async () => {
  await openPlaces({}, { limits: { alert_battery_percent: 30, alert_weak_dbm: -95, order_stalled_minutes: 15 } });
  expect(rowOf('A-1').textContent).toContain('Low battery');
  expect(rowOf(WEAK).textContent).not.toContain('Weak signal');
  await press(/^Low battery/, 'radio');
  expect(devicesShown()).toEqual(['A-2', 'A-1']);
});

test('the search covers names, aliases, shelves, turbos and firmware', async () => {
  await openPlaces();
  await search('returns');
  expect(devicesShown()).toEqual(['A-2']);
  await search('shelf a-1, column');
  expect(devicesShown()).toEqual(['A-1']);
  await search('t2');
  expect(devicesShown()).toEqual([WEAK]);
  await search('firmware 66');
  expect(devicesShown()).toEqual(['A-2']);
  await search('nothing like it');
  await press('Show all places');
  expect(devicesShown()).toHaveLength(5);
});

test('a filter without matches says that no device has the problem', async () => {
  await openPlaces({}, { devices: [device(WELL)], path: '/places?show=silent' });
  expect(screen.getByRole('heading', { name: 'No device is offline' })).toBeTruthy();
});

test('a device that goes offline moves to the top', async () => {
  const { store } = await openPlaces();
  const well = { deviceid: WELL, online: false, last_seen: '2026-11-18T08:00:00.000Z' };
  await act(async () => applyMessages(store, [{ kind: 'ephemera', ephemera: { devices: [well], turbos: [] } }]));
  expect(devicesShown()[0]).toBe('A-1');
});

test('draws only the visible rows of ten thousand devices', async () => {
  const devices = Array.from({ length: 10_000 }, (_, index) =>
    device(`51D000:${String(index).padStart(6, '0')}`, { locationoverride: `P-${index}` }),
  );
  await openPlaces({}, { devices });
  expect(devicesShown().length).toBeLessThan(60);
  expect(screen.getByRole('grid').getAttribute('aria-rowcount')).toBe('10001');
});

test('Shift selects a range of devices', async () => {
  await openPlaces();
  const check = (name: string, shiftKey = false) =>
    act(async () => fireEvent.click(screen.getByRole('checkbox', { name: `Select ${name}` }), { shiftKey }));
  await check('B-1');
  await check(WEAK, true);
  const isChosen = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name: `Select ${name}` }).checked;
  expect(['A-10', 'B-1', 'A-2', WEAK, 'A-1'].map(isChosen)).toEqual([false, true, true, true, false]);
});

test('a read-only user can select places only to print labels', async () => {
  await openPlaces({}, { scope: 'read' });
  await act(async () => fireEvent.click(screen.getByRole('checkbox', { name: 'Select A-1' })));
  await press('Identify');
  expect(screen.getByRole('dialog', { name: 'Not allowed' })).toBeTruthy();
  await act(async () => fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' }));
  const bar = within(screen.getByRole('region', { name: 'Selected devices' }));
  await act(async () => fireEvent.click(bar.getByRole('button', { name: 'Print labels' })));
  expect(await screen.findByRole('article', { name: 'A-1' })).toBeTruthy();
  expect(screen.getAllByRole('article')).toHaveLength(1);
});

test('without devices, shows that there are none yet, and offers to import a file', async () => {
  await openPlaces({}, { devices: [] });
  expect(screen.getByRole('heading', { name: 'No devices yet' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Add another place' })).toBeNull();
  await press('Import a file…');
  expect(window.location.pathname + window.location.search).toBe('/import?what=places');
});

test('“Identify” flashes the device, and reports a failure', async () => {
  const asked: string[] = [];
  await openPlaces({
    identifyDevice({ path: { DeviceID: deviceid } }) {
      asked.push(deviceid);
      return deviceid === SILENT ? Promise.reject(new Error('gone')) : Promise.resolve();
    },
  });
  for (const name of ['A-1', 'A-10']) {
    await press(`More for ${name}`);
    await act(async () => fireEvent.click(screen.getByRole('menuitem', { name: 'Identify: flash it' })));
  }
  expect(asked).toEqual([WELL, SILENT]);
  expect(screen.getByText('A-1 flashes for a moment.')).toBeTruthy();
  expect(screen.getByText(/^A-10 did not flash/)).toBeTruthy();
});

test('opens a device next to the filtered table, and focuses its row again when the device is closed', async () => {
  await openPlaces();
  await press(/^Low battery/, 'radio');
  await act(async () => fireEvent.click(within(rowOf('A-2')).getByRole('link')));
  expect(window.location.pathname).toBe('/places');
  expect(new URLSearchParams(window.location.search).get('show')).toBe('lowBattery');
  const panel = screen.getByRole('complementary', { name: /A-2/ });
  expect(devicesShown()).toEqual(['A-2']);
  await act(async () => fireEvent.keyDown(panel, { key: 'Escape' }));
  expect(new URLSearchParams(window.location.search).get('show')).toBe('lowBattery');
  expect(screen.queryByRole('complementary', { name: /A-2/ })).toBeNull();
  await expect.poll(() => document.activeElement?.getAttribute('href')).toBe(`/places?device=${LOW}`);
});

test('offers to put devices on the map if their labels match free places', async () => {
  const label = (locationoverride: string) => ({ locationoverride, location: locationoverride });
  const [free, taken, slotted] = ['51D000:000006', '51D000:000007', '51D000:000008'];
  const devices = [
    ...DEVICES,
    device(free, label('a-1-2')),
    device(taken, label('A-1-1')),
    device(slotted, label('A-1-3')),
  ];
  const slots = [{ slot: 'A1', code: null, deviceid: slotted, back_deviceid: null }];
  const cart = { id: 1, name: 'Cart 7', code: null, rows: 1, columns: 1, slots };
  const sent: unknown[] = [];
  await openPlaces(
    {
      loadCarriers: async (kind) => (kind === 'cart' ? [cart] : []),
      getMap: async () => MAP,
      replaceMap: async (map, isExpected) => {
        sent.push(map, isExpected?.(MAP), isExpected?.({ ...MAP, places: [] }));
        return MAP;
      },
    },
    { devices },
  );
  const bar = screen.getByRole('region', { name: 'Devices that are not on the map' });
  expect(bar.textContent).toContain('The label of 1 device names a free place');
  await press('Put on the map');
  const places = [...MAP.places, { deviceid: free, shelf: 's2', column: 1 }];
  // The write succeeds only if nobody has changed the map in the meantime.
  expect(sent).toEqual([{ racks: MAP.racks, places }, true, MAP.places.length === 0]);
  expect(screen.getByText('1 device put on the map.')).toBeTruthy();
});
