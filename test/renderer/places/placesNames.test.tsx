import { act, fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { LocationAlias, NewLocationAlias } from '#shared/api/alias.ts';
import type { DeviceRequest } from '#shared/api/device.ts';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { applyMessages } from '../../../renderer/src/station/live/store.ts';
import { ALIASES, DEVICES, ONE, openNames, placesShown, THREE, TWO } from './placeNamesSupport.tsx';
import { command, device } from '../support.tsx';

const press = (name: string | RegExp, role = 'button') =>
  act(async () => fireEvent.click(screen.getByRole(role, { name })));
const type = (name: string, value: string) =>
  act(async () => fireEvent.change(screen.getByRole('textbox', { name }), { target: { value } }));
const choose = (name: string, value: string) =>
  act(async () => fireEvent.change(screen.getByRole('combobox', { name }), { target: { value } }));
/** Waits for the dialog, whose code is loaded on first use. */
const dialog = () => screen.findByRole('form');
async function submit(): Promise<void> {
  const form = await dialog();
  await act(async () => fireEvent.submit(form));
}

/** Opens the list of all aliases of A-2 and presses a button in it. */
async function inList(name: string): Promise<void> {
  await pick('A-2', 'Its other places…');
  await press(name);
}

async function pick(row: string, item: string): Promise<void> {
  await press(`More for ${row}`);
  await act(async () => fireEvent.click(screen.getByRole('menuitem', { name: item })));
}

const rowOf = (name: string) => screen.getByRole('row', { name: new RegExp(name) });

test("each row shows a place, its device and the device's aliases; a device without a name comes last", async () => {
  await openNames();
  expect(placesShown()).toEqual(['A-2', 'A-10', 'Without a name']);
  expect(screen.getByText('3 devices, all OK')).toBeTruthy();
  expect(within(rowOf('A-2')).getByRole('link').getAttribute('href')).toBe(`/places?device=${TWO}`);
  expect(within(rowOf('A-2')).getByRole('button', { name: 'Edit Returns' })).toBeTruthy();
  expect(within(rowOf('A-10')).queryByRole('button', { name: 'Edit Returns' })).toBeNull();
});

test("a device's row shows the alias that it is lit for, and how many commands wait", async () => {
  const screenOf = { label: '', lines: [], quantity: null, arrow: null, barcode: '', qrcode: '', icon: '' };
  const led = { mode: 'steady', hex: '#0000ff', letter: 'B' } as const;
  const lit = device(TWO, {
    locationoverride: 'A-2',
    location: 'A-2',
    displayed: { command_id: '1', screen: screenOf, led },
    commands: [
      command('1', { alias_id: 2, location: 'Returns' }),
      command('2', { alias_id: 1, location: 'A-3', state: 'queued' }),
      command('3', { alias_id: 2, location: 'Returns', state: 'queued' }),
    ],
  });
  await openNames({}, { devices: [lit] });
  expect(within(rowOf('A-2')).getByRole('link').textContent).toMatch(
    /^B51D000:000002 lit for Returns · 2 waitingLit blue/,
  );
});

test('sorts by aliases, with devices without aliases last in both directions', async () => {
  const aliases = [...ALIASES, { id: 3, name: 'B-1', deviceid: ONE, deviceIs: 'Above' as const }];
  await openNames({}, { aliases });
  await press('Aliases');
  expect(placesShown()).toEqual(['A-2', 'A-10', 'Without a name']);
  await press('Aliases');
  expect(placesShown()).toEqual(['A-10', 'A-2', 'Without a name']);
  expect(screen.getByRole('columnheader', { name: 'Aliases' }).getAttribute('aria-sort')).toBe('descending');
});

test('searches places, aliases, devices and positions, and filters by aliases or by missing names', async () => {
  await openNames();
  const search = (value: string) =>
    act(async () => fireEvent.change(screen.getByRole('searchbox'), { target: { value } }));
  await search('000002 below');
  expect(placesShown()).toEqual(['A-2']);
  await search('returns');
  expect(placesShown()).toEqual(['A-2']);
  await search('nothing like it');
  await press('Show all places');
  await press(/^For several places/, 'radio');
  expect(placesShown()).toEqual(['A-2']);
  await press(/^Without a name/, 'radio');
  expect(placesShown()).toEqual(['Without a name']);
});

test('shows changes made in another window', async () => {
  const { store } = await openNames();
  const alias: LocationAlias = { id: 3, name: 'A-5', deviceid: ONE, deviceIs: 'Above' };
  await act(async () =>
    applyMessages(store, [
      {
        kind: 'facts',
        revision: 6,
        facts: [
          { type: 'alias.changed', alias },
          { type: 'alias.removed', id: 2 },
        ],
      },
    ]),
  );
  expect(within(rowOf('A-10')).getByRole('button', { name: 'Edit A-5' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Edit Returns' })).toBeNull();
});

test('the row of a device with ten thousand aliases shows two of them, and the full list can be searched', async () => {
  const aliases = Array.from({ length: 10_000 }, (_, index): LocationAlias => {
    return { id: index + 1, name: `P-${index}`, deviceid: TWO, deviceIs: 'Below' };
  });
  await openNames({}, { aliases });
  expect(within(rowOf('A-2')).getAllByRole('button', { name: /^Edit P/ })).toHaveLength(2);
  await press('All places that A-2 also lights for');
  const list = within(screen.getByRole('dialog')).getByRole('list');
  expect(within(list).getAllByRole('listitem')).toHaveLength(101);
  const box = within(screen.getByRole('dialog')).getByRole('searchbox');
  await act(async () => fireEvent.change(box, { target: { value: 'p-9876' } }));
  expect(within(list).getAllByRole('listitem')).toHaveLength(1);
});

test('arrow keys move between rows and within a row, and Tab stops at one row only', async () => {
  await openNames();
  const first = screen.getByRole('button', { name: 'Edit A-2' });
  first.focus();
  const key = (key: string) => act(async () => fireEvent.keyDown(document.activeElement ?? first, { key }));
  await key('ArrowDown');
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Edit A-10' }));
  await key('ArrowRight');
  expect(document.activeElement?.getAttribute('href')).toBe(`/places?device=${ONE}`);
  await key('End');
  expect(document.activeElement?.getAttribute('href')).toBe(`/places?device=${THREE}`);
  const links = within(screen.getByRole('grid')).getAllByRole('link');
  expect(links.filter(({ tabIndex }) => tabIndex === 0)).toEqual([document.activeElement]);
  await act(async () => links[1]?.focus());
  expect(links.filter(({ tabIndex }) => tabIndex === 0)).toEqual([links[1]]);
});

test('adds an alias for a device found by its label, and Undo removes it', async () => {
  const added: object[] = [];
  const removed: number[] = [];
  await openNames({
    addLocationAlias({ body: alias }) {
      added.push(alias);
      return Promise.resolve({ id: 9, ...(alias as NewLocationAlias) });
    },
    removeLocationAlias({ path: { id } }) {
      removed.push(Number(id));
      return Promise.resolve();
    },
  });
  await press('Add another place');
  await submit();
  expect(screen.getByText('Enter a place.')).toBeTruthy();
  expect(screen.getByText('Choose a device.')).toBeTruthy();
  await type('Place The location in requests', ' B-1 ');
  await choose('Device', 'a-10');
  await press('Above and to the Left of', 'radio');
  expect(screen.getByText(/so its arrow points to the bottom right/)).toBeTruthy();
  await submit();
  expect(added).toEqual([{ name: 'B-1', deviceid: ONE, deviceIs: 'Above and to the Left of' }]);
  expect(screen.getByText('Place B-1 added.')).toBeTruthy();
  await press('Undo');
  expect(removed).toEqual([9]);
});

test('shows a refusal by the station at the field, and keeps the input', async () => {
  const message = 'The name "A-3" is that of alias 1, at 51D000:000002.';
  await openNames({
    addLocationAlias: () => Promise.reject(new ApiError('conflict', message, [{ path: '/name', message }])),
  });
  await press('Add another place');
  await type('Place The location in requests', 'A-3');
  await choose('Device', ONE);
  await submit();
  const field = screen.getByRole('textbox', { name: /^Place/ });
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(field).toHaveProperty('value', 'A-3');
  expect(screen.getByText(message)).toBeTruthy();
});

test('reports an unknown device before it sends anything', async () => {
  await openNames();
  await press('Add another place');
  await type('Place The location in requests', 'B-1');
  await choose('Device', 'nowhere');
  await submit();
  expect(screen.getByText('No device is called “nowhere”. Choose one from the list.')).toBeTruthy();
});

test('changing the arrow of an alias does not point it back to a device that was replaced in the meantime', async () => {
  const sent: unknown[] = [];
  const context = await openNames({
    changeLocationAlias({ path: { id }, body: alias }) {
      sent.push(alias);
      return Promise.resolve({ ...(alias as NewLocationAlias), id: Number(id) });
    },
  });
  await press('Edit A-3');
  const known = context.store.getState().station;
  const aliases = ALIASES.map((each) => (each.id === 1 ? { ...each, deviceid: ONE } : each));
  await act(async () => context.store.setState({ station: known && { ...known, aliases } }));
  await press('Below', 'radio');
  await submit();
  expect(sent).toEqual([{ name: 'A-3', deviceid: ONE, deviceIs: 'Below' }]);
});

test('changes an alias, and Undo restores it', async () => {
  const sent: unknown[] = [];
  await openNames({
    changeLocationAlias({ path: { id }, body: alias }) {
      sent.push([id, alias]);
      return Promise.resolve({ ...(alias as NewLocationAlias), id: Number(id) });
    },
  });
  await press('Edit A-3');
  await press('Below', 'radio');
  await submit();
  await press('Undo');
  expect(sent).toEqual([
    [1, { name: 'A-3', deviceid: TWO, deviceIs: 'Below' }],
    [1, ALIASES[0]],
  ]);
});

test('warns only while a place of a slow device is edited', async () => {
  const slow = { screen: true, led: true, buttons: 1, latency: 'slow' } as const;
  const devices = DEVICES.map((each) => (each.deviceid === TWO ? { ...each, capabilities: slow } : each));
  await openNames({}, { devices });
  const said = () => screen.queryAllByText(/^This device is slow: changes take up to 40 seconds\./).length;
  expect(said()).toBe(0);
  await press('Edit A-3');
  expect(said()).toBe(1);
  await press('Cancel');
  await press('Edit A-2');
  expect(said()).toBe(1);
  await press('Cancel');
  await press('Edit A-10');
  expect(said()).toBe(0);
});

test('deletes an alias without asking, and Undo creates it again', async () => {
  const calls: unknown[] = [];
  await openNames({
    removeLocationAlias: async ({ path: { id } }) => void calls.push(id),
    addLocationAlias({ body: alias }) {
      calls.push(alias);
      return Promise.resolve({ id: 3, ...(alias as NewLocationAlias) });
    },
  });
  await inList('Delete the place Returns');
  expect(screen.getByText('Place Returns deleted.')).toBeTruthy();
  await press('Undo');
  expect(calls).toEqual([2, { name: 'Returns', deviceid: TWO, deviceIs: 'Below' }]);
});

test('edits a label, and gives a label to a device without one', async () => {
  const sent: [string, DeviceRequest][] = [];
  await openNames({
    sendToDevice({ path: { DeviceID: deviceid }, body: request }) {
      sent.push([deviceid, request]);
      return Promise.resolve({ deviceid, updated: ['locationoverride'], warnings: ['It is too long.'] });
    },
  });
  await press('Edit A-2');
  await type('Place of the device Shown in the corner of its screen', 'A-2-1');
  await submit();
  expect(screen.getByText('Label A-2-1 saved. It is too long.')).toBeTruthy();
  await press(`Without a name: ${THREE}`);
  await type('Place of the device Shown in the corner of its screen', 'C-1');
  await submit();
  expect(sent).toEqual([
    [TWO, { locationoverride: 'A-2-1' }],
    [THREE, { locationoverride: 'C-1' }],
  ]);
});

test('a place is renamed with its goods, and Undo renames it back', async () => {
  const sent: unknown[] = [];
  await openNames({
    renamePlaces({ body }) {
      sent.push(body);
      return Promise.resolve({ renamed: [] });
    },
  });
  await pick('A-2', 'Rename the place…');
  await submit();
  expect(screen.getByText('Enter the new name.')).toBeTruthy();
  await type('New name', ' C-2 ');
  await submit();
  expect(screen.getByText('A-2 is called C-2 now.')).toBeTruthy();
  await press('Undo');
  expect(sent).toEqual([
    { from: 'A-2', to: 'C-2' },
    { from: 'C-2', to: 'A-2' },
  ]);
});

test('another name of an alias is saved only after the person says whether the place is renamed', async () => {
  const sent: unknown[] = [];
  await openNames({
    renamePlaces({ body }) {
      sent.push(body);
      return Promise.resolve({ renamed: [] });
    },
    changeLocationAlias({ path: { id }, body }) {
      sent.push([id, body.name]);
      return Promise.resolve({ id, ...body } as LocationAlias);
    },
  });
  await press('Edit Returns');
  await dialog();
  await type('Place The location in requests', 'Inbox');
  await submit();
  expect(screen.getByText('Choose whether you move the device or rename the place.')).toBeTruthy();
  expect(sent).toEqual([]);
  await press(/^Rename the place/, 'radio');
  await submit();
  expect(sent).toEqual([{ from: 'Returns', to: 'Inbox' }, [2, 'Inbox']]);
});

test('“Replace” shows what moves, rejects a busy device, and shows refusals by the station', async () => {
  const calls: string[][] = [];
  const busy = device(THREE, { commands: [command('1')] });
  const [one, two] = DEVICES;
  if (one === undefined || two === undefined) throw new Error('No devicess');
  let isFree = false;
  await openNames(
    {
      replaceDevice({ path: { DeviceID: deviceid }, body: { deviceid: by } }) {
        calls.push([deviceid, by]);
        return isFree
          ? Promise.resolve()
          : Promise.reject(new ApiError('conflict', `${ONE} has open work of its own.`));
      },
    },
    { devices: [one, two, busy] },
  );
  await pick('A-2', 'Replace the device…');
  expect(screen.getByText('The aliases A-3, Returns')).toBeTruthy();
  expect(screen.getByText('The label A-2 and the statics')).toBeTruthy();
  await choose('New device', THREE);
  await submit();
  expect(screen.getByText(/has open commands. Choose another/)).toBeTruthy();
  await choose('New device', ONE);
  expect(screen.getByText('The new device loses its own label A-10.')).toBeTruthy();
  await submit();
  expect(screen.getByText(`Nothing was replaced. ${ONE} has open work of its own.`)).toBeTruthy();
  isFree = true;
  await submit();
  expect(calls).toEqual([
    [TWO, ONE],
    [TWO, ONE],
  ]);
  expect(screen.getByText(`${ONE} is now the device at A-2.`)).toBeTruthy();
});

test('a read-only user cannot change anything, and only an admin can replace a device', async () => {
  await openNames({}, { scope: 'read' });
  await press('Add another place');
  expect(screen.getByRole('dialog', { name: 'Not allowed' })).toBeTruthy();
  await act(async () => fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' }));
  expect(screen.queryByRole('button', { name: 'Edit A-2' })).toBeNull();
  await press('More for A-2');
  expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual([
    'Open the device',
    'Move the device…Requires the control role',
    'Rename the place…Requires the control role',
    'Add another place for its device…Requires the control role',
    'Its other places…',
    'Print its labels',
    'Replace the device…Requires the admin role',
    'Clear the labelRequires the control role',
    'Remove the device…Requires the admin role',
  ]);
});

test('without devices, shows that there are none yet', async () => {
  await openNames({}, { devices: [], aliases: [] });
  expect(screen.getByRole('heading', { name: 'No devices yet' })).toBeTruthy();
});
