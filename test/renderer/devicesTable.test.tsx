import { act, fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { applyMessages } from '../../renderer/src/station/store.ts';
import { device } from './support.tsx';
import { DEVICES, devicesShown, LOW, openDevices, press, SILENT, WEAK, WELL } from './devicesSupport.tsx';

const search = (value: string) =>
  act(async () => fireEvent.change(screen.getByRole('searchbox'), { target: { value } }));
const rowOf = (name: string) => {
  const row = screen.getByRole('button', { name: `More for ${name}` }).closest<HTMLElement>('[role="row"]');
  if (row === null) throw new Error(`${name} has no row.`);
  return row;
};

test('lists offline devices first, then low batteries, then weak signals, each with the worst first', async () => {
  const label = { locationoverride: 'A-0', location: 'A-0' };
  const later = device('51D000:000006', { ...label, online: false, last_seen: '2026-11-19T20:00:00.000Z' });
  const lower = device('51D000:000007', { locationoverride: 'C-1', location: 'C-1', battery: 2 });
  await openDevices({}, { devices: [...DEVICES, later, lower] });
  expect(devicesShown()).toEqual(['A-10', 'A-0', 'B-1', 'C-1', 'A-2', WEAK, 'A-1']);
  expect(screen.getByText('7 devices · 6 need care')).toBeTruthy();
});

test('a row shows the place, the aliases and the state of the device', async () => {
  await openDevices();
  const text = rowOf('A-2').textContent ?? '';
  expect(text).toContain('Low battery');
  expect(text).toContain(`${LOW} · also Returns · Rack A, shelf A-2, column 1`);
  expect(text).toContain('9\u00a0%2.27\u00a0V');
  expect(text).toContain('66');
  expect(within(rowOf('A-2')).getByRole('link').getAttribute('href')).toBe(`/today?device=${LOW}`);
  expect(rowOf('B-1').textContent).toContain('never');
  expect(rowOf(WEAK).textContent).toContain('\u221291\u00a0dBm');
});

test('a click on a column sorts by it, a second click reverses the order, and unknown values come last', async () => {
  await openDevices();
  await press('Battery');
  expect(devicesShown()).toEqual(['A-2', 'A-1', 'A-10', WEAK, 'B-1']);
  await press('Place');
  expect(devicesShown()).toEqual(['A-1', 'A-2', 'A-10', 'B-1', WEAK]);
  await press('Place');
  expect(devicesShown()).toEqual([WEAK, 'B-1', 'A-10', 'A-2', 'A-1']);
  expect(screen.getByRole('columnheader', { name: 'Place' }).getAttribute('aria-sort')).toBe('descending');
});

test.each([
  [/^Offline/, ['A-10', 'B-1']],
  [/^Low battery/, ['A-2']],
  [/^Weak signal/, [WEAK]],
  [/^Without a place/, [WEAK]],
] as const)('the filter %s shows its devices and is kept in the address', async (name, left) => {
  await openDevices();
  await press(name, 'radio');
  expect(devicesShown()).toEqual(left);
  expect(window.location.search).toMatch(/^\?show=\w+$/);
});

test('a battery is low and a signal is weak at the levels that raise alerts', async () => {
  await openDevices({}, { limits: { alert_battery_percent: 30, alert_weak_dbm: -95, order_stalled_minutes: 15 } });
  expect(rowOf('A-1').textContent).toContain('Low battery');
  expect(rowOf(WEAK).textContent).not.toContain('Weak signal');
  await press(/^Low battery/, 'radio');
  expect(devicesShown()).toEqual(['A-2', 'A-1']);
});

test('the search covers names, aliases, shelves, turbos and firmware', async () => {
  await openDevices();
  await search('returns');
  expect(devicesShown()).toEqual(['A-2']);
  await search('shelf a-1, column');
  expect(devicesShown()).toEqual(['A-1']);
  await search('t2');
  expect(devicesShown()).toEqual([WEAK]);
  await search('firmware 66');
  expect(devicesShown()).toEqual(['A-2']);
  await search('nothing like it');
  await press('Show all devices');
  expect(devicesShown()).toHaveLength(5);
});

test('an empty problem filter reports good news', async () => {
  await openDevices({}, { devices: [device(WELL)], path: '/places/devices?show=silent' });
  expect(screen.getByRole('heading', { name: 'No device is offline' })).toBeTruthy();
});

test('a device that goes offline moves to the top', async () => {
  const { store } = await openDevices();
  const well = { deviceid: WELL, online: false, last_seen: '2026-11-18T08:00:00.000Z' };
  await act(async () => applyMessages(store, [{ kind: 'ephemera', ephemera: { devices: [well], turbos: [] } }]));
  expect(devicesShown()[0]).toBe('A-1');
});

test('draws only the visible rows of ten thousand devices', async () => {
  const devices = Array.from({ length: 10_000 }, (_, index) =>
    device(`51D000:${String(index).padStart(6, '0')}`, { locationoverride: `P-${index}` }),
  );
  await openDevices({}, { devices });
  expect(devicesShown().length).toBeLessThan(60);
  expect(screen.getByRole('grid').getAttribute('aria-rowcount')).toBe('10001');
});

test('Shift selects a range of devices', async () => {
  await openDevices();
  const check = (name: string, shiftKey = false) =>
    act(async () => fireEvent.click(screen.getByRole('checkbox', { name: `Select ${name}` }), { shiftKey }));
  await check('B-1');
  await check(WEAK, true);
  const isChosen = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name: `Select ${name}` }).checked;
  expect(['A-10', 'B-1', 'A-2', WEAK, 'A-1'].map(isChosen)).toEqual([false, true, true, true, false]);
});

test('a read-only user cannot select devices', async () => {
  await openDevices({}, { scope: 'read' });
  expect(screen.queryByRole('checkbox', { name: 'Select A-1' })).toBeNull();
  await press('More for A-1');
  expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual([
    'Open the device',
    'Replace the device…Needs the role admin',
    'Remove the device…Needs the role admin',
  ]);
});

test('without devices, says that there are none yet', async () => {
  await openDevices({}, { devices: [] });
  expect(screen.getByRole('heading', { name: 'No devices yet' })).toBeTruthy();
});

test('Identify flashes the device, and a failure is reported', async () => {
  const asked: string[] = [];
  await openDevices({
    identify(deviceid) {
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
  expect(screen.getByText(/^A-10 does not flash/)).toBeTruthy();
});
