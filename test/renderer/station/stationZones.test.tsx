import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { Zone } from '#shared/api/map.ts';
import { withoutRack, withZone, revertChanges } from '../../../renderer/src/features/station/edit/mapChanges.ts';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { applyMessages } from '../../../renderer/src/station/live/store.ts';
import { showPage, smallShop } from './stationMapSupport.tsx';
import type { Stubs } from '../support.tsx';

const COLD: Zone = { id: 'cold', name: 'Cold room', racks: ['B'] };
const AISLE: Zone = { id: 'aisle', name: 'Aisle A', racks: ['A'] };

beforeEach(() => {
  window.history.replaceState(null, '', '/');
  localStorage.clear();
});

function open(zones: Zone[], calls: Partial<Stubs> = {}) {
  const shop = smallShop();
  return showPage({ ...shop, map: { ...shop.map, zones } }, calls);
}

const heads = () =>
  within(screen.getByRole('main'))
    .queryAllByRole('heading', { level: 2 })
    .map(({ textContent }) => textContent);
const tiles = () =>
  [...document.querySelectorAll<HTMLElement>('[data-deviceid]')].map((each) => each.dataset['deviceid']);
const choice = () => screen.queryByRole('button', { name: /Zone$/ });

async function choose(name: string): Promise<void> {
  const trigger = choice();
  if (trigger === null) throw new Error('no choice');
  await act(async () => fireEvent.click(trigger));
  await act(async () => fireEvent.click(screen.getByRole('option', { name })));
}

test('without zones, there is no zone menu', () => {
  open([]);
  expect(choice()).toBeNull();
});

test('a zone shows only its racks and is kept in the address, and “All zones” shows everything', async () => {
  open([COLD, AISLE]);
  const all = heads();
  expect(tiles()).toHaveLength(4);
  await choose('Aisle A');
  expect(window.location.search).toBe('?zone=aisle');
  expect(tiles()).toHaveLength(3);
  expect(heads()).toHaveLength(1);
  expect(screen.getByText('3 of 4 devices')).toBeTruthy();
  await choose('All zones');
  expect(window.location.search).toBe('');
  expect(heads()).toEqual(all);
  expect(tiles()).toHaveLength(4);
});

test('opens the zone in the address even if its racks are empty, and shows all racks once the zone is removed', () => {
  window.history.replaceState(null, '', '/?zone=cold');
  const { context } = open([COLD, AISLE]);
  expect(tiles()).toEqual([]);
  expect(heads()).toHaveLength(1);
  act(() => {
    const revision = (context.store.getState().station?.revision ?? 0) + 1;
    applyMessages(context.store, [{ kind: 'facts', revision, facts: [{ type: 'map.zones', zones: [AISLE] }] }]);
  });
  expect(tiles()).toHaveLength(4);
});

test('the search covers only the zone, opening a device keeps the zone, and the map editor shows all racks', async () => {
  window.history.replaceState(null, '', '/?zone=aisle');
  open([COLD, AISLE]);
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'Bench' } });
  expect(screen.getByText('No device matches')).toBeTruthy();
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Show all devices' })));
  expect(window.location.search).toBe('');
  await choose('Aisle A');
  await act(async () => fireEvent.click(screen.getByRole('link', { name: /A-2-1/ })));
  expect(`${window.location.pathname}${window.location.search}`).toBe('/today?device=51D000:000001&zone=aisle');
  fireEvent.click(screen.getByRole('button', { name: 'Edit map' }));
  expect(choice()).toBeNull();
  expect(tiles()).toHaveLength(4);
});

test('adds a zone with a name and racks, and keeps the input after a refusal', async () => {
  const asked: object[] = [];
  open([COLD], {
    addZone: async ({ body: zone }) => {
      if (zone.name === 'cold room') throw new ApiError('conflict', 'There is a zone Cold room already.');
      asked.push(zone);
      return { id: 'new', racks: [], ...zone };
    },
  });
  fireEvent.click(screen.getByRole('button', { name: 'Edit map' }));
  fireEvent.click(screen.getByRole('button', { name: 'Zones…' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Add a zone' }));
  const dialog = () => within(screen.getByRole('dialog', { name: 'Add a zone' }));
  const save = () => act(async () => fireEvent.click(dialog().getByRole('button', { name: 'Save' })));
  await save();
  expect(dialog().getByRole('alert').textContent).toBe('The zone needs a name.');
  fireEvent.change(dialog().getByRole('textbox', { name: 'Name' }), { target: { value: 'cold room' } });
  fireEvent.click(dialog().getByRole('checkbox', { name: 'Rack A' }));
  await save();
  expect(dialog().getByRole('alert').textContent).toBe('The map was not changed. There is a zone Cold room already.');
  fireEvent.change(dialog().getByRole('textbox', { name: 'Name' }), { target: { value: ' Aisle A ' } });
  await save();
  expect(asked).toEqual([{ name: 'Aisle A', racks: ['A'] }]);
  const list = within(await screen.findByRole('list', { name: 'Zones' }));
  expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Cold roomRack B',
    'Aisle ARack A',
  ]);
});

test('renames one zone and removes another', async () => {
  const asked: unknown[] = [];
  open([COLD, AISLE], {
    changeZone: async ({ id, change }) => {
      asked.push([id, change]);
      return { ...COLD, ...change };
    },
    removeZone: async ({ path: { id } }) => void asked.push(id),
  });
  fireEvent.click(screen.getByRole('button', { name: 'Edit map' }));
  fireEvent.click(screen.getByRole('button', { name: 'Zones…' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Edit zone Cold room' }));
  fireEvent.change(screen.getByRole('textbox', { name: 'Name' }), { target: { value: 'Freezer' } });
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Save' })));
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Remove zone Aisle A' })));
  expect(asked).toEqual([['cold', { name: 'Freezer', racks: ['B'] }], 'aisle']);
  const list = within(screen.getByRole('list', { name: 'Zones' }));
  await waitFor(() =>
    expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['FreezerRack B']),
  );
});

test('restoring a removed rack restores its zones', () => {
  const before = withZone(withZone(smallShop().map, COLD), { ...AISLE, racks: ['A', 'B'] });
  const after = withoutRack(before, 'B');
  expect(after.zones.map(({ racks }) => racks)).toEqual([[], ['A']]);
  expect(revertChanges(after, before, after)).toEqual(before);
});
