import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { readCsv } from '../../helpers/files/readCsv.ts';
import { COLUMNS } from '../../../renderer/src/features/places/placeColumns.ts';
import { listPlaceRows, listStandings } from '../../../renderer/src/features/places/placeRows.ts';
import { listCsv } from '../../../renderer/src/kit/list/columns.ts';
import { listPlaces } from '../../../renderer/src/station/places.ts';
import { station } from '../support.tsx';
import { ALIASES, DEVICES, MAP, openPlaces, press } from './placesSupport.tsx';

/** Opens the batteries page, whose code is loaded on first use. */
async function openBatteries(given: Parameters<typeof openPlaces>[1] = {}): Promise<void> {
  await openPlaces({}, { ...given, path: '/places/batteries' });
  await screen.findByRole('heading', { name: 'Batteries to change' });
}

/** Returns the caption of each table with the names of its devices. */
function rounds(): [string, string[]][] {
  return screen.getAllByRole('table').map((table) => [
    within(table).getByRole('caption').textContent ?? '',
    within(table)
      .getAllByRole('rowheader')
      .map((head) => head.firstChild?.textContent ?? ''),
  ]);
}

test('does not load the places without a device, which have no battery', async () => {
  const listPlaces = vi.fn(async () => []);
  await openPlaces({ listPlaces }, { path: '/places' });
  expect(listPlaces).toHaveBeenCalled();
  listPlaces.mockClear();
  cleanup();
  await openPlaces({ listPlaces }, { path: '/places/batteries' });
  await screen.findByRole('heading', { name: 'Batteries to change' });
  expect(listPlaces).not.toHaveBeenCalled();
});

test('lists low batteries with their places, and the number of batteries to bring', async () => {
  await openBatteries();
  expect(rounds()).toEqual([['Rack A', ['A-2']]]);
  expect(screen.getByRole('heading', { name: '1 battery to change' })).toBeTruthy();
  expect(screen.getByText('shelf A-2, column 1')).toBeTruthy();
});

test('lists each rack column by column, and devices that are not on the map last', async () => {
  await openBatteries();
  await press('30 %', 'radio');
  expect(rounds()).toEqual([['Rack A', ['A-2', 'A-1']]]);
  await act(async () => fireEvent.click(screen.getByRole('switch', { name: 'Include offline devices (2)' })));
  expect(rounds()).toEqual([
    ['Rack A', ['A-2', 'A-1', 'A-10']],
    ['Not on the map', ['B-1']],
  ]);
});

test('a battery is low at the level that raises the alert', async () => {
  await openBatteries({ limits: { alert_battery_percent: 28 } });
  expect(rounds()).toEqual([['Rack A', ['A-2', 'A-1']]]);
  expect(screen.getAllByRole('radio')).toHaveLength(3);
  expect(screen.getByRole('radio', { name: /^28/ }).getAttribute('aria-checked')).toBe('true');
});

test('uses the default level when the battery alert is off', async () => {
  await openBatteries({ limits: { alert_battery_percent: 0 } });
  expect(rounds()).toEqual([['Rack A', ['A-2']]]);
});

test('says that there are no batteries to change', async () => {
  const [well] = DEVICES;
  await openBatteries({ devices: well === undefined ? [] : [well] });
  expect(screen.getByRole('heading', { name: 'No batteries to change' })).toBeTruthy();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Print' }).disabled).toBe(true);
});

test('the CSV file has one row per device, with numbers without units', () => {
  const standings = listStandings({ places: listPlaces(DEVICES), aliases: ALIASES, map: MAP });
  const rows = listPlaceRows(standings, DEVICES, station().limits);
  const text = listCsv(COLUMNS, rows);
  const { records } = readCsv(text);
  const [names = [], , low = []] = records.map(({ cells }) => cells);
  expect(Object.fromEntries(names.map((name, at) => [name, low[at]]))).toMatchObject({
    deviceid: '51D000:000003',
    label: 'A-2',
    place: 'Rack A, shelf A-2, column 1',
    aliases: 'Returns',
    battery: '9',
    voltage: '2.27',
    rssi: '-60',
    online: 'true',
    care: 'Low battery',
  });
  expect(names).toHaveLength(14);
  expect(text).toContain(',-60,');
  expect(records).toHaveLength(6);
});
