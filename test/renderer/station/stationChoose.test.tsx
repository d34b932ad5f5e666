import { userOf } from '../../helpers/snapshots.ts';
import { act, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { command } from '../support.tsx';
import { id, showPage, smallShop } from './stationMapSupport.tsx';

beforeEach(() => {
  window.history.replaceState(null, '', '/');
  localStorage.clear();
});

const link = (name: string) => screen.getByRole('link', { name });
const checked = () =>
  screen
    .getAllByRole('checkbox', { checked: true })
    .map((box) => box.getAttribute('aria-label')?.replace('Select ', ''));

test('Ctrl-click starts a selection, a click then toggles a device, Shift-click selects a range, and Escape ends the selection', async () => {
  showPage(smallShop());
  await act(async () => fireEvent.click(link('A-2-1'), { ctrlKey: true }));
  expect(window.location.pathname).toBe('/');
  expect(checked()).toEqual(['A-2-1']);
  expect(document.activeElement).toBe(screen.getByRole('checkbox', { name: 'Select A-2-1' }));
  await act(async () => fireEvent.click(screen.getByRole('checkbox', { name: 'Select Bench' }), { shiftKey: true }));
  expect(checked()).toEqual(['A-2-1', 'A-2-2', 'A-1-1', 'Bench']);
  await act(async () => fireEvent.click(screen.getByRole('checkbox', { name: 'Select A-2-2' })));
  expect(screen.getByText('3 devices selected')).toBeTruthy();
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(screen.queryByRole('checkbox')).toBeNull();
  expect(link('A-2-1')).toBeTruthy();
});

test('Ctrl+A selects the devices that the search found', async () => {
  showPage(smallShop());
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'a-2' } });
  await act(async () => fireEvent.keyDown(document.body, { key: 'a', ctrlKey: true }));
  expect(checked()).toEqual(['A-2-1', 'A-2-2']);
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: '' } });
  expect(checked()).toEqual(['A-2-1', 'A-2-2']);
});

test('turning many devices off asks for confirmation once, sends one request, and lists the failures', async () => {
  const shop = smallShop();
  const devices = shop.devices.map((each) => ({ ...each, commands: [command(each.deviceid)] }));
  const calls: unknown[] = [];
  showPage(
    { ...shop, devices },
    {
      sendMany: async (requests) => {
        calls.push(requests);
        return requests.map(({ deviceid }) =>
          deviceid === id(2)
            ? { status: 404, deviceid, detail: 'There is no such device.' }
            : { status: 200, deviceid },
        );
      },
    },
  );
  fireEvent.click(screen.getByRole('button', { name: 'Select' }));
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select A-2-1' }));
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select A-2-2' }));
  fireEvent.click(screen.getByRole('button', { name: 'Turn off' }));
  const question = screen.getByRole('alertdialog', { name: 'Turn off 2 devices?' });
  expect(question.textContent).toContain('2 commands will be removed');
  await act(async () => fireEvent.click(within(question).getByRole('button', { name: 'Turn off' })));
  expect(calls).toEqual([
    [
      { deviceid: id(1), command: 'kill' },
      { deviceid: id(2), command: 'kill' },
    ],
  ]);
  const bar = screen.getByRole('region', { name: 'Selected devices' });
  expect(within(bar).getByRole('alert').textContent).toBe('1 of 2 failed: A-2-2: There is no such device.');
});

test('“Identify” flashes every selected device, even if one fails', async () => {
  const flashed: string[] = [];
  showPage(smallShop(), {
    identifyDevice: async ({ path: { DeviceID: deviceid } }) => {
      if (deviceid === id(3)) throw new ApiError('conflict', 'It is offline.');
      flashed.push(deviceid);
    },
  });
  fireEvent.click(screen.getByRole('button', { name: 'Select' }));
  fireEvent.click(screen.getByRole('button', { name: 'Select all' }));
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Identify' })));
  expect(flashed.toSorted()).toEqual([id(1), id(2), id(4)]);
  expect(screen.getByText('1 of 4 failed: A-1-1: It is offline.')).toBeTruthy();
});

test('the form sends one command to all selected devices', async () => {
  const calls: unknown[] = [];
  showPage(smallShop(), {
    sendMany: async (requests) => {
      calls.push(requests);
      return requests.map(({ deviceid }) => ({
        status: 200,
        deviceid,
        command_id: deviceid,
        state: 'queued' as const,
        delivery: 'queued' as const,
      }));
    },
  });
  fireEvent.click(screen.getByRole('button', { name: 'Select' }));
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select A-2-1' }));
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select Bench' }));
  fireEvent.click(screen.getByRole('button', { name: 'Send a command' }));
  const dialog = await screen.findByRole('dialog', { name: 'Send a command to 2 devices' });
  fireEvent.change(within(dialog).getByRole('textbox', { name: 'Line 1' }), { target: { value: 'Count' } });
  await act(async () => fireEvent.submit(dialog.querySelector('form') ?? dialog));
  expect(calls).toMatchObject([
    [
      { deviceid: id(1), line1: 'Count' },
      { deviceid: id(4), line1: 'Count' },
    ],
  ]);
});

test('a read-only user cannot select devices', () => {
  showPage({ ...smallShop(), user: userOf('guest', 'read') });
  expect(screen.queryByRole('button', { name: 'Select' })).toBeNull();
  fireEvent.keyDown(document.body, { key: 'a', ctrlKey: true });
  expect(screen.queryByRole('checkbox')).toBeNull();
});
