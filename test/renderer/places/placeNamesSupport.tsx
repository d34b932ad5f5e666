import { useLocation } from 'wouter';
import { userOf } from '../../helpers/snapshots.ts';
import { act, screen } from '@testing-library/react';
import type { LocationAlias } from '#shared/api/alias.ts';
import type { Device } from '#shared/api/device.ts';
import type { Station } from '#shared/api/station.ts';
import { ImportPage } from '../../../renderer/src/features/import/ImportPage.tsx';
import { PlacesPage } from '../../../renderer/src/features/places/PlacesPage.tsx';
import type { StationContext } from '../../../renderer/src/station/context.ts';
import { device, show, station, testContext, type Stubs } from '../support.tsx';

export const ONE = '51D000:000001';
export const TWO = '51D000:000002';
export const THREE = '51D000:000003';

export const DEVICES: readonly Device[] = [
  device(ONE, { locationoverride: 'A-10', location: 'A-10' }),
  device(TWO, { locationoverride: 'A-2', location: 'A-2' }),
  device(THREE),
];

export const ALIASES: LocationAlias[] = [
  { id: 1, name: 'A-3', deviceid: TWO, deviceIs: 'to the Left of' },
  { id: 2, name: 'Returns', deviceid: TWO, deviceIs: 'Below' },
];

type Given = { devices?: readonly Device[]; aliases?: LocationAlias[]; scope?: Station['user']['scope'] };

/** Renders the import page or the Places page, depending on the address. */
function PlacesOrImport() {
  const [at] = useLocation();
  return at === '/import' ? <ImportPage /> : <PlacesPage />;
}

/** Opens the page, by default for an admin. */
export async function openNames(
  api: Partial<Stubs> = {},
  given: Given = {},
  path = '/places',
): Promise<StationContext> {
  const { devices = DEVICES, aliases = ALIASES, scope = 'admin' } = given;
  window.history.replaceState(null, '', path);
  const user = userOf('Ann', scope);
  const context = testContext({ station: { ...station(...devices), aliases, user } }, api);
  await act(async () => show(context, <PlacesOrImport />));
  return context;
}

/** Returns the labels of the displayed places, from top to bottom. */
export function placesShown(): string[] {
  return screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.querySelector('[title]')?.textContent ?? '');
}
