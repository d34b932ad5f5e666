import { userOf } from '../../helpers/snapshots.ts';
import { act, fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, test } from 'vitest';
import type { BulkResult, DeviceRequest } from '#shared/api/device.ts';
import { CommandForm } from '../../../renderer/src/shop/composer/CommandForm.tsx';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { forgetStation } from '../../../renderer/src/station/live/store.ts';
import { button, describedBy, ID, openTab, press, showPanel, tell, type, valueOf } from '../frame/panelSupport.tsx';
import { command, device, show, station, testContext } from '../support.tsx';

const OTHER = '51D000:000003';
const busy = device(ID, { locationoverride: 'A-3-2', state: 'active', commands: [command('1')] });
const other = device(OTHER, { locationoverride: 'A-3-3' });

async function submit(): Promise<void> {
  await act(async () => fireEvent.submit(screen.getByRole('textbox', { name: 'Line 1' })));
}

async function showForm(send: Parameters<typeof showPanel>[1] = {}) {
  const shown = await showPanel([busy, other], send);
  await openTab('Send');
  return shown;
}

describe('sending', () => {
  test('a field error appears at its field, which is revealed if hidden', async () => {
    const problems = [
      { path: '/color', message: 'There is no such color.' },
      { path: '/line4', message: 'This line is odd.' },
    ];
    await showForm({ sendToDevice: () => Promise.reject(new ApiError('invalid', 'Two fields are wrong.', problems)) });
    expect(screen.queryByRole('textbox', { name: 'Line 4' })).toBeNull();
    await type('Line 1', 'Cable tie');
    await submit();
    for (const [field, message] of [
      [screen.getByRole('combobox', { name: 'Color' }), 'There is no such color.'],
      [screen.getByRole('textbox', { name: 'Line 4' }), 'This line is odd.'],
    ] as const) {
      expect(field.getAttribute('aria-invalid')).toBe('true');
      expect(describedBy(field)).toContain(message);
    }
    expect(valueOf('Line 1')).toBe('Cable tie');
  });

  test('an invalid number is reported before anything is sent', async () => {
    await showForm();
    await type('Quantity', 'five');
    await submit();
    expect(describedBy(screen.getByRole('textbox', { name: 'Quantity' }))).toContain(
      'Enter a whole number, 0 or more.',
    );
    expect(valueOf('Quantity')).toBe('five');
    expect(screen.getByText('The command was not sent. Check the marked fields.')).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Quantity' }));
  });

  test('an unknown color is reported at the button and at its focused field until it changes', async () => {
    await showForm();
    const color = screen.getByRole('combobox', { name: 'Color' });
    await act(async () => fireEvent.change(color, { target: { value: 'orang' } }));
    expect(color.getAttribute('aria-invalid')).toBeNull();
    await submit();
    expect(describedBy(color)).toContain('“orang” is not a color. Use orange or #rrggbb.');
    expect(document.activeElement).toBe(color);
    const alert = 'The command was not sent. Check the marked fields.';
    expect(screen.getByText(alert).getAttribute('role')).toBe('alert');
    await act(async () => fireEvent.change(color, { target: { value: 'orange' } }));
    expect(color.getAttribute('aria-invalid')).toBeNull();
    expect(screen.queryByText(alert)).toBeNull();
  });

  test('an error without a field appears at the button, only for the devices of that request', async () => {
    const context = testContext(
      { station: station(busy, other), connection: { kind: 'live' } },
      { sendToDevice: () => Promise.reject(new ApiError('storage', 'The disk is full.')) },
    );
    function Chosen() {
      const [deviceid, choose] = useState(ID);
      return (
        <>
          <button type="button" onClick={() => choose(OTHER)}>
            other
          </button>
          <CommandForm deviceids={[deviceid]} />
        </>
      );
    }
    const { container } = show(context, <Chosen />);
    await type('Line 1', 'Cable tie');
    await submit();
    expect(container.textContent).toContain('The command was not sent. The disk is full.');
    await press(button('other'));
    expect(button('Send to A-3-3')).toBeTruthy();
    expect(container.textContent).not.toContain('The disk is full.');
  });

  test('without an answer, explains that sending again is safe', async () => {
    const { container } = await showForm({
      sendToDevice: () => Promise.reject(new ApiError('unreachable', 'The station does not answer.')),
    });
    await submit();
    expect(container.textContent).toContain('You can safely send it again');
  });

  test('follows a sent command until it ends', async () => {
    const requests: DeviceRequest[] = [];
    const { context, container } = await showForm({
      sendToDevice: ({ path: { DeviceID: deviceid }, body: request }) => {
        requests.push(request);
        return Promise.resolve({
          deviceid,
          command_id: '7',
          state: 'queued',
          delivery: 'queued',
          warnings: ['line1 was cut.'],
        });
      },
    });
    await type('Line 1', 'Cable tie');
    await submit();
    expect(requests).toEqual([{ command: 'pick', line1: 'Cable tie' }]);
    expect(container.textContent).toContain('Queued.');
    expect(container.textContent).toContain('Line 1 was cut.');
    const at = busy.last_seen ?? '';
    await tell(
      context,
      {
        type: 'command.queued',
        deviceid: ID,
        command: command('7', { state: 'queued', created_at: '2026-11-20T09:00:00.000Z' }),
      },
      { type: 'command.shown', deviceid: ID, command_id: '7', sent_at: null, at, expires_at: null },
    );
    expect(container.textContent).toContain('Shown on the device.');
    // A change of the quantity replaces the command; the form follows the replacement.
    const again = command('8', { state: 'sent', quantity: 6, created_at: '2026-11-20T09:00:00.000Z' });
    await tell(context, { type: 'command.replaced', deviceid: ID, command_id: '7', command: again });
    expect(container.textContent).toContain('On its way to the device');
    await tell(context, { type: 'command.acknowledged', deviceid: ID, command_id: '8', at, qty: 1, by: 'device' });
    expect(container.textContent).toContain('The command has ended.');
  });

  test('a read-only user sees why sending is not allowed', async () => {
    const readOnly = { ...station(busy), user: userOf('eva', 'read') };
    show(testContext({ station: readOnly }), <CommandForm deviceids={[ID]} />);
    expect(screen.queryByRole('textbox')).toBeNull();
    expect(screen.getByText(/does not allow you to send commands/)).toBeTruthy();
  });
});

describe('kept input', () => {
  test('keeps the input when switching tabs or devices, when closing the panel, and when signing out', async () => {
    const { context, openDevice, unmount } = await showForm();
    await type('Line 1', 'Cable tie');
    await type('Quantity', '5');
    await openTab('History');
    await openTab('Send');
    expect([valueOf('Line 1'), valueOf('Quantity')]).toEqual(['Cable tie', '5']);
    await openDevice(OTHER);
    expect(valueOf('Line 1')).toBe('Cable tie');
    await act(async () => forgetStation(context.store));
    unmount();
    await showForm();
    expect([valueOf('Line 1'), valueOf('Quantity')]).toEqual(['Cable tie', '5']);
  });

  test('while the station does not answer, the button explains why it is disabled, and works again afterwards', async () => {
    let sent = 0;
    const { context } = await showForm({
      sendToDevice: ({ path: { DeviceID: deviceid } }) => {
        sent += 1;
        return Promise.resolve({ deviceid, command_id: '7', state: 'queued', delivery: 'queued', warnings: [] });
      },
    });
    await type('Line 1', 'Cable tie');
    await act(async () => context.store.setState({ connection: { kind: 'lost', sinceAt: 0 } }));
    const send = button('Send to A-3-2');
    expect(describedBy(send)).toContain('The station does not answer. Your input is kept until it is back.');
    await press(send);
    await submit();
    expect(sent).toBe(0);
    await act(async () => context.store.setState({ connection: { kind: 'live' } }));
    expect(valueOf('Line 1')).toBe('Cable tie');
    await submit();
    expect(sent).toBe(1);
  });

  test('clearing the form can be undone', async () => {
    await showForm();
    await type('Line 1', 'Cable tie');
    await press(button('Clear form'));
    expect(valueOf('Line 1')).toBe('');
    await press(button('Undo'));
    expect(valueOf('Line 1')).toBe('Cable tie');
  });
});

describe('one command for many devices', () => {
  const showMany = async (answer: readonly BulkResult[]) => {
    const requests: (DeviceRequest & { deviceid: string })[] = [];
    const context = testContext(
      { station: station(busy, other), connection: { kind: 'live' } },
      { sendMany: (all) => (requests.push(...all), Promise.resolve(answer)) },
    );
    const shown = show(context, <CommandForm deviceids={[ID, OTHER]} />);
    await type('Line 1', 'Count');
    await press(button('Send to 2 devices'));
    await submit();
    return { requests, ...shown };
  };

  test('sends one request for all devices, and lists each refusal', async () => {
    const { requests, container } = await showMany([
      { status: 200, deviceid: ID, command_id: '8', state: 'queued', delivery: 'queued', warnings: [] },
      { status: 404, deviceid: OTHER, detail: 'It is gone.' },
    ]);
    expect(requests.slice(0, 2)).toEqual([
      { deviceid: ID, command: 'pick', line1: 'Count' },
      { deviceid: OTHER, command: 'pick', line1: 'Count' },
    ]);
    expect(container.textContent).toContain('Sent to 1 device.');
    expect(container.textContent).toContain('A-3-3: It is gone.');
  });

  test('an error shared by all devices appears at its field', async () => {
    const refusal = { status: 400, detail: 'No.', errors: [{ path: '/line1', message: 'This line is odd.' }] };
    await showMany([
      { deviceid: ID, ...refusal },
      { deviceid: OTHER, ...refusal },
    ]);
    expect(describedBy(screen.getByRole('textbox', { name: 'Line 1' }))).toContain('This line is odd.');
  });
});
