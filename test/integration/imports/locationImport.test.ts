import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LocationAlias } from '#shared/api/alias.ts';
import { MAX_NAME_CHARACTERS } from '#shared/api/device.ts';
import type { ImportUndo, LocationImport } from '#shared/api/locationImport.ts';
import { applyFacts } from '#shared/api/reducer.ts';
import type { Station } from '#shared/api/station.ts';
import { openStream } from '../../helpers/servers/eventStream.ts';
import { openSession } from '../../helpers/session.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const ONE = '51D000:000001';
const TWO = '51D000:000002';
const ALIASES = '/api/location-aliases/';
const IMPORT = `${ALIASES}import/`;

let station: TestStation;

beforeEach(async () => {
  station = await startTestStation();
  await station.post('/api/simulator/devices/', { count: 2 });
});

afterEach(() => station.stop());

const list = () => station.get<LocationAlias[]>(ALIASES);
const run = (csv: string, dry_run = false) => station.post<LocationImport>(IMPORT, { csv, dry_run });
const add = (name: string, deviceid = ONE, deviceIs = 'Below') =>
  station.post<LocationAlias>(ALIASES, { name, deviceid, deviceIs });

/** Returns the outcome of each row with its line number, or the reason why the row is refused. */
function outcomes({ rows }: LocationImport): string[] {
  return rows.map(({ line, outcome, message }) => `${line} ${message === '' ? outcome : message}`);
}

test('each row creates, changes or keeps the alias of that name, or is refused with the reason', async () => {
  await add('A-1');
  await add('A-2');
  await add('Stays');
  await station.post(`/api/device/${TWO}/`, { locationoverride: 'Bench' });
  const csv = [
    'Location;Device;Where',
    `a-1;${ONE};Below`,
    `A-2;${ONE.toLowerCase()};  below `,
    'A-3;bench;to the left of',
    `A-4;${TWO};beside`,
    'A-5;51D0FF:000009;Above',
    'A-6;nowhere;Above',
    `;${ONE};Above`,
    `A-3;${ONE};Above`,
    'A-7;bench;Above',
  ].join('\n');
  const answer = await run(csv);
  expect(outcomes(answer)).toEqual([
    '2 changed',
    '3 unchanged',
    '4 Line 9 names the place "A-3" too. Keep one of these rows.',
    expect.stringMatching(/^5 deviceIs says where the device is.*Above and to the Left of/),
    '6 There is no device 51D0FF:000009. GET /api/device/ lists the devices that are known.',
    '7 No DeviceID or label is "nowhere".',
    '8 It has no name.',
    '9 Line 4 names the place "A-3" too. Keep one of these rows.',
    '10 new',
  ]);
  expect(answer).toMatchObject({ dry_run: false, counts: { new: 1, changed: 1, unchanged: 1, refused: 6 } });
  expect(answer.columns).toEqual({ name: 'Location', deviceid: 'Device', deviceIs: 'Where', label: null });
  expect(await list()).toMatchObject([
    { name: 'a-1' },
    { name: 'A-2' },
    { name: 'Stays' },
    { name: 'A-7', deviceid: TWO, deviceIs: 'Above' },
  ]);
});

test('a dry run reports the same rows and changes nothing', async () => {
  await add('A-1');
  const before = await station.get<Station>('/api/station/');
  const csv = `name,deviceid,deviceIs\nA-1,${TWO},Above\nA-2,${TWO},Above\nA-3,x,Above`;
  const dry = await run(csv, true);
  expect(await station.get('/api/station/')).toEqual(before);
  expect(dry.rows.map(({ id }) => id)).toEqual([1, null, null]);
  const real = await run(csv);
  expect(outcomes(real)).toEqual(outcomes(dry));
  expect(real.counts).toEqual(dry.counts);
});

test('the event stream reports the imported places, then the import that can be undone', async () => {
  const stream = await openStream(station.url);
  const before = await station.get<Station>('/api/station/');
  const rows = Array.from({ length: 300 }, (_, index) => `B-${index},${ONE},Above`);
  await run(`name,deviceid,deviceIs\n${rows.join('\n')}`);
  await station.clock.advance(100);
  const isLast = (commit: ReturnType<typeof stream.commits>[number]) =>
    commit.facts.some(({ type }) => type === 'import.kept');
  await stream.until(() => stream.commits().some(isLast));
  const commits = stream.commits();
  stream.close();
  const facts = commits.flatMap((commit) => commit.facts);
  expect(facts.filter(({ type }) => type === 'alias.changed')).toHaveLength(300);
  const after = await station.get<Station>('/api/station/');
  const followed = commits.reduce((state, commit) => applyFacts(state, commit.facts, commit.id), before);
  expect([followed.aliases, followed.last_import]).toEqual([after.aliases, after.last_import]);
  expect(after.last_import).toMatchObject({ counts: { new: 300 } });
});

test('moves the open work of an alias to its new device', async () => {
  const { id } = await add('A-1');
  const { command_id } = await station.post('/api/devices/', { location: 'A-1', line1: 'bolt' });
  await station.clock.advance(3_000);
  await run(`name,deviceid,deviceIs\nA-1,${TWO},Above`);
  expect((await station.device(ONE)).commands).toEqual([]);
  const [moved] = (await station.device(TWO)).commands;
  expect(moved).toMatchObject({ alias_id: id, location: 'A-1', arrow: 'bottom' });
  expect(moved?.command_id).not.toBe(command_id);
});

test('moves the work of several aliases of one device in one import, and lights the remaining work', async () => {
  for (const name of ['A-1', 'A-2', 'A-3']) await add(name);
  const sent = ['A-1', 'A-2', 'A-1', ONE, 'A-3'];
  for (const [index, location] of sent.entries()) await station.post('/api/devices/', { location, line1: `${index}` });
  await station.clock.advance(3_000);
  await run(`name,deviceid,deviceIs\nA-2,${TWO},Above\nA-1,${TWO},Below\nA-3,${ONE},Above`);
  await station.clock.advance(10_000);
  const texts = async (deviceid: string) =>
    (await station.device(deviceid)).commands.map(({ line1, location, arrow }) => `${line1} ${location} ${arrow}`);
  expect(await texts(TWO)).toEqual(['1 A-2 bottom', '0 A-1 top', '2 A-1 top']);
  expect(await texts(ONE)).toEqual(['3  null', '4 A-3 bottom']);
  for (const [deviceid, line] of [
    [TWO, '1'],
    [ONE, '3'],
  ] as const) {
    expect((await station.device(deviceid)).displayed?.screen.lines).toEqual([line]);
  }
});

test('a row that fails halfway is refused and leaves no trace, and the other rows are imported', async () => {
  await add('A-1');
  for (const line1 of ['nut', 'bolt']) await station.post('/api/devices/', { location: 'A-1', line1 });
  // The queue has room for one more command, so only the first command of the alias fits.
  const many = Array.from({ length: 999 }, (_, index) => ({ deviceid: TWO, line1: `${index}` }));
  await station.post('/api/devices/', many);
  const answer = await run(`name,deviceid,deviceIs\nA-0,${ONE},Above\nA-1,${TWO},Above\nA-2,${ONE},Above`);
  expect(outcomes(answer)).toEqual([
    '2 new',
    expect.stringMatching(/^3 The queue of 51D000:000002 already holds 1000/),
    '4 new',
  ]);
  expect((await station.device(ONE)).commands).toHaveLength(2);
  expect((await station.device(TWO)).commands).toHaveLength(999);
  expect(await list()).toMatchObject([{ name: 'A-1', deviceid: ONE }, { name: 'A-0' }, { name: 'A-2' }]);
});

test('a row that fails halfway releases its label for later rows, but not its name', async () => {
  const long = 'x'.repeat(MAX_NAME_CHARACTERS + 1);
  const answer = await run(
    `name,deviceid,deviceIs,label\nA-1,${ONE},Above,${long}\nA-1,${TWO},Below,Bench\nA-2,${TWO},Below,Bench`,
  );
  expect(outcomes(answer)).toEqual([
    expect.stringMatching(/^2 Its label has more than/),
    expect.stringMatching(/^3 Line 2 names the place "A-1" too/),
    '4 new',
  ]);
  expect(await list()).toMatchObject([{ id: 1, name: 'A-2', deviceid: TWO }]);
});

const undo = (id: number | null) => station.post<ImportUndo>(`${IMPORT}undo/`, { id });
const last = async () => (await station.request('GET', IMPORT)).body;

test('an undo reverts new and changed aliases, except those changed since', async () => {
  const kept = await add('A-1');
  const before = await list();
  const csv = `name,deviceid,deviceIs\na-1,${TWO},Above\nA-2,${TWO},Above\nA-3,${TWO},Above\nA-4,${TWO},Above`;
  const { id } = await run(csv);
  expect(await undo(id)).toEqual({ undone: 4, kept: [] });
  expect(await list()).toEqual(before);

  const again = await run(csv);
  const idOf = (name: string) => again.rows.find((row) => row.name === name)?.id;
  await station.request('PUT', `${ALIASES}${idOf('A-2')}/`, { name: 'A-2', deviceid: ONE, deviceIs: 'Below' });
  await station.request('DELETE', `${ALIASES}${idOf('A-3')}/`);
  expect(await undo(again.id)).toEqual({
    undone: 2,
    kept: [
      { name: 'A-2', message: 'It was changed since.' },
      { name: 'A-3', message: 'It was removed since.' },
    ],
  });
  expect(await list()).toMatchObject([kept, { name: 'A-2', deviceid: ONE }]);
});

test('only the last import that changed something can be undone, and only once, even by a different person after a restart', async () => {
  expect(await last()).toMatchObject({ code: 'not_found' });
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'Bench' });
  const csv = `name,deviceid,deviceIs,label\nA-1,${TWO},Above,\n,${ONE},,Shelf\n,nowhere,,Shelf`;
  const { id, counts } = await run(csv);
  const summary = { id, at: expect.any(String) as string, by: 'API key', counts };
  await run(csv);
  await run(`name,deviceid,deviceIs\nA-2,${TWO},Above`, true);
  expect(await last()).toEqual(summary);
  await station.restart();
  expect((await station.get<Station>('/api/station/')).last_import).toEqual(await last());
  const { write } = await openSession(station);
  const other = { ...write, 'content-type': 'application/json' };
  expect(await station.request('POST', `${IMPORT}undo/`, { id }, other)).toMatchObject({
    status: 200,
    body: { undone: 2, kept: [] },
  });
  const [told] = station.rows<{ facts: string }>('SELECT facts FROM commits ORDER BY revision DESC LIMIT 1');
  expect(JSON.parse(told?.facts ?? '')).toContainEqual({ type: 'import.kept', last_import: null });
  expect(await list()).toEqual([]);
  expect((await station.device(ONE)).locationoverride).toBe('Bench');
  expect(await last()).toMatchObject({ code: 'not_found' });
  expect((await station.request('POST', `${IMPORT}undo/`, { id })).status).toBe(404);
});

test('a new import replaces the previous one, which can no longer be undone', async () => {
  const first = await run(`name,deviceid,deviceIs\nA-1,${TWO},Above`);
  const second = await run(`name,deviceid,deviceIs\nA-2,${TWO},Above`);
  expect(second.id).not.toBe(first.id);
  expect(await station.request('POST', `${IMPORT}undo/`, { id: first.id })).toMatchObject({
    status: 404,
    body: { code: 'not_found' },
  });
  expect(await list()).toMatchObject([{ name: 'A-1' }, { name: 'A-2' }]);
});

const labelOf = async (deviceid: string) => (await station.device(deviceid)).locationoverride;

test('changes the labels of devices found by DeviceID or old label, and an empty cell clears a label', async () => {
  await run(`deviceid,label\n${ONE},A-1\n${TWO},A-2`);
  const swapped = await run('Device;New label\na-1;A-2\nA-2;A-1');
  expect(outcomes(swapped)).toEqual(['2 changed', '3 changed']);
  expect(swapped.rows).toMatchObject([
    { deviceid: ONE, name: '', label: 'A-2', label_before: 'A-1', id: null },
    { deviceid: TWO, label: 'A-1', label_before: 'A-2' },
  ]);
  expect([await labelOf(ONE), await labelOf(TWO)]).toEqual(['A-2', 'A-1']);
  await run(`${ONE}\tBench`);
  expect(await run(`deviceid,label\n${ONE},\n${TWO},A-1`)).toMatchObject({ counts: { changed: 1, unchanged: 1 } });
  expect([await labelOf(ONE), await labelOf(TWO)]).toEqual(['', 'A-1']);
});

test('keeps fields without a column, and keeps a label if its cell is empty in a row with a name', async () => {
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'Bench', statica: 'Bolt', brightness: 40 });
  await run(`name,deviceid,deviceIs\nA-1,${ONE},Above`);
  await run(`name,deviceid,deviceIs,label\nA-2,${ONE},Above,`);
  expect(await station.device(ONE)).toMatchObject({ locationoverride: 'Bench', statica: 'Bolt', brightness: 40 });
  expect(await run(`name,deviceid,deviceIs,label\nA-2,${ONE},Above,Shelf`)).toMatchObject({
    counts: { changed: 1 },
    rows: [{ before: null, label_before: 'Bench' }],
  });
  expect(await station.device(ONE)).toMatchObject({ locationoverride: 'Shelf', statica: 'Bolt' });
});

test('refuses two labels for one device, and one label for two devices', async () => {
  const csv = [
    'name,deviceid,deviceIs,label',
    `,${ONE},,A-1`,
    `A-9,${ONE},Above,A-2`,
    `,${TWO},,A-1`,
    `,51D0FF:000009,,A-3`,
    `,${TWO},,${'x'.repeat(MAX_NAME_CHARACTERS + 1)}`,
    `,${TWO},Above,`,
  ];
  expect(outcomes(await run(csv.join('\n'), true))).toEqual([
    `2 Line 3 gives ${ONE} the label "A-2". Keep one of these rows.`,
    `3 Line 2 gives ${ONE} the label "A-1". Keep one of these rows.`,
    '4 Line 2 names the place "A-1" too. Keep one of these rows.',
    expect.stringMatching(/^5 .*51D0FF:000009/),
    expect.stringMatching(/^6 Its label has more than \d+ characters/),
    '7 It has no name.',
  ]);
  expect(await list()).toEqual([]);
});

test('undoing a label import keeps labels that have changed since', async () => {
  const { id } = await run(`deviceid,label\n${ONE},A-1\n${TWO},A-2`);
  await station.post(`/api/device/${TWO}/`, { locationoverride: 'Bench' });
  expect(await undo(id)).toEqual({ undone: 1, kept: [{ name: 'A-2', message: 'Its label was changed since.' }] });
  expect([await labelOf(ONE), await labelOf(TWO)]).toEqual(['', 'Bench']);
});

test('the export can be imported again, and its cells are not run as formulas in spreadsheets', async () => {
  await add('=1+1', TWO, 'Above');
  await add('Größe; "3/4"');
  await station.post(`/api/device/${ONE}/`, { locationoverride: '+A;1' });
  const { headers, body } = await station.request('GET', `${ALIASES}export/`);
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(headers.get('content-disposition')).toBe('attachment; filename="location-aliases.csv"');
  const csv = String(body);
  expect(csv.slice(1)).toBe(
    [
      'name,deviceid,deviceIs,label,note,article,rack,shelf,column',
      `,${ONE},,"'+A;1",,,,,`,
      `,${TWO},,,,,,,`,
      `'=1+1,${TWO},Above,,,,,,`,
      `"=""Größe; """"3/4""""""",${ONE},Below,,,,,,`,
      '',
    ].join('\r\n'),
  );
  const before = await list();
  expect(await run(csv)).toMatchObject({ counts: { new: 0, changed: 0, unchanged: 4, refused: 0 } });
  await station.post(`/api/device/${ONE}/`, { locationoverride: '' });
  for (const { id } of before) await station.request('DELETE', `${ALIASES}${id}/`);
  await run(csv);
  expect(await labelOf(ONE)).toBe('+A;1');
  expect((await list()).map(({ id: _id, ...alias }) => alias)).toEqual(before.map(({ id: _id, ...alias }) => alias));
});

test.each([
  ['', /The file is empty/],
  ['name,label\na,b', /no column deviceid/],
  [`name,deviceid,deviceIs\n${'a,b,c\n'.repeat(5_001)}`, /more than 5,000 rows/],
])('refuses a file that cannot be read, explains why, and changes nothing', async (csv, reason) => {
  const { id } = await run(`name,deviceid,deviceIs\nA-1,${TWO},Above`);
  const state = async () => [await list(), await last(), (await station.get<Station>('/api/station/')).revision];
  const before = await state();
  const answer = await station.request('POST', IMPORT, { csv });
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid', errors: [{ path: '/csv' }] } });
  expect((answer.body as { detail: string }).detail).toMatch(reason);
  expect(await state()).toEqual(before);
  expect(await undo(id)).toEqual({ undone: 1, kept: [] });
});
