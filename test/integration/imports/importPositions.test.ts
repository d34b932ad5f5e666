import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ImportEntry, LocationFileImport } from '#shared/api/imports.ts';
import type { ImportUndo } from '#shared/api/locationImport.ts';
import type { Rack, StationMap } from '#shared/api/map.ts';
import { API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 22: a row of a file of places can name its rack, shelf and column.
const ONE = '51D000:000001';
const TWO = '51D000:000002';
const THREE = '51D000:000003';
const HEAD = 'deviceid;label;rack;shelf;column';

let station: TestStation;

beforeEach(async () => {
  station = await startTestStation();
  await station.post('/api/simulator/devices/', { count: 3 });
});

afterEach(() => station.stop());

const run = (csv: string, options: object = {}) =>
  station.post<LocationFileImport>('/api/imports/', { kind: 'places', csv, ...options });
const undo = (id: number | null) => station.post<ImportUndo>(`/api/imports/${id}/undo/`);
const addRack = (name: string, shelves: string[], columns = 4) =>
  station.post<Rack>('/api/map/racks/', { name, columns, shelves });
const place = (deviceid: string, shelf: string, column: number) =>
  station.request('PUT', `/api/map/places/${deviceid}/`, { shelf, column });

/** The racks as "name (columns): shelves", and where each device is. */
async function drawn(): Promise<{ racks: string[]; devices: string[] }> {
  const { racks, places } = await station.get<StationMap>('/api/map/');
  return {
    racks: racks.map(
      ({ name, columns, shelves }) => `${name} (${columns}): ${shelves.map((shelf) => shelf.name).join(', ')}`,
    ),
    devices: places.map(({ deviceid, shelf, column }) => {
      const rack = racks.find(({ shelves }) => shelves.some(({ id }) => id === shelf));
      const name = rack?.shelves.find(({ id }) => id === shelf)?.name ?? '?';
      return `${deviceid.at(-1)} ${rack?.name ?? '?'}/${name}/${column + 1}`;
    }),
  };
}

async function download(format: string): Promise<Uint8Array<ArrayBuffer>> {
  const url = new URL(`/api/location-aliases/export/?format=${format}`, station.url);
  return new Uint8Array(await (await fetch(url, { headers: { 'api-key': API_KEY } })).arrayBuffer());
}

test('rack, shelf and column place devices on the map, and create what is missing with a warning', async () => {
  await addRack('North', ['2', '1']);
  const csv = `${HEAD}\n${ONE};Mugs;North;2;3\n${TWO};Cups;north;3;5\n${THREE};Jars;South;1;1\n`;
  const preview = await run(csv, { dry_run: true });
  expect(preview.rows.map(({ outcome, message }) => [outcome, message])).toEqual([
    ['changed', ''],
    ['changed', 'Creates the shelf 3 in the rack North. The rack North gets 5 columns.'],
    ['changed', 'Creates the rack South with the shelf 1.'],
  ]);
  expect(preview.rows[0]).toMatchObject({ rack: 'North', shelf: '2', column: '3' });
  expect((await drawn()).devices).toEqual([]);

  const { id } = await run(csv);
  const after = {
    racks: ['North (5): 3, 2, 1', 'South (1): 1'],
    devices: ['1 North/2/3', '2 North/3/5', '3 South/1/1'],
  };
  expect(await drawn()).toEqual(after);
  expect(await run(csv)).toMatchObject({ id: null, counts: { known: 3 } });

  expect(await undo(id)).toEqual({ undone: 3, kept: [] });
  expect(await drawn()).toEqual({ racks: ['North (4): 2, 1'], devices: [] });
  expect(await station.post(`/api/imports/${id}/redo/`)).toMatchObject({ kept: [] });
  expect(await drawn()).toEqual(after);
});

test('a row that only moves a device on the map can be undone, unless the device was moved since', async () => {
  const { shelves } = await addRack('North', ['2', '1']);
  const [upper = { id: '' }, lower = { id: '' }] = shelves;
  await place(ONE, lower.id, 0);
  await place(TWO, lower.id, 1);
  const { id, rows } = await run(`${HEAD}\n${ONE};;North;2;1\n${TWO};;North;2;2\n`);
  expect(rows.map(({ outcome, message }) => [outcome, message])).toEqual([
    ['changed', 'Before, it was at North, shelf 1, column 1.'],
    ['changed', 'Before, it was at North, shelf 1, column 2.'],
  ]);
  await place(TWO, upper.id, 3);
  expect(await station.get<ImportEntry[]>('/api/imports/')).toMatchObject([{ id, undoable: 1 }]);
  expect(await undo(id)).toEqual({
    undone: 1,
    kept: [{ name: TWO, message: 'It was moved on the map since.' }],
  });
  expect((await drawn()).devices).toEqual(['1 North/1/1', '2 North/2/4']);
});

test('devices can exchange cells and follow each other, and an undo restores them', async () => {
  const { shelves } = await addRack('North', ['1']);
  const [shelf = { id: '' }] = shelves;
  for (const [column, device] of [ONE, TWO, THREE].entries()) await place(device, shelf.id, column);
  const exchanged = await run(`${HEAD}\n${ONE};;North;1;2\n${TWO};;North;1;1\n`);
  expect((await drawn()).devices).toEqual(['1 North/1/2', '2 North/1/1', '3 North/1/3']);
  expect(await undo(exchanged.id)).toEqual({ undone: 2, kept: [] });
  expect((await drawn()).devices).toEqual(['1 North/1/1', '2 North/1/2', '3 North/1/3']);
  const shifted = await run(`${HEAD}\n${ONE};;North;1;2\n${TWO};;North;1;3\n${THREE};;North;1;4\n`);
  expect((await drawn()).devices).toEqual(['1 North/1/2', '2 North/1/3', '3 North/1/4']);
  expect(await undo(shifted.id)).toEqual({ undone: 3, kept: [] });
  expect((await drawn()).devices).toEqual(['1 North/1/1', '2 North/1/2', '3 North/1/3']);
});

test('a position that cannot be right is left out with a note, and the rest of the row counts', async () => {
  const { shelves } = await addRack('North', ['1']);
  await place(THREE, shelves[0]?.id ?? '', 0);
  const left = async (rows: string) => {
    const read = await run(`${HEAD}\n${rows}`, { dry_run: true });
    return read.rows.map(({ outcome, message }) => `${outcome}: ${message}`);
  };
  expect(await left(`${ONE};A;North;1;1\n`)).toEqual([
    `changed: ${THREE} is at North, shelf 1, column 1, so ${ONE} is not placed there.`,
  ]);
  expect(await left(`${ONE};A;North;1;2\n${TWO};B;North;1;2\n`)).toEqual([
    `changed: Line 3 names North, shelf 1, column 2 too, so ${ONE} is not placed there.`,
    `changed: Line 2 names North, shelf 1, column 2 too, so ${TWO} is not placed there.`,
  ]);
  expect(await left(`${ONE};A;North;;2\n`)).toEqual([
    'changed: The position is left out: it needs a rack, a shelf and a column.',
  ]);
  expect(await left(`${ONE};A;North;1;left\n`)).toEqual([
    'changed: The column "left" is not a number from 1 to 200, so the position is left out.',
  ]);
  await addRack('North', ['7']);
  expect(await left(`${ONE};A;North;2;2\n`)).toEqual([
    'changed: Several racks or shelves match North, shelf 2, so the position is left out. Give each its own name.',
  ]);
  // A cell that stays taken, because the row of its device is left out, too.
  expect(await left(`${ONE};A;North;7;1\n${THREE};C;North;2;2\n${TWO};B;North;1;1\n`)).toEqual([
    'changed: ',
    'changed: Several racks or shelves match North, shelf 2, so the position is left out. Give each its own name.',
    `changed: ${THREE} is at North, shelf 1, column 1, so ${TWO} is not placed there.`,
  ]);
});

test('an alias has no cell, and a place without a device only the cell of its name', async () => {
  const csv = 'name;deviceid;deviceIs;rack;shelf;column';
  const { rows } = await run(`${csv}\nB-1-1;${ONE};Above;B;1;1\nA-3-2;;;A;3;2\nMugs;;;A;3;4\n`);
  expect(rows.map(({ outcome, message }) => `${outcome}: ${message}`)).toEqual([
    'new: The position is left out: the device of an alias hangs elsewhere.',
    'new: Creates the rack A with the shelf 3.',
    'new: The rack A gets 4 columns. Mugs is not on the map yet: import the row again once it has a device.',
  ]);
  expect(await drawn()).toEqual({ racks: ['A (4): 3'], devices: [] });
  const [waiting] = await station.get<{ name: string; cell: { column: number } | null }[]>('/api/places/?q=A-3-2');
  expect(waiting?.cell?.column).toBe(1);
  // A row without a DeviceID places the device that has the label.
  await station.post(`/api/device/${TWO}/`, { locationoverride: 'Mugs' });
  await run(`${csv}\nMugs;;;A;3;4\n`);
  expect((await drawn()).devices).toEqual(['2 A/3/4']);
});

test.each(['csv', 'xlsx'])('an export as %s has the positions, and reads back unchanged', async (format) => {
  await run(`${HEAD}\n${ONE};Mugs;North;'=2;3\n${TWO};A-1-1;"=""Oct-12""";01;1\n`);
  const { shelves } = await addRack('North', ['=2'], 4);
  await place(THREE, shelves[0]?.id ?? '', 2);
  await run('name\nA-7-2\nBench\n');
  await run('name;rack;shelf;column\nA-7-2;A;7;2\n');
  const before = await drawn();
  expect(before).toEqual({
    racks: ['A (2): 7', 'North (3): =2', 'Oct-12 (1): 01', 'North (4): =2'],
    devices: ['1 North/=2/3', '2 Oct-12/01/1', '3 North/=2/3'],
  });
  const file = await download(format);
  if (format === 'csv')
    expect(Buffer.from(file).toString('utf8').split('\r\n')[0]).toMatch(
      /name,deviceid,deviceIs,label,note,article,rack,shelf,column/,
    );
  const answer = await fetch(new URL('/api/imports/?kind=places', station.url), {
    method: 'POST',
    headers: { 'api-key': API_KEY, 'content-type': 'application/octet-stream' },
    body: file,
  });
  const read = (await answer.json()) as LocationFileImport;
  expect(read.rows.map(({ outcome, message }) => [outcome, message])).toEqual(read.rows.map(() => ['known', '']));
  expect(read.rows.map(({ column }) => column)).toEqual(['3', '1', '3', '2', '']);
  expect(await drawn()).toEqual(before);
});

test.each([
  ['Gerät;Platz;Regal;Ebene;Spalte', 'German'],
  ['Appareil;Emplacement;Rack;Niveau;Colonne', 'French'],
  ['Dispositivo;Ubicación;Estantería;Nivel;Columna', 'Spanish'],
  ['Device;Place;Rack;Shelf;Column', 'English'],
])('reads the columns %s of a file (%s)', async (head) => {
  await run(`${head}\n${ONE};Mugs;North;2;3\n`);
  expect((await drawn()).devices).toEqual(['1 North/2/3']);
  expect((await station.device(ONE)).locationoverride).toBe('Mugs');
});

test('a column name beside positions is the name of the place, also of one without a device', async () => {
  const csv = `name;deviceid;rack;shelf;column;note\nB-1-1;${ONE};B;1;1;left\nB-1-2;;;;;\n`;
  expect((await run(csv)).rows.map(({ outcome, label }) => [outcome, label])).toEqual([
    ['changed', 'B-1-1'],
    ['new', 'B-1-2'],
  ]);
  expect(await drawn()).toEqual({ racks: ['B (1): 1'], devices: ['1 B/1/1'] });
});
