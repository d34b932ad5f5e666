import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { Turbo } from '#shared/api/turbo.ts';
import { WelcomePage } from '../../../renderer/src/features/firstRun/WelcomePage.tsx';
import { tourMemory } from '../../../renderer/src/shop/tour/tourMemory.ts';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import type { StationContext } from '../../../renderer/src/station/context.ts';
import { device, show, station, testContext, type Stubs } from '../support.tsx';
import { order, progress } from '../orders/workSupport.tsx';

const SHOP = {
  racks: [
    {
      id: 'a',
      name: 'Rack A',
      note: '',
      columns: 2,
      shelves: [
        { id: 'a2', name: 'A-2' },
        { id: 'a1', name: 'A-1' },
      ],
    },
  ],
  places: [
    { deviceid: '51D000:000001', shelf: 'a1', column: 0 },
    { deviceid: '51D000:000003', shelf: 'a2', column: 1 },
    { deviceid: '51D000:000002', shelf: 'a2', column: 0 },
  ],
  zones: [],
};

const TURBO: Turbo = {
  serial_number: 'SIM-1',
  name: '',
  status: 'online',
  transport: 'simulated',
  port: 'loopback',
  firmware: 12,
  uptime: 1,
  last_seen: null,
  device_count: 3,
  problem: null,
};

async function open(setup: 'pending' | 'done', calls: Partial<Stubs>): Promise<StationContext> {
  const context = testContext({ station: { ...station(), setup } }, calls);
  await act(async () => show(context, <WelcomePage />));
  return context;
}

function change(context: StationContext, changed: Partial<ReturnType<typeof station>>): void {
  const { station: before } = context.store.getState();
  if (before === null) throw new Error('There is no station.');
  act(() => context.store.setState({ station: { ...before, ...changed } }));
}

const press = (name: string | RegExp) => act(async () => fireEvent.click(screen.getByRole('button', { name })));

async function choose(password: string): Promise<void> {
  fireEvent.change(screen.getByLabelText('Password of admin'), { target: { value: password } });
  await act(async () => fireEvent.submit(screen.getByRole('form', { name: 'Choose a password' })));
}

beforeEach(() => {
  localStorage.clear();
  window.history.replaceState(null, '', '/welcome');
});

test('shows the password rule and, for a short password, how many characters are missing', async () => {
  const chosen: string[] = [];
  await open('pending', { finishSetup: ({ body: { password } }) => (chosen.push(password), Promise.resolve()) });
  expect(screen.getByText(/^At least 8 characters/)).toBeTruthy();
  await choose('seven77');
  expect(screen.getByText('Too short: add 1 character.')).toBeTruthy();
  expect(chosen).toEqual([]);
  await choose('eight888');
  expect(chosen).toEqual(['eight888']);
});

test('if a password is refused, shows the reason at the field and keeps the input', async () => {
  const refusal = new ApiError('invalid', 'No', [{ path: '/password', message: 'Everybody has this one.' }]);
  await open('pending', { finishSetup: () => Promise.reject(refusal) });
  await choose('password');
  expect(screen.getByText('Everybody has this one.')).toBeTruthy();
  expect(screen.getByLabelText('Password of admin')).toHaveProperty('value', 'password');
});

const SHOP_MADE = {
  finishSetup: () => Promise.resolve(),
  makeDemoShop: () => Promise.resolve(SHOP),
  loadOrders: () => Promise.resolve([progress('10418')]),
};

test('starts the tour with a lit order when the user chooses simulated devices after setting the password', async () => {
  const launched: unknown[] = [];
  const launchOrder: Stubs['launchOrder'] = async (launch) => (launched.push(launch), order('10418', []));
  const context = await open('pending', { ...SHOP_MADE, launchOrder });
  await choose('eight888');
  change(context, { setup: 'done' });
  await press(/^Try it with simulated devices/);
  await waitFor(() => expect(window.location.pathname).toBe('/pick/10418'));
  const { name } = context.store.getState().station?.user ?? { name: '' };
  expect(launched).toEqual([{ path: { order_number: '10418' }, body: { picker: name } }]);
  expect(tourMemory(name).order()).toBe('10418');
});

test('if the tour was already ended in this browser, opens the Today page and flashes the first device', async () => {
  const flashed: string[] = [];
  const context = await open('done', {
    ...SHOP_MADE,
    identifyDevice: ({ path: { DeviceID: deviceid } }) => (flashed.push(deviceid), Promise.resolve()),
  });
  tourMemory(context.store.getState().station?.user.name ?? '').end();
  await press(/^Try it with simulated devices/);
  expect(flashed, 'the leftmost of the uppermost shelf').toEqual(['51D000:000002']);
  expect(window.location.pathname).toBe('/today');
  expect(screen.getByText(/is your first device/)).toBeTruthy();
});

test("if the tour's order cannot be lit, reports this on the Today page", async () => {
  const launchOrder = () => Promise.reject(new ApiError('conflict', 'Nothing was lit.'));
  await open('done', { ...SHOP_MADE, launchOrder });
  await press(/^Try it with simulated devices/);
  await screen.findByText(/^The tour did not start\..* Nothing was lit\.$/);
  expect(window.location.pathname).toBe('/today');
});

test('if the demo shop cannot be created, shows the reason and lets the user choose again', async () => {
  await open('done', { makeDemoShop: () => Promise.reject(new ApiError('conflict', 'There are already racks.')) });
  await press(/^Try it with simulated devices/);
  expect(screen.getByRole('alert').textContent).toBe('There are already racks.');
  expect(window.location.pathname).toBe('/welcome');
});

test('offers every kind of connection for a turbo, and shows turbos and devices as they appear', async () => {
  const flashed: string[] = [];
  const context = await open('done', {
    identifyDevice: ({ path: { DeviceID: deviceid } }) => (flashed.push(deviceid), Promise.resolve()),
  });
  await press(/^Connect a gateway/);
  expect(screen.getByText('None yet. A connected gateway appears here automatically.')).toBeTruthy();
  await press('Connect a gateway');
  expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual([
    'By USB or serial port…',
    'By network…',
    'WLED strip…',
    'OpenEPaperLink access point…',
    'OpenDisplay display…',
    'Simulated…',
  ]);
  await act(async () => fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' }));
  change(context, { turbos: [TURBO] });
  expect(screen.getByText('SIM-1').nextSibling?.textContent).toBe('simulated · online · 3 devices');
  act(() => context.store.setState({ places: [{ deviceid: '51D000:000001', name: 'A-1-1' }] }));
  change(context, { devices: [device('51D000:000001')] });
  await press('Flash A-1-1 and continue');
  expect(flashed).toEqual(['51D000:000001']);
  expect(window.location.pathname).toBe('/today');
});
