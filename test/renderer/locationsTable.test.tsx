import { act, fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { LocationAlias, NewLocationAlias } from '#shared/api/alias.ts';
import type { DeviceRequest } from '#shared/api/device.ts';
import { ApiError } from '../../renderer/src/words/apiError.ts';
import { applyMessages } from '../../renderer/src/station/store.ts';
import { ALIASES, DEVICES, ONE, openLocations, placesShown, THREE, TWO } from './locationsSupport.tsx';
import { command, device } from './support.tsx';

const press = (name: string | RegExp, role = 'button') =>
  act(async () => fireEvent.click(screen.getByRole(role, { name })));
const type = (name: string, value: string) =>
  act(async () => fireEvent.change(screen.getByRole('textbox', { name }), { target: { value } }));
const choose = (name: string, value: string) =>
  act(async () => fireEvent.change(screen.getByRole('combobox', { name }), { target: { value } }));
/** Dialogs are loaded when they are first needed. */
const dialog = () => screen.findByRole('form');
async function submit(): Promise<void> {
  const form = await dialog();
  await act(async () => fireEvent.submit(form));
}

async function pick(row: string, item: string): Promise<void> {
  await press(`More for ${row}`);
  await act(async () => fireEvent.click(screen.getByRole('menuitem', { name: item })));
}

test('lists labels, aliases and devices without a name in one table, in natural order', async () => {
  await openLocations();
  expect(placesShown()).toEqual(['A-2', 'A-3', 'A-10', 'Returns', 'Without a name']);
  expect(screen.getByText('2 labels · 2 aliases')).toBeTruthy();
  const row = screen.getByRole('row', { name: /A-3/ });
  expect(within(row).getByRole('link').getAttribute('href')).toBe(`/today?device=${TWO}`);
  expect(row.textContent).toContain('to the Left of');
  expect(row.textContent).toContain('The device points to the right');
});

test('marks only the place that its device is lit for, and counts the commands waiting for each place', async () => {
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
  await openLocations({}, { devices: [lit] });
  const linkOf = (name: string) =>
    screen
      .getByRole('button', { name: `Edit ${name}` })
      .closest('[role="row"]')
      ?.querySelector('a')?.textContent;
  expect(linkOf('Returns')).toMatch(/^B?A-2 51D000:000002 · 1 waitsLit blue/);
  expect(linkOf('A-3')).toMatch(/^A-2 51D000:000002 · lit for Returns · 1 waits$/);
  expect(linkOf('A-2')).toMatch(/^A-2 51D000:000002 · lit for Returns$/);
});

test('a click on a column sorts by it, and a second click reverses the order', async () => {
  await openLocations();
  await press('Where the device is');
  expect(placesShown()).toEqual(['A-2', 'A-10', 'Returns', 'A-3', 'Without a name']);
  await press('Place');
  await press('Place');
  expect(placesShown()).toEqual(['Returns', 'A-10', 'A-3', 'A-2', 'Without a name']);
  expect(screen.getByRole('columnheader', { name: 'Place' }).getAttribute('aria-sort')).toBe('descending');
});

test('the search covers places, devices and positions, and the filter selects a kind', async () => {
  await openLocations();
  const search = (value: string) =>
    act(async () => fireEvent.change(screen.getByRole('searchbox'), { target: { value } }));
  await search('000002 below');
  expect(placesShown()).toEqual(['Returns']);
  await search('a-2');
  expect(placesShown()).toEqual(['A-2', 'A-3', 'Returns']);
  await search('nothing like it');
  await press('Show all places');
  await press(/^Aliases/, 'radio');
  expect(placesShown()).toEqual(['A-3', 'Returns']);
});

test('changes of another window appear', async () => {
  const { store } = await openLocations();
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
  expect(placesShown()).toEqual(['A-2', 'A-3', 'A-5', 'A-10', 'Without a name']);
});

test('draws only the visible rows of ten thousand places', async () => {
  const aliases = Array.from({ length: 10_000 }, (_, index): LocationAlias => {
    return { id: index + 1, name: `P-${index}`, deviceid: TWO, deviceIs: 'Below' };
  });
  await openLocations({}, { aliases });
  expect(placesShown().length).toBeLessThan(60);
  expect(screen.getByRole('grid').getAttribute('aria-rowcount')).toBe('10004');
});

test('arrow keys move between and along rows, and Tab stops at one row', async () => {
  await openLocations();
  const first = screen.getByRole('button', { name: 'Edit A-2' });
  first.focus();
  const key = (key: string) => act(async () => fireEvent.keyDown(document.activeElement ?? first, { key }));
  await key('ArrowDown');
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Edit A-3' }));
  await key('ArrowRight');
  expect(document.activeElement?.getAttribute('href')).toBe(`/today?device=${TWO}`);
  await key('End');
  expect(document.activeElement?.getAttribute('href')).toBe(`/today?device=${THREE}`);
  const links = within(screen.getByRole('grid')).getAllByRole('link');
  expect(links.filter(({ tabIndex }) => tabIndex === 0)).toEqual([document.activeElement]);
  await act(async () => links[1]?.focus());
  expect(links.filter(({ tabIndex }) => tabIndex === 0)).toEqual([links[1]]);
});

test('adds an alias for a device found by its label, and Undo removes it', async () => {
  const added: NewLocationAlias[] = [];
  const removed: number[] = [];
  await openLocations({
    addAlias(alias) {
      added.push(alias);
      return Promise.resolve({ id: 9, ...alias });
    },
    removeAlias(id) {
      removed.push(id);
      return Promise.resolve();
    },
  });
  await press('Add an alias');
  await submit();
  expect(screen.getByText('Enter a place.')).toBeTruthy();
  expect(screen.getByText('Choose a device.')).toBeTruthy();
  await type('Place The location in requests', ' B-1 ');
  await choose('Device', 'a-10');
  await press('Above and to the Left of', 'radio');
  expect(screen.getByText(/so it points to the bottom right/)).toBeTruthy();
  await submit();
  expect(added).toEqual([{ name: 'B-1', deviceid: ONE, deviceIs: 'Above and to the Left of' }]);
  expect(screen.getByText('Alias B-1 added.')).toBeTruthy();
  await press('Undo');
  expect(removed).toEqual([9]);
});

test('a refusal of the station is reported at its field, and the input stays', async () => {
  const message = 'The name "A-3" is that of alias 1, at 51D000:000002.';
  await openLocations({
    addAlias: () => Promise.reject(new ApiError('conflict', message, [{ path: '/name', message }])),
  });
  await press('Add an alias');
  await type('Place The location in requests', 'A-3');
  await choose('Device', ONE);
  await submit();
  const field = screen.getByRole('textbox', { name: /^Place/ });
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(field).toHaveProperty('value', 'A-3');
  expect(screen.getByText(message)).toBeTruthy();
});

test('an unknown device is reported before anything is sent', async () => {
  await openLocations();
  await press('Add an alias');
  await type('Place The location in requests', 'B-1');
  await choose('Device', 'nowhere');
  await submit();
  expect(screen.getByText('No device is called “nowhere”. Choose one from the list.')).toBeTruthy();
});

test('changes an alias, and Undo restores it', async () => {
  const sent: unknown[] = [];
  await openLocations({
    changeAlias(id, alias) {
      sent.push([id, alias]);
      return Promise.resolve({ ...alias, id });
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

test('warns when editing a place of a slow device, and only then', async () => {
  const slow = { screen: true, led: true, buttons: 1, latency: 'slow' } as const;
  const devices = DEVICES.map((each) => (each.deviceid === TWO ? { ...each, capabilities: slow } : each));
  await openLocations({}, { devices });
  const said = () => screen.queryAllByText(/^This device is slow: it shows a change within 40 seconds\./).length;
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

test('deletes an alias at once, and Undo creates it again', async () => {
  const calls: unknown[] = [];
  await openLocations({
    removeAlias: async (id) => void calls.push(id),
    addAlias(alias) {
      calls.push(alias);
      return Promise.resolve({ id: 3, ...alias });
    },
  });
  await pick('Returns', 'Delete the alias');
  expect(screen.getByText('Alias Returns deleted.')).toBeTruthy();
  await press('Undo');
  expect(calls).toEqual([2, { name: 'Returns', deviceid: TWO, deviceIs: 'Below' }]);
});

test('edits a label, and gives a label to a device without one', async () => {
  const sent: [string, DeviceRequest][] = [];
  await openLocations({
    send(deviceid, request) {
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

test('replacing a device says what moves, and rejects a busy device and what the station refuses', async () => {
  const calls: string[][] = [];
  const busy = device(THREE, { commands: [command('1')] });
  const [one, two] = DEVICES;
  if (one === undefined || two === undefined) throw new Error('No devicess');
  let isFree = false;
  await openLocations(
    {
      replaceDevice(...call) {
        calls.push(call);
        return isFree
          ? Promise.resolve()
          : Promise.reject(new ApiError('conflict', `${ONE} has open work of its own.`));
      },
    },
    { devices: [one, two, busy] },
  );
  await pick('Returns', 'Replace the device…');
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

test('a read-only user can change nothing, and Replace needs the role admin', async () => {
  await openLocations({}, { scope: 'read' });
  await press('Add an alias');
  expect(screen.getByRole('dialog', { name: 'Not allowed' })).toBeTruthy();
  await act(async () => fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' }));
  expect(screen.queryByRole('button', { name: 'Edit A-2' })).toBeNull();
  await press('More for A-2');
  expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual([
    'Edit the label…Needs the role control',
    'Add an alias for its device…Needs the role control',
    'Open the device',
    'Print its label',
    'Replace the device…Needs the role admin',
    'Clear the labelNeeds the role control',
  ]);
});

test('without names, says so and offers to label the devices', async () => {
  await openLocations({}, { devices: [device(THREE)], aliases: [] });
  expect(screen.getByRole('heading', { name: 'No named places yet' })).toBeTruthy();
  await press('Label the devices');
  expect(placesShown()).toEqual(['Without a name']);
});

test('without devices, says that there are none yet', async () => {
  await openLocations({}, { devices: [], aliases: [] });
  expect(screen.getByRole('heading', { name: 'No devices yet' })).toBeTruthy();
});
