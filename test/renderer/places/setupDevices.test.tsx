import { act, fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { Fact } from '#shared/api/station.ts';
import { findPage } from '#shared/lib/station/pageRoutes.ts';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import {
  acknowledged,
  enter,
  FIRST,
  largeDevice,
  MAP,
  openSetup,
  pressButton,
  pressOf,
  SECOND,
  setPattern,
  THIRD,
  typePlace,
} from './setupDevicesSupport.tsx';
import { command, device, station, type Stubs } from '../support.tsx';

const NEW = '51D0AB:000009';
const refuse = (sentence: string) => () => Promise.reject(new ApiError('conflict', sentence));

test('both addresses open the setup page', () => {
  expect(findPage('/places/set-up')).toBe('setUp');
  expect(findPage('/places/set-up/print')).toBe('setUp');
});

test('a press flashes and selects a device, and Enter gives it the next place of the pattern', async () => {
  const { tell, calls } = openSetup();
  expect(screen.queryByRole('button', { name: /^Back/ })).toBeNull();
  await setPattern('A-{1..2}-{1..3}');
  expect(screen.getByText('6 places: A-1-1, A-1-2, A-1-3, … A-2-3')).toBeTruthy();
  await tell(pressOf(SECOND));
  expect(largeDevice()).toBe(SECOND);
  expect(calls).toEqual([`flash ${SECOND}`]);
  await enter();
  expect(calls.slice(1)).toEqual([`label ${SECOND} A-1-1`, `place ${SECOND} s 0`]);
  expect(screen.getByText(`${SECOND} is now A-1-1.`)).toBeTruthy();
  expect(largeDevice()).toBeUndefined();
  expect(screen.getByRole('button', { name: 'Back Undo A-1-1' })).toBeTruthy();
  await tell(pressOf(FIRST));
  expect(screen.getByRole('button', { name: /^Take A-1-2/ })).toBeTruthy();
  expect(screen.getByText('1 place is already taken and will be skipped.')).toBeTruthy();
});

test('ignores presses made before the page was opened, and acknowledgements on the page', async () => {
  const lit = command('7');
  const { tell } = openSetup(station(device(FIRST, { commands: [lit] }), device(SECOND)));
  await tell(pressOf(SECOND, new Date(Date.now() - 60_000).toISOString()));
  expect(largeDevice()).toBeUndefined();
  await tell({ ...acknowledged(FIRST, lit), by: 'anna' } as ReturnType<typeof acknowledged>);
  expect(largeDevice()).toBeUndefined();
  expect(screen.queryByText(/^That press counted/)).toBeNull();
});

test('handles two presses in one message', async () => {
  const { tell } = openSetup();
  await tell(pressOf(SECOND), pressOf(FIRST));
  expect(largeDevice()).toBe(SECOND);
  expect(screen.getByText(`Waiting: ${FIRST}`)).toBeTruthy();
});

test('explains a press that acknowledged work, and selects a device whose press ended its flashing', async () => {
  const work = command('7', { order_number: '10418' });
  const flash = command('8', { line1: SECOND, line2: 'Here I am' });
  const { tell } = openSetup(station(device(FIRST, { commands: [work] }), device(SECOND, { commands: [flash] })));
  await tell(acknowledged(FIRST, work));
  expect(
    screen.getByText(`That press counted for order 10418 at ${FIRST}. Press again to set up the device.`),
  ).toBeTruthy();
  expect(largeDevice()).toBeUndefined();
  await tell(acknowledged(SECOND, flash));
  expect(largeDevice()).toBe(SECOND);
});

const now = () => ({ deviceid: FIRST, at: new Date().toISOString() });

test.each<[what: string, fact: () => Fact]>([
  ['a call with the front button', () => ({ type: 'device.called', ...now(), acknack: 'call' })],
  ['a call with plus', () => ({ type: 'device.called', ...now(), acknack: 'call_up' })],
  ['a call with minus', () => ({ type: 'device.called', ...now(), acknack: 'call_down' })],
  ['a long press', () => ({ type: 'device.pressed', ...now(), button: 'front', hold: 'long' })],
  ['a press on plus', () => ({ type: 'device.pressed', ...now(), button: 'plus', hold: 'short' })],
  ['a press on minus', () => ({ type: 'device.pressed', ...now(), button: 'minus', hold: 'short' })],
  ['a late press', () => ({ type: 'press.late', ...now(), location: '', quantity: null, picker: null })],
])('%s also selects the device', async (_what, fact) => {
  const { tell } = openSetup();
  await tell(fact());
  expect(largeDevice()).toBe(FIRST);
});

test('does not flash a device that is lit for work', async () => {
  const { tell, calls } = openSetup(station(device(FIRST, { commands: [command('7')] })));
  await tell(pressOf(FIRST));
  expect(screen.getByText('Lit for work, so it does not flash.')).toBeTruthy();
  expect(calls).toEqual([]);
});

test('asks before taking an occupied place, and then removes the label and the cell from the other device', async () => {
  const other = device(SECOND, { locationoverride: 'A-1-2' });
  const at = (deviceid: string, column: number) => ({ deviceid, shelf: 's', column });
  const map = { racks: openRacks(), places: [at(FIRST, 0), at(SECOND, 1)], zones: [] };
  const { tell, calls } = openSetup({ ...station(device(FIRST), other), map });
  await tell(pressOf(FIRST));
  await typePlace('a-1-2');
  await enter();
  expect(screen.getByRole('heading', { name: 'a-1-2 is taken' })).toBeTruthy();
  expect(screen.getByText(`${SECOND} has the label a-1-2 and will lose it.`)).toBeTruthy();
  expect(document.activeElement?.textContent).toBe('Choose another place');
  expect(calls).toEqual([`flash ${FIRST}`]);
  await pressButton('Choose another place');
  await typePlace('A-1-2');
  await enter();
  await pressButton('Move A-1-2 here');
  expect(calls.slice(1)).toEqual([
    `label ${FIRST} A-1-2`,
    `label ${SECOND} `,
    `place ${FIRST} s 1`,
    // The other device had moved to the cell that the first one left.
    `unplace ${SECOND}`,
  ]);
  await pressButton(/^Back/);
  expect(calls.slice(5, -1)).toEqual([
    `label ${FIRST} `,
    `label ${SECOND} A-1-2`,
    `place ${FIRST} s 0`,
    `place ${SECOND} s 1`,
  ]);
  expect(largeDevice()).toBe(FIRST);
});

const openRacks = () => [{ id: 'r', name: 'Rack A', note: '', columns: 3, shelves: [{ id: 's', name: 'A-1' }] }];

test('rejects an alias or a DeviceID as a label', async () => {
  const aliases = [{ id: 1, name: 'Returns', deviceid: SECOND, deviceIs: 'Above' }] as const;
  const { tell, calls } = openSetup({ aliases: [...aliases] });
  await tell(pressOf(FIRST));
  await typePlace('returns');
  await enter();
  expect(screen.getByText(/^Returns is already an alias for 51D000:000002\./)).toBeTruthy();
  await typePlace(SECOND.toLowerCase());
  await enter();
  expect(screen.getByText(`${SECOND} is another device. Scan or type a place.`)).toBeTruthy();
  expect(calls).toEqual([`flash ${FIRST}`]);
});

test('a refused label changes nothing, and a retry works', async () => {
  let isRefused = true;
  const { tell, calls, changed } = openSetup(
    {},
    {
      sendToDevice: async ({ path: { DeviceID: deviceid }, body: { locationoverride: label = '' } }) => {
        if (isRefused) throw new ApiError('unreachable', 'The station did not answer.');
        calls.push(`label ${deviceid} ${label}`);
        return { deviceid, updated: [], warnings: ['Its label is cut.'] };
      },
    },
  );
  await tell(pressOf(FIRST));
  await typePlace('A-1-1');
  await enter();
  expect(screen.getByText(`The place of ${FIRST} was not saved. The station did not answer.`)).toBeTruthy();
  expect(calls).toEqual([`flash ${FIRST}`]);
  expect(largeDevice()).toBe(FIRST);
  isRefused = false;
  await enter();
  expect(screen.getByText(`${FIRST} is now A-1-1. Its label is cut.`)).toBeTruthy();
  await tell(changed(FIRST, 'A-1-1'));
});

test('a label whose response was lost counts as set once the station reports it', async () => {
  const { tell, changed } = openSetup({}, { sendToDevice: refuse('The station did not answer.') });
  await tell(pressOf(FIRST));
  await typePlace('Dock');
  await enter();
  await tell(changed(FIRST, 'Dock'));
  expect(largeDevice()).toBe(FIRST);
  await typePlace('');
  await pressButton(/^Keep Dock/);
  expect(screen.getAllByText(/^1 set up/)).not.toEqual([]);
});

test('if the place on the map is refused, reports this, but counts the label as set', async () => {
  const { tell } = openSetup({}, { placeDevice: refuse('There is no shelf s.') });
  await tell(pressOf(FIRST));
  await typePlace('A-1-3');
  await enter();
  const sentence = 'The label A-1-3 is set, but its place on the map is not: There is no shelf s.';
  expect(screen.getByText(`${FIRST} is now A-1-3. ${sentence}`)).toBeTruthy();
  expect(screen.getAllByText(/^1 set up/)).not.toEqual([]);
});

test('accepts a new device together with its place', async () => {
  const { tell, calls } = openSetup();
  await tell(pressOf(NEW));
  expect(screen.getByText('A new device. Giving it a place accepts it.')).toBeTruthy();
  expect(calls).toEqual([]);
  await typePlace('Dock');
  await enter();
  expect(calls).toEqual([`accept ${NEW} Dock`]);
});

test('without the right to edit the map, sets only labels and accepts no new device', async () => {
  const known = station(device(FIRST));
  const user = { name: 'ben', scope: 'control', rights: ['edit_labels', 'work'] } as const;
  const { tell, calls } = openSetup({ ...known, map: MAP, user: { ...user, rights: [...user.rights] } });
  await tell(pressOf(NEW));
  expect(screen.getByText(/^51D0AB:000009 is not accepted yet\. Ask an admin/)).toBeTruthy();
  await tell(pressOf(FIRST));
  await typePlace('A-1-1');
  await enter();
  expect(calls).toEqual([`flash ${FIRST}`, `label ${FIRST} A-1-1`]);
});

test('skips a device that gets a label in another window, even if it is still waiting', async () => {
  const { tell, changed } = openSetup();
  await tell(pressOf(FIRST), pressOf(SECOND), pressOf(THIRD));
  await tell(changed(SECOND, 'B-1'));
  expect(screen.getByText(`Waiting: ${THIRD}`)).toBeTruthy();
  await tell(changed(FIRST, 'B-2'));
  expect(screen.getByText(`${FIRST} got the label B-2 in another window.`)).toBeTruthy();
  expect(largeDevice()).toBe(THIRD);
});

test('reports a label that was given to two devices at the same time', async () => {
  const { tell, changed } = openSetup();
  await tell(pressOf(FIRST));
  await typePlace('Dock');
  await enter();
  await tell(changed(SECOND, 'Dock'));
  expect(screen.getByText(`Dock is the label of ${FIRST} and ${SECOND}. Set up one of them again.`)).toBeTruthy();
});

test('skips a removed device, and does not undo a device that has changed since', async () => {
  const { tell, changed, calls } = openSetup();
  await tell(pressOf(FIRST));
  await typePlace('Dock');
  await enter();
  await tell(pressOf(SECOND));
  await tell({ type: 'device.removed', deviceid: SECOND });
  expect(screen.getByText(/^51D000:000002 has since been removed from the station\./)).toBeTruthy();
  await tell(changed(FIRST, 'Gate'));
  const before = calls.length;
  await pressButton(/^Back/);
  expect(screen.getByText(`${FIRST} has changed since and is now Gate. It was not undone.`)).toBeTruthy();
  expect(calls.slice(before).filter((call) => call.startsWith('label'))).toEqual([]);
  expect(largeDevice()).toBeUndefined();
});

test('undoes a place that the page does not show yet', async () => {
  const sent: unknown[] = [];
  const { tell } = openSetup(
    { map: { ...MAP, racks: [] } },
    {
      sendToDevice: async ({ path: { DeviceID: deviceid }, body: { locationoverride } }) => {
        sent.push(locationoverride);
        return { deviceid, updated: ['locationoverride'], warnings: [] };
      },
      getStation: async () => station(device(FIRST, { locationoverride: 'Dock' })),
    },
  );
  await tell(pressOf(FIRST));
  await typePlace('Dock');
  await enter();
  await pressButton(/^Back/);
  expect(screen.getByText(`Undone: ${FIRST} is no longer Dock.`)).toBeTruthy();
  expect(sent).toEqual(['Dock', '']);
});

test('a second quick Enter does not apply to the next device', async () => {
  const now = Date.now();
  const clock = vi.spyOn(Date, 'now').mockReturnValue(now);
  const { tell, calls } = openSetup();
  await setPattern('B-{1..9}');
  await tell(pressOf(FIRST), pressOf(SECOND));
  await enter();
  clock.mockReturnValue(now + 299);
  await enter();
  expect(largeDevice()).toBe(SECOND);
  expect(calls.filter((call) => call.startsWith('label'))).toEqual([`label ${FIRST} B-1`]);
  clock.mockReturnValue(now + 300);
  await enter();
  clock.mockRestore();
  expect(calls.filter((call) => call.startsWith('label'))).toEqual([`label ${FIRST} B-1`, `label ${SECOND} B-2`]);
});

test.each(['keeps the place', 'types the place again'])(
  'Back undoes a rename whose answer was lost as a rename, if the person %s',
  async (how) => {
    let isLost = true;
    const renamePlaces = vi.fn<Stubs['renamePlaces']>(async ({ body }) => {
      apply(changed(FIRST, (body as { to: string }).to));
      if (isLost) throw new ApiError('unreachable', 'The station does not answer.');
      return { renamed: [] };
    });
    const { apply, calls, tell, changed } = openSetup(
      { devices: [device(FIRST, { locationoverride: 'B-1' }), device(SECOND), device(THIRD)] },
      { renamePlaces },
    );
    await tell(pressOf(FIRST));
    await typePlace('B-2');
    await enter();
    await act(async () => fireEvent.click(screen.getByRole('radio', { name: /^Rename the place/ })));
    await pressButton('Take B-2');
    expect(screen.getByText(/The station does not answer/)).toBeTruthy();
    isLost = false;
    await pressButton('Choose another place');
    if (how === 'types the place again') await typePlace('B-2');
    await enter();
    await pressButton('Back Undo B-2');
    expect(renamePlaces.mock.calls.at(-1)).toEqual([{ body: { from: 'B-2', to: 'B-1' } }]);
    expect(calls).not.toContain(`label ${FIRST} B-1`);
  },
);

test('another place for a device that has one asks which is meant, and Back undoes a rename as a rename', async () => {
  const renamePlaces = vi.fn<Stubs['renamePlaces']>(async ({ body }) => {
    const { from, to } = body as { from: string; to: string };
    apply(changed(FIRST, to));
    return { renamed: [{ from, to, articles: [], tasks: 0, lines: 0, aliases: [], devices: [FIRST] }] };
  });
  const { calls, apply, tell, changed } = openSetup(
    { devices: [device(FIRST, { locationoverride: 'B-1' }), device(SECOND), device(THIRD)] },
    { renamePlaces },
  );
  await tell(pressOf(FIRST));
  await typePlace('B-2');
  await enter();
  expect(screen.getByRole('heading', { name: 'From B-1 to B-2' })).toBeTruthy();
  expect(calls).toEqual([`flash ${FIRST}`]);
  expect(screen.getByRole('button', { name: 'Choose one of the two' })).toHaveProperty('disabled', true);
  await act(async () => fireEvent.click(screen.getByRole('radio', { name: /^Rename the place/ })));
  await pressButton('Take B-2');
  expect(renamePlaces.mock.calls).toEqual([[{ body: { from: 'B-1', to: 'B-2' } }]]);
  expect(screen.getByText('B-1 is called B-2 now.')).toBeTruthy();
  await pressButton('Back Undo B-2');
  expect(renamePlaces.mock.calls.at(-1)).toEqual([{ body: { from: 'B-2', to: 'B-1' } }]);
  await typePlace('B-2');
  await enter();
  await act(async () => fireEvent.click(screen.getByRole('radio', { name: /^Move the device/ })));
  await pressButton('Take B-2');
  expect(renamePlaces).toHaveBeenCalledTimes(2);
  expect(calls.filter((call) => call.startsWith('label'))).toEqual([`label ${FIRST} B-2`]);
});
