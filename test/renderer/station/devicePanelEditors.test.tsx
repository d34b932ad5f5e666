import { act, fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import type { DeviceRequest } from '#shared/api/device.ts';
import type { SimulatedChange } from '../../../renderer/src/station/calls/api.ts';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { button, describedBy, ID, openTab, press, showPanel, tell, type, valueOf } from '../frame/panelSupport.tsx';
import { device } from '../support.tsx';

const shelf = device(ID, {
  locationoverride: 'A-3-2',
  statica: 'Cable tie 200',
  staticb: 'black',
  quantity: 75,
  arrow: 'left',
});

const HARDWARE = {
  deviceid: '51D000:000001',
  buttons: 1 as const,
  firmware: 70,
  reachable: true,
  battery_mv: 2_980,
  refresh_ms: 2_000,
  press_after_ms: null,
};

async function showEditor(tab: string) {
  const requests: DeviceRequest[] = [];
  const changes: SimulatedChange[] = [];
  const shown = await showPanel([shelf], {
    sendToDevice: ({ path: { DeviceID: deviceid }, body: request }) => {
      requests.push(request);
      return Promise.resolve({ deviceid, updated: Object.keys(request), warnings: ['statica was cut.'] });
    },
    getSimulatedDevice: () => Promise.resolve(HARDWARE),
    changeSimulatedDevice: ({ body: change }) => {
      changes.push(change);
      return Promise.resolve({ ...HARDWARE, ...change });
    },
  });
  await openTab(tab);
  return { requests, changes, ...shown };
}

describe('statics', () => {
  test('sends only the changed fields, and an emptied field clears its static', async () => {
    const { requests, container } = await showEditor('Statics');
    expect([valueOf('Line 1'), valueOf('Line 2'), valueOf('Quantity')]).toEqual(['Cable tie 200', 'black', '75']);
    await type('Line 2', '');
    await type('Quantity', '');
    await type('Line 3', 'new');
    await press(button('Save statics'));
    expect(requests).toEqual([{ staticb: '', staticc: 'new', quantity: null }]);
    expect(container.textContent).toContain('Line 1 was cut.');
  });

  test('sends nothing if no value differs, even after typing the previous value again', async () => {
    const { requests, context } = await showEditor('Statics');
    await type('Line 2', 'white');
    await type('Line 2', 'black');
    await press(button('Save statics'));
    expect(requests).toEqual([]);
    expect(screen.getByText('No changes to save.')).toBeTruthy();
    await tell(context, { type: 'device.changed', deviceid: ID, changed: { staticb: 'theirs' } });
    expect(valueOf('Line 2')).toBe('theirs');
    expect(screen.queryByText(/Changed meanwhile/)).toBeNull();
  });

  test('the preview shows the typed text', async () => {
    await showEditor('Statics');
    await type('Line 1', 'Heat shrink');
    const screens = screen.getAllByRole('img').map((each) => each.getAttribute('aria-label'));
    expect(screens).toContain('Screen: A-3-2, quantity 75, Heat shrink, black, arrow left');
  });

  test("shows another person's change to a different field immediately", async () => {
    const { context, requests } = await showEditor('Statics');
    await type('Line 1', 'mine');
    await tell(context, { type: 'device.changed', deviceid: ID, changed: { staticb: 'theirs' } });
    expect([valueOf('Line 1'), valueOf('Line 2')]).toEqual(['mine', 'theirs']);
    await press(button('Save statics'));
    expect(requests).toEqual([{ statica: 'mine' }]);
  });

  test("shows another person's change to the same field before it can be overwritten", async () => {
    const { context, requests } = await showEditor('Statics');
    await type('Line 1', 'mine');
    await tell(context, { type: 'device.changed', deviceid: ID, changed: { statica: 'theirs' } });
    expect(valueOf('Line 1')).toBe('mine');
    expect(screen.getByText('Somebody changed this to “theirs”.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Save statics' })).toBeNull();
    await press(button('Overwrite with mine'));
    expect(requests).toEqual([{ statica: 'mine' }]);
  });

  test("can adopt the other person's value", async () => {
    const { context, requests } = await showEditor('Statics');
    await type('Line 1', 'mine');
    await tell(context, { type: 'device.changed', deviceid: ID, changed: { statica: 'theirs' } });
    await press(button('Use theirs: Line 1'));
    expect(valueOf('Line 1')).toBe('theirs');
    await press(button('Save statics'));
    expect(requests).toEqual([]);
  });

  test('keeps the input when switching tabs, and discarding it can be undone', async () => {
    await showEditor('Statics');
    await type('Line 1', 'mine');
    await openTab('Now');
    await openTab('Statics');
    expect(valueOf('Line 1')).toBe('mine');
    await press(button('Discard changes'));
    expect(valueOf('Line 1')).toBe('Cable tie 200');
    await press(button('Undo'));
    expect(valueOf('Line 1')).toBe('mine');
  });

  test('after saving, keeps only input that was typed while the request was in flight', async () => {
    const sent = Promise.withResolvers<undefined>();
    const { context } = await showPanel([shelf], {
      sendToDevice: async ({ path: { DeviceID: deviceid } }) => {
        await sent.promise;
        return { deviceid, updated: [], warnings: [] };
      },
    });
    await openTab('Statics');
    await type('Line 1', 'first');
    await type('Line 2', 'sent');
    await press(button('Save statics'));
    await type('Line 1', 'second');
    await type('Line 3', 'third');
    await act(async () => sent.resolve(undefined));
    await tell(context, { type: 'device.changed', deviceid: ID, changed: { statica: 'first', staticb: 'theirs' } });
    expect(['Line 1', 'Line 2', 'Line 3'].map(valueOf)).toEqual(['second', 'theirs', 'third']);
    expect(screen.queryByText(/Somebody changed this/)).toBeNull();
    expect(button('Save statics')).toBeTruthy();
  });

  test('shows why a field was refused, and keeps the input', async () => {
    await showPanel([shelf], {
      sendToDevice: () =>
        Promise.reject(new ApiError('invalid', 'No.', [{ path: '/barcode', message: 'Only ASCII.' }])),
    });
    await openTab('Statics');
    await type('Barcode', 'CT-200');
    await press(button('Save statics'));
    expect(describedBy(screen.getByRole('textbox', { name: 'Barcode' }))).toContain('Only ASCII.');
    expect(valueOf('Barcode')).toBe('CT-200');
  });

  test('reports while typing what the station would refuse, cut or not draw', async () => {
    const { requests } = await showEditor('Statics');
    const said = () => within(screen.getByRole('figure')).getByRole('status').textContent;
    await type('Barcode', 'é');
    expect(screen.getByText('1/23')).toBeTruthy();
    expect(describedBy(screen.getByRole('textbox', { name: 'Barcode' }))).toContain(
      'A barcode cannot contain “é”. Use unaccented letters, digits and symbols, or a QR code.',
    );
    await type('Barcode', '');
    await type('Line 2', 'x'.repeat(27));
    expect(said()).toContain('Line 2 is longer than 26 characters');
    await type('Line 4', 'four');
    await type('Line 5', 'five');
    await type('Quantity', '7');
    expect(said()).toContain('arrow is not drawn: at most 5');
    await press(button('Save statics'));
    expect(requests).toMatchObject([{ staticd: 'four', statice: 'five', quantity: 7 }]);
  });

  test('can choose an icon by its name, and remove it', async () => {
    const { requests } = await showEditor('Statics');
    await type('Quantity', '');
    await press(button('Icon None'));
    await press(screen.getByRole('option', { name: 'Safety gloves' }));
    await press(button('Icon Safety gloves'));
    await press(button('No icon'));
    await press(button('Icon None'));
    await press(screen.getByRole('option', { name: 'No smoking' }));
    await press(button('Save statics'));
    expect(requests).toEqual([{ quantity: null, icon: 'hazardd' }]);
  });
});

describe('settings', () => {
  test('sends only the changed settings', async () => {
    const { requests } = await showEditor('Settings');
    await type(/^Label/, 'A-3-3');
    await type(/^LED brightness/, '40');
    await press(button('Save settings'));
    expect(requests).toEqual([]);
    await press(screen.getByRole('radio', { name: /^Move the device/ }));
    await press(button('Save settings'));
    expect(requests).toEqual([{ locationoverride: 'A-3-3', brightness: 40 }]);
  });

  test('reports an invalid brightness and does not send it', async () => {
    const { requests } = await showEditor('Settings');
    await type(/^LED brightness/, '101');
    await press(button('Save settings'));
    expect(requests).toEqual([]);
    expect(describedBy(screen.getByRole('textbox', { name: /^LED brightness/ }))).toContain(
      'Enter a whole number from 0 to 100.',
    );
  });

  test('arrow keys change a number', async () => {
    await showEditor('Settings');
    const field = screen.getByRole('textbox', { name: /^LED brightness/ });
    await act(async () => fireEvent.keyDown(field, { key: 'ArrowDown' }));
    expect(valueOf(/^LED brightness/)).toBe('90');
  });

  test('the hardware of a simulated device can be changed', async () => {
    const { changes } = await showEditor('Settings');
    expect(valueOf('Battery, volts')).toBe('2.98');
    await press(screen.getByRole('switch', { name: 'In range of its gateway' }));
    await type('Battery, volts', '2,4');
    await type(/^Simulated worker presses after/, '1.5');
    await press(button('Apply'));
    expect(changes).toEqual([{ reachable: false }, { battery_mv: 2_400, press_after_ms: 1_500 }]);
  });

  test('shows hardware changed by somebody else after a few seconds, next to typed values', async () => {
    vi.useFakeTimers();
    try {
      let hardware = HARDWARE;
      await showPanel([shelf], { getSimulatedDevice: () => Promise.resolve(hardware) });
      await openTab('Settings');
      await type('Battery, volts', '2.5');
      hardware = { ...HARDWARE, battery_mv: 2_400, refresh_ms: 7_000 };
      await act(async () => void (await vi.advanceTimersByTimeAsync(6_000)));
      expect(valueOf(/^Full refresh/)).toBe('7');
      expect(valueOf('Battery, volts')).toBe('2.5');
      expect(screen.getByText('Somebody changed this to “2.40”.')).toBeTruthy();
      await press(button('Use theirs: Battery, volts'));
      expect(valueOf('Battery, volts')).toBe('2.40');
    } finally {
      vi.useRealTimers();
    }
  });

  test('a real device has no simulated hardware', async () => {
    await showPanel([{ ...shelf, can_press: false }]);
    await openTab('Settings');
    expect(screen.queryByText('Simulated hardware')).toBeNull();
  });
});
