import {
  array,
  assert,
  constant,
  constantFrom,
  integer,
  nat,
  oneof,
  property,
  record,
} from '../../helpers/fastCheck.ts';
import { describe, expect, test } from 'vitest';
import type { StationMap } from '#shared/api/map.ts';
import {
  cellOf,
  revertChanges,
  withDeviceAt,
  withoutRack,
  withRack,
  withRackChange,
} from '../../../renderer/src/features/station/edit/mapChanges.ts';
import { createMapEditor } from '../../../renderer/src/features/station/edit/mapEditor.ts';
import { addRackEdit, moveEdit, removeRackEdit } from '../../../renderer/src/features/station/edit/mapEdits.ts';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { applyMessages } from '../../../renderer/src/station/live/store.ts';
import { fullRacks, id, rack, smallShop, publishPlaced } from './stationMapSupport.tsx';
import { testContext, type Stubs } from '../support.tsx';

const { map: FULL } = fullRacks([rack('A', 2, 3), rack('B', 2, 3)], 8);

const change = oneof(
  record({
    device: integer({ min: 1, max: 10 }),
    shelf: constantFrom('A2', 'A1', 'B2', 'B1'),
    column: nat(2),
  }).map(
    ({ device, shelf, column }) =>
      (map: StationMap) =>
        map.racks.some((each) => column < each.columns && each.shelves.some((known) => known.id === shelf))
          ? withDeviceAt(map, id(device), { shelf, column })
          : map,
  ),
  integer({ min: 1, max: 10 }).map((device) => (map: StationMap) => withDeviceAt(map, id(device), undefined)),
  constantFrom('A', 'B').map((name) => (map: StationMap) => withoutRack(map, name)),
  record({ name: constantFrom('A', 'B'), columns: integer({ min: 1, max: 3 }), index: nat(1) }).map(
    ({ name, ...wanted }) =>
      (map: StationMap) =>
        withRackChange(map, name, wanted, () => 'new'),
  ),
  constant((map: StationMap) => withRack(map, rack('C', 1, 2), map.racks.length)),
);

describe('changes', () => {
  test('a drop on a taken cell swaps the devices, or sends the other device to the tray if the new one comes from there', () => {
    const swapped = withDeviceAt(FULL, id(1), { shelf: 'A2', column: 1 });
    expect(cellOf(swapped, id(1))).toEqual({ shelf: 'A2', column: 1 });
    expect(cellOf(swapped, id(2))).toEqual({ shelf: 'A2', column: 0 });
    const taken = withDeviceAt(FULL, id(9), { shelf: 'A2', column: 0 });
    expect(cellOf(taken, id(1))).toBeUndefined();
    expect(withDeviceAt(FULL, id(1), { shelf: 'A2', column: 0 })).toBe(FULL);
  });

  test('undoing a change restores the previous map', () => {
    assert(
      property(array(change, { maxLength: 4 }), change, (earlier, mine) => {
        const before = earlier.reduce((map, each) => each(map), FULL);
        const after = mine(before);
        expect(revertChanges(after, before, after)).toEqual(before);
      }),
    );
  });

  test('despite changes by others, undoing never puts two devices into one cell or one device into two cells', () => {
    assert(
      property(change, array(change, { maxLength: 4 }), (mine, others) => {
        const after = mine(FULL);
        const now = others.reduce((map, each) => each(map), after);
        const { racks, places } = revertChanges(now, FULL, after);
        const columns = new Map(racks.flatMap((each) => each.shelves.map((shelf) => [shelf.id, each.columns])));
        expect(new Set(places.map(({ deviceid }) => deviceid)).size).toBe(places.length);
        expect(new Set(places.map(({ shelf, column }) => `${shelf} ${column}`)).size).toBe(places.length);
        for (const { shelf, column } of places) expect(column).toBeLessThan(columns.get(shelf) ?? 0);
      }),
    );
  });

  test('undoing keeps later changes by others', () => {
    const after = withDeviceAt(FULL, id(1), { shelf: 'B1', column: 0 });
    const now = withDeviceAt(withDeviceAt(after, id(1), { shelf: 'B1', column: 1 }), id(3), undefined);
    expect(revertChanges(now, FULL, after)).toBe(now);
  });
});

const SECOND = 'Another rack is called A, too.';

/** Opens an editor on a real store. The test answers the editor's API calls. */
function openEditor() {
  const calls: { name: string; answer(): void; refuse(words: string): void }[] = [];
  const said: { words: string; undo: () => Promise<void> }[] = [];
  const failed: string[] = [];
  /** Messages that were removed after they were shown. */
  const gone: string[] = [];
  const wait = <T>(name: string, result: T) =>
    new Promise<T>((resolve, reject) => {
      calls.push({ name, answer: () => resolve(result), refuse: (words) => reject(new ApiError('conflict', words)) });
    });
  const api: Partial<Stubs> = {
    placeDevice: ({ path: { DeviceID: deviceid }, body: cell }) =>
      wait(`place ${deviceid} ${cell.shelf} ${cell.column}`, { places: [] }),
    unplaceDevice: ({ path: { DeviceID: deviceid } }) => wait(`unplace ${deviceid}`, undefined),
    replaceMap: (map) => wait(`replace ${map.places.length}`, { racks: [], places: [], zones: [] }),
    addRack: ({ body: { name } }) =>
      wait(`rack ${name}`, { ...rack('C', 1, 4), name, ...(name === 'A' ? { warnings: [SECOND] } : {}) }),
    removeRack: ({ path: { id: name } }) => wait(`remove ${name}`, undefined),
  };
  const { store, api: whole } = testContext({ station: smallShop() }, api);
  const editor = createMapEditor({
    store,
    api: whole,
    announce({ words }, undo) {
      said.push({ words, undo });
      return () => gone.push(words);
    },
    fail: (words) => failed.push(words),
  });
  editor.start();
  const move = (device: number, shelf: string, column: number) =>
    editor.run(moveEdit(editor.getState().map, id(device), { shelf, column }, (deviceid) => deviceid));
  const settle = async () => {
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  };
  return {
    calls,
    said,
    gone,
    failed,
    store,
    editor,
    move,
    settle,
    at: (device: number) => cellOf(editor.getState().map, id(device)),
  };
}

describe('an edit', () => {
  test('an edit is shown immediately, and stays whether its event arrives before or after the response', async () => {
    const { calls, store, move, settle, at } = openEditor();
    const target = { shelf: 'B1', column: 2 };
    const first = move(1, 'B1', 2);
    expect(at(1)).toEqual(target);
    await settle();
    calls[0]?.answer();
    await first;
    expect(at(1)).toEqual(target);
    publishPlaced(store, { deviceid: id(1), place: target });
    expect(at(1)).toEqual(target);

    const second = move(2, 'B1', 1);
    await settle();
    publishPlaced(store, { deviceid: id(2), place: { shelf: 'B1', column: 1 } });
    calls[1]?.answer();
    await second;
    publishPlaced(store, { deviceid: id(2), place: { shelf: 'A2', column: 1 } });
    expect(at(2)).toEqual({ shelf: 'A2', column: 1 });
  });

  test('an edit is rolled back if the station refuses it, and the message names the device', async () => {
    const { calls, editor, move, settle, at, said } = openEditor();
    const edit = move(1, 'B1', 2);
    await settle();
    calls[0]?.refuse('The shelf is gone.');
    await expect(edit).rejects.toThrow('The shelf is gone.');
    expect(at(1)).toEqual({ shelf: 'A2', column: 0 });
    expect(editor.getState().failure).toEqual({ about: id(1), words: 'The map was not changed. The shelf is gone.' });
    expect(said).toEqual([]);
    editor.dismiss();
    expect(editor.getState().failure).toBeUndefined();
  });

  test('an edit waits for the previous one, even if that one fails', async () => {
    const { calls, move, settle, at } = openEditor();
    const first = move(1, 'B1', 0);
    const second = move(1, 'B1', 1);
    await settle();
    expect(calls.map(({ name }) => name)).toEqual([`place ${id(1)} B1 0`]);
    calls[0]?.refuse('No.');
    await expect(first).rejects.toThrow('No.');
    await settle();
    expect(calls.map(({ name }) => name)).toEqual([`place ${id(1)} B1 0`, `place ${id(1)} B1 1`]);
    expect(at(1)).toEqual({ shelf: 'B1', column: 1 });
    calls[1]?.answer();
    await second;
  });

  test("somebody else's edit overrides this page's edit as soon as its event arrives", async () => {
    const { calls, store, move, settle, at } = openEditor();
    const edit = move(1, 'B1', 2);
    await settle();
    calls[0]?.answer();
    await edit;
    publishPlaced(
      store,
      { deviceid: id(1), place: { shelf: 'A1', column: 2 } },
      { deviceid: id(4), place: { shelf: 'B1', column: 2 } },
    );
    expect(at(1)).toEqual({ shelf: 'A1', column: 2 });
    expect(at(4)).toEqual({ shelf: 'B1', column: 2 });
  });

  test('each edit can be undone once, newest first', async () => {
    const { calls, store, said, gone, editor, move, settle, at } = openEditor();
    const edit = move(1, 'A2', 1);
    await settle();
    calls[0]?.answer();
    await edit;
    publishPlaced(
      store,
      { deviceid: id(1), place: { shelf: 'A2', column: 1 } },
      { deviceid: id(2), place: { shelf: 'A2', column: 0 } },
    );
    expect(said[0]?.words).toContain(`${id(1)} and ${id(2)} swapped`);
    expect(editor.getState().undoable).toBe(1);
    expect(gone).toEqual([]);
    editor.undo();
    expect(gone).toEqual([said[0]?.words]);
    expect(at(1)).toEqual({ shelf: 'A2', column: 0 });
    expect(at(2)).toEqual({ shelf: 'A2', column: 1 });
    await settle();
    expect(calls[1]?.name).toBe('replace 3');
    calls[1]?.answer();
    await settle();
    expect(editor.getState().undoable).toBe(0);
    await said[0]?.undo();
    expect(calls).toHaveLength(2);
  });

  test('an edit is not undone if somebody else has moved the device since, and a message explains why', async () => {
    const { calls, store, said, failed, move, settle, at } = openEditor();
    const edit = move(1, 'B1', 2);
    await settle();
    calls[0]?.answer();
    await edit;
    publishPlaced(store, { deviceid: id(1), place: { shelf: 'B1', column: 0 } });
    await said[0]?.undo();
    expect(failed[0]).toMatch(/^Not undone, because somebody has changed it since/);
    expect(at(1)).toEqual({ shelf: 'B1', column: 0 });
    expect(calls).toHaveLength(1);
  });

  test('removing a rack can be undone, which restores the places of its devices', async () => {
    const { calls, store, said, editor, settle, at } = openEditor();
    const [first] = editor.getState().map.racks;
    if (first === undefined) throw new Error('no rack');
    const edit = editor.run(removeRackEdit(first));
    expect(at(1)).toBeUndefined();
    await settle();
    calls[0]?.answer();
    await edit;
    const { station } = store.getState();
    const places = [1, 2, 3].map((number) => ({ deviceid: id(number), place: null }));
    applyMessages(store, [
      {
        kind: 'facts',
        revision: (station?.revision ?? 0) + 1,
        facts: [
          { type: 'map.racks', racks: station?.map.racks.slice(1) ?? [] },
          { type: 'map.placed', places },
        ],
      },
    ]);
    const undoing = said[0]?.undo();
    expect(editor.getState().map.racks.map(({ id: each }) => each)).toEqual(['A', 'B']);
    expect(at(1)).toEqual({ shelf: 'A2', column: 0 });
    await settle();
    calls[1]?.answer();
    await undoing;
  });

  test('an added rack appears once the station has created it', async () => {
    const { calls, editor, settle } = openEditor();
    const edit = editor.run(addRackEdit({ name: 'C', note: '', columns: 4, shelves: ['1'] }));
    expect(editor.getState().map.racks).toHaveLength(2);
    await settle();
    calls[0]?.answer();
    await edit;
    expect(editor.getState().map.racks.map(({ name }) => name)).toEqual(['A', 'B', 'C']);
  });

  test('the message about a second rack of the same name has the warning, which is not a part of the rack', async () => {
    const { calls, editor, settle, said } = openEditor();
    const edit = editor.run(addRackEdit({ name: 'A', note: '', columns: 4, shelves: ['1'] }));
    await settle();
    calls[0]?.answer();
    await edit;
    expect(said.map(({ words }) => words)).toEqual([expect.stringContaining(SECOND)]);
    expect(editor.getState().map.racks.at(-1)).not.toHaveProperty('warnings');
  });
});
