import { userOf } from '../../helpers/snapshots.ts';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import type { FirstDay } from '#shared/api/setup.ts';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { station, type Stubs } from '../support.tsx';
import { id, rack, showPage, smallShop, publishPlaced } from './stationMapSupport.tsx';

beforeEach(() => {
  window.history.replaceState(null, '', '/');
  localStorage.clear();
});

/** Opens the page in the map editor, and records the requests to the station. */
function edit(calls: Partial<Stubs> = {}) {
  const asked: string[] = [];
  const shown = showPage(smallShop(), {
    placeDevice: async ({ path: { DeviceID: deviceid }, body: { shelf, column } }) => {
      asked.push(`${deviceid} to ${shelf} ${column}`);
      return { places: [] };
    },
    unplaceDevice: async ({ path: { DeviceID: deviceid } }) => void asked.push(`${deviceid} to the tray`),
    ...calls,
  });
  fireEvent.click(screen.getByRole('button', { name: 'Edit map' }));
  return { asked, ...shown };
}

const handle = (name: string) => screen.getByRole('button', { name: `Move ${name}` });
const press = (name: string, ...keys: string[]) => {
  for (const key of keys) fireEvent.keyDown(handle(name), { key });
};
const rowOf = (name: string) => handle(name).closest('[role="row"]')?.querySelector('[role="rowheader"]')?.textContent;
const status = () => within(screen.getByRole('toolbar', { name: 'Edit map' })).getByRole('status').textContent;

test('without devices, racks can be drawn and changed, and Done returns to the first steps', async () => {
  const asked: string[] = [];
  const empty = { ...station(), map: { racks: [rack('A', 2, 3)], places: [], zones: [] } };
  const steps: FirstDay['steps'] = [{ step: 'hardware', done: false, in_demo: false }];
  showPage(empty, {
    getFirstDay: async () => ({ steps, demo: false, dismissed: false }),
    addRack: async ({ body: wanted }) => {
      asked.push(wanted.name);
      return { ...rack('B', 3, 3), ...wanted, note: '', columns: 3, shelves: [{ id: 'B1', name: 'B-1' }] };
    },
  });
  expect(await screen.findByText(/^Your racks are ready\./)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Edit map' }));
  expect(screen.queryByText(/^Your racks are ready\./)).toBeNull();
  expect(screen.getByRole('heading', { name: 'Rack A' })).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Add a rack' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add a rack' }));
  await act(async () => fireEvent.click(dialog.getByRole('button', { name: 'Save' })));
  expect(asked).toEqual(['B']);
  expect(await screen.findByRole('heading', { name: 'Rack B' })).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Done' }));
  expect(await screen.findByRole('region', { name: 'First steps' })).toBeTruthy();
  expect(screen.getByText(/^Your racks are ready\./)).toBeTruthy();
});

describe('by keyboard', () => {
  test('Enter picks a device up, arrow keys choose a cell across shelves and racks, and Enter drops it', async () => {
    const { asked } = edit();
    await act(async () => fireEvent.click(handle('A-2-1')));
    expect(handle('A-2-1').getAttribute('aria-pressed')).toBe('true');
    expect(status()).toMatch(/^Moving A-2-1: its current place\./);
    press('A-2-1', 'ArrowRight');
    expect(status()).toMatch(/^Moving A-2-1: Rack A, shelf A-2, column 2, swapping with A-2-2\./);
    press('A-2-1', 'ArrowDown', 'ArrowDown', 'ArrowRight');
    expect(status()).toMatch(/^Moving A-2-1: Rack B, shelf B-1, column 3, empty\./);
    await act(async () => fireEvent.click(handle('A-2-1')));
    expect(asked).toEqual([`${id(1)} to B1 2`]);
    expect(rowOf('A-2-1')).toBe('B-1');
    expect(document.activeElement).toBe(handle('A-2-1'));
    expect(screen.getByText('A-2-1 moved: Rack B, shelf B-1, column 3.')).toBeTruthy();
  });

  test('dropping on a taken cell swaps the devices, and Undo swaps them back', async () => {
    const replaced: unknown[] = [];
    const { asked } = edit({
      replaceMap: async ({ places }) => {
        replaced.push(places);
        return { racks: [], places: [], zones: [] };
      },
    });
    await act(async () => fireEvent.click(handle('A-2-1')));
    press('A-2-1', 'ArrowDown');
    await act(async () => fireEvent.click(handle('A-2-1')));
    expect(asked).toEqual([`${id(1)} to A1 0`]);
    expect(rowOf('A-2-1')).toBe('A-1');
    expect(rowOf('A-1-1')).toBe('A-2');
    await act(async () => fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true }));
    expect(rowOf('A-2-1')).toBe('A-2');
    expect(rowOf('A-1-1')).toBe('A-1');
    expect(replaced).toHaveLength(1);
  });

  test('the tray is reached below the last shelf, and Escape cancels a move', async () => {
    const { asked } = edit();
    await act(async () => fireEvent.click(handle('A-1-1')));
    press('A-1-1', 'ArrowDown', 'ArrowDown');
    expect(status()).toMatch(/^Moving A-1-1: Not placed yet\./);
    press('A-1-1', 'Escape');
    expect(handle('A-1-1').getAttribute('aria-pressed')).toBe('false');
    expect(asked).toEqual([]);
    await act(async () => fireEvent.click(handle('A-1-1')));
    press('A-1-1', 'ArrowDown', 'ArrowDown');
    await act(async () => fireEvent.click(handle('A-1-1')));
    expect(asked).toEqual([`${id(3)} to the tray`]);
  });

  test('shows moves by others only after the picked-up device is released', async () => {
    const { context } = edit();
    await act(async () => fireEvent.click(handle('A-2-1')));
    act(() => publishPlaced(context.store, { deviceid: id(2), place: { shelf: 'B1', column: 0 } }));
    expect(rowOf('A-2-2')).toBe('A-2');
    press('A-2-1', 'Escape');
    expect(rowOf('A-2-2')).toBe('B-1');
  });

  test('shows a refused move on the device, which returns to its cell', async () => {
    edit({ placeDevice: () => Promise.reject(new ApiError('invalid', 'There is no such shelf.')) });
    await act(async () => fireEvent.click(handle('A-2-1')));
    press('A-2-1', 'End');
    await act(async () => fireEvent.click(handle('A-2-1')));
    expect(rowOf('A-2-1')).toBe('A-2');
    const tile = handle('A-2-1').closest<HTMLElement>('[data-deviceid]');
    if (tile === null) throw new Error('no tile');
    expect(within(tile).getByRole('alert').textContent).toBe('The map was not changed. There is no such shelf.');
    fireEvent.click(within(tile).getByRole('button', { name: 'Dismiss' }));
    expect(within(tile).queryByRole('alert')).toBeNull();
  });
});

describe('without dragging', () => {
  test('a click picks a device up, and a click on a cell drops it', async () => {
    const { asked } = edit();
    await act(async () => fireEvent.click(handle('Bench'), { detail: 1 }));
    const cell = document.querySelector('[data-shelf="A1"][data-column="2"]');
    if (cell === null) throw new Error('no cell');
    await act(async () => fireEvent.click(cell, { detail: 1 }));
    expect(asked).toEqual([`${id(4)} to A1 2`]);
  });

  test('the dialog moves a device to a free cell', async () => {
    const { asked } = edit();
    fireEvent.click(screen.getByRole('button', { name: 'Move Bench to…' }));
    const dialog = await screen.findByRole('dialog', { name: 'Move Bench' });
    await act(async () => fireEvent.click(within(dialog).getByRole('button', { name: 'Move' })));
    expect(asked).toEqual([`${id(4)} to A2 2`]);
  });
});

test('offers to arrange places that wait for a device, if their cells are not drawn yet', async () => {
  const place = (name: string) => ({ name, deviceid: null, aliases: [], articles: [], cell: null, note: '' });
  edit({ listPlaces: async () => ['Z-1-1', 'A-2-1', 'Cellar'].map(place) });
  expect(await screen.findByRole('button', { name: 'Arrange 1 by label' })).toBeTruthy();
});

describe('racks', () => {
  test('adds a rack with a name, columns and shelves, and a refusal keeps the form as typed', async () => {
    let refuse = true;
    const added: unknown[] = [];
    edit({
      addRack: async ({ body: { name, note = '', columns = 4, shelves = [] } }) => {
        if (refuse) throw new ApiError('unreachable', 'The station does not answer.');
        added.push({ name, note, columns, shelves });
        return { id: 'new', name, note, columns, shelves: shelves.map((shelf) => ({ id: shelf, name: shelf })) };
      },
    });
    fireEvent.click(screen.getByRole('button', { name: 'Add a rack' }));
    const dialog = await screen.findByRole('dialog', { name: 'Add a rack' });
    expect(within(dialog).getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('C');
    fireEvent.change(within(dialog).getByRole('textbox', { name: 'Name of shelf 1' }), { target: { value: 'Top' } });
    fireEvent.click(within(dialog).getByRole('button', { name: 'Remove shelf C-1' }));
    await act(async () => fireEvent.click(within(dialog).getByRole('button', { name: 'Save' })));
    expect(within(dialog).getByRole('alert').textContent).toBe('The map was not changed. The station does not answer.');
    expect(within(dialog).getByRole<HTMLInputElement>('textbox', { name: 'Name of shelf 1' }).value).toBe('Top');
    refuse = false;
    await act(async () => fireEvent.click(within(dialog).getByRole('button', { name: 'Save' })));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(added).toEqual([{ name: 'C', note: '', columns: 3, shelves: ['Top', 'C-2'] }]);
    expect(screen.getByRole('heading', { name: 'Rack C' })).toBeTruthy();
  });

  test('renaming a rack renames its shelves, and asks whether its places are renamed too', async () => {
    const changes: unknown[] = [];
    const renamed: { from: string; to: string }[][] = [];
    edit({
      listPlaces: async () => [
        { name: 'a-2-3', deviceid: null, aliases: [], articles: [], cell: null, note: '' },
        { name: 'Cellar', deviceid: null, aliases: [], articles: [], cell: null, note: '' },
      ],
      renamePlaces: async ({ body }) => {
        renamed.push(body as { from: string; to: string }[]);
        return { renamed: [] };
      },
      changeRack: async ({ id: rackId, change }) => {
        changes.push(change);
        return { id: rackId, name: rackId, note: '', columns: 3, shelves: [] };
      },
    });
    fireEvent.click(screen.getByRole('button', { name: 'Edit Rack A' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit Rack A' }));
    const name = dialog.getByRole('textbox', { name: 'Name' });
    for (const value of ['', 'K', 'Kit']) fireEvent.change(name, { target: { value } });
    expect(dialog.getByRole<HTMLInputElement>('textbox', { name: 'Name of shelf 1' }).value).toMatch(/^Kit-/);
    expect(dialog.getByText(/places: Kit-/)).toBeTruthy();
    const save = () => act(async () => fireEvent.click(dialog.getByRole('button', { name: 'Save' })));
    await save();
    expect(dialog.getByText('Choose whether the places get new names.')).toBeTruthy();
    expect(changes).toEqual([]);
    await act(async () => fireEvent.click(dialog.getByRole('radio', { name: /^Rename the places too/ })));
    await save();
    expect(JSON.stringify(changes)).toContain('"name":"Kit-1"');
    expect(renamed).toEqual([]);
    const { rename_places: names } = changes[0] as { rename_places: { from: string; to: string }[] };
    expect(names).toContainEqual({ from: 'a-2-3', to: 'Kit-2-3' });
    expect(names).toContainEqual({ from: 'A-2-1', to: 'Kit-2-1' });
    expect(names.map(({ from }) => from)).not.toContain('Cellar');
    await act(async () => fireEvent.click(screen.getAllByRole('button', { name: 'Undo' }).at(-1) ?? document.body));
    expect(renamed[0]).toContainEqual({ from: 'Kit-2-1', to: 'A-2-1' });
  });

  test('if the station refuses to rename a place, nothing is saved, and the next Save asks for the same renames', async () => {
    const changes: object[] = [];
    const listPlaces = async () => [];
    edit({
      listPlaces,
      changeRack: async ({ id: rackId, change }) => {
        changes.push(change);
        if (changes.length === 1) throw new ApiError('conflict', 'A-2-1 and K-2-1 both have goods.');
        return { id: rackId, name: 'K', note: '', columns: 3, shelves: [] };
      },
    });
    fireEvent.click(screen.getByRole('button', { name: 'Edit Rack A' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit Rack A' }));
    fireEvent.change(dialog.getByRole('textbox', { name: 'Name' }), { target: { value: 'K' } });
    await act(async () => fireEvent.click(dialog.getByRole('radio', { name: /^Rename the places too/ })));
    const save = () => act(async () => fireEvent.click(dialog.getByRole('button', { name: 'Save' })));
    await save();
    expect(dialog.getByRole('alert').textContent).toContain('A-2-1 and K-2-1 both have goods.');
    expect(screen.getByRole('heading', { name: 'Rack A', hidden: true })).toBeTruthy();
    await save();
    expect(changes[1]).toEqual(changes[0]);
    expect(changes[1]).toMatchObject({ rename_places: expect.arrayContaining([{ from: 'A-2-1', to: 'K-2-1' }]) as [] });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  test('a renamed rack can keep the names of its places', async () => {
    const renamed: unknown[] = [];
    edit({
      listPlaces: async () => [],
      renamePlaces: async ({ body }) => {
        renamed.push(body);
        return { renamed: [] };
      },
      changeRack: async ({ id: rackId }) => ({ id: rackId, name: rackId, note: '', columns: 3, shelves: [] }),
    });
    fireEvent.click(screen.getByRole('button', { name: 'Edit Rack A' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit Rack A' }));
    expect(dialog.queryByRole('radio')).toBeNull();
    fireEvent.change(dialog.getByRole('textbox', { name: 'Name' }), { target: { value: 'K' } });
    await act(async () => fireEvent.click(dialog.getByRole('radio', { name: /^Keep the names/ })));
    await act(async () => fireEvent.click(dialog.getByRole('button', { name: 'Save' })));
    expect(renamed).toEqual([]);
  });

  test('rejects too many columns instead of reducing them, and clears the message once the input is valid', async () => {
    const added: unknown[] = [];
    edit({
      addRack: async ({ body: rack }) => (
        added.push(rack),
        { id: 'new', name: 'C', note: '', columns: 1, shelves: [] }
      ),
    });
    fireEvent.click(screen.getByRole('button', { name: 'Add a rack' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add a rack' }));
    const columns = dialog.getByRole('textbox', { name: 'Columns' });
    const type = (value: string) => {
      fireEvent.change(columns, { target: { value } });
      fireEvent.blur(columns);
    };
    type('201');
    await act(async () => fireEvent.click(dialog.getByRole('button', { name: 'Save' })));
    expect(dialog.getByRole('alert').textContent).toBe('A rack has 1 to 200 columns.');
    expect(added).toEqual([]);
    type('200');
    expect(dialog.queryByText('A rack has 1 to 200 columns.')).toBeNull();
  });

  test('warns how many devices lose their place when a rack is edited, and moves and removes racks', async () => {
    const asked: unknown[] = [];
    edit({
      changeRack: async ({ id: rackId, change }) => {
        asked.push([rackId, change]);
        return { id: rackId, name: rackId, note: '', columns: 3, shelves: [] };
      },
      removeRack: async ({ path: { id: rackId } }) => void asked.push(rackId),
    });
    fireEvent.click(screen.getByRole('button', { name: 'Edit Rack A' }));
    const dialog = await screen.findByRole('dialog', { name: 'Edit Rack A' });
    fireEvent.click(within(dialog).getByRole('button', { name: 'Remove shelf A-1' }));
    expect(within(dialog).getByText(/^1 device moves to/)).toBeTruthy();
    fireEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Move Rack B up' })));
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Remove Rack A' })));
    expect(asked).toEqual([['B', { index: 0 }], 'A']);
    expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
      'Rack B',
      'Not placed yet',
    ]);
  });
});

test('places devices on the map by their labels', async () => {
  let arranged = 0;
  const shop = smallShop();
  const [first, ...others] = shop.map.places;
  const unplaced = { ...shop, map: { ...shop.map, places: others } };
  const { unmount } = showPage(unplaced, {
    arrangeDevices: async () => {
      arranged++;
      const message = '"Bench" names no place. Give it a label such as A-3-2: rack, shelf and place.';
      return {
        racks: shop.map.racks,
        places: [...others, ...(first === undefined ? [] : [first])],
        zones: [],
        not_arranged: [
          { deviceid: '51D000:000008', label: 'Bench', message },
          { deviceid: '51D000:000009', label: '', message: 'It has no label.' },
        ],
      };
    },
  });
  expect(screen.getByText('2 devices · Labels such as A-3-2 can be used to place them.')).toBeTruthy();
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Arrange 1 by label' })));
  expect(arranged).toBe(1);
  expect(screen.getByText('Devices arranged by label, except 1.')).toBeTruthy();
  const dialog = await screen.findByRole('dialog', { name: '1 device was not arranged' });
  expect(
    within(dialog)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(['51D000:000008 "Bench" names no place. Give it a label such as A-3-2: rack, shelf and place.']);
  for (const close of within(dialog).getAllByRole('button', { name: 'Close' }).slice(-1))
    await act(async () => fireEvent.click(close));
  expect(screen.queryByRole('dialog')).toBeNull();
  unmount();
  showPage({ ...unplaced, user: userOf('picker', 'control') });
  expect(screen.getByText(/^2 devices · These devices are not on the map/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Arrange/ })).toBeNull();
});

test('only an admin can edit the map', () => {
  const shop = smallShop();
  showPage({ ...shop, user: userOf('picker', 'control') });
  fireEvent.click(screen.getByRole('button', { name: 'Edit map' }));
  expect(screen.getByRole('dialog', { name: 'Not allowed' }).textContent).toContain('change the map');
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' });
  expect(screen.getByRole('button', { name: 'Select' })).toBeTruthy();
});
