import { act, cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { MapReplacement } from '#shared/api/map.ts';
import { EmptyStation } from '../../../renderer/src/features/station/EmptyStation.tsx';
import { MapHint } from '../../../renderer/src/features/station/MapHint.tsx';
import { pressKeys } from '../scan/pressKeys.ts';
import { scannerKeys } from '../scan/scannerKeys.ts';
import {
  enter,
  FIRST,
  largeDevice,
  MAP,
  openSetup,
  pressButton,
  pressOf,
  SECOND,
  setPattern,
  THIRD,
  typePlace,
} from './setupDevicesSupport.tsx';
import { device, show, station, testContext } from '../support.tsx';

test('remembers the pattern, and explains errors in it', async () => {
  const { unmount } = openSetup();
  await setPattern('A-{1..}');
  expect(screen.getByText('“{1..}” has no end. Write a range such as {1..4}.')).toBeTruthy();
  await setPattern('{1..60000}');
  expect(screen.getByText('“{1..60000}” gives 60,000 places, but a station has at most 50,000 devices.')).toBeTruthy();
  await setPattern('A-{1..2}');
  unmount();
  openSetup();
  expect(screen.getByDisplayValue('A-{1..2}')).toBeTruthy();
  expect(screen.getByText('2 places: A-1, A-2')).toBeTruthy();
});

test('without a pattern, suggests free places in the order of the map, and suggests keeping a label that the device already has', async () => {
  const racks = [
    { id: 'r', name: 'Rack A', note: '', columns: 2, shelves: [{ id: 's', name: '1' }] },
    { id: 't', name: 'Bench', note: '', columns: 3, shelves: [{ id: 'u', name: 'Bench' }] },
  ];
  const places = [{ deviceid: THIRD, shelf: 's', column: 0 }];
  const { tell, calls } = openSetup({ map: { racks, places, zones: [] } });
  await setPattern('');
  expect(screen.getByText('0 set up · 3 without a place')).toBeTruthy();
  await tell(pressOf(FIRST));
  await pressButton(/^Take 1-2/);
  await tell(pressOf(SECOND));
  await pressButton(/^Take Bench-1/);
  expect(calls.filter((call) => call.startsWith('place'))).toEqual([`place ${FIRST} s 1`, `place ${SECOND} u 0`]);
  expect(screen.getAllByText('2 set up · 1 without a place')).toHaveLength(2);
  await tell(pressOf(FIRST));
  expect(screen.getByRole('button', { name: /^Keep 1-2/ })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Change to Bench-2' })).toBeTruthy();
});

test('does not count a device at a cart slot as a device without a place', async () => {
  const slots = [{ slot: 'A1', code: null, deviceid: SECOND, back_deviceid: null }];
  const cart = { id: 1, name: 'Cart 7', code: null, rows: 1, columns: 1, slots };
  openSetup({}, { loadCarriers: async (kind) => (kind === 'cart' ? [cart] : []) });
  expect(await screen.findByText('0 set up · 2 without a place')).toBeTruthy();
});

test('creates the racks for the pattern in one request', async () => {
  const maps: unknown[] = [];
  openSetup({}, { getMap: async () => MAP, replaceMap: async (map) => (maps.push(map), MAP) });
  await setPattern('A-1-{1..3}');
  expect(screen.queryByRole('button', { name: 'Add racks for these places' })).toBeNull();
  await setPattern('A-{1..2}-{1..3}');
  await pressButton('Add racks for these places');
  expect(maps).toEqual([
    { racks: [{ ...MAP.racks[0], shelves: [{ name: 'A-2' }, { id: 's', name: 'A-1' }] }], places: [] },
  ]);
});

test('creating racks keeps recent changes from another window', async () => {
  const places = [{ deviceid: SECOND, shelf: 's', column: 2 }];
  const maps: MapReplacement[] = [];
  openSetup({}, { getMap: async () => ({ ...MAP, places }), replaceMap: async (map) => (maps.push(map), MAP) });
  await setPattern('A-{1..2}-{1..3}');
  await pressButton('Add racks for these places');
  expect(maps.map((map) => map.places)).toEqual([places]);
});

test('“Stop” lists the devices that were set up, even after a reload, and “Finish” clears the list', async () => {
  const { tell, unmount } = openSetup();
  await tell(pressOf(FIRST));
  await typePlace('Dock');
  await enter();
  unmount();
  openSetup();
  await pressButton('Stop');
  const rows = screen.getByRole('list', { name: 'Devices that were set up' });
  expect(rows.textContent).toMatch(/^Dock51D000:000001[\d.]+ s$/);
  await pressButton('Finish');
  expect(sessionStorage.getItem('pickstation.setupDevices')).toBeNull();
});

test('without the right to change labels, explains why they cannot be changed', () => {
  const user = { name: 'carl', scope: 'picker', rights: ['read'] } as const;
  openSetup({ user: { ...user, rights: [...user.rights] } });
  expect(screen.queryByRole('heading', { name: 'Press any device' })).toBeNull();
  expect(screen.getByText(/change labels/)).toBeTruthy();
});

test('links to the setup page from an empty Today page, and from one without racks and labels', () => {
  show(testContext({ station: station() }), <EmptyStation hasRacks={false} editMap={() => undefined} />);
  expect(screen.getByRole('link', { name: 'Set up devices' }).getAttribute('href')).toBe('/places/set-up');
  cleanup();
  const hint = <MapHint makeRack={() => undefined} arrangeable={0} arrange={() => undefined} />;
  show(testContext({ station: station(device(FIRST)) }), hint);
  expect(screen.getByRole('link', { name: 'Set up devices' })).toBeTruthy();
  cleanup();
  show(testContext({ station: station(device(FIRST, { locationoverride: 'A-1' })) }), hint);
  expect(screen.queryByRole('link', { name: 'Set up devices' })).toBeNull();
});

describe('a scanner', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 1_000 }));
  afterEach(() => void vi.useRealTimers());

  const scan = async (code: string, { capsLock = false, afterMs = 1_000 } = {}) => {
    await act(async () => pressKeys(scannerKeys(`${code}\r`, { everyMs: 8, at: Date.now() + afterMs, capsLock })));
    await act(async () => {
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    });
  };

  test('a scan selects a device by its DeviceID or label, and a scanned place gets the spelling of the pattern', async () => {
    const { calls } = openSetup(station(device(FIRST), device(SECOND, { locationoverride: 'Gate' })));
    await setPattern('B-{1..9}');
    await scan('Nothing');
    expect(screen.getByText('No device is called Nothing. Press a device first, then scan its place.')).toBeTruthy();
    await scan('gate');
    expect(largeDevice()).toBe(SECOND);
    await scan(FIRST);
    expect(largeDevice()).toBe(FIRST);
    await scan('b-4');
    expect(calls.filter((call) => call.startsWith('label'))).toEqual([`label ${FIRST} B-4`]);
    expect(largeDevice()).toBe(SECOND);
  });

  test('asks before moving an occupied place, and only a later scan of the place confirms it', async () => {
    const { tell, calls } = openSetup(station(device(FIRST), device(SECOND, { locationoverride: 'Gate' })));
    await tell(pressOf(FIRST));
    await scan('Gate');
    expect(screen.getByRole('heading', { name: 'Gate is taken' })).toBeTruthy();
    // The same code is scanned twice.
    await scan('Gate', { afterMs: 0 });
    expect(calls).toEqual([`flash ${FIRST}`]);
    expect(screen.getByRole('heading', { name: 'Gate is taken' })).toBeTruthy();
    vi.advanceTimersByTime(2_500);
    await scan('Gate');
    expect(calls.slice(1)).toEqual([`label ${FIRST} Gate`, `label ${SECOND} `]);
  });

  test('a scan does not answer what another place means for a device that has one', async () => {
    const { tell, calls } = openSetup(station(device(FIRST, { locationoverride: 'Gate' })));
    await tell(pressOf(FIRST));
    await scan('Dock');
    vi.advanceTimersByTime(2_500);
    await scan('Dock');
    expect(calls).toEqual([`flash ${FIRST}`]);
    expect(screen.getByRole('heading', { name: 'From Gate to Dock' })).toBeTruthy();
    expect(screen.getByRole('radio', { name: /^Rename the place/ })).toBeTruthy();
  });

  test('does not set a wrong label while Caps Lock is on', async () => {
    const { tell, calls } = openSetup();
    await tell(pressOf(FIRST));
    await scan('Dock', { capsLock: true });
    expect(screen.getByText(/^dOCK was not used\. Caps Lock is on/)).toBeTruthy();
    await scan('A-1-2', { capsLock: true });
    expect(calls).toEqual([`flash ${FIRST}`, `label ${FIRST} A-1-2`, `place ${FIRST} s 1`]);
  });
});
