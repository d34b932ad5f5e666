import { act, fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { BulkResult } from '#shared/api/device.ts';
import type { AddressedRequest } from '../../../renderer/src/station/calls/api.ts';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { LOW, NEVER, openPlaces, press, SILENT, WEAK, WELL } from './placesSupport.tsx';
import { device } from '../support.tsx';

const check = (name: string) =>
  act(async () => fireEvent.click(screen.getByRole('checkbox', { name: `Select ${name}` })));
const chooseAll = () =>
  act(async () => fireEvent.click(screen.getByRole('checkbox', { name: 'Select all shown places' })));
const type = (name: RegExp, value: string) =>
  act(async () => fireEvent.change(screen.getByRole('textbox', { name }), { target: { value } }));
const submit = () => act(async () => fireEvent.submit(screen.getByRole('form')));
const isChosen = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name: `Select ${name}` }).checked;

const well = (requests: readonly AddressedRequest[]): BulkResult[] =>
  requests.map(({ deviceid }) => ({ status: 200, deviceid }));

const MANY = Array.from({ length: 250 }, (_, index) => device(`51D000:${String(index).padStart(6, '0')}`));

test('changes the brightness or the nonce of the selected devices, and does not send empty fields', async () => {
  const sent: AddressedRequest[][] = [];
  await openPlaces({
    async sendMany(requests) {
      sent.push([...requests]);
      return well(requests);
    },
  });
  await check('A-1');
  await check('A-2');
  expect(screen.getByText('2 devices selected')).toBeTruthy();
  await press('Settings…');
  await submit();
  expect(screen.getByText('Enter a brightness or change the nonce.')).toBeTruthy();
  await type(/^LED brightness/, '101');
  await submit();
  expect(screen.getByText('Enter a whole number from 0 to 100.')).toBeTruthy();
  await type(/^LED brightness/, '40');
  await submit();
  await press('Settings…');
  await act(async () => fireEvent.click(screen.getByRole('switch', { name: /^Change the nonce/ })));
  await type(/^Nonce of idle presses/, 'bell');
  await submit();
  expect(sent).toEqual([
    [
      { deviceid: WELL, brightness: 40 },
      { deviceid: LOW, brightness: 40 },
    ],
    [
      { deviceid: WELL, unsolicitedNonce: 'bell' },
      { deviceid: LOW, unsolicitedNonce: 'bell' },
    ],
  ]);
  expect(screen.getByText('Settings of 2 devices changed.')).toBeTruthy();
});

test('selects all filtered devices, and counts the selected devices that another filter hides', async () => {
  await openPlaces();
  await press(/^Offline/, 'radio');
  await chooseAll();
  await press(/^Low battery/, 'radio');
  expect(screen.getByText('2 devices selected')).toBeTruthy();
  expect(screen.getByText('2 of them hidden')).toBeTruthy();
  await press('Clear selection');
  expect(screen.queryByRole('region', { name: 'Selected devices' })).toBeNull();
});

test('sends many requests in batches and, after a cancellation, reports how many were not sent', async () => {
  const parts: number[] = [];
  let answer: (() => void) | undefined;
  await openPlaces(
    {
      async sendMany(requests) {
        parts.push(requests.length);
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
        return well(requests);
      },
    },
    { devices: MANY },
  );
  await chooseAll();
  await press('Turn off');
  await act(async () => fireEvent.click(screen.getAllByRole('button', { name: 'Turn off' }).at(-1) ?? document.body));
  await act(async () => answer?.());
  expect(screen.getByText('100 of 250')).toBeTruthy();
  await press('Cancel');
  await act(async () => answer?.());
  expect(parts).toEqual([100, 100]);
  expect(screen.getByRole('dialog', { name: 'Canceled' }).textContent).toContain(
    '200 done, 0 failed. 50 were not tried.',
  );
  await press('Done');
  expect(screen.getByText('50 devices selected')).toBeTruthy();
});

test('lists the reason for each failed device, and keeps the failed devices selected', async () => {
  await openPlaces({
    sendMany: async (requests) =>
      requests.map(({ deviceid }) =>
        deviceid === LOW
          ? { status: 404, deviceid, detail: `There is no device ${LOW}.` }
          : { status: 200, deviceid, updated: [] },
      ),
  });
  await check('A-1');
  await check('A-2');
  await press('Clear statics…');
  await press('Clear');
  const dialog = screen.getByRole('dialog', { name: 'Some changes failed' });
  expect(dialog.textContent).toContain('1 done, 1 failed.');
  expect(dialog.textContent).toContain(`A-2 There is no device ${LOW}.`);
  await press('Done');
  expect([isChosen('A-1'), isChosen('A-2')]).toEqual([false, true]);
});

test('stops after a batch that gets no answer', async () => {
  let calls = 0;
  await openPlaces(
    {
      sendMany() {
        calls += 1;
        return Promise.reject(new ApiError('unreachable', 'The station does not answer.'));
      },
    },
    { devices: MANY },
  );
  await chooseAll();
  await press('Clear statics…');
  await press('Clear');
  expect(calls).toBe(1);
  expect(screen.getByRole('dialog').textContent).toContain('0 done, 100 failed. 150 were not tried.');
});

test('removing devices asks for confirmation once, says what is lost, and removes them one by one', async () => {
  const removed: string[] = [];
  await openPlaces({
    async removeDevice({ path: { DeviceID: deviceid } }) {
      removed.push(deviceid);
    },
  });
  await check(WEAK);
  await check('B-1');
  await press('Remove…');
  expect(removed).toEqual([]);
  expect(screen.getByRole('alertdialog', { name: 'Remove 2 devices?' }).textContent).toContain('aliases');
  await press('Remove');
  expect(removed.toSorted()).toEqual([WEAK, NEVER]);
});

test('removing one device from its row keeps the selection', async () => {
  const removed: string[] = [];
  await openPlaces({
    async removeDevice({ path: { DeviceID: deviceid } }) {
      removed.push(deviceid);
    },
  });
  await check('A-1');
  await press('More for A-10');
  await act(async () => fireEvent.click(screen.getByRole('menuitem', { name: 'Remove the device…' })));
  await press('Remove');
  expect(removed).toEqual([SILENT]);
  expect(isChosen('A-1')).toBe(true);
});

test('a user who is not an admin cannot remove or replace devices', async () => {
  await openPlaces({}, { scope: 'control' });
  await check('A-1');
  for (const name of ['Remove…', 'Replace a device']) {
    await press(name);
    expect(screen.getByRole('dialog', { name: 'Not allowed' }).textContent).toMatch(
      /does not allow you to .*role admin/,
    );
    await act(async () => fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' }));
  }
  expect(screen.getByRole('button', { name: 'Settings…' }).getAttribute('aria-describedby')).toBeNull();
});
