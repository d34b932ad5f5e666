import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DEFAULT_SETTINGS } from '#shared/api/settings.ts';
import type { StaticChanges } from '#shared/lib/deviceRequest.ts';
import { staticScreen } from '#shared/lib/staticScreen.ts';
import { deviceRows, type DeviceRow } from '../../electron/server/db/repositories/devices.ts';
import { withStatics } from '../../electron/server/services/devices/statics.ts';
import { MIGRATIONS, migrate, schemaOf } from '../../electron/server/db/migrations.ts';
import { createRepositories } from '../../electron/server/db/repositories.ts';
import { orderRows } from '../../electron/server/db/repositories/orders.ts';
import { deliveryId, outboxRows, webhookId } from '../../electron/server/db/repositories/outbox.ts';
import { stationTimeRows } from '../../electron/server/db/repositories/stationTime.ts';
import { lastLocationImport } from '../../electron/server/services/imports/index.ts';
import { deviceSettings } from '../../electron/server/services/base/deviceEntry.ts';

const NOW = Date.UTC(2026, 10, 20, 8);
const FIXTURES = join(import.meta.dirname, '../migrations');

let folder: string;

beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'pickstation-migrations-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Copies the fixture from before a migration, lets `prepare` change it, and migrates it to the latest schema. */
function migrated(name: string, prepare: (db: Database.Database) => void = () => undefined): Database.Database {
  const file = join(folder, name);
  copyFileSync(join(FIXTURES, `${name}.sqlite`), file);
  const db = new Database(file);
  prepare(db);
  migrate(db, file, MIGRATIONS);
  expect(schemaOf(db)).toBe(MIGRATIONS.length);
  return db;
}

test('each migration has a test database of the schema before it', () => {
  const named = (folder: string, ending: string) =>
    readdirSync(join(import.meta.dirname, folder))
      .filter((file) => file.endsWith(ending))
      .map((file) => file.slice(0, -ending.length));
  const [first, ...others] = named('../../electron/server/db/migrations', '.ts').toSorted();
  expect(first).toBe('0001-firstSchema');
  expect(named('../migrations', '.sqlite').toSorted()).toEqual(others);
});

test('0002: older orders have no items of 0 and nothing to undo', () => {
  const db = migrated('0002-orderImports');
  const orders = orderRows(db);
  const order = orders.findByNumber('SO-1');
  expect(order).toMatchObject({ state: 'open', counts: { items: 2, done: 1, zero: 0, ordered: 3 } });
  expect(orders.listShipments(order?.id ?? 0)).toMatchObject([{ counts: { items: 2, done: 1, zero: 0 } }]);
  expect(db.prepare('SELECT * FROM imports').all()).toEqual([]);
  db.close();
});

test('0003: pending deliveries get their full time again, and the others stay unchanged', () => {
  const db = migrated('0003-stationTime');
  const outbox = outboxRows(db);
  expect(
    outbox.list({ state: undefined, family: undefined, receiver: undefined, after: undefined, limit: 9 }),
  ).toMatchObject([
    { id: 4, state: 'delivered', attempts: 1, next_attempt_at: null },
    { id: 3, state: 'dead', attempts: 24, next_attempt_at: null },
    { id: 2, state: 'pending', attempts: 1, since_ran_ms: 0, last_error: 'The receiver answered 503.' },
    { id: 1, state: 'pending', attempts: 17, since_ran_ms: 0, next_attempt_at: Date.UTC(2026, 10, 20, 9) },
  ]);
  expect(stationTimeRows(db).find()).toBeUndefined();
  db.close();
});

const NONE = { quantity: null, arrow: null, barcode: '', qrcode: '', icon: '' };

test('0004: every display stays unchanged, and elements may have come in a line', () => {
  const db = migrated('0004-unknownOrigin');
  const repositories = deviceRows(db).list();
  expect(repositories.map((row) => staticScreen(row, row.label))).toEqual([
    { ...NONE, label: 'A-1', lines: ['M8 nut'], barcode: '51D000:000001' },
    { ...NONE, label: 'A-2', lines: ['Grease'], arrow: 'left', qrcode: 'ep2', barcode: 'EP2' },
    { ...NONE, label: 'A-3', lines: ['Gloves'], quantity: 36, icon: 'hazardn' },
    { ...NONE, label: 'A-4', lines: ['Washer', 'zinc'], quantity: 240 },
  ]);
  expect(repositories.map((row) => row.unknown_origin)).toEqual(['barcode', 'arrow barcode qrcode', 'icon', '']);
  expect(repositories.map((row) => deviceSettings(row).unknown_origin)).toEqual([
    ['barcode'],
    ['arrow', 'barcode', 'qrcode'],
    ['icon'],
    [],
  ]);
  db.close();
});

test('0004: the next change of a line removes elements without a field, with a warning', () => {
  const db = migrated('0004-unknownOrigin');
  const devices = deviceRows(db);
  const changed = (changes: StaticChanges, id = '51D000:000002'): DeviceRow => {
    const row = devices.find(id);
    if (row === undefined) throw new Error(`There is no ${id}.`);
    const after = withStatics(row, changes);
    devices.update(after.row);
    expect(after.warnings).toEqual(warnings.map((warning) => expect.stringMatching(warning) as string));
    return devices.find(id) ?? row;
  };
  let warnings: RegExp[] = [];
  const all = { arrow: 'left', barcode: 'EP2', qrcode: 'ep2' };
  expect(changed({ locationoverride: 'B-9', quantity: null, brightness: 40 })).toMatchObject(all);
  expect(changed({ barcode: 'EP2' })).toMatchObject({ ...all, unknown_origin: 'arrow qrcode' });
  warnings = [/^The arrow "left" is removed/];
  expect(changed({ staticb: '400 g', qrcode: 'new' })).toMatchObject({
    arrow: '',
    barcode: 'EP2',
    qrcode: 'new',
    unknown_origin: '',
  });
  warnings = [];
  expect(changed({ staticb: '' })).toMatchObject({ barcode: 'EP2', qrcode: 'new' });
  warnings = [/barcode "51D000:000001" is removed/];
  const blue = changed({ staticb: 'blue' }, '51D000:000001');
  expect(staticScreen(blue, 'A-1')).toEqual({ ...NONE, label: 'A-1', lines: ['M8 nut', 'blue'] });
  warnings = [];
  expect(changed({ statica: '' }, '51D000:000004')).toMatchObject({ staticb: 'zinc', quantity: 240 });
  db.close();
});

test('0005: a picker becomes control and stays signed in, and a station of simulated devices becomes a trial station', () => {
  const db = migrated('0005-roles');
  const { accounts, devices, audit } = createRepositories(db);
  expect(accounts.listUsers()).toEqual([
    expect.objectContaining({ username: 'admin', role: 'admin', password_hash: 'hash of admin', created_at: 1_000 }),
    expect.objectContaining({
      username: 'Paula',
      role: 'control',
      password_hash: 'hash of Paula',
      signed_in_at: 3_000,
    }),
  ]);
  expect(accounts.listSessions(NOW).map(({ id_hash, role }) => [id_hash, role])).toEqual([
    ['id 1', 'control'],
    ['id 2', 'admin'],
  ]);
  accounts.insertUser({ username: 'Pia', password_hash: 'x', role: 'picker' }, NOW);
  expect(accounts.findUser('pia')?.role).toBe('picker');
  accounts.removeUser('Paula');
  expect(accounts.listSessions(NOW)).toHaveLength(1);
  expect(devices.isDemoShop()).toBe(true);
  expect(audit.list(undefined, 10)).toHaveLength(2);
  expect(db.pragma('foreign_key_check')).toEqual([]);
  db.close();
});

test('0005: a station that knows a real device is not a trial station', () => {
  const db = migrated('0005-roles', (before) =>
    before.exec("INSERT INTO devices (device_id, created_at) VALUES ('0A0B0C:000001', 1000)"),
  );
  expect(createRepositories(db).devices.isDemoShop()).toBe(false);
  db.close();
});

test('0006: an unassigned item stays unassigned, and the lights of orders keep the seconds of commands', () => {
  const db = migrated('0006-picking');
  const { accounts, items, orders, settings } = createRepositories(db);
  const order = orders.findByNumber('SO-1');
  expect(order).toMatchObject({ counts: { unassigned: 1, timedOut: 0 }, pickers: [], isStalled: false, priority: 0 });
  expect(items.listOf(1).map(({ trouble, picker, isVerified }) => [trouble, picker, isVerified])).toEqual([
    [null, null, false],
    [null, null, false],
    ['unassigned', null, false],
  ]);
  expect(orders.list({ state: undefined, attention: true, after: '', limit: 9 }).map((row) => row.orderNumber)).toEqual(
    ['SO-1'],
  );
  expect(settings.list()).toMatchObject({ default_seconds: 90, order_seconds: 90 });
  expect(accounts.findUser('paula')).toMatchObject({ color: null, pin_hash: null });
  expect(db.pragma('foreign_key_check')).toEqual([]);
  db.close();
});

test('0006: the lights of orders keep the old default, and stay on at a new station', () => {
  const usual = migrated('0006-picking', (before) => before.exec('DELETE FROM settings'));
  expect(createRepositories(usual).settings.list()).toEqual({ order_seconds: 60 });
  usual.close();
  const fresh = new Database(':memory:');
  migrate(fresh, 'fresh', MIGRATIONS);
  expect(createRepositories(fresh).settings.list()).toEqual({});
  fresh.close();
});

test('0007: keeps alerts and settings, no e-mail waits or counts as sent, and e-mail is off', () => {
  const db = migrated('0007-mails');
  const { alerts, mails, settings } = createRepositories(db);
  expect(alerts.listOpen()).toMatchObject([{ kind: 'battery_low', subject: '51D000:000001' }]);
  expect([mails.list(9), mails.count(), mails.findSent()]).toEqual([[], 0, []]);
  expect({ ...DEFAULT_SETTINGS, ...settings.list() }).toMatchObject({
    alert_battery_percent: 20,
    mail_host: '',
    mail_from: '',
    mail_to: [],
  });
  db.close();
});

test('0008: keeps sessions and kiosks, and no picker is away', () => {
  const db = migrated('0008-kiosks');
  const { accounts, items, orders } = createRepositories(db);
  expect(accounts.listSessions(NOW)).toMatchObject([{ id_hash: 'id 8', kiosk_id: null }]);
  expect(accounts.listKiosks()).toMatchObject([{ id: 1, name: 'Bench 1', token_hash: 'hash of a token' }]);
  expect(orders.listAway()).toEqual([]);
  db.prepare("UPDATE items SET sku = 'CT-200' WHERE id = 1").run();
  expect(['ct-200', 'CT-201'].map(items.knowsArticle)).toEqual([true, false]);
  orders.setAway('paula', 5_000);
  orders.setAway('paula', 6_000);
  expect(orders.listAway()).toEqual([{ orderNumber: 'SO-1', name: 'Paula', awayAt: 5_000 }]);
  expect(db.pragma('foreign_key_check')).toEqual([]);
  db.close();
});

test('0009: waiting deliveries go to the callback URL, under the same webhook id', () => {
  const db = migrated('0009-receivers');
  const { outbox } = createRepositories(db);
  expect(outbox.of('http').listDue(Date.UTC(2026, 10, 21), 9)).toEqual([4, 2]);
  expect(outbox.of('mqtt').listWaiting(0, 9)).toEqual([]);
  expect(outbox.counts()).toMatchObject({ pending: 2, dead: 1 });
  const row = outbox.findOf('http', 2);
  expect(row).toMatchObject({ id: 2, receiver: 'http', webhook_number: null, attempts: 3 });
  expect(row && [webhookId(row), deliveryId(row)]).toEqual(['msg_r1_2', 'msg_r1_2']);
  expect(outbox.findOf('mqtt', 2)).toBeUndefined();
  db.close();
});

test('0010: no file counts as imported, and no order has a file to write', () => {
  const db = migrated('0010-folders');
  const { endedOrders, inboxFiles } = createRepositories(db);
  expect(inboxFiles.listImported()).toEqual([]);
  expect(endedOrders.count()).toBe(0);
  const id = inboxFiles.insert('hash', 'a.csv', NOW);
  inboxFiles.addOrder(id, 'SO-1');
  inboxFiles.setImported(0, 'a.csv', id);
  expect(inboxFiles.findByHash('hash')).toMatchObject({ id, begunAt: NOW, state: 'imported', isFailed: false });
  inboxFiles.prune(NOW + 1);
  expect(inboxFiles.listImported()).toHaveLength(1);
  inboxFiles.setMoved(id);
  inboxFiles.prune(NOW + 1);
  expect(inboxFiles.findByHash('hash')).toBeUndefined();
  expect(inboxFiles.listOrders(id)).toEqual([]);
  db.close();
});

test('0011: the table of unfinished work, which 0019 removes again', () => {
  const db = migrated('0011-orderTasks');
  expect(db.prepare("SELECT name FROM sqlite_master WHERE name = 'order_tasks'").all()).toEqual([]);
  db.close();
});

test('0012: devices have a screen and an LED and are not slow, and serial ports become links without places', () => {
  const db = migrated('0012-hardware');
  const { devices, turboLinks } = createRepositories(db);
  expect(devices.find('51D000:000012')).toMatchObject({ label: 'A-12', buttons: 3, screen: 1, led: 1, slow: 0 });
  expect(turboLinks.list()).toEqual([
    {
      id: 3,
      key: null,
      kind: 'usb',
      path: '/dev/ttyACM0',
      vendor_id: '303a',
      product_id: '1001',
      serial_number: 'X1',
      baud_rate: 921_600,
      flow_control: 0,
      url: '',
      name: '',
    },
  ]);
  expect([turboLinks.nextPlace(3), turboLinks.nextPlace(3)]).toEqual([1, 2]);
  turboLinks.savePlace({ link_id: 3, number: 1, label: 'A-1', start: 0, count: 2, is_new: 1 });
  expect(turboLinks.listPlaces()).toHaveLength(1);
  turboLinks.remove(3);
  expect(turboLinks.listPlaces()).toEqual([]);
  db.close();
});

test('0013: links start without memory, and removing a link removes its memory', () => {
  const db = migrated('0013-linkMemory');
  const { turboLinks } = createRepositories(db);
  const [, link] = turboLinks.list();
  const linkId = link?.id ?? 0;
  expect(link).toMatchObject({ kind: 'openepaperlink', url: 'http://192.168.1.20/' });
  expect(turboLinks.listMemory(linkId)).toEqual([]);
  turboLinks.saveMemory({ linkId, key: 'a', text: 'one' });
  turboLinks.saveMemory({ linkId, key: 'a', text: 'two' });
  turboLinks.saveMemory({ linkId: linkId + 1, key: 'a', text: 'of no link' });
  expect(turboLinks.listMemory(linkId)).toEqual([{ key: 'a', text: 'two' }]);
  turboLinks.remove(linkId);
  expect(turboLinks.listMemory(linkId)).toEqual([]);
  db.close();
});

test('0014: a key that the installer created for a board is bound to that board', () => {
  const db = migrated('0014-boundKeys');
  const { accounts } = createRepositories(db);
  const bound = accounts.listApiUsers().map(({ name, turbo }) => [name, turbo]);
  expect(Object.fromEntries(bound)).toEqual({
    'board-51D000:000001 a1b2': 'board-51D000:000001',
    'board-1': null,
    'board-51D000:000002 a1b2': null,
    'board-51D000:00000X a1b2': null,
  });
  db.close();
});

test('0016: marks the secrets as not sealed yet', () => {
  const db = migrated('0016-sealedSecrets');
  expect(db.prepare("SELECT value FROM meta WHERE key = 'plain_secrets'").pluck().get()).toBe('1');
  db.close();
});

test('0015: existing links have no key', () => {
  const db = migrated('0015-linkKeys');
  const rows = createRepositories(db).turboLinks.list();
  expect(rows.map(({ kind, key }) => [kind, key])).toEqual([
    ['usb', null],
    ['openepaperlink', null],
    ['wled', null],
  ]);
  db.close();
});

test('0017: indexes the devices of history as far as its commands were indexed, and finds the newer rows too', () => {
  const db = migrated('0017-historyDevices');
  expect(db.prepare('SELECT block, device, history_id FROM history_devices').raw().all()).toEqual([
    [0, '51D000:000001', 16_382],
    [0, '51D000:000002', 16_383],
    [1, '51D000:000001', 16_384],
    [1, '51D000:000003', 16_385],
  ]);
  expect(db.prepare("SELECT name FROM sqlite_master WHERE name = 'history_device'").get()).toBeUndefined();
  const { history, historyFind } = createRepositories(db);
  const idsOf = (deviceId: string): number[] => {
    const ids: number[] = [];
    let before: number | undefined = Number.MAX_SAFE_INTEGER;
    while (before !== undefined) {
      const step = historyFind.step({ deviceId }, { from: 0, before }, 100);
      ids.push(...step.rows.map(({ id }) => id));
      before = step.next;
    }
    return ids;
  };
  for (const limit of [0, 1, 100]) {
    history.index(limit);
    expect(idsOf('51D000:000001')).toEqual([16_390, 16_384, 16_382]);
    expect(idsOf('51D000:000002')).toEqual([16_391, 16_383]);
  }
  expect(db.prepare('SELECT count(*) FROM history_devices').pluck().get()).toBe(6);
  db.close();
});

const LEFT_ITEMS = `SELECT order_number AS number, items.state, count(*) AS n FROM items JOIN orders ON orders.id = order_id
  GROUP BY number, items.state ORDER BY number, items.state`;

test('0018: an order that was launched in part keeps what is lit', () => {
  const db = migrated('0018-orderTaskKinds');
  const n = db.prepare("SELECT count(*) FROM commands WHERE owner_kind = 'item'").pluck().get();
  expect(n).toBe(56);
  expect(db.prepare(LEFT_ITEMS).all()).toContainEqual({ number: 'SO-1', state: 'active', n });
  db.close();
});

test('0019: finishes no task, removes an order that was created in part, and counts what is left of one that was removed in part', () => {
  const db = migrated('0019-noOrderTasks');
  expect(db.prepare("SELECT name FROM sqlite_master WHERE name = 'order_tasks'").all()).toEqual([]);
  expect(db.prepare(LEFT_ITEMS).all()).toEqual([
    { number: 'SO-1', state: 'active', n: 6 },
    { number: 'SO-1', state: 'open', n: 4 },
    { number: 'SO-2', state: 'active', n: 6 },
  ]);
  expect(db.prepare('SELECT count(*) FROM commands').pluck().get()).toBe(12);
  const { orders } = createRepositories(db);
  const [launched, removed] = ['SO-1', 'SO-2'].map((number) => orders.findByNumber(number));
  expect(launched).toMatchObject({ state: 'in_progress', counts: { items: 10, active: 6, ordered: 20 } });
  const counts = { items: 6, done: 0, active: 6, unassigned: 0, zero: 0, ordered: 12, fulfilled: 0 };
  expect(removed).toMatchObject({ state: 'in_progress', counts });
  expect(orders.listShipments(removed?.id ?? 0)).toMatchObject([{ counts }]);
  expect(db.prepare('SELECT shipment_number FROM shipments ORDER BY id').pluck().all()).toEqual(['SO-1', 'SO-2']);
  db.close();
});

test('0020: what is lit already counts as before, and no device was pressed yet', () => {
  const db = migrated('0020-frozenShows');
  const { commands, reportWindows } = createRepositories(db);
  expect(commands.listAll()).toMatchObject([{ owner: { kind: 'item', of: 'SO-1' }, base: null }]);
  const window = db.prepare('SELECT device_id, epoch FROM report_windows').get() as {
    device_id: string;
    epoch: number;
  };
  expect(reportWindows.find(window.device_id, window.epoch)).toMatchObject({ highest: 1, pressedAt: null });
  db.close();
});

test('0021: items keep why they wait, and a fulfilled order with an item that has no device waits for somebody', () => {
  const db = migrated('0021-workWithoutLight');
  const { orders, items } = createRepositories(db);
  expect(items.listOf(1).map(({ state, trouble, lastBooked }) => `${state} ${trouble} ${lastBooked}`)).toEqual([
    'done null 0',
    'open timed_out 0',
    'open unassigned 0',
  ]);
  const waiting = orders.list({ state: undefined, attention: true, after: '', limit: 9 });
  expect(waiting.map(({ orderNumber, counts }) => [orderNumber, counts.unassigned, counts.dismissed])).toEqual([
    ['SO-1', 1, 0],
    ['SO-2', 1, 0],
  ]);
  const plan = db
    .prepare(`EXPLAIN QUERY PLAN SELECT id FROM items WHERE state = 'active' AND trouble = 'no_light'`)
    .all();
  expect(JSON.stringify(plan)).toContain('items_without_light');
  db.close();
});

test('0022: an order changed last when it was created, launched or fulfilled, and waits for no scan', () => {
  const db = migrated('0022-ordersChanged');
  const { orders, items, picks } = createRepositories(db);
  const all = orders.list({ state: undefined, since: 0, after: '', limit: 9 });
  expect(all.map(({ orderNumber, updatedAt, counts }) => [orderNumber, updatedAt, counts.unscanned])).toEqual([
    ['SO-1', 2_000, 0],
    ['SO-2', 3_000, 0],
  ]);
  expect(orders.findByNumber('SO-1')).toMatchObject({ scanRequired: true });
  expect(items.listOf(1).map(({ awaitsScan }) => awaitsScan)).toEqual([false, false, false]);
  expect(picks.page({ at: 0, id: 0 }, 9_000, 9)).toMatchObject([{ picker: 'Anna', units: 2, isLine: true }]);
  db.close();
});

test('0023: the last import of orders can still be undone', () => {
  const db = migrated('0023-imports');
  const { imports } = createRepositories(db);
  expect(imports.list()).toMatchObject([{ id: 3, state: 'imported', by: 'Anna', counts: { orders: 1, changed: 0 } }]);
  expect(imports.lastOf('Anna')).toMatchObject({ id: 3 });
  expect(imports.listOrders(3)).toEqual([{ orderId: 1, before: null }]);
  // No file has changed an older order: it follows none.
  expect(imports.findDigest(1)).toBeUndefined();
  db.close();
});

test('0024: remembered columns start empty, and imports stay', () => {
  const db = migrated('0024-rememberedColumns');
  const { imports, rememberedColumns } = createRepositories(db);
  expect(rememberedColumns.list()).toEqual([]);
  expect(imports.list()).toMatchObject([{ id: 3 }]);
  db.close();
});

test('0025: the last import of locations can still be undone', () => {
  const db = migrated('0025-importedPlaces');
  const { imports } = createRepositories(db);
  expect(imports.list()).toMatchObject([
    {
      id: 5,
      kind: 'locations',
      state: 'imported',
      by: 'Anna',
      counts: { new: 1, changed: 2, known: 5, refused: 3 },
    },
    { id: 4, kind: 'orders', source: 'inbox' },
  ]);
  expect(imports.countUndoable(5, 'locations', { limit: 10, offset: 0 })).toEqual({ size: 3, undoable: 3 });
  const counts = { new: 1, changed: 2, unchanged: 5, refused: 3 };
  expect(lastLocationImport({ imports })).toEqual({ id: 5, at: new Date(3_000).toISOString(), by: 'Anna', counts });
  expect(
    imports
      .listPlaces(5)
      .flat()
      .map(({ place }) => place),
  ).toEqual([
    { alias: null, label: { deviceid: '51D000:000002', after: 'A-2', before: 'A-1' } },
    {
      alias: {
        id: 2,
        after: { name: 'B-2', deviceid: '51D000:000002', deviceIs: 'Below' },
        before: { name: 'b-2', deviceid: '51D000:000001', deviceIs: 'Above' },
      },
      label: null,
    },
    {
      alias: { id: 1, after: { name: 'B-1', deviceid: '51D000:000001', deviceIs: 'Above' }, before: null },
      label: null,
    },
  ]);
  db.close();
});

test('0026: the keys of confirmations and commands over MQTT keep their answers', () => {
  const db = migrated('0026-keyedRequests');
  const { keyedRequests } = createRepositories(db);
  const answerOf = (caller: string, key: string): unknown => {
    const { digest, status, answer } = keyedRequests.find(caller, key, NOW - 1) ?? {};
    expect(digest).toBe('');
    return { status, ...(JSON.parse(answer ?? '{}') as object) };
  };
  expect(answerOf('Paula', 'a')).toEqual({
    status: 200,
    deviceid: '51D000:000001',
    command_id: '7',
    qty: 2,
    elsewhere: [{ deviceid: '51D000:000002', location: 'B-1' }],
  });
  expect(answerOf('Paula', 'b')).toEqual({ status: 200, deviceid: '51D000:000001', command_id: '8', quantity: 3 });
  expect(answerOf('Paula', 'c')).toEqual({ status: 200, id: 1, state: 'short' });
  expect(answerOf('MQTT', 'id 1')).toEqual({ status: 200, deviceid: '51D000:000001', command_id: '9' });
  expect(answerOf('MQTT', 'id 2')).toMatchObject({ status: 409, title: 'Answer not known' });
  db.close();
});

test('0027: revision, time and quantity of older callbacks stay unknown', () => {
  const db = migrated('0027-callbackEvents');
  const [ofBroker, ofHttp] = outboxRows(db).list({
    state: undefined,
    family: undefined,
    receiver: undefined,
    after: undefined,
    limit: 9,
  });
  const unknown = { revision: null, event_at: null, picked: null };
  expect(ofHttp).toMatchObject({ id: 1, receiver: 'http', state: 'pending', attempts: 3, ...unknown });
  expect(ofBroker).toMatchObject({ id: 2, receiver: 'mqtt', state: 'dead', attempts: 12, ...unknown });
  db.close();
});

test('0028: the places of older items count as certain', () => {
  const db = migrated('0028-guessedPlaces');
  const { items, orders } = createRepositories(db);
  const order = orders.findByNumber('SO-1');
  expect(order?.counts.guessed).toBe(0);
  expect(items.listOf(order?.id ?? 0).map(({ isGuessed }) => isGuessed)).not.toContain(true);
  db.close();
});

test('0029: existing callbacks keep their receivers, and no further receiver gets the number of one of them', () => {
  const db = migrated('0029-callbackReceivers');
  const { callbackReceivers, outbox } = createRepositories(db);
  expect(
    outbox.list({ state: undefined, family: undefined, receiver: undefined, after: undefined, limit: 9 }),
  ).toMatchObject([
    { id: 2, receiver: 'mqtt', receiver_name: null, state: 'pending' },
    { id: 1, receiver: 'http', receiver_name: null, state: 'dead' },
  ]);
  expect(outbox.counts()).toMatchObject({ pending: 1, dead: 1 });
  expect(outbox.of('http').findTrouble()).toMatchObject({ isFailing: true, status: 500 });
  expect(callbackReceivers.list()).toEqual([]);
  const row = { name: 'A', url: 'http://x/', families: '{}', paused: 0, resumed_ran_ms: 0 } as const;
  expect(callbackReceivers.insert({ ...row, api_key: null, signing_secret: null })).toBe(2);
  db.close();
});

test('0030: refused orders of earlier imports become no drafts', () => {
  const db = migrated('0030-importDrafts');
  const { importDrafts, imports } = createRepositories(db);
  expect(imports.listRows(1, { outcome: 'refused', after: 0, limit: 9 })).toHaveLength(1);
  expect(importDrafts.list(Number.MAX_SAFE_INTEGER, 9)).toEqual([]);
  db.close();
});
