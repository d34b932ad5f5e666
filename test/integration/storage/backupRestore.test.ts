import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { AuditEntry } from '#shared/api/access.ts';
import type { Alert } from '#shared/api/alert.ts';
import type { Backup, BackupStatus } from '#shared/api/backup.ts';
import type { SettingsAnswer } from '#shared/api/settings.ts';
import { rewriteBackup } from '../../../electron/server/db/backupCheck.ts';
import { DATABASE_FILE } from '../../../electron/server/db/database.ts';
import { MARK_FILE } from '../../../electron/server/db/mark.ts';
import { MIGRATIONS } from '../../../electron/server/db/migrations.ts';
import type { Station } from '#shared/api/station.ts';
import { openStream } from '../../helpers/servers/eventStream.ts';
import { openSession } from '../../helpers/session.ts';
import { ADMIN_PASSWORD, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const DEVICE = '51D000:000001';

let station: TestStation & AsyncDisposable;
let other: string;

beforeEach(async () => {
  other = mkdtempSync(join(tmpdir(), 'pickstation-other-'));
  station = await startTestStation({ simulate: 1, refreshMs: 0 });
});

afterEach(async () => {
  await station.stop();
  rmSync(other, { recursive: true, force: true });
});

const label = async (at: TestStation = station): Promise<string> => (await at.device(DEVICE)).locationoverride;
const setLabel = (text: string, at: TestStation = station) =>
  at.post(`/api/device/${DEVICE}/`, { locationoverride: text });
const revision = async (): Promise<number> => (await station.get<Station>('/api/station/')).revision;
const backups = (): Promise<Backup[]> => station.get<Backup[]>('/api/backups/');
const audited = (): Promise<AuditEntry[]> => station.get<AuditEntry[]>('/api/audit/');

/** Restores a backup, and returns once the station is running again. */
async function restore(name: string): Promise<void> {
  const answer = await station.request('POST', `/api/backups/${name}/restore/`);
  expect(answer).toMatchObject({ status: 202, body: { name, url: station.url } });
  await station.clock.advance(0);
}

test('a restore brings back the data at the same address, and keeps the replaced data as a backup', async () => {
  await setLabel('before');
  const { url } = station;
  const { name } = await station.post<Backup>('/api/backups/');
  await setLabel('since');
  await station.clock.advance(60_000);
  await restore(name);
  expect(station.url).toBe(url);
  expect(await label()).toBe('before');
  const [kept, first] = await backups();
  expect(first).toMatchObject({ name, kind: 'manual' });
  expect(kept).toMatchObject({ kind: 'restore', created: '2026-11-20T08:01:00.000Z' });
  const db = new Database(join(station.dataFolder, 'backups', kept?.name ?? ''), { readonly: true });
  expect(db.prepare('SELECT label FROM devices').pluck().get()).toBe('since');
  expect(db.pragma('journal_mode', { simple: true })).toBe('delete');
  db.close();
  const [told] = await audited();
  expect(told).toMatchObject({ action: 'backup.restored', by: 'API key', subject: name, detail: { kept: kept?.name } });
  expect(readdirSync(station.dataFolder).filter((file) => /restore\.json|\.new/.test(file))).toEqual([]);
});

test.for([
  ['this_machine', 'network', 'this_machine'],
  ['network', 'network', 'network'],
  ['network', 'this_machine', 'this_machine'],
] as const)(
  'if a station set to %s restores a backup with the setting %s, it then listens on %s',
  async ([before, inBackup, after]) => {
    const at = await startTestStation({ host: undefined });
    onTestFinished(() => at.stop());
    const listen = async () => (await at.get<SettingsAnswer>('/api/settings/')).listen;
    await at.patch('/api/settings/', { listen: inBackup });
    const { name } = await at.post<Backup>('/api/backups/');
    await at.patch('/api/settings/', { listen: before });
    await at.request('POST', `/api/backups/${name}/restore/`);
    await at.clock.advance(0);
    expect(await listen()).toBe(after);
    const [told] = await at.get<AuditEntry[]>('/api/audit/');
    const isClosed = inBackup !== after;
    expect(told).toMatchObject({ action: 'backup.restored' });
    expect(told?.detail.listen).toBe(isClosed ? 'this_machine' : undefined);
  },
);

test('restoring a backup on a new machine does not open that station to the network', async () => {
  await station.patch('/api/settings/', { listen: 'network' });
  const { name } = await station.post<Backup>('/api/backups/');
  const moved = await startTestStation({
    host: undefined,
    dataFolder: other,
    restore: join(station.dataFolder, 'backups', name),
  });
  onTestFinished(() => moved.stop());
  expect(await moved.get('/api/settings/')).toMatchObject({
    listen: 'this_machine',
    exposure: { listens: 'this_machine' },
  });
});

test('the data that a restore replaced can be restored in the same way', async () => {
  const { name } = await station.post<Backup>('/api/backups/');
  await setLabel('since');
  await station.clock.advance(1_000);
  await restore(name);
  expect(await label()).toBe('');
  const [kept] = await backups();
  await restore(kept?.name ?? '');
  expect(await label()).toBe('since');
});

test('open commands light again after a restore, and a press acknowledges them', async () => {
  const { command_id: id } = await station.post(`/api/device/${DEVICE}/`, {
    line1: 'Cable tie',
    seconds: 0,
    nonce: 'n',
  });
  await station.clock.advance(12_000);
  const { name } = await station.post<Backup>('/api/backups/');
  await station.press(DEVICE);
  await station.clock.advance(1_000);
  expect((await station.device(DEVICE)).commands).toEqual([]);
  await restore(name);
  await station.clock.advance(12_000);
  expect((await station.device(DEVICE)).commands).toMatchObject([{ command_id: id, state: 'shown' }]);
  await station.press(DEVICE);
  await station.clock.advance(1_000);
  expect((await station.device(DEVICE)).commands).toEqual([]);
});

test('revisions and command ids continue above all earlier ones, and streams that resume get a reset', async () => {
  const { name } = await station.post<Backup>('/api/backups/');
  const shared = await revision();
  // The clock does not advance, so these commits exceed the minimum that the next revision gets from the time.
  for (let number = 1; number <= 30; number += 1) await setLabel(`since ${number}`);
  const { command_id: given } = await station.post(`/api/device/${DEVICE}/`, { line1: 'x', nonce: 'lost' });
  const last = await revision();
  await restore(name);
  expect(await revision()).toBeGreaterThan(last);
  const { command_id: next } = await station.post(`/api/device/${DEVICE}/`, { line1: 'x', nonce: 'new' });
  expect(Number(next)).toBeGreaterThan(Number(given));
  for (const seen of [shared, shared + 1, last - 1, last]) {
    const stream = await openStream(station.url, { lastEventId: String(seen) });
    await stream.until(() => stream.messages().some(({ event }) => event === 'ephemera'));
    expect(stream.messages()[0]?.event, String(seen)).toBe('reset');
    stream.close();
  }
});

test('a restore ends open streams, and sessions that are not in the backup', async () => {
  const { name } = await station.post<Backup>('/api/backups/');
  const stream = await openStream(station.url, { lastEventId: String(await revision()) });
  const { apikey } = await openSession(station, { username: 'admin', password: ADMIN_PASSWORD });
  await restore(name);
  await stream.ended();
  expect((await station.request('GET', '/api/device/', undefined, { 'api-key': apikey })).status).toBe(401);
});

/** Stops the station and leaves a restore order that was carried out up to this stage. */
async function leaveOrder(name: string, stage: string): Promise<void> {
  await station.halt();
  const { dataFolder } = station;
  rewriteBackup(join(dataFolder, 'backups', name), join(dataFolder, 'restore-x.sqlite'), MIGRATIONS);
  const order = { id: 'x', from: join('backups', name), by: 'Ann', address: '', at: 0 };
  writeFileSync(join(dataFolder, 'restore.json'), JSON.stringify({ order, stage, hadDatabase: true }));
}

const failure = async (): Promise<string | undefined> =>
  (await station.get<BackupStatus>('/api/backups/status/')).failure?.message;

const leftOver = (): string[] =>
  readdirSync(station.dataFolder).filter((file) => /^restore|\.before|\.part/.test(file));

test('a prepared restore whose file is damaged is dropped and reported at the next start', async () => {
  const { name } = await station.post<Backup>('/api/backups/');
  await setLabel('since');
  await leaveOrder(name, 'ordered');
  const prepared = join(station.dataFolder, 'restore-x.sqlite');
  writeFileSync(prepared, readFileSync(prepared).fill(0xa5, 4_096, 100_000));
  await station.restart();
  expect(await label()).toBe('since');
  expect(await failure()).toMatch(/was not restored/);
  expect(station.logged.map(({ level }) => level)).toContain('error');
  expect(leftOver()).toEqual([]);
  await station.restart();
  expect(await failure()).toBeUndefined();
});

test('a requested restore that has not begun is carried out at the next start', async () => {
  const { name } = await station.post<Backup>('/api/backups/');
  await setLabel('since');
  await leaveOrder(name, 'ordered');
  await station.restart();
  expect(await label()).toBe('');
  expect(await failure()).toBeUndefined();
  expect(leftOver()).toEqual([]);
});

test('an unfinished restore is abandoned and reported at the next start', async () => {
  const { name } = await station.post<Backup>('/api/backups/');
  await setLabel('since');
  await leaveOrder(name, 'begun');
  await station.restart();
  expect(await label()).toBe('since');
  expect(await failure()).toMatch(/did not finish and was abandoned.*the data that it had before/);
  expect(leftOver()).toEqual([]);
});

test('if the station cannot start with the restored database, it returns to the previous one', async () => {
  let fails = false;
  await station.stop();
  station = await startTestStation({
    simulate: 1,
    refreshMs: 0,
    joinTurbos() {
      if (!fails) return;
      fails = false;
      throw new Error('This station cannot start.');
    },
  });
  await setLabel('old');
  const { name } = await station.post<Backup>('/api/backups/');
  await setLabel('since');
  fails = true;
  await restore(name);
  expect(fails).toBe(false);
  expect(await label()).toBe('since');
  expect(await failure()).toMatch(/did not finish and was abandoned/);
  expect(leftOver()).toEqual([]);
});

test.each([
  ['no backup name', { order: { id: 'x' }, stage: 'replaced', hadDatabase: true }],
  ['a number as the backup name', { order: { id: 'x', from: 7 }, stage: 'begun' }],
  ['no order', { stage: 'replaced' }],
  ['an unknown stage', { order: { id: 'x', from: 'backups/x' }, stage: 'done' }],
  ['no content', null],
])('a restore order with %s counts as an unfinished restore, and the previous data returns', async (_, order) => {
  await setLabel('before');
  await station.halt();
  const file = join(station.dataFolder, DATABASE_FILE);
  const mark = join(station.dataFolder, MARK_FILE);
  copyFileSync(file, join(other, 'kept'));
  copyFileSync(mark, join(other, 'mark'));
  await station.restart();
  await setLabel('restored');
  await station.halt();
  copyFileSync(join(other, 'kept'), `${file}.before`);
  // Until a restore is complete, the mark still belongs to the previous data.
  copyFileSync(join(other, 'mark'), mark);
  writeFileSync(join(station.dataFolder, 'restore.json'), JSON.stringify(order));
  await station.restart();
  expect(await label()).toBe('before');
  expect(await failure()).toMatch(/abandoned.*the data that it had before/);
  expect(leftOver()).toEqual([]);
});

test('a failed restore raises an alert that stays open until somebody dismisses it', async () => {
  const { name } = await station.post<Backup>('/api/backups/');
  await leaveOrder(name, 'begun');
  await station.restart();
  await station.restart();
  const [alert] = await station.get<Alert[]>('/api/alerts/');
  expect(alert).toMatchObject({
    kind: 'restore_failed',
    about: name,
    problem: expect.stringMatching(/abandoned/) as string,
  });
  await station.post(`/api/alerts/${alert?.id}/end/`, {});
  expect(await station.get('/api/alerts/')).toEqual([]);
});

test('an unreadable restore order changes nothing', async () => {
  await setLabel('now');
  await station.halt();
  writeFileSync(join(station.dataFolder, 'restore.json'), '{"id":');
  await station.restart();
  expect(await label()).toBe('now');
  expect(existsSync(join(station.dataFolder, 'restore.json'))).toBe(false);
  expect(await failure()).toMatch(/order cannot be read/);
});

test('--restore restores a backup on a fresh machine', async () => {
  await setLabel('moved');
  const { name } = await station.post<Backup>('/api/backups/');
  await station.halt();
  const moved = await startTestStation({ dataFolder: other, restore: join(station.dataFolder, 'backups', name) });
  expect(await label(moved)).toBe('moved');
  expect(await moved.get('/api/backups/')).toEqual([]);
  const [told] = await moved.get<AuditEntry[]>('/api/audit/');
  expect(told).toMatchObject({ action: 'backup.restored', by: '', subject: name });
  await moved.stop();
});

test.each([
  ['that does not exist', (file: string) => rmSync(file), /There is no file/],
  ['that is damaged', (file: string) => writeFileSync(file, readFileSync(file).fill(0xa5, 8_192, 40_960)), /damaged/],
])('--restore refuses a file %s, and changes nothing', async (_, spoil, said) => {
  await setLabel('now');
  const { name } = await station.post<Backup>('/api/backups/');
  await station.halt();
  const file = join(station.dataFolder, 'backups', name);
  spoil(file);
  const { dataFolder, clock } = station;
  await expect(startTestStation({ dataFolder, clock, restore: file })).rejects.toThrow(said);
  expect(existsSync(join(dataFolder, 'restore.json'))).toBe(false);
  await station.restart();
  expect(await label()).toBe('now');
});

test('--restore sets a damaged database and its log aside, and replaces the database with the backup', async () => {
  await setLabel('good');
  const { name } = await station.post<Backup>('/api/backups/');
  await station.halt();
  const { dataFolder, clock } = station;
  const file = join(dataFolder, 'pickstation.sqlite');
  writeFileSync(file, readFileSync(file).fill(0xa5, 0, 50_000));
  writeFileSync(`${file}-wal`, 'a log of something');
  await expect(startTestStation({ dataFolder, clock })).rejects.toThrow(/damaged.*--restore/);
  const mended = await startTestStation({ dataFolder, clock, restore: join(dataFolder, 'backups', name) });
  expect(await label(mended)).toBe('good');
  await mended.halt();
  const aside = readdirSync(dataFolder).filter((found) => found.includes('damaged'));
  expect(aside).toHaveLength(2);
  expect(readFileSync(join(dataFolder, aside[1] ?? ''), 'utf8')).toBe('a log of something');
});
