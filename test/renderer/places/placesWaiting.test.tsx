import { act, fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { GoodsPlace } from '#shared/api/place.ts';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import type { Stubs } from '../support.tsx';
import { devicesShown, openPlaces, press, WEAK, WELL } from './placesSupport.tsx';

const place = (name: string, given: Partial<GoodsPlace> = {}): GoodsPlace => {
  return { name, deviceid: null, aliases: [], articles: [], cell: null, note: '', ...given };
};
const NUT = { sku: 'CT-200', name: 'Nut', on_hand: 18 };

/** Opens the page with places that wait. The stub of the station removes, creates and renames them. */
async function openWaiting(given: readonly GoodsPlace[], api: Partial<Stubs> = {}, path = '/places') {
  let places = [...given];
  const context = await openPlaces(
    {
      async listPlaces({ query: { light, after } }) {
        expect(light).toBe('0');
        return places
          .slice(after === undefined ? 0 : places.findIndex(({ name }) => name === after) + 1)
          .slice(0, 1_000);
      },
      async removePlace({ path: { name } }) {
        places = places.filter((each) => each.name !== name);
      },
      async addPlace({ body: { name, note = '' } }) {
        places = [...places, place(name, { note })];
        return place(name);
      },
      async renamePlaces({ body }) {
        const [{ from, to } = { from: '', to: '' }] = Array.isArray(body) ? body : [body];
        places = places.map((each) => (each.name === from ? { ...each, name: to } : each));
        return { renamed: [] };
      },
      ...api,
    },
    { path },
  );
  return context;
}
const rowOf = (name: string) => within(screen.getByRole('row', { name: new RegExp(name) }));
const search = (value: string) =>
  act(async () => fireEvent.change(screen.getByRole('searchbox'), { target: { value } }));
const chooseAction = async (name: string, action: string) => {
  await press(`More for ${name}`);
  await press(action, 'menuitem');
};

test('places without a device are rows between the others, with their cell, note and articles', async () => {
  const waiting = place('A-3', { cell: { shelf: 's2', column: 2 }, note: 'Behind the door', articles: [NUT] });
  await openWaiting([waiting, place('Cellar')]);
  expect(devicesShown()).toEqual(['A-1', 'A-2', 'A-3', 'A-10', 'B-1', 'Cellar', WEAK]);
  expect(screen.getByText('5 devices · 4 need care · 2 places wait for a device')).toBeTruthy();
  const row = rowOf('A-3');
  expect(row.getByText('Waits for its device')).toBeTruthy();
  expect(row.getByText('Behind the door · Rack A, shelf A-1, column 3')).toBeTruthy();
  expect(row.getByText('CT-200 Nut')).toBeTruthy();
  expect(row.queryByRole('checkbox')).toBeNull();
});

test('the search and the filter find them, and the count includes them', async () => {
  await openWaiting([place('Cellar', { note: 'Behind the door', articles: [NUT] })]);
  await search('nut behind');
  expect(devicesShown()).toEqual(['Cellar']);
  expect(screen.getByText('1 of 6 devices and places')).toBeTruthy();
  await search('');
  await press(/^No device/, 'radio');
  expect(devicesShown()).toEqual(['Cellar']);
  await press(/^Offline/, 'radio');
  expect(devicesShown()).toEqual(['A-10', 'B-1']);
});

test('more than a thousand of them are all listed', async () => {
  await openWaiting(Array.from({ length: 2_001 }, (_, index) => place(`W-${index}`)));
  expect(await screen.findByText(/2,001 places wait for a device/)).toBeTruthy();
});

test('without devices, the page lists the places', async () => {
  await openPlaces({ listPlaces: async () => [place('Cellar')] }, { devices: [] });
  expect(devicesShown()).toEqual(['Cellar']);
  expect(screen.getByText('1 place waits for a device')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Add another place' })).toBeNull();
});

test('“Hang a device here” gives the chosen device the label of the place, and says what it leaves', async () => {
  const sent: unknown[] = [];
  await openWaiting([place('Cellar')], {
    async sendToDevice({ path: { DeviceID: deviceid }, body }) {
      sent.push([deviceid, body]);
      return { warnings: [] } as never;
    },
  });
  await chooseAction('Cellar', 'Hang a device here…');
  const dialog = within(screen.getByRole('dialog', { name: 'Hang a device at Cellar' }));
  await act(async () => fireEvent.click(dialog.getByRole('button', { name: 'Hang it here' })));
  expect(dialog.getByText('Choose a device.')).toBeTruthy();
  await act(async () =>
    fireEvent.change(dialog.getByRole('combobox', { name: 'Device' }), { target: { value: 'A-1' } }),
  );
  expect(dialog.getByText(/^The device leaves A-1/)).toBeTruthy();
  await act(async () => fireEvent.submit(screen.getByRole('form', { hidden: true })));
  expect(sent).toEqual([[WELL, { locationoverride: 'Cellar' }]]);
  await press('Undo');
  expect(sent[1]).toEqual([WELL, { locationoverride: 'A-1' }]);
});

test('renames a place that waits', async () => {
  await openWaiting([place('Cellar')]);
  await press('Edit Cellar');
  const dialog = within(screen.getByRole('dialog', { name: 'Rename the place Cellar' }));
  await act(async () =>
    fireEvent.change(dialog.getByRole('textbox', { name: 'New name' }), { target: { value: 'Loft' } }),
  );
  await act(async () => fireEvent.click(dialog.getByRole('button', { name: 'Rename the place' })));
  await expect.poll(devicesShown).toContain('Loft');
  expect(devicesShown()).not.toContain('Cellar');
});

test('deletes a place that waits, and Undo creates it again with its note', async () => {
  await openWaiting([place('Cellar', { note: 'Cold' })]);
  await chooseAction('Cellar', 'Delete the place…');
  await expect.poll(devicesShown).not.toContain('Cellar');
  await press('Undo');
  await expect.poll(devicesShown).toContain('Cellar');
  expect(rowOf('Cellar').getByText('Cold')).toBeTruthy();
});

test('asks before it deletes a place that articles have, and shows why the station refuses it', async () => {
  await openWaiting([place('Cellar', { articles: [NUT] })], {
    removePlace: () => Promise.reject(new ApiError('in_use', 'Cellar has stock: CT-200 (18).')),
  });
  await chooseAction('Cellar', 'Delete the place…');
  const dialog = within(screen.getByRole('alertdialog', { name: 'Delete the place Cellar?' }));
  expect(dialog.getByText(/^The article CT-200 Nut will no longer have the place Cellar/)).toBeTruthy();
  await act(async () => fireEvent.click(dialog.getByRole('button', { name: 'Delete the place' })));
  expect(dialog.getByText(/Cellar has stock/)).toBeTruthy();
  expect(devicesShown()).toContain('Cellar');
});

test('a place that got a device in the meantime is not listed twice', async () => {
  await openWaiting([place('a-1')]);
  expect(devicesShown().filter((name) => name.toLowerCase() === 'a-1')).toEqual(['A-1']);
});
