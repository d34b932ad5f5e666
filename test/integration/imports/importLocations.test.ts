import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LocationAlias } from '#shared/api/alias.ts';
import type { ImportCorrected, ImportEntry, ImportWithRows, LocationFileImport } from '#shared/api/imports.ts';
import type { ImportUndo, LocationImport } from '#shared/api/locationImport.ts';
import type { Station } from '#shared/api/station.ts';
import { openStream } from '../../helpers/servers/eventStream.ts';
import { API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 22: location files.
const ONE = '51D000:000001';
const TWO = '51D000:000002';
const HEAD = 'name;deviceid;deviceIs;label';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

let station: TestStation;

beforeEach(async () => {
  station = await startTestStation();
  await station.post('/api/simulator/devices/', { count: 3 });
});

afterEach(() => station.stop());

const run = (csv: string, options: object = {}) =>
  station.post<LocationFileImport>('/api/imports/', { kind: 'locations', csv, ...options });
const undo = (id: number | null) => station.post<ImportUndo>(`/api/imports/${id}/undo/`);
const outcomes = ({ rows }: Pick<ImportCorrected, 'rows'>) => rows.map(({ line, outcome }) => `${line} ${outcome}`);
const aliases = async () =>
  (await station.get<LocationAlias[]>('/api/location-aliases/')).map(
    ({ name, deviceid, deviceIs }) => `${name} ${deviceid.at(-1)} ${deviceIs}`,
  );
const label = async (deviceid: string) => (await station.device(deviceid)).locationoverride;
const allLabels = async () => [await label(ONE), await label(TWO), await label('51D000:000003')];

async function send(
  path: string,
  body: Uint8Array<ArrayBuffer> | FormData,
  type?: string,
): Promise<{ status: number; body: LocationFileImport }> {
  const headers = { 'api-key': API_KEY, ...(type === undefined ? {} : { 'content-type': type }) };
  const answer = await fetch(new URL(path, station.url), { method: 'POST', headers, body });
  return { status: answer.status, body: (await answer.json()) as LocationFileImport };
}

async function download(format: string): Promise<Uint8Array<ArrayBuffer>> {
  const url = new URL(`/api/location-aliases/export/?format=${format}`, station.url);
  return new Uint8Array(await (await fetch(url, { headers: { 'api-key': API_KEY } })).arrayBuffer());
}

test('both endpoints accept a form as well as a plain body', async () => {
  const file = Buffer.from(`Fach;Gerät;Wo\nBär;${ONE};Above\n`, 'latin1');
  const form = (options: object) => {
    const body = new FormData();
    body.set('file', new File([file], 'places.csv'));
    body.set('options', JSON.stringify(options));
    return body;
  };
  const options = { kind: 'locations', encoding: 'windows-1252', dry_run: true };
  const sent = [
    await send('/api/imports/', form(options)),
    await send('/api/imports/?kind=locations&encoding=windows-1252&dry_run=true&name=places.csv', file, 'text/csv'),
    await send('/api/location-aliases/import/', form({ encoding: 'windows-1252', dry_run: true })),
  ];
  for (const { status, body } of sent) {
    expect([status, body.rows.map(({ name, outcome }) => [name, outcome])]).toEqual([200, [['Bär', 'new']]]);
  }
  expect(await send('/api/imports/?kind=locations', file, 'text/csv')).toMatchObject({
    status: 400,
    body: { errors: [{ path: '/encoding' }, {}, {}] },
  });
  expect(await aliases()).toEqual([]);
});

test('a preview can be corrected row by row and imported, and the import can be undone once', async () => {
  const csv = `${HEAD}\nA-1;${ONE};Above;\na-1;${TWO};Below;Bench\nA-2;nowhere;Above;\n;${ONE};;4,00638E+12\n`;
  const preview = await run(csv, { dry_run: true });
  expect([preview.kind, outcomes(preview)]).toEqual([
    'locations',
    ['2 refused', '3 refused', '4 refused', '5 refused'],
  ]);
  const correct = (line: number, cells: object) =>
    station.request('PATCH', `/api/imports/${preview.id}/rows/${line}/`, { cells });
  const { body } = await correct(3, { name: 'A-3' });
  expect(outcomes(body as ImportCorrected)).toEqual(['2 new', '3 new']);
  expect(outcomes((await correct(4, { deviceid: ONE.toLowerCase() })).body as ImportCorrected)).toEqual(['4 new']);
  expect(await correct(4, { order_number: 'x' })).toMatchObject({ status: 400 });
  expect(await aliases()).toEqual([]);

  const done = await station.post<ImportWithRows>(`/api/imports/${preview.id}/run/`);
  expect(done).toMatchObject({ kind: 'locations', state: 'imported', counts: { new: 3, refused: 1 }, undoable: 3 });
  expect(done.rows[2]).toMatchObject({ deviceid: ONE.toLowerCase(), found_deviceid: ONE });
  expect([await aliases(), await label(TWO)]).toEqual([['A-1 1 Above', 'A-3 2 Below', 'A-2 1 Above'], 'Bench']);
  expect(await station.request('POST', `/api/imports/${preview.id}/run/`)).toMatchObject({ status: 409 });
  const [entry] = await station.get<ImportEntry[]>('/api/imports/');
  expect(entry).toMatchObject({ id: preview.id, kind: 'locations', by: 'API key' });

  expect(await undo(preview.id)).toEqual({ undone: 3, kept: [] });
  expect([await aliases(), await label(TWO)]).toEqual([[], '']);
  expect(await station.request('POST', `/api/imports/${preview.id}/undo/`)).toMatchObject({ status: 409 });
});

test('importing the same file twice changes nothing, and changed rows name the previous place', async () => {
  const csv = `${HEAD}\nA-1;${ONE};Above;Row 1\n`;
  expect((await run(csv)).rows).toMatchObject([{ outcome: 'new', message: '' }]);
  expect(await run(csv)).toMatchObject({ id: null, counts: { known: 1 } });
  const { rows } = await run(`${HEAD}\nB-1;${TWO};Below;\nA - 1;${TWO};Below;\n`);
  expect(rows).toMatchObject([
    { outcome: 'new' },
    { outcome: 'changed', message: `Before, A-1 was at ${ONE}, Above.`, found_deviceid: TWO },
  ]);
  expect(await aliases()).toEqual(['A - 1 2 Below', 'B-1 2 Below']);
});

test('an undo keeps places in use and values that have changed since', async () => {
  await run(`${HEAD}\nA-1;${ONE};Above;\nA-2;${ONE};Above;\n`);
  const { id } = await run(
    `${HEAD}\na-1;${TWO};Below;\nA-2;${TWO};Below;Shelf\nB-1;${TWO};Above;\nB-2;${TWO};Above;\nB-3;${TWO};Above;\n`,
  );
  const ids = new Map(
    (await station.get<LocationAlias[]>('/api/location-aliases/')).map((alias) => [alias.name, alias.id]),
  );
  await station.request('PUT', `/api/location-aliases/${ids.get('a-1')}/`, {
    name: 'a-1',
    deviceid: ONE,
    deviceIs: 'to the left of',
  });
  await station.post(`/api/device/${TWO}/`, { locationoverride: 'Mine' });
  await station.post('/api/devices/', { location: 'B-1', line1: 'bolt' });
  await station.post('/api/orders/', {
    order_number: 'S1',
    items: [{ name: 'Mug', ordered_quantity: 1, warehouse_location: 'b-2' }],
  });
  expect((await station.get<ImportEntry[]>('/api/imports/'))[0]).toMatchObject({ id, undoable: 5 });
  expect(await undo(id)).toEqual({
    undone: 1,
    kept: [
      { name: 'a-1', message: expect.stringMatching(/^Only a part/) as string },
      { name: 'Shelf', message: 'Its label was changed since.' },
      { name: 'B-1', message: 'It has open commands.' },
      { name: 'B-2', message: 'An open order or sequence uses it.' },
    ],
  });
  expect(await aliases()).toEqual(['A-1 1 to the Left of', 'A-2 1 Above', 'B-1 2 Above', 'B-2 2 Above']);
  expect(await label(TWO)).toBe('Mine');
});

test('devices can exchange labels and pass them on without two ever having the same label, and an undo restores them', async () => {
  const labels = ['A-1', 'A-2', 'A-3'];
  for (const [index, text] of labels.entries()) {
    await station.post(`/api/device/51D000:00000${index + 1}/`, { locationoverride: text });
  }
  const stream = await openStream(station.url);
  const { id } = await run('deviceid;label\nA-1;A-2\nA-2;A-1\nA-3;A-4\n');
  await run('deviceid;label\nA-4;A-5\nA-1;A-4\nA-2;A-1\n');
  expect(await allLabels()).toEqual(['A-1', 'A-4', 'A-5']);
  await undo((await station.get<Station>('/api/station/')).last_import?.id ?? null);
  await undo(id);
  expect(await allLabels()).toEqual(labels);
  await station.clock.advance(100);
  await stream.until(() => stream.commits().length >= 4);
  const now = new Map(labels.map((text, index) => [`51D000:00000${index + 1}`, text]));
  for (const { facts } of stream.commits()) {
    for (const fact of facts) {
      if (fact.type !== 'device.changed') continue;
      const { locationoverride: text } = fact.changed as { locationoverride?: string };
      if (text !== undefined) now.set(fact.deviceid, text);
    }
    expect(new Set(now.values()).size, JSON.stringify([...now])).toBe(3);
  }
  stream.close();
});

test.each(['csv', 'xlsx'])(
  'an export as %s reads back unchanged, even after the places were deleted',
  async (format) => {
    const names = ['Größe; "3/4"', '=1+1', '007', 'Oct-12', '4E+12', 'a/b', "'0", '1234567', 'x y; -5 °C', 'Total'];
    for (const [index, name] of names.entries()) {
      await station.post('/api/location-aliases/', {
        name,
        deviceid: ONE,
        deviceIs: index === 0 ? 'to the left of' : 'Below',
      });
    }
    await station.post(`/api/device/${ONE}/`, { locationoverride: '01. Mrz' });
    await station.post(`/api/device/${TWO}/`, { locationoverride: 'Bench; -5' });
    await station.post(`/api/device/51D000:000003/`, { locationoverride: 'Bench; -5' });
    const before = await aliases();
    const file = await download(format);
    const type = format === 'csv' ? 'text/csv' : XLSX;
    const same = await send('/api/imports/?kind=locations', file, type);
    expect(same).toMatchObject({
      status: 200,
      body: { id: null, counts: { known: names.length + 3, new: 0, refused: 0 } },
    });

    await station.post(`/api/device/51D000:000003/`, { locationoverride: '' });
    const own = await download(format);
    for (const { id } of await station.get<LocationAlias[]>('/api/location-aliases/')) {
      await station.request('DELETE', `/api/location-aliases/${id}/`);
    }
    await station.post(`/api/device/${ONE}/`, { locationoverride: 'other' });
    await station.post(`/api/device/${TWO}/`, { locationoverride: '' });
    await station.post(`/api/device/51D000:000003/`, { locationoverride: 'old' });
    expect(await send('/api/imports/?kind=locations', own, type)).toMatchObject({ body: { counts: { refused: 0 } } });
    expect(await aliases()).toEqual(before);
    expect(await allLabels()).toEqual(['01. Mrz', 'Bench; -5', '']);
  },
);

test('a preview asks about ambiguous columns, and an import without the answer is refused', async () => {
  const csv = 'name;tag;deviceIs\nA-1;red;Above\n';
  expect(await run(csv, { dry_run: true })).toMatchObject({ id: null, rows: [], questions: [{ column: 'tag' }] });
  expect(await station.request('POST', '/api/imports/', { kind: 'locations', csv })).toMatchObject({
    status: 400,
    body: { errors: [{ path: '/columns' }] },
  });
  const answered = await run(csv, { columns: { tag: 'deviceid' }, dry_run: true });
  expect(outcomes(answered)).toEqual(['2 refused']);
});

test('only an admin can preview, correct, run and undo a location import', async () => {
  const key = async (scope: string) =>
    (await station.post<{ api_key: string }>('/api/api-users/', { name: scope, scope })).api_key;
  const body = { kind: 'locations', csv: `${HEAD}\nA-1;${ONE};Above;\n` };
  const { id } = await station.post<{ id: number }>('/api/imports/', body);
  for (const scope of ['read', 'control']) {
    const headers = { 'api-key': await key(scope), 'content-type': 'application/json' };
    expect(await station.request('POST', '/api/imports/', body, headers)).toMatchObject({ status: 403 });
    for (const [method, end, sent] of [
      ['POST', 'undo/', {}],
      ['POST', 'run/', {}],
      ['PATCH', 'rows/2/', { cells: { name: 'A-2' } }],
    ] as const)
      expect(await station.request(method, `/api/imports/${id}/${end}`, sent, headers)).toMatchObject({ status: 403 });
  }
});

test('both endpoints share one list of imports, and the older endpoint undoes only its latest import', async () => {
  const first = await station.post<LocationImport>('/api/location-aliases/import/', {
    csv: `${HEAD}\nA-1;${ONE};Above;\n`,
  });
  const second = await run(`${HEAD}\nA-2;${ONE};Above;\n`);
  const list = await station.get<ImportEntry[]>('/api/imports/');
  expect(list.map(({ id }) => id)).toEqual([second.id, first.id]);
  expect(await station.request('POST', '/api/location-aliases/import/undo/', { id: first.id })).toMatchObject({
    status: 404,
  });
  expect(await undo(first.id)).toEqual({ undone: 1, kept: [] });
  expect(await station.post('/api/location-aliases/import/undo/', { id: second.id })).toEqual({ undone: 1, kept: [] });
  expect(await aliases()).toEqual([]);
});

test('counts only places that an undo would remove or restore', async () => {
  await run(`${HEAD}\nA-1;${ONE};Above;\nA-2;${ONE};Above;\nA-3;${ONE};Above;\nA-4;${ONE};Above;\n`);
  const { id } = await run(
    `${HEAD}\nA-1;${TWO};Below;\nA-2;${TWO};Below;\na-3;${TWO};Below;\nA-4;${TWO};Below;\nB-1;${TWO};Above;\nB-2;${TWO};Above;\n;${ONE};;Row\n`,
  );
  const undoable = async () => (await station.get<ImportWithRows>(`/api/imports/${id}/`)).undoable;
  expect(await undoable()).toBe(7);
  const list = await station.get<LocationAlias[]>('/api/location-aliases/');
  const change = (name: string, values: object) => {
    const { id: alias, ...now } = list.find((each) => each.name === name) ?? { id: 0 };
    return station.request('PUT', `/api/location-aliases/${alias}/`, { ...now, ...values });
  };
  // The import did not change the names, but it changed the spelling of a-3.
  for (const [name, values] of [
    ['A-1', { deviceIs: 'to the Left of' }],
    ['A-2', { deviceid: ONE, deviceIs: 'Above' }],
    ['a-3', { deviceIs: 'to the Left of' }],
    ['B-1', { deviceIs: 'to the Left of' }],
  ] as const)
    expect(await change(name, values)).toMatchObject({ status: 200 });
  // Only a part of a-3 would be restored, so the forecast counts it as kept.
  expect(await undoable()).toBe(3);
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'Other' });
  expect(await undoable()).toBe(2);
  // The list does not look that closely.
  expect((await station.get<ImportEntry[]>('/api/imports/')).map((each) => each.undoable)).toEqual([3, 1]);
  const { undone, kept } = await undo(id);
  expect([undone, kept.map(({ name }) => name).sort()]).toEqual([2, ['A-1', 'A-2', 'B-1', 'Row', 'a-3'].sort()]);
  expect(await undoable()).toBe(0);
});

test('refuses both rows of a duplicated place, even if one of them has another error', async () => {
  const answer = await run(`${HEAD}\nB-1;nowhere;Above;\nb-1 ;${TWO};Above;\nB-2;${TWO};Below;`, { dry_run: true });
  expect(outcomes(answer)).toEqual(['2 refused', '3 refused', '4 new']);
  expect(answer.rows.map(({ message }) => message).slice(0, 2)).toEqual([
    'No DeviceID or label is "nowhere".',
    'Line 2 names the place "b-1" too. Keep one of these rows.',
  ]);
});

test("a row that repeats a device's label counts once, before and after the import", async () => {
  const file = `Lagerplatz;Gerät\nX-1;${ONE}\nX-1;${ONE}\nX-2;${TWO}\n`;
  const { counts, ...preview } = await run(file, { dry_run: true });
  expect(outcomes(preview)).toEqual(['2 changed', '3 known', '4 changed']);
  expect(preview.rows[1]?.message).toBe('Line 2 gives the device this label too.');
  expect((await run(file)).counts).toEqual(counts);
  expect(await allLabels()).toEqual(['X-1', 'X-2', '']);
});

test('a refused row does not hide that another device has the same label', async () => {
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'Bench' });
  const { rows } = await run(`deviceid;label\n${ONE};X-1\n${ONE};X-2\n${TWO};Bench\n`, { dry_run: true });
  expect(rows.map(({ outcome }) => outcome)).toEqual(['refused', 'refused', 'changed']);
  expect(rows[2]?.message).toContain(ONE);
});

test('an internal error stops an import halfway, which is reported and can be undone', async () => {
  const rows = Array.from({ length: 9 }, (_, index) => `A-${index};${ONE};Above;`);
  const db = new Database(join(station.dataFolder, 'pickstation.sqlite'));
  db.exec(
    "CREATE TRIGGER broken BEFORE INSERT ON location_aliases WHEN NEW.name = 'A-5' BEGIN SELECT RAISE(ABORT, 'a defect'); END",
  );
  db.close();
  const csv = `${HEAD}\n${rows.join('\n')}\n`;
  expect(await station.request('POST', '/api/imports/', { kind: 'locations', csv })).toMatchObject({ status: 500 });
  expect(await aliases()).toHaveLength(5);
  const [entry] = await station.get<ImportEntry[]>('/api/imports/');
  expect(entry).toMatchObject({ state: 'importing', undoable: 5 });
  expect(await undo(entry?.id ?? 0)).toEqual({ undone: 5, kept: [] });
  expect(await aliases()).toEqual([]);
});

test('a preview warns about names that hide a label, and refuses names with line breaks', async () => {
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'H-1' });
  await station.post('/api/location-aliases/', { name: 'H-2', deviceid: ONE, deviceIs: 'Below' });
  const csv = `name,device,deviceIs,label\nH-1,${TWO},Below,\n,${TWO},,H-2\n"H\n3",${TWO},Below,\n,51D000:000003,,"H\n4"\n`;
  const { rows } = await station.post<{ rows: { outcome: string; message: string }[] }>('/api/imports/', {
    csv,
    kind: 'locations',
    dry_run: true,
  });
  expect(rows.map(({ message }) => message)).toEqual([
    expect.stringContaining(`${ONE} has this name as its label, and is no longer found by it.`),
    expect.stringContaining(`An alias of ${ONE} has this name and is found first.`),
    expect.stringContaining('a line break, a tab or another character that cannot be seen'),
    expect.stringContaining('a line break, a tab or another character that cannot be seen'),
  ]);
});

test('distinguishes rows that conflict with another row or the station from rows that cannot be read', async () => {
  const { rows, counts } = await run(
    [
      HEAD,
      `A;${ONE};Above;`,
      `a;${TWO};Above;`,
      'B;nowhere;Above;',
      'C;51D000:0000FF;Above;',
      `D;${ONE};sideways;`,
      `;${ONE};;"4,00638E+12"`,
      `;${TWO};;T-1`,
      `;${TWO};;T-2`,
      ';;Below;',
      `E;${ONE};Below;`,
      'Total;;;',
      '',
    ].join('\n'),
    { dry_run: true },
  );
  expect(rows.map((row) => [row.line, row.outcome, row.conflict])).toEqual([
    [2, 'refused', true],
    [3, 'refused', true],
    [4, 'refused', true],
    [5, 'refused', true],
    [6, 'refused', false],
    [7, 'refused', false],
    [8, 'refused', true],
    [9, 'refused', true],
    [10, 'refused', false],
    [11, 'new', false],
    [12, 'left_out', false],
  ]);
  expect(counts).toMatchObject({ refused: 9, new: 1, left_out: 1 });
});

test('the kind places means the same as locations', async () => {
  const csv = `${HEAD}\nA-1;${ONE};Below;`;
  const done = await station.post<LocationFileImport>('/api/imports/', { kind: 'places', csv });
  expect(done.kind).toBe('locations');
  expect(outcomes(done)).toEqual(['2 new']);
  const other = '/api/imports/?kind=places&dry_run=true';
  const body = new TextEncoder().encode(`${HEAD}\nA-2;${TWO};Below;`);
  const headers = { 'api-key': API_KEY, 'content-type': 'text/csv' };
  expect(await station.request('POST', other, body, headers)).toMatchObject({
    status: 200,
    body: { kind: 'locations' },
  });
});
