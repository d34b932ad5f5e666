import { act, fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Fact } from '#shared/api/station.ts';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import type { StationContext } from '../../../renderer/src/station/context.ts';
import { applyMessages } from '../../../renderer/src/station/live/store.ts';
import { openPlaces, press, SILENT, WELL } from './placesSupport.tsx';

const [NEW, OTHER, THIRD] = ['51D0AB:000001', '51D0AB:000002', '51D0AB:000003'] as const;

/** Returns a fake station with waiting and refused devices. */
function newcomers(...deviceids: string[]) {
  const waiting = new Set(deviceids);
  const refused = new Set<string>();
  const calls: string[] = [];
  const of = (deviceid: string) => ({ deviceid, buttons: 3, firmware: 70, voltage: 2.98, rssi: -58 }) as const;
  const move = (word: string, deviceid: string, from: Set<string>, to?: Set<string>) => {
    calls.push(`${word} ${deviceid}`);
    from.delete(deviceid);
    to?.add(deviceid);
  };
  return {
    calls,
    waiting,
    api: {
      listWaitingDevices: async () => [...waiting].toSorted().map(of),
      listRefusedDevices: async () =>
        [...refused].map((deviceid) => ({ deviceid, refused_at: '2026-11-20T08:00:00.000Z' })),
      registerDevice: async ({ body: { deviceid } }: { body: { deviceid: string } }) => {
        if (deviceid === THIRD) throw new ApiError('conflict', `${THIRD} is already known.`);
        move('accept', deviceid, waiting);
      },
      refuseDevice: async ({ body: { deviceid } }: { body: { deviceid: string } }) =>
        move('refuse', deviceid, waiting, refused),
      readmitDevice: async ({ path }: { path: { DeviceID: string } }) =>
        move('readmit', path.DeviceID, refused, waiting),
    },
  };
}

let revision = 100;
const tell = ({ store }: StationContext, ...facts: Fact[]) =>
  act(async () => applyMessages(store, [{ kind: 'facts', revision: ++revision, facts }]));
const pressed = (deviceid: string, at = new Date().toISOString()): Fact => ({
  type: 'device.pressed',
  deviceid,
  button: 'front',
  hold: 'short',
  at,
});
const changed: Fact = { type: 'waiting.changed' };

/** Returns the waiting devices, from top to bottom. */
const listed = () =>
  within(screen.getByRole('list', { name: 'New devices to accept' }))
    .getAllByRole('listitem')
    .map((line) => line.querySelector('span')?.textContent);

test('lists new devices above the table, including those that appear later, and accepts each separately', async () => {
  const { api, waiting, calls } = newcomers(NEW);
  const context = await openPlaces(api);
  expect(screen.getByRole('heading', { name: '1 new device to accept' })).toBeTruthy();
  waiting.add(OTHER);
  await tell(context, changed);
  expect(listed()).toEqual([NEW, OTHER]);
  await press(`Accept ${OTHER}`);
  expect(calls).toEqual([`accept ${OTHER}`]);
  expect(screen.getByText(`${OTHER} accepted. Give it a label on the Places page.`)).toBeTruthy();
  await tell(context, changed);
  expect(listed()).toEqual([NEW]);
});

test('accepts several or all new devices, and reports failures', async () => {
  const { api, calls } = newcomers(NEW, OTHER, THIRD);
  const context = await openPlaces(api);
  await act(async () => fireEvent.click(screen.getByRole('checkbox', { name: `Select ${OTHER}` })));
  await press('Accept 1');
  expect(calls).toEqual([`accept ${OTHER}`]);
  await tell(context, changed);
  await press('Accept all 2');
  expect(calls).toEqual([`accept ${OTHER}`, `accept ${NEW}`]);
  expect(screen.getByText(`1 of 2 failed: ${THIRD}: ${THIRD} is already known.`)).toBeTruthy();
});

test('refuses a new device, and allows it again by Undo or from the list of refused devices', async () => {
  const { api, calls } = newcomers(NEW, OTHER);
  const context = await openPlaces(api);
  await press(`Refuse ${NEW}`);
  await tell(context, changed);
  expect(listed()).toEqual([OTHER]);
  await press('Undo');
  await tell(context, changed);
  expect(listed()).toEqual([NEW, OTHER]);
  await press(`Refuse ${OTHER}`);
  await tell(context, changed);
  await press('1 refused');
  await press(`Allow ${OTHER} again`);
  expect(calls).toEqual([`refuse ${NEW}`, `readmit ${NEW}`, `refuse ${OTHER}`, `readmit ${OTHER}`]);
});

test('marks a new device that was pressed, and moves it to the top', async () => {
  const { api } = newcomers(NEW, OTHER);
  const context = await openPlaces(api);
  await tell(context, pressed(OTHER));
  expect(listed()).toEqual([OTHER, NEW]);
  expect(screen.getByText('Pressed just now')).toBeTruthy();
});

test('without waiting devices, does not show a list of new devices', async () => {
  await openPlaces(newcomers().api);
  expect(screen.queryByRole('region', { name: 'New devices' })).toBeNull();
});

test('does not show new devices to users who are not admins', async () => {
  await openPlaces(newcomers(NEW).api, { scope: 'control' });
  expect(screen.queryByRole('region', { name: 'New devices' })).toBeNull();
});

const choose = (name: string, value: string) =>
  act(async () => {
    const input = screen.getByRole('combobox', { name });
    fireEvent.change(input, { target: { value } });
    fireEvent.blur(input);
  });
const submit = () => act(async () => fireEvent.submit(screen.getByRole('form')));
const valueOf = (name: string) => screen.getByRole<HTMLInputElement>('combobox', { name }).value;

test('Replace selects the new device when it is pressed, shows what moves to it, and can be undone', async () => {
  const replaced: string[][] = [];
  const { api, calls } = newcomers(NEW);
  const context = await openPlaces({
    ...api,
    async replaceDevice({ path: { DeviceID: deviceid }, body: { deviceid: by } }) {
      replaced.push([deviceid, by]);
    },
  });
  await press('Replace a device');
  await tell(context, pressed(NEW));
  expect(valueOf('New device')).toBe(NEW);
  expect(screen.getByText(`${NEW} was pressed`)).toBeTruthy();
  expect(screen.getByText('Replacing also accepts the new device.')).toBeTruthy();
  await submit();
  expect(screen.getByText('Choose a device.')).toBeTruthy();
  await choose('Device to replace', 'a-2');
  expect(screen.getByText('The alias Returns')).toBeTruthy();
  expect(screen.getByText('The label A-2 and the statics')).toBeTruthy();
  expect(screen.getByText('The place on the map: Rack A, shelf A-2, column 1')).toBeTruthy();
  await submit();
  expect(calls).toEqual([`accept ${NEW}`]);
  expect(screen.getByText(`${NEW} is now the device at A-2.`)).toBeTruthy();
  await press('Undo');
  expect(replaced).toEqual([
    ['51D000:000003', NEW],
    [NEW, '51D000:000003'],
  ]);
});

test('can remove the old device after a replacement, and Undo accepts it again', async () => {
  const removed: string[] = [];
  const { api, calls } = newcomers();
  await openPlaces({
    ...api,
    replaceDevice: async () => undefined,
    removeDevice: async ({ path: { DeviceID: deviceid } }) => void removed.push(deviceid),
  });
  await press('Replace a device');
  await choose('New device', WELL);
  await choose('Device to replace', 'A-10');
  await submit();
  expect(removed, 'only when somebody says so').toEqual([]);
  await press('Remove the old device');
  expect(removed).toEqual([SILENT]);
  expect(screen.queryByText(`${WELL} is now the device at A-10.`)).toBeNull();
  expect(screen.getByText(`${SILENT} was removed.`)).toBeTruthy();
  await press('Undo');
  expect(calls).toEqual([`accept ${SILENT}`]);
});

test('shows why the old device was not removed', async () => {
  await openPlaces({
    ...newcomers().api,
    replaceDevice: async () => undefined,
    removeDevice: () => Promise.reject(new ApiError('conflict', 'It has work.')),
  });
  await press('Replace a device');
  await choose('New device', WELL);
  await choose('Device to replace', 'A-10');
  await submit();
  await press('Remove the old device');
  expect(screen.getByText(`${SILENT} was not removed. It has work.`)).toBeTruthy();
});

test('shows what a new device with a place loses, and does not offer Undo, because Undo could not restore it', async () => {
  const context = await openPlaces({ ...newcomers().api, replaceDevice: async () => undefined });
  await press('Replace a device');
  await tell(context, { type: 'device.called', deviceid: WELL, acknack: 'call', at: new Date().toISOString() });
  expect(valueOf('New device')).toBe(`A-1 · ${WELL}`);
  expect(screen.getByText('The new device loses its own label A-1.')).toBeTruthy();
  expect(screen.getByText(/loses its place on the map: Rack A, shelf A-1, column 1/)).toBeTruthy();
  await choose('Device to replace', 'A-10');
  await submit();
  expect(screen.getByText(`${WELL} is now the device at A-10.`)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});

test('typed input overrides an earlier press, a later press overrides the input, and old presses are ignored', async () => {
  const context = await openPlaces(newcomers(NEW, OTHER).api);
  await press('Replace a device');
  await tell(context, pressed(NEW, '2026-01-01T00:00:00.000Z'));
  expect(valueOf('New device')).toBe('');
  await tell(context, pressed(NEW));
  await choose('New device', 'nobody');
  expect(valueOf('New device')).toBe('nobody');
  await submit();
  expect(screen.getByText(/^No device is called “nobody”. Press its button/)).toBeTruthy();
  await tell(context, pressed(OTHER));
  expect(valueOf('New device')).toBe(OTHER);
});

test('rejects the same device as both the new device and the one to replace', async () => {
  const context = await openPlaces(newcomers().api);
  await press('Replace a device');
  await tell(context, pressed(WELL));
  await choose('Device to replace', 'A-1');
  await submit();
  expect(screen.getByText('This is the device to replace.')).toBeTruthy();
});
