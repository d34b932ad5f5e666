import { act, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DeviceTile } from '../../../renderer/src/features/station/DeviceTile.tsx';
import type { Level } from '../../../renderer/src/features/station/map/levels.ts';
import { measureMap } from '../../../renderer/src/features/station/map/metrics.ts';
import type { Device } from '#shared/api/device.ts';
import type { SimulatedButton, SimulatedHold } from '../../../renderer/src/station/calls/api.ts';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { applyMessages } from '../../../renderer/src/station/live/store.ts';
import { AT } from '../../helpers/snapshots.ts';
import { command, device, show, station, testContext } from '../support.tsx';
import { alert } from '../../helpers/snapshots.ts';

const ID = '51D000:000002';

const lit = device(ID, {
  locationoverride: 'A-3-2',
  buttons: 3,
  state: 'active',
  commands: [command('1'), command('2', { state: 'queued' })],
  displayed: {
    command_id: '1',
    screen: { label: 'A-3-2', lines: ['Cable tie'], quantity: 5, arrow: null, barcode: '', qrcode: '', icon: '' },
    led: { mode: 'blink', hex: '#00ff00', letter: 'G' },
  },
});

const choose = () => undefined;

function showTile(
  shown: Device,
  press: (button: SimulatedButton, hold: SimulatedHold) => Promise<void> = () => Promise.resolve(),
  level: Level = 'close',
) {
  const opened: string[] = [];
  const context = testContext(
    { station: station(shown) },
    { pressSimulatedDevice: ({ body: { button = 'front', hold = 'short' } }) => press(button, hold) },
  );
  const actions = {
    open: (deviceid: string) => opened.push(deviceid),
    choose,
    carry: choose,
    moveTo: choose,
    dismissFailure: choose,
  };
  show(
    context,
    <DeviceTile
      deviceid={ID}
      metrics={measureMap({ level, width: 660, racks: [], textScale: 1, editing: false })}
      mode="look"
      selected={false}
      chosen={false}
      failure={undefined}
      actions={actions}
    />,
  );
  return { context, opened };
}

const front = () => screen.getByRole('button', { name: /^Front button/ });

describe('the content', () => {
  test('a lit device shows its color, whether it blinks, its screen and the number of waiting commands', () => {
    showTile(lit);
    expect(front().getAttribute('aria-label')).toBe('Front button of A-3-2, Blinking green');
    expect(within(front()).getByText('G')).toBeTruthy();
    expect(screen.getByRole('img').getAttribute('aria-label')).toBe('Screen: A-3-2, quantity 5, Cable tie');
    expect(screen.getByText('+1 waiting')).toBeTruthy();
  });

  test('counts down the remaining time', () => {
    const ends = new Date(Date.now() + 51_500).toISOString();
    showTile({ ...lit, commands: [command('1', { expires_at: ends })] });
    expect(screen.getByText('0:52')).toBeTruthy();
  });

  test('shows how long a device has been offline, that its battery is low, and that its state is not known yet', () => {
    const ago = new Date(Date.now() - 190_000).toISOString();
    const { context } = showTile({ ...lit, online: false, last_seen: ago });
    expect(screen.getByText('Offline 3 min')).toBeTruthy();
    act(() =>
      applyMessages(context.store, [
        {
          kind: 'ephemera',
          ephemera: { devices: [{ deviceid: ID, online: true, battery: 8, displayed: null }], turbos: [] },
        },
        { kind: 'facts', revision: 9, facts: [{ type: 'alert.raised', alert: alert('1', { deviceid: ID }) }] },
      ]),
    );
    expect(screen.getByText('Battery 8 %')).toBeTruthy();
    expect(screen.getByText('Not heard yet')).toBeTruthy();
  });

  test('shows a command that does not reach its device as not delivered, and for how long', () => {
    const lost = (agoMs: number) => {
      const since = new Date(Date.now() - agoMs).toISOString();
      return queued({ delivery: 'unreachable', unreachable_since: since });
    };
    const queued = (given: object) => command('1', { state: 'queued', sent_at: null, shown_at: null, ...given });
    const { context } = showTile({ ...lit, online: false, last_seen: AT, commands: [lost(5_000)] });
    expect(screen.getByText('Not delivered')).toBeTruthy();
    expect(screen.queryByText('+1 waiting')).toBeNull();
    act(() => context.store.setState({ station: station({ ...lit, online: false, commands: [lost(130_000)] }) }));
    expect(screen.getByText('Not delivered 2 min')).toBeTruthy();
  });

  test('a device that has just gone offline or has just reported shows “now” instead of seconds', () => {
    const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
    const { context } = showTile({ ...lit, online: false, last_seen: ago(20_000) });
    expect(screen.getByText('Offline now')).toBeTruthy();
    expect(screen.getByText(/heard 20 s ago$/)).toBeTruthy();
    act(() =>
      applyMessages(context.store, [
        {
          kind: 'ephemera',
          ephemera: { devices: [{ deviceid: ID, online: true, last_seen: ago(0) }], turbos: [] },
        },
      ]),
    );
    expect(screen.queryByText('Offline now')).toBeNull();
    expect(screen.getByText(/heard now$/)).toBeTruthy();
  });

  test('hides plus and minus where they would be too small for a finger', () => {
    showTile(lit, undefined, 'shelf');
    expect(document.querySelector('[data-shape="side"]')).toBeTruthy();
    expect(screen.getAllByRole('button')).toHaveLength(1);
    expect(document.querySelector('.lucide-minus')).toBeNull();
  });

  test('the overview shows the light, the name and the problem, but no buttons', () => {
    const ago = new Date(Date.now() - 190_000).toISOString();
    showTile({ ...lit, online: false, last_seen: ago }, undefined, 'overview');
    expect(screen.getByText('G')).toBeTruthy();
    expect(screen.getByText('Blinking green')).toBeTruthy();
    expect(screen.getByText('Offline 3 min')).toBeTruthy();
    expect(screen.queryByText('+1')).toBeNull();
    expect(screen.queryByRole('img')).toBeNull();
    expect(screen.queryByRole('button')).toBeNull();
  });

  test('the close view shows the request and the technical state', () => {
    showTile(lit);
    expect(screen.getByText('5 × Cable tie · from script')).toBeTruthy();
    expect(screen.getByText(/^51D000:000002 · 2\.98 V \(97 %\) · −60 dBm · heard /)).toBeTruthy();
  });

  test('distinguishes a blank screen from a device that has not reported yet', () => {
    const screenless = {
      label: 'A-3-2',
      lines: ['', ''],
      quantity: null,
      arrow: null,
      barcode: '',
      qrcode: '',
      icon: '',
    };
    const led = { mode: 'off', hex: '#000000', letter: '' } as const;
    showTile({ ...lit, commands: [], displayed: { command_id: null, screen: screenless, led } });
    expect(screen.getByText('Blank screen')).toBeTruthy();
    expect(screen.queryByText('Not heard yet')).toBeNull();
  });

  test('a device without a label shows its DeviceID', () => {
    showTile({ ...lit, locationoverride: '' });
    expect(screen.getByRole('link', { name: ID }).getAttribute('href')).toBe(`/today?device=${ID}`);
  });

  test('a device that cannot be pressed from the page has no buttons', () => {
    showTile({ ...lit, can_press: false });
    expect(screen.queryAllByRole('button')).toHaveLength(0);
    expect(screen.getByText('Blinking green')).toBeTruthy();
  });
});

describe('the actions', () => {
  let pressed: string[];
  const record = async (button: SimulatedButton, hold: SimulatedHold) => void pressed.push(`${button} ${hold}`);

  beforeEach(() => {
    pressed = [];
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => vi.useRealTimers());

  const wait = (ms: number) => act(async () => vi.advanceTimersByTimeAsync(ms));

  test('a click is a short press and shows a confirmation', async () => {
    showTile(lit, record);
    fireEvent.pointerDown(front());
    fireEvent.pointerUp(front());
    await act(async () => fireEvent.click(front()));
    expect(pressed).toEqual(['front short']);
    expect(screen.getByRole('status').textContent).toBe('Pressed');
  });

  test('holding for 800 ms is a long press, and releasing does not trigger another press', async () => {
    showTile(lit, record);
    fireEvent.pointerDown(front());
    expect(front().dataset['holding']).toBe('true');
    await wait(799);
    expect(pressed).toEqual([]);
    await wait(1);
    expect(pressed).toEqual(['front long']);
    fireEvent.pointerUp(front());
    fireEvent.click(front());
    expect(pressed).toEqual(['front long']);
  });

  test('a finger that slides off the button presses nothing', async () => {
    showTile(lit, record);
    fireEvent.pointerDown(front());
    fireEvent.pointerLeave(front());
    await wait(2_000);
    expect(pressed).toEqual([]);
    expect(front().dataset['holding']).toBeUndefined();
  });

  test('Enter is a short press, Shift+Enter is a long press, and a held key presses once', async () => {
    showTile(lit, record);
    const plus = screen.getByRole('button', { name: 'Plus button of A-3-2' });
    await act(async () => fireEvent.keyDown(plus, { key: 'Enter' }));
    await act(async () => fireEvent.keyDown(plus, { key: 'Enter', repeat: true }));
    await act(async () => fireEvent.keyDown(plus, { key: 'Enter', shiftKey: true }));
    expect(pressed).toEqual(['plus short', 'plus long']);
  });

  test('the tile shows a failed press until the message is dismissed', async () => {
    showTile(lit, () => Promise.reject(new ApiError('conflict', 'The device cannot be reached.')));
    await act(async () => fireEvent.click(front()));
    expect(screen.getByRole('alert').textContent).toBe('The press failed. The device cannot be reached.');
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Dismiss' })));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('the link opens the device', () => {
    const { opened } = showTile(lit);
    fireEvent.click(screen.getByRole('link'));
    expect(opened).toEqual([ID]);
  });
});
