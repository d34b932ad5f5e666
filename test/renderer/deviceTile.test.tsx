import { act, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DeviceTile } from '../../renderer/src/features/station/DeviceTile.tsx';
import type { Level } from '../../renderer/src/features/station/map/levels.ts';
import { measureMap } from '../../renderer/src/features/station/map/metrics.ts';
import type { Device } from '#shared/api/device.ts';
import type { SimulatedButton, SimulatedHold } from '../../renderer/src/station/api.ts';
import { ApiError } from '../../renderer/src/station/apiError.ts';
import { applyMessages } from '../../renderer/src/station/store.ts';
import { AT } from '../helpers/snapshots.ts';
import { command, device, show, station, testContext } from './support.tsx';
import { alert } from '../helpers/snapshots.ts';

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
  const context = testContext({ station: station(shown) }, { press: (_, button, hold) => press(button, hold) });
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

describe('what it says', () => {
  test('a lit device says its colour, that it blinks, what its screen shows and what waits', () => {
    showTile(lit);
    expect(front().getAttribute('aria-label')).toBe('Front button of A-3-2, Blinking green');
    expect(within(front()).getByText('G')).toBeTruthy();
    expect(screen.getByRole('img').getAttribute('aria-label')).toBe('Screen: A-3-2, quantity 5, Cable tie');
    expect(screen.getByText('+1 waiting')).toBeTruthy();
  });

  test('the time left is counted from the moment of showing', () => {
    const ends = new Date(Date.now() + 51_500).toISOString();
    showTile({ ...lit, commands: [command('1', { expires_at: ends })] });
    expect(screen.getByText('0:52')).toBeTruthy();
  });

  test('a silent device says since when, a low battery how low, and a device not heard yet says that', () => {
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

  test('where work does not get to its device, that is what is wrong with it, since when', () => {
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

  test('one that fell silent just now, or was just heard, counts no seconds', () => {
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

  test('where plus and minus would be too small for a finger they are not there at all', () => {
    showTile(lit, undefined, 'shelf');
    expect(document.querySelector('[data-shape="side"]')).toBeTruthy();
    expect(screen.getAllByRole('button')).toHaveLength(1);
    expect(document.querySelector('.lucide-minus')).toBeNull();
  });

  test('from afar it is its light, its name and what is wrong, and nothing to press', () => {
    const ago = new Date(Date.now() - 190_000).toISOString();
    showTile({ ...lit, online: false, last_seen: ago }, undefined, 'overview');
    expect(screen.getByText('G')).toBeTruthy();
    expect(screen.getByText('Blinking green')).toBeTruthy();
    expect(screen.getByText('Offline 3 min')).toBeTruthy();
    expect(screen.queryByText('+1')).toBeNull();
    expect(screen.queryByRole('img')).toBeNull();
    expect(screen.queryByRole('button')).toBeNull();
  });

  test('from near it says what it was asked to do, and how it is', () => {
    showTile(lit);
    expect(screen.getByText('5 × Cable tie · from script')).toBeTruthy();
    expect(screen.getByText(/^51D000:000002 · 2\.98 V \(97 %\) · −60 dBm · heard /)).toBeTruthy();
  });

  test('a screen that shows nothing is told from one that was not heard', () => {
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

  test('without a label it is called by its DeviceID', () => {
    showTile({ ...lit, locationoverride: '' });
    expect(screen.getByRole('link', { name: ID }).getAttribute('href')).toBe(`/devices/${ID}`);
  });

  test('a device whose buttons cannot be pressed from here has no buttons', () => {
    showTile({ ...lit, can_press: false });
    expect(screen.queryAllByRole('button')).toHaveLength(0);
    expect(screen.getByText('Blinking green')).toBeTruthy();
  });
});

describe('what it does', () => {
  let pressed: string[];
  const record = async (button: SimulatedButton, hold: SimulatedHold) => void pressed.push(`${button} ${hold}`);

  beforeEach(() => {
    pressed = [];
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => vi.useRealTimers());

  const wait = (ms: number) => act(async () => vi.advanceTimersByTimeAsync(ms));

  test('a click is a short press and says so', async () => {
    showTile(lit, record);
    fireEvent.pointerDown(front());
    fireEvent.pointerUp(front());
    await act(async () => fireEvent.click(front()));
    expect(pressed).toEqual(['front short']);
    expect(screen.getByRole('status').textContent).toBe('Pressed');
  });

  test('held for 800 ms it is a long press, and letting go presses no more', async () => {
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

  test('a finger that slides off presses nothing', async () => {
    showTile(lit, record);
    fireEvent.pointerDown(front());
    fireEvent.pointerLeave(front());
    await wait(2_000);
    expect(pressed).toEqual([]);
    expect(front().dataset['holding']).toBeUndefined();
  });

  test('Enter is short, Shift+Enter is long, and a held key presses once', async () => {
    showTile(lit, record);
    const plus = screen.getByRole('button', { name: 'Plus button of A-3-2' });
    await act(async () => fireEvent.keyDown(plus, { key: 'Enter' }));
    await act(async () => fireEvent.keyDown(plus, { key: 'Enter', repeat: true }));
    await act(async () => fireEvent.keyDown(plus, { key: 'Enter', shiftKey: true }));
    expect(pressed).toEqual(['plus short', 'plus long']);
  });

  test('a press that fails is said beside the device until it is dismissed', async () => {
    showTile(lit, () => Promise.reject(new ApiError('conflict', 'The device cannot be reached.')));
    await act(async () => fireEvent.click(front()));
    expect(screen.getByRole('alert').textContent).toBe('The press failed. The device cannot be reached.');
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Dismiss' })));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('its link opens it', () => {
    const { opened } = showTile(lit);
    fireEvent.click(screen.getByRole('link'));
    expect(opened).toEqual([ID]);
  });
});
