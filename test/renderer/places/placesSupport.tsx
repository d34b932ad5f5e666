import { userOf } from '../../helpers/snapshots.ts';
import { act, fireEvent, screen } from '@testing-library/react';
import type { LocationAlias } from '#shared/api/alias.ts';
import type { Device } from '#shared/api/device.ts';
import type { StationMap } from '#shared/api/map.ts';
import type { Station } from '#shared/api/station.ts';
import { PlacesPage } from '../../../renderer/src/features/places/PlacesPage.tsx';
import type { StationContext } from '../../../renderer/src/station/context.ts';
import { device, show, station, testContext, type Stubs } from '../support.tsx';

export const WELL = '51D000:000001';
export const SILENT = '51D000:000002';
export const LOW = '51D000:000003';
export const WEAK = '51D000:000004';
export const NEVER = '51D000:000005';

/** One device of each kind. Sorting them by name and by state gives different orders. */
export const DEVICES: readonly Device[] = [
  device(WELL, { locationoverride: 'A-1', location: 'A-1', battery: 28, voltage: 2.42 }),
  device(SILENT, { locationoverride: 'A-10', location: 'A-10', online: false, last_seen: '2026-11-19T08:00:00.000Z' }),
  device(LOW, { locationoverride: 'A-2', location: 'A-2', battery: 9, voltage: 2.27, firmware: 66 }),
  device(WEAK, { rssi: -91, turbo: 'T2' }),
  device(NEVER, {
    locationoverride: 'B-1',
    location: 'B-1',
    online: false,
    last_seen: null,
    battery: null,
    rssi: null,
  }),
];

export const ALIASES: LocationAlias[] = [{ id: 1, name: 'Returns', deviceid: LOW, deviceIs: 'Below' }];

/** Rack A has two shelves of three columns. */
export const MAP: StationMap = {
  racks: [
    {
      id: 'r1',
      name: 'A',
      note: '',
      columns: 3,
      shelves: [
        { id: 's1', name: 'A-2' },
        { id: 's2', name: 'A-1' },
      ],
    },
  ],
  places: [
    { deviceid: WELL, shelf: 's2', column: 0 },
    { deviceid: SILENT, shelf: 's1', column: 2 },
    { deviceid: LOW, shelf: 's1', column: 0 },
  ],
  zones: [],
};

type Given = {
  devices?: readonly Device[];
  scope?: Station['user']['scope'];
  path?: string;
  /** State of the browser's history entry. */
  state?: unknown;
  limits?: Partial<Station['limits']>;
  aliases?: readonly LocationAlias[];
};

/** Opens the page, by default for an admin. */
export async function openPlaces(api: Partial<Stubs> = {}, given: Given = {}): Promise<StationContext> {
  const {
    devices = DEVICES,
    scope = 'admin',
    path = '/places?columns=devices&sort=state',
    limits = {},
    state = null,
    aliases = ALIASES,
  } = given;
  window.history.replaceState(state, '', path);
  const user = userOf('Ann', scope);
  const ordered = devices.toSorted((a, b) => (a.deviceid < b.deviceid ? -1 : 1));
  const whole = station(...ordered);
  const context = testContext(
    { station: { ...whole, aliases: [...aliases], map: MAP, user, limits: { ...whole.limits, ...limits } } },
    api,
  );
  await act(async () => show(context, <PlacesPage />));
  return context;
}

/** Returns the label of each displayed device, or its DeviceID, from top to bottom. */
export function devicesShown(): string[] {
  return screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => {
      const label = row.querySelector('[title]')?.textContent ?? '';
      return label === 'Without a name' ? (row.querySelector('a')?.textContent.slice(0, WELL.length) ?? '') : label;
    });
}

export const press = (name: string | RegExp, role = 'button') =>
  act(async () => fireEvent.click(screen.getByRole(role, { name })));
