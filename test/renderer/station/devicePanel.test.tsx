import { userOf } from '../../helpers/snapshots.ts';
import { act, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import {
  button,
  ID,
  openTab,
  press,
  showPanel,
  tell,
  publishCondition,
  type,
  valueOf,
} from '../frame/panelSupport.tsx';
import { command, device, station, type Stubs } from '../support.tsx';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const label = 'A-3-2';
const idle = device(ID, { locationoverride: label, buttons: 3, battery: 97, voltage: 2.98 });
const lit = device(ID, {
  ...idle,
  state: 'active',
  commands: [command('1', { quantity: 5 })],
  displayed: {
    command_id: '1',
    screen: { label, lines: ['Cable tie'], quantity: 5, arrow: null, barcode: '', qrcode: '', icon: '' },
    led: { mode: 'steady', hex: '#0000ff', letter: 'B' },
  },
});
const real = { ...lit, can_press: false };

describe('the head', () => {
  test('shows all technical facts of the device in one line', async () => {
    await showPanel([idle]);
    const facts = screen.getByText(/3 buttons/).textContent?.replaceAll('\u00a0', ' ');
    expect(facts).toMatch(
      /^51D000:000002 · 3 buttons · firmware 70 · 2\.98 V \/ 97 % · −60 dBm · gateway T1 · heard (now|.* ago)$/,
    );
  });

  test('the head receives the focus when the panel opens, and Escape closes the panel', async () => {
    const tile = document.body.appendChild(document.createElement('button'));
    tile.focus();
    const { closed } = await showPanel([idle]);
    tile.remove();
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: label }));
    await act(async () => fireEvent.keyDown(screen.getByRole('heading', { name: label }), { key: 'Escape' }));
    expect(closed).toEqual([ID]);
  });

  test('updates of the device leave the focus in the field', async () => {
    const { context } = await showPanel([idle]);
    await openTab('Send');
    const line = screen.getByRole('textbox', { name: 'Line 1' });
    await act(async () => line.focus());
    await publishCondition(context, { deviceid: ID, battery: 12 });
    expect(screen.getAllByText(/12\s%/)).not.toEqual([]);
    expect(document.activeElement).toBe(line);
  });

  test('Escape in a field closes the panel and shows that the input is kept', async () => {
    const { closed } = await showPanel([idle]);
    await openTab('Send');
    await type('Line 1', 'Cable tie');
    await act(async () => fireEvent.keyDown(screen.getByRole('textbox', { name: 'Line 1' }), { key: 'Escape' }));
    expect(closed).toEqual([ID]);
    expect(screen.getByText('Your input is kept.')).toBeTruthy();
    expect(valueOf('Line 1')).toBe('Cable tie');
  });
});

describe('a missing device', () => {
  test('an unknown ID in the address shows a message and a way back', async () => {
    const { closed, container } = await showPanel([idle], {}, '51D000:000099');
    expect(container.textContent).toContain('There is no device 51D000:000099 at this station.');
    const section = screen.getByRole('heading', { name: 'No such device' }).parentElement;
    if (section === null) throw new Error('the heading stands in nothing');
    await press(within(section).getByRole('button', { name: 'Back to the map' }));
    expect(closed).toEqual(['51D000:000099']);
  });

  test('reports that the device was removed while its panel is open, and keeps the input, which cannot be sent', async () => {
    const { context, closed } = await showPanel([lit]);
    await openTab('Statics');
    await type('Line 1', 'on hand 75');
    await tell(context, { type: 'device.removed', deviceid: ID });
    const notice = () => screen.getAllByRole('alert').find((each) => each.textContent !== '') ?? document.body;
    expect(notice().textContent).toContain('A-3-2 is no longer at this station.');
    expect(valueOf('Line 1')).toBe('on hand 75');
    await press(button('Save statics'));
    expect(screen.getByText('The device is no longer at this station.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /Front button/ })).toBeNull();
    await press(within(notice()).getByRole('button', { name: 'Close panel' }));
    expect(closed).toEqual([ID]);
    // Once the device is added again, the same panel shows it with the input.
    await tell(context, { type: 'device.added', device: lit });
    expect(button(/Front button/)).toBeTruthy();
    expect(valueOf('Line 1')).toBe('on hand 75');
  });
});

describe('a device that cannot be pressed from the page', () => {
  test('a device that cannot be pressed from the page can be acknowledged there', async () => {
    const asked: unknown[] = [];
    await showPanel([real], { acknowledgeCommand: async (given) => void asked.push(given) });
    expect(screen.queryByRole('button', { name: /Front button/ })).toBeNull();
    await press(button('Acknowledge A-3-2 here, Lit blue'));
    expect(asked).toEqual([{ path: { DeviceID: ID }, body: { command_id: '1' } }]);
    expect(screen.getByText('Acknowledged here.')).toBeTruthy();
  });

  test('plus and minus add up while a change is in flight, and Acknowledge sends the visible quantity', async () => {
    const asked: unknown[] = [];
    const never = new Promise<void>(() => undefined);
    const { context } = await showPanel([real], {
      adjustCommand: ({ body }) => (asked.push([body.command_id, body.quantity]), never),
      acknowledgeCommand: async ({ body }) => void asked.push([body.command_id, body.qty]),
    });
    await press(button('One more for A-3-2'));
    await press(button('One more for A-3-2'));
    // The first change replaced the command while the next one was still in flight.
    const replacement = command('2', { quantity: 6 });
    await tell(context, { type: 'command.replaced', deviceid: ID, command_id: '1', command: replacement });
    await press(button('One more for A-3-2'));
    await press(button('One less for A-3-2'));
    await press(button(/^Acknowledge A-3-2 here/));
    expect(asked).toEqual([
      ['1', 6],
      ['1', 7],
      ['2', 8],
      ['2', 7],
      ['2', 7],
    ]);
  });

  test('plus continues from the answered quantity while the page still shows the old one, but not from a lost one', async () => {
    const asked: unknown[] = [];
    let isOffline = false;
    const { context } = await showPanel([real], {
      adjustCommand: async ({ body }) => {
        asked.push(body.quantity);
        if (isOffline) throw new ApiError('conflict', 'The device is offline.');
      },
    });
    await press(button('One more for A-3-2'));
    await press(button('One more for A-3-2'));
    expect(asked).toEqual([6, 7]);
    // Somebody else then changes the quantity at the device.
    await tell(context, {
      type: 'command.replaced',
      deviceid: ID,
      command_id: '1',
      command: command('2', { quantity: 3 }),
    });
    await press(button('One more for A-3-2'));
    isOffline = true;
    await press(button('One more for A-3-2'));
    await press(button('One more for A-3-2'));
    expect(asked.slice(2)).toEqual([4, 5, 4]);
  });

  test('a double click on Acknowledge does not acknowledge the next command', async () => {
    const now = vi.spyOn(Date, 'now').mockReturnValue(1_000_000);
    const asked: unknown[] = [];
    const answers: (() => void)[] = [];
    const next = command('2', { quantity: 3, created_at: '2026-11-20T09:00:00.000Z' });
    const { context } = await showPanel([real], {
      acknowledgeCommand: ({ body }) => (asked.push(body.command_id), new Promise((resolve) => answers.push(resolve))),
    });
    await press(button(/^Acknowledge A-3-2 here/));
    await press(button(/^Acknowledge A-3-2 here/));
    await tell(context, { type: 'command.replaced', deviceid: ID, command_id: '1', command: next });
    await act(async () => answers[0]?.());
    now.mockReturnValue(1_000_499);
    await press(button(/^Acknowledge A-3-2 here/));
    expect(asked).toEqual(['1']);
    now.mockReturnValue(1_000_500);
    await press(button(/^Acknowledge A-3-2 here/));
    expect(asked).toEqual(['1', '2']);
  });

  test('Acknowledge ignores a press right after another command has replaced the displayed one', async () => {
    const now = vi.spyOn(Date, 'now').mockReturnValue(1_000_000);
    const acknowledge = vi.fn<Stubs['acknowledgeCommand']>(async () => undefined);
    const next = command('2', { quantity: 3, created_at: '2026-11-20T09:00:00.000Z' });
    const { context } = await showPanel([real], { acknowledgeCommand: acknowledge });
    await tell(context, { type: 'command.replaced', deviceid: ID, command_id: '1', command: next });
    now.mockReturnValue(1_000_299);
    await press(button(/^Acknowledge A-3-2 here/));
    expect(acknowledge).not.toHaveBeenCalled();
    now.mockReturnValue(1_000_300);
    await press(button(/^Acknowledge A-3-2 here/));
    expect(acknowledge).toHaveBeenCalledTimes(1);
  });

  test('shows who acknowledged the command first', async () => {
    await showPanel([real], {
      acknowledgeCommand: () => Promise.reject(new ApiError('conflict', 'eva acknowledged it at 09:12.')),
    });
    await press(button(/^Acknowledge A-3-2 here/));
    expect(screen.getByRole('alert').textContent).toBe(
      'The command was not acknowledged. eva acknowledged it at 09:12.',
    );
  });

  test('explains where to press while no command is open', async () => {
    await showPanel([{ ...real, commands: [], state: 'static' }]);
    expect(screen.queryByRole('button', { name: /^Acknowledge A-3-2 here/ })).toBeNull();
    expect(screen.getByText('Its buttons work only at the shelf.')).toBeTruthy();
  });
});

test('a tap on the space bar is a short press, and holding it for 800 ms is a long press', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const pressed: string[] = [];
  await showPanel([lit], {
    pressSimulatedDevice: async ({ body: { button: key, hold } }) => void pressed.push(`${key} ${hold}`),
  });
  const front = button('Front button of A-3-2, Lit blue');
  fireEvent.keyDown(front, { key: ' ' });
  expect(pressed).toEqual([]);
  await act(async () => fireEvent.keyUp(front, { key: ' ' }));
  expect(pressed).toEqual(['front short']);
  fireEvent.keyDown(front, { key: ' ' });
  fireEvent.blur(front);
  await act(async () => fireEvent.keyUp(front, { key: ' ' }));
  expect(pressed).toEqual(['front short']);
  fireEvent.keyDown(front, { key: ' ' });
  fireEvent.keyDown(front, { key: ' ', repeat: true });
  await act(async () => vi.advanceTimersByTimeAsync(800));
  await act(async () => fireEvent.keyUp(front, { key: ' ' }));
  expect(pressed).toEqual(['front short', 'front long']);
});

describe('device actions', () => {
  const choose = async (words: string) => {
    await press(button('More actions'));
    await press(screen.getByRole('menuitem', { name: words }));
  };

  test('"Send a command" opens the form and focuses the first field', async () => {
    await showPanel([idle]);
    await press(button('Send a command'));
    await act(() => new Promise((resolve) => requestAnimationFrame(() => resolve(undefined))));
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Line 1' }));
  });

  test('“Identify” says when the device will flash', async () => {
    const asked: string[] = [];
    const { context } = await showPanel([idle], {
      identifyDevice: async ({ path: { DeviceID: deviceid } }) => void asked.push(deviceid),
    });
    await press(button('Identify'));
    expect(asked).toEqual([ID]);
    expect(screen.getByText('The device flashes white for five seconds.')).toBeTruthy();
    await tell(context, { type: 'command.queued', deviceid: ID, command: command('1') });
    await press(button('Identify'));
    expect(
      screen.getByText('The device flashes white for five seconds when its open commands have ended.'),
    ).toBeTruthy();
  });

  test('turning everything off asks for confirmation once', async () => {
    const asked: unknown[] = [];
    await showPanel([lit], {
      sendToDevice: ({ path: { DeviceID: deviceid }, body: request }) => (
        asked.push(request),
        Promise.resolve({ deviceid, killed: 1, warnings: [] })
      ),
    });
    await choose('Turn off all…');
    expect(asked).toEqual([]);
    await press(button('Turn off'));
    expect(asked).toEqual([{ command: 'kill' }]);
    expect(screen.getByText('1 command removed.')).toBeTruthy();
  });

  test('removing a device asks for confirmation once, and a refusal appears in the open dialog', async () => {
    let fails = true;
    const { closed } = await showPanel([lit], {
      removeDevice: () => (fails ? Promise.reject(new ApiError('storage', 'The disk is full.')) : Promise.resolve()),
    });
    await choose('Remove device…');
    const dialog = screen.getByRole('alertdialog', { name: 'Remove A-3-2?' });
    expect(dialog.textContent).toContain('Its history stays.');
    expect(dialog.textContent).toContain('Simulated devices return');
    await press(within(dialog).getByRole('button', { name: 'Remove device' }));
    expect(within(dialog).getByRole('alert').textContent).toBe('The disk is full.');
    fails = false;
    await press(within(dialog).getByRole('button', { name: 'Remove device' }));
    expect(closed).toEqual([ID]);
  });

  test('copies a link to the device, or shows it where the browser forbids copying', async () => {
    await showPanel([idle]);
    await choose('Copy link');
    expect(screen.getByText('Link copied.')).toBeTruthy();
    expect(await navigator.clipboard.readText()).toContain(`/today?device=${ID}`);
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('no secure context'));
    await choose('Copy link');
    expect(screen.getByRole('dialog', { name: 'Link to this device' }).textContent).toContain(`/today?device=${ID}`);
  });

  test('a read-only user sees the device but cannot change anything', async () => {
    const { context } = await showPanel([lit]);
    await act(async () => context.store.setState({ station: { ...station(lit), user: userOf('eva', 'read') } }));
    expect(screen.queryByRole('button', { name: 'Identify' })).toBeNull();
    expect(screen.queryByRole('button', { name: /^Remove/ })).toBeNull();
    await press(button('More actions'));
    expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual([
      'Turn off all…Requires the control role',
      'Copy link',
      'Remove device…Requires the admin role',
    ]);
  });
});
