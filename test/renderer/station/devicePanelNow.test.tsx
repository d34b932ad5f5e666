import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { DeviceRequest } from '#shared/api/device.ts';
import type { Timeline } from '#shared/api/history.ts';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { AT, button, ID, past, press, queued, settle, showPanel, tell, timeline } from '../frame/panelSupport.tsx';
import { command, device } from '../support.tsx';

const first = command('1', { line1: 'Cable tie 200', line2: 'black', quantity: 5, nonce: 'order 7', color: 'blue' });
const second = queued('2', { line1: 'Count', quantity: null, nonce: 'count', sender: 'cycle-count.py' });
const third = queued('3', { line1: 'Other', quantity: null, nonce: '' });
const busy = device(ID, { locationoverride: 'A-3-2', state: 'active', commands: [first, second] });
const idle = device(ID, { locationoverride: 'A-3-2' });

const words = () => screen.getAllByRole('listitem').map((item) => item.textContent ?? '');
const steps = () => words().filter((text) => /^(\d\d:|\.|\+|now)/.test(text));

afterEach(() => vi.useRealTimers());

describe('the queue', () => {
  const showQueue = async (commands = [first, second]) => {
    const requests: (DeviceRequest | string)[] = [];
    await showPanel([{ ...busy, commands }], {
      removeCommand({ path: { command_id: commandId } }) {
        requests.push(commandId);
        const over = new ApiError('conflict', 'Command 3 was acknowledged by somebody.');
        return commandId === '3' ? Promise.reject(over) : Promise.resolve();
      },
      sendToDevice: ({ path: { DeviceID: deviceid }, body: request }) => {
        requests.push(request);
        return Promise.resolve({ deviceid, command_id: '9', state: 'queued', delivery: 'queued', warnings: [] });
      },
    });
    return requests;
  };

  test('shows the content of each command, its sender, and what it waits for', async () => {
    await showQueue();
    const [one = '', two = ''] = words();
    expect(one).toContain('5 × Cable tie 200, black');
    expect(one).toContain('no time limit');
    expect(two).toContain('flash · nonce count · from cycle-count.py');
    expect(two).toContain('next');
    expect(screen.getByRole('img', { name: 'Blinking blue' }).textContent).toBe('B');
  });

  test('focusing a shortened row shows its full text', async () => {
    await showQueue();
    await act(async () => fireEvent.keyDown(document.body, { key: 'Tab' }));
    await act(async () => button(/^Why is this here\?.* Count/).focus());
    expect(screen.getByRole('tooltip').textContent).toContain('flash · nonce count · from cycle-count.py');
  });

  test('removing the last command of the queue can be undone, which sends the command again', async () => {
    const requests = await showQueue();
    await press(button('Remove Count'));
    expect(requests).toEqual(['2']);
    expect(screen.getByText(/Undo sends it again under your name/)).toBeTruthy();
    await press(button('Undo'));
    expect(requests[1]).toEqual({ command: 'flash', line1: 'Count', nonce: 'count', color: 'green', seconds: 60 });
  });

  test('removing the lit command asks for confirmation once', async () => {
    const requests = await showQueue();
    await press(button('Remove 5 × Cable tie 200, black'));
    expect(requests).toEqual([]);
    await press(button('Cancel'));
    await press(button('Remove 5 × Cable tie 200, black'));
    await press(button('Remove'));
    expect(requests).toEqual(['1']);
  });

  test('reports that the command to remove has already ended', async () => {
    const requests = await showQueue([first, second, third]);
    await press(button('Remove Other'));
    expect(requests).toEqual(['3']);
    expect(screen.getByText('The command had already ended.')).toBeTruthy();
  });

  test('the command line shown in the queue sends the same command', async () => {
    await showQueue();
    const line = screen.getByRole('region', { name: 'Command line that sends this command' }).textContent;
    expect(line).toContain('"line1":"Cable tie 200"');
    expect(line).toContain('API-KEY: YOUR-KEY');
  });
});

describe('"Why is this lit?"', () => {
  const known: Timeline = timeline('1', {
    nonce: 'order 7',
    steps: [
      { at: '2026-11-20T08:00:00.204Z', kind: 'requested', by: 'erp' },
      { at: '2026-11-20T08:00:00.209Z', kind: 'sent' },
      { at: '2026-11-20T08:00:01.681Z', kind: 'shown', by: 'device' },
    ],
  });

  test('begins with the order that lit the device, and who launched it', async () => {
    const lit = { ...known, command: { ...known.command, order_number: '10418' } };
    await showPanel([{ ...busy, commands: [first] }], { getTimeline: () => Promise.resolve(lit) });
    const steps = screen.getAllByRole('listitem').map((step) => step.textContent ?? '');
    expect(steps.find((step) => step.includes('10418'))).toMatch(/Order 10418, launched by erp$/);
    expect(steps.join(' ')).not.toContain('Requested');
  });

  test('lists the steps so far with milliseconds and actors, and what the command waits for', async () => {
    const ends = new Date(Date.now() + 41_000).toISOString();
    await showPanel([{ ...busy, commands: [{ ...first, expires_at: ends }] }], {
      getTimeline: () => Promise.resolve(known),
    });
    const [requested = '', ...rest] = steps();
    expect(requested).toMatch(/^\d\d:\d\d:\d\d\.204Requested by erp$/);
    expect(rest[0]).toBe('.209Sent to the device');
    expect(rest[1]).toMatch(/^\d\d:\d\d:\d\d\.681Shown on the device$/);
    expect(rest[2]).toMatch(/^nowwaiting for a press · 0:4[01] left$/);
    expect(rest).toHaveLength(3);
  });

  test('shows how long the device has been offline, also in the queue', async () => {
    const since = new Date(Date.now() - 125_000).toISOString();
    const lost = queued('1', { delivery: 'unreachable', unreachable_since: since });
    const told = timeline('1', {
      steps: [
        { at: AT, kind: 'requested' },
        { at: since, kind: 'unreachable' },
      ],
    });
    await showPanel([{ ...busy, online: false, commands: [lost] }], { getTimeline: () => Promise.resolve(told) });
    expect(steps()[1]).toContain('Device offline');
    expect(steps()[2]).toBe('nowoffline for 2 min: shown when the device is online again');
    expect(button(/^Why is this here\?/).textContent).toContain('offline for 2 min');
  });

  test('can show times relative to the first step', async () => {
    await showPanel([busy], { getTimeline: () => Promise.resolve(known) });
    await press(button(/Since the first step/));
    expect(steps().slice(0, 3)).toEqual([
      '+0.000 sRequested by erp',
      '+0.005 sSent to the device',
      '+1.477 sShown on the device',
    ]);
  });

  test('reloads when the command changes', async () => {
    let asked = 0;
    const { context } = await showPanel([{ ...busy, commands: [queued('1', { nonce: 'n' })] }], {
      getTimeline: () => {
        asked += 1;
        return Promise.resolve(asked === 1 ? timeline('1') : known);
      },
    });
    expect(screen.getByRole('heading', { name: 'Why does this wait?' })).toBeTruthy();
    expect(steps()).toHaveLength(2);
    await tell(context, {
      type: 'command.shown',
      deviceid: ID,
      command_id: '1',
      sent_at: AT,
      at: AT,
      expires_at: null,
    });
    expect(screen.getByRole('heading', { name: 'Why is this lit?' })).toBeTruthy();
    expect(steps()).toHaveLength(4);
  });

  test('shows why a different command in the queue waits', async () => {
    const asked: string[] = [];
    await showPanel([busy], {
      getTimeline: ({ path: { command_id: id } }) => (asked.push(id), Promise.resolve(timeline(id))),
    });
    await press(button(/^Why is this here\?.* Count/));
    expect(asked).toEqual(['1', '2']);
    expect(steps().at(-1)).toBe('nowwaiting behind 1 command');
  });

  test('a command for an offline device waits until it is online', async () => {
    await showPanel([{ ...busy, online: false, commands: [queued('1')] }]);
    expect(steps().at(-1)).toBe('nowwaiting for the device to come online');
  });

  test('a timeline that cannot be loaded shows an error and can be retried', async () => {
    let fails = true;
    await showPanel([busy], {
      getTimeline: () =>
        fails ? Promise.reject(new ApiError('storage', 'The disk is full.')) : Promise.resolve(known),
    });
    expect(screen.getByRole('alert').textContent).toContain('The timeline could not be loaded. The disk is full.');
    fails = false;
    await press(button('Try again'));
    expect(steps()).toHaveLength(4);
  });
});

describe('after the command has ended', () => {
  const pending = {
    id: 'w1',
    acknack: 'ack',
    state: 'pending' as const,
    attempts: 1,
    at: AT,
    last_status: 500,
    last_error: null,
    delivered_at: null,
  };
  const over = timeline('1', {
    state: 'acknowledged',
    nonce: 'n',
    steps: [{ at: AT, kind: 'acknowledged', by: 'eva', detail: '5 counted.' }],
  });

  test('an idle device shows the timeline of its latest command', async () => {
    await showPanel([idle], {
      listHistory: () => Promise.resolve([past('1')]),
      getTimeline: () => Promise.resolve(over),
    });
    expect(screen.getByRole('heading', { name: 'Latest event' })).toBeTruthy();
    await settle();
    expect(steps()[0]).toMatch(/Acknowledged by eva · 5 counted\.$/);
  });

  test('follows a pending callback until it is delivered, and shows its last response', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    let callbacks: Timeline['callbacks'] = [pending];
    await showPanel([idle], {
      listHistory: () => Promise.resolve([past('1')]),
      getTimeline: () => Promise.resolve({ ...over, callbacks }),
    });
    await settle();
    expect(steps().at(-1)).toBe('nowdelivering the callback ack · 1 attempt · last answer 500');
    callbacks = [{ ...pending, state: 'delivered' }];
    await act(async () => vi.advanceTimersByTimeAsync(500));
    expect(steps().join()).not.toContain('delivering');
  });

  test('explains why a command with a nonce ended without a callback', async () => {
    const show = async (given: Timeline) => {
      const { unmount } = await showPanel([idle], {
        listHistory: () => Promise.resolve([past('1')]),
        getTimeline: () => Promise.resolve(given),
      });
      await settle();
      const said = screen.queryByText(/^No callback: no receiver is set/) !== null;
      unmount();
      return said;
    };
    expect(await show(over)).toBe(true);
    expect(await show({ ...over, state: 'timedOut' })).toBe(true);
    expect(await show({ ...over, state: 'killed' })).toBe(false);
    expect(await show({ ...over, callbacks: [{ ...pending, state: 'delivered' }] })).toBe(false);
    expect(await show({ ...over, nonce: '' })).toBe(false);
  });

  test('a device without events shows a message', async () => {
    await showPanel([idle]);
    expect(screen.getByText('No history yet.')).toBeTruthy();
  });
});
