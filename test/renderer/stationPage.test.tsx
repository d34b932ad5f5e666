// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { StationPage } from '../../renderer/src/features/station/StationPage.tsx';
import { ApiError } from '../../renderer/src/station/apiError.ts';
import { listPlaces } from '../../renderer/src/station/places.ts';
import { ConnectionBar } from '../../renderer/src/ui/ConnectionBar.tsx';
import { command, device, show, station, testContext } from './support.tsx';

const devices = [
  device('51D000:000001', { locationoverride: 'A-10' }),
  device('51D000:000002', {
    locationoverride: 'A-2',
    online: false,
    commands: [command('1', { state: 'queued' })],
    state: 'active',
  }),
  device('51D000:000003', { battery: 5 }),
];

const names = () => screen.getAllByRole('link').map((link) => link.textContent);

beforeEach(() => window.history.replaceState(null, '', '/'));

test('places come in the order a person expects, devices without one last', () => {
  expect(listPlaces(devices).map(({ name }) => name)).toEqual(['A-2', 'A-10', '51D000:000003']);
  show(testContext({ station: station(...devices) }), <StationPage />);
  expect(names()).toEqual(['A-2', 'A-10', '51D000:000003']);
});

test('a card counts, shows only its devices, and all again', () => {
  show(testContext({ station: station(...devices) }), <StationPage />);
  const waiting = screen.getByRole('button', { name: /Waiting in queues/ });
  expect(waiting.textContent).toContain('1');
  fireEvent.click(waiting);
  expect(waiting.getAttribute('aria-pressed')).toBe('true');
  expect(names()).toEqual(['A-2']);
  expect(screen.getByText('1 of 3 devices')).toBeTruthy();
  fireEvent.click(waiting);
  expect(names()).toHaveLength(3);
  fireEvent.click(screen.getByRole('button', { name: /Low battery/ }));
  expect(names()).toEqual(['51D000:000003']);
});

test('devices are found by a part of label or DeviceID; where none is, the way back is offered', () => {
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

test('an open device is in the address bar, and closing returns to its tile', async () => {
  show(testContext({ station: station(...devices) }), <StationPage />);
  fireEvent.click(screen.getByRole('link', { name: 'A-10' }));
  expect(window.location.pathname).toBe('/devices/51D000:000001');
  expect(screen.getByRole('heading', { name: 'A-10' })).toBe(document.activeElement);
  expect(screen.getByRole('link', { name: 'A-10' }).getAttribute('aria-current')).toBe('true');
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Close panel' })));
  expect(window.location.pathname).toBe('/');
  expect(screen.getByRole('link', { name: 'A-10' })).toBe(document.activeElement);
});

test('an empty station offers simulated devices, and says why that failed', async () => {
  const context = testContext(
    { station: station() },
    { addSimulatedDevices: () => Promise.reject(new ApiError('forbidden', 'You may not.')) },
  );
  show(context, <StationPage />);
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Add 6 simulated devices' })));
  expect(screen.getByText('The devices were not added. You may not.')).toBeTruthy();
});

test('a lost connection is said at once, and goes away by itself', () => {
  const context = testContext({ station: station(...devices), connection: { kind: 'live' } });
  show(context, <ConnectionBar />);
  expect(screen.getByRole('alert').textContent).toBe('');
  act(() => context.store.setState({ connection: { kind: 'lost', sinceAt: Date.now() } }));
  expect(screen.getByRole('alert').textContent).toMatch(
    /Connection to the station lost\.What you see may be out of date/,
  );
  act(() => context.store.setState({ connection: { kind: 'live' } }));
  expect(screen.getByRole('alert').textContent).toBe('');
});
