import { act, fireEvent, screen } from '@testing-library/react';
import type { CommandEntry } from '#shared/api/device.ts';
import type { Cell, StationMap } from '#shared/api/map.ts';
import type { Fact, Station } from '#shared/api/station.ts';
import { SetupDevicesPage } from '../../../renderer/src/features/setupDevices/SetupDevicesPage.tsx';
import { applyMessages } from '../../../renderer/src/station/live/store.ts';
import { device, show, station, testContext, type Stubs } from '../support.tsx';

export const [FIRST, SECOND, THIRD] = ['51D000:000001', '51D000:000002', '51D000:000003'] as const;
export const MAP: StationMap = {
  racks: [{ id: 'r', name: 'Rack A', note: '', columns: 3, shelves: [{ id: 's', name: 'A-1' }] }],
  places: [],
  zones: [],
};

/** Opens the page with a station that accepts every write. Returns the writes as `calls`, in order. */
export function openSetup(given: Partial<Station> = {}, api: Partial<Stubs> = {}) {
  const calls: string[] = [];
  const known = { ...station(device(FIRST), device(SECOND), device(THIRD)), map: MAP, ...given };
  let revision = 100;
  const apply = (...facts: Fact[]) => applyMessages(context.store, [{ kind: 'facts', revision: ++revision, facts }]);
  const tell = (...facts: Fact[]) => act(async () => apply(...facts));
  const changed = (deviceid: string, label: string): Fact => ({
    type: 'device.changed',
    deviceid,
    changed: { locationoverride: label, location: label },
  });
  const moved = async (deviceid: string, place: Cell | null) => {
    const occupant =
      place === null
        ? undefined
        : context.store
            .getState()
            .station?.map.places.find(
              (each) => each.shelf === place.shelf && each.column === place.column && each.deviceid !== deviceid,
            );
    const places = [
      { deviceid, place },
      ...(occupant === undefined ? [] : [{ deviceid: occupant.deviceid, place: null }]),
    ];
    apply({ type: 'map.placed', places });
    return { places };
  };
  const fake: Partial<Stubs> = {
    getStation: async () => context.store.getState().station ?? known,
    listWaitingDevices: async () => [],
    listRefusedDevices: async () => [],
    identifyDevice: async ({ path: { DeviceID: deviceid } }) => void calls.push(`flash ${deviceid}`),
    async sendToDevice({ path: { DeviceID: deviceid }, body: { locationoverride } }) {
      const label = locationoverride ?? '';
      calls.push(`label ${deviceid} ${label}`);
      apply(changed(deviceid, label));
      return { deviceid, updated: ['locationoverride'], warnings: [] };
    },
    async registerDevice({ body: { deviceid, label = '' } }) {
      calls.push(`accept ${deviceid} ${label}`);
      apply({ type: 'device.added', device: device(deviceid, { locationoverride: label }) });
    },
    placeDevice: async ({ path: { DeviceID: deviceid }, body: cell }) => {
      calls.push(`place ${deviceid} ${cell.shelf} ${cell.column}`);
      return moved(deviceid, cell);
    },
    unplaceDevice: async ({ path: { DeviceID: deviceid } }) => {
      calls.push(`unplace ${deviceid}`);
      await moved(deviceid, null);
    },
    ...api,
  };
  const context = testContext({ station: known }, fake);
  const { unmount } = show(context, <SetupDevicesPage />);
  return { context, calls, apply, tell, changed, unmount };
}

export const pressOf = (deviceid: string, at = new Date().toISOString()): Fact => ({
  type: 'device.pressed',
  deviceid,
  button: 'front',
  hold: 'short',
  at,
});

export const acknowledged = (deviceid: string, { command_id }: CommandEntry): Fact => ({
  type: 'command.acknowledged',
  deviceid,
  command_id,
  at: new Date().toISOString(),
  qty: 0,
  by: 'device',
});

export const setPattern = (text: string) =>
  act(async () => fireEvent.change(screen.getByRole('textbox', { name: /Pattern/ }), { target: { value: text } }));
export const typePlace = (text: string) =>
  act(async () =>
    fireEvent.change(screen.getByRole('textbox', { name: /Another place/ }), { target: { value: text } }),
  );
/** Waits until the requests triggered by a click are answered. */
const settled = () =>
  act(async () => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  });
/** Presses Enter in the place field. */
export async function enter(): Promise<void> {
  await act(async () => fireEvent.submit(screen.getByRole('form', { name: 'Its place' })));
  await settled();
}
export async function pressButton(name: RegExp | string): Promise<void> {
  await act(async () => fireEvent.click(screen.getByRole('button', { name })));
  await settled();
}
export const largeDevice = () => screen.queryByRole('heading', { name: /^51D/ })?.textContent;
