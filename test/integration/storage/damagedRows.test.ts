import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const DEVICE = '51D000:000001';
const BAD = ['{not json', '[]', '{}', 'null', '7', '"x"', '{"since":9e99}'];
const KEYS = [
  'callback_trouble',
  'callback_trouble_mqtt',
  'callback_recovery',
  'callback_recovery_mqtt',
  'mails_sent',
  'mqtt_instances',
  'orders_sheet',
  'restored',
  'wrapped_key',
  'update_list',
  'update_list_newest',
];
const LISTS = [
  '/api/audit/',
  '/api/callbacks/',
  '/api/callbacks/counts/',
  '/api/history/',
  '/api/history/summary/',
  '/api/sequence/',
  '/api/alerts/',
  '/api/imports/',
  '/api/mail/',
  '/api/mqtt/',
  '/api/settings/',
  '/api/station/',
  '/api/updates/',
  '/api/find/?q=Screws',
  `/api/device/${DEVICE}/`,
];

let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 1, refreshMs: 0 });
});

afterEach(() => station.stop());

/** Stops the station, changes its database, restarts the station, and advances the clock by an hour. */
async function damage(sql: string, ...values: string[]): Promise<void> {
  await station.halt();
  const db = new Database(join(station.dataFolder, 'pickstation.sqlite'));
  const { changes } = db.prepare(sql).run(...values);
  db.close();
  expect(changes).toBeGreaterThan(0);
  await station.restart();
  await station.clock.advance(3_600_000);
}

async function refusals(): Promise<string[]> {
  const failed: string[] = [];
  for (const path of LISTS) {
    const { status } = await station.request('GET', path);
    if (status >= 500) failed.push(`${path} ${status}`);
  }
  return [...failed, ...station.logged.filter(({ level }) => level === 'error').map(({ message }) => message)];
}

test.each(BAD)('the value %s in the table meta does not prevent startup or break a list', async (text) => {
  await station.patch('/api/settings/', { callback_url: 'http://127.0.0.1:9/', backup_every: 0 });
  const sql = `INSERT OR REPLACE INTO meta (key, value) VALUES ${KEYS.map(() => '(?, ?)').join()}`;
  await damage(sql, ...KEYS.flatMap((key) => [key, text]));
  expect(await refusals()).toEqual([]);
});

const COMMAND = {
  command: 'flash',
  lines: ['Screws'],
  arrow: null,
  barcode: '',
  qrcode: '',
  icon: '',
  quantity: null,
  color: 'red',
  sound: '',
  seconds: 0,
};
const WRONG_COMMANDS = Object.keys(COMMAND).flatMap((field) =>
  [7, [null], {}]
    .filter((value) => !(value === 7 && (field === 'seconds' || field === 'quantity')))
    .map((value) => JSON.stringify({ ...COMMAND, [field]: value })),
);

test.each([...BAD, ...WRONG_COMMANDS])(
  'a command with the damaged content %s lights its device and says that it is damaged',
  async (text) => {
    await station.post(`/api/device/${DEVICE}/`, { line1: 'Screws', seconds: 0 });
    await station.clock.advance(1_000);
    await damage('UPDATE commands SET content = ?', text);
    expect(await refusals()).toEqual([]);
    expect(await station.device(DEVICE)).toMatchObject({ commands: [{ line1: 'Damaged command' }] });
    await station.press(DEVICE);
    expect(await station.device(DEVICE)).toMatchObject({ commands: [] });
  },
);

test.each(BAD)(
  'a row of the activity log, history or a sequence damaged with %s does not break any list',
  async (text) => {
    await station.post('/api/sequence/', { sequenceid: 'round', steps: [{ device: DEVICE, order: 1, line1: 'Nuts' }] });
    await station.post(`/api/device/${DEVICE}/`, { line1: 'Screws' });
    await station.clock.advance(1_000);
    await station.press(DEVICE);
    await station.patch('/api/settings/', { backup_every: 0 });
    await damage('UPDATE audit SET detail = ?', text);
    await damage('UPDATE history SET detail = ?', text);
    await damage('UPDATE steps SET content = ?', text);
    expect(await refusals()).toEqual([]);
  },
);
