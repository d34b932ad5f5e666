import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AuditEntry } from '#shared/api/access.ts';
import type { Backup, BackupContents, BackupStatus } from '#shared/api/backup.ts';
import { APPLICATION_ID } from '../../../electron/server/db/inspection.ts';
import type { CopyProgress } from '../../../electron/server/ports.ts';
import { addBallast } from '../../helpers/files/ballast.ts';
import { openSession } from '../../helpers/session.ts';
import { API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const DEVICE = '51D000:000001';

let station: TestStation & AsyncDisposable;
/** Called at each step of a backup. The backup waits for the returned promise. */
let watch: (progress: CopyProgress) => Promise<void> | undefined;

beforeEach(async () => {
  watch = () => undefined;
  station = await startTestStation({ simulate: 2, refreshMs: 0, watchCopy: (progress) => watch(progress) });
});

afterEach(() => station.stop());

const folder = (): string => join(station.dataFolder, 'backups');
const files = (): string[] =>
  (existsSync(folder()) ? readdirSync(folder()) : []).filter((name) => !name.endsWith('.sqlite.json'));
const make = (): Promise<Backup> => station.post<Backup>('/api/backups/');
const status = (): Promise<BackupStatus> => station.get<BackupStatus>('/api/backups/status/');
const audited = async (): Promise<string[]> =>
  (await station.get<AuditEntry[]>('/api/audit/')).map(({ action, subject, by }) => `${action} ${subject} ${by}`);

/** Enlarges the database, so that copying it takes more than one step. */
const fill = (megabytes: number): void => addBallast(join(station.dataFolder, 'pickstation.sqlite'), megabytes);

/** Starts a backup that pauses at its first step until `letGo` is called. */
function held(): { begun: Promise<void>; letGo: () => void; answer: () => ReturnType<TestStation['request']> } {
  const begun = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  watch = () => {
    begun.resolve();
    return gate.promise;
  };
  return { begun: begun.promise, letGo: gate.resolve, answer: () => station.request('POST', '/api/backups/') };
}

describe('a manual backup', () => {
  test('is a complete database in one file, readable only by its owner, with its author and time', async () => {
    await station.post(`/api/device/${DEVICE}/`, { line1: 'Cable tie', seconds: 0 });
    const made = await make();
    expect(made).toMatchObject({ kind: 'manual', by: 'API key', created: '2026-11-20T08:00:00.000Z' });
    expect(made.name).toBe('pickstation-20261120-080000Z-manual.sqlite');
    expect(files()).toEqual([made.name]);
    const file = join(folder(), made.name);
    expect(made.size).toBe(statSync(file).size);
    if (process.platform !== 'win32') {
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(statSync(folder()).mode & 0o077).toBe(0);
    }
    const db = new Database(file, { readonly: true });
    expect(db.pragma('journal_mode', { simple: true })).toBe('delete');
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(db.prepare('SELECT count(*) FROM commands').pluck().get()).toBe(1);
    expect(db.prepare('SELECT max(revision) FROM commits').pluck().get()).toBe(made.revision);
    db.close();
    expect(files()).toEqual([made.name]);
    expect(await station.get('/api/backups/')).toEqual([made]);
  });

  test('gets a unique name, even if made within the same second', async () => {
    const names = [(await make()).name, (await make()).name];
    expect(new Set(names).size).toBe(2);
    expect((await station.get<Backup[]>('/api/backups/')).map(({ name }) => name)).toEqual(names.toReversed());
  });

  test('lists its contents on request', async () => {
    await station.post('/api/location-aliases/', { name: 'A-1', deviceid: DEVICE, deviceIs: 'Below' });
    await station.post(`/api/device/${DEVICE}/`, { line1: 'Cable tie', seconds: 0 });
    const { name, revision } = await make();
    expect(await station.get<BackupContents>(`/api/backups/${name}/contents/`)).toMatchObject({
      name,
      made: '2026-11-20T08:00:00.000Z',
      version: '0.1.0',
      revision,
      holds: { devices: 2, location_aliases: 1, open_commands: 1, users: 1, api_users: 1, pending_callbacks: 0 },
    });
  });

  test('can be downloaded unchanged and removed, and the activity log lists each action', async () => {
    const { name } = await make();
    const answer = await station.request('GET', `/api/backups/${name}/`);
    expect(answer.headers.get('content-type')).toBe('application/vnd.sqlite3');
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${name}"`);
    expect(Buffer.compare(answer.body as Buffer, readFileSync(join(folder(), name)))).toBe(0);
    expect((await station.request('DELETE', `/api/backups/${name}/`)).status).toBe(204);
    expect(readdirSync(folder())).toEqual([]);
    expect((await station.request('GET', `/api/backups/${name}/`)).status).toBe(404);
    expect((await audited()).slice(0, 3)).toEqual([
      `backup.removed ${name} API key`,
      `backup.downloaded ${name} API key`,
      `backup.made ${name} API key`,
    ]);
  });

  test.each([
    '..%2Fpickstation.sqlite',
    '..%2F..%2Fetc%2Fpasswd',
    'lock.sqlite',
    'pickstation-20261120-080000Z-manual.sqlite.part',
    '%2E%2E',
  ])('cannot be used to access another file with a crafted name: %s', async (name) => {
    await make();
    for (const [method, end] of [
      ['GET', ''],
      ['DELETE', ''],
      ['GET', 'contents/'],
      ['POST', 'restore/'],
    ] as const) {
      const { status: answered } = await station.request(method, `/api/backups/${name}/${end}`);
      expect([404, 405]).toContain(answered);
    }
    expect(existsSync(join(station.dataFolder, 'pickstation.sqlite'))).toBe(true);
    expect(files()).toHaveLength(1);
  });
});

describe('while a backup is being made', () => {
  test('the station works, and later changes are not in the backup', async () => {
    fill(8);
    const backup = held();
    const answer = backup.answer();
    await backup.begun;
    const sent = await station.request('POST', `/api/device/${DEVICE}/`, { line1: 'later', seconds: 0, nonce: 'n' });
    expect(sent.status).toBe(200);
    backup.letGo();
    const { body } = await answer;
    const { holds, revision } = await station.get<BackupContents>(`/api/backups/${(body as Backup).name}/contents/`);
    expect(holds.open_commands).toBe(0);
    expect((await station.get<{ revision: number }>('/api/station/')).revision).toBeGreaterThan(revision);
  });

  test('the backup completes even if a commit follows each of its steps', async () => {
    fill(8);
    let steps = 0;
    watch = async () => {
      steps += 1;
      await station.request('POST', `/api/device/${DEVICE}/`, { line1: `step ${steps}`, nonce: `${steps}` });
    };
    await make();
    expect(steps).toBeGreaterThan(8);
    expect(steps).toBeLessThan(40);
  });

  test('the progress can be read, and a second backup is refused', async () => {
    fill(4);
    const backup = held();
    const answer = backup.answer();
    await backup.begun;
    expect((await station.request('GET', '/api/backups/status/')).body).toMatchObject({
      running: { kind: 'manual', step: 'copying', by: 'API key', total_bytes: expect.any(Number) as number },
    });
    expect(await station.request('POST', '/api/backups/')).toMatchObject({ status: 409, body: { code: 'conflict' } });
    backup.letGo();
    expect((await answer).status).toBe(201);
    expect((await status()).running).toBeNull();
  });

  test('canceling the backup leaves no files', async () => {
    fill(4);
    const backup = held();
    const answer = backup.answer();
    await backup.begun;
    expect(files().map((name) => name.replace(/-journal$/, ''))).toContain(
      'pickstation-20261120-080000Z-manual.sqlite.part',
    );
    expect((await station.request('POST', '/api/backups/cancel/')).status).toBe(202);
    backup.letGo();
    expect(await answer).toMatchObject({
      status: 409,
      body: { detail: expect.stringMatching(/canceled.*Nothing is left/) as string },
    });
    expect(files()).toEqual([]);
    expect((await make()).kind).toBe('manual');
  });

  test('stopping the station cancels the backup and leaves no files', async () => {
    fill(4);
    const backup = held();
    const answer = backup.answer().catch(() => undefined);
    await backup.begun;
    const halted = station.halt();
    backup.letGo();
    await halted;
    await answer;
    expect(files()).toEqual([]);
  });
});

test('a partial backup left after a kill is removed at the next start', async () => {
  const { name } = await make();
  await station.halt();
  for (const end of ['.part', '.part-journal'])
    writeFileSync(join(folder(), `${name.replace('08', '09')}${end}`), 'half');
  await station.restart();
  expect(files()).toEqual([name]);
});

test('does not follow a link in place of the backup folder, lists nothing, and explains why', async () => {
  const { name } = await station.post<Backup>('/api/backups/');
  const folder = join(station.dataFolder, 'backups');
  renameSync(folder, `${folder}-elsewhere`);
  symlinkSync(`${folder}-elsewhere`, folder);
  const left = readdirSync(`${folder}-elsewhere`);
  writeFileSync(join(`${folder}-elsewhere`, `${name}.part`), '');
  expect(await station.get('/api/backups/')).toEqual([]);
  expect(await station.request('POST', '/api/backups/')).toMatchObject({
    status: 507,
    body: { detail: expect.stringMatching(/is a link, and the station does not follow/) as string },
  });
  await station.restart();
  expect(readdirSync(`${folder}-elsewhere`)).toEqual([...left, `${name}.part`].toSorted());
});

test('a damaged backup is listed as damaged and cannot be restored', async () => {
  const { name } = await make();
  const bytes = readFileSync(join(folder(), name));
  bytes.fill(0xa5, 8_192, 40_960);
  writeFileSync(join(folder(), name), bytes);
  expect(await station.get<Backup[]>('/api/backups/')).toHaveLength(1);
  for (const [method, end] of [
    ['GET', 'contents/'],
    ['POST', 'restore/'],
  ] as const) {
    expect(await station.request(method, `/api/backups/${name}/${end}`)).toMatchObject({
      status: 400,
      body: { code: 'invalid', detail: expect.stringMatching(/cannot be restored.*damaged/) as string },
    });
  }
  expect(existsSync(join(station.dataFolder, 'restore.json'))).toBe(false);
});

describe('an uploaded backup', () => {
  const upload = (bytes: Uint8Array, type = 'application/vnd.sqlite3') =>
    station.request('POST', '/api/backups/upload/', bytes, { 'api-key': API_KEY, 'content-type': type });

  test('is stored unchanged and listed as uploaded, with the person who uploaded it', async () => {
    const made = await make();
    const { body } = await station.request('GET', `/api/backups/${made.name}/`);
    const { write } = await openSession(station);
    const headers = { ...write, 'content-type': 'application/vnd.sqlite3' };
    const answer = await station.request('POST', '/api/backups/upload/', body, headers);
    expect(answer).toMatchObject({ status: 201, body: { kind: 'uploaded', by: 'admin' } });
    expect(await station.get('/api/backups/')).toEqual(expect.arrayContaining([answer.body, made]));
    const kept = readFileSync(join(folder(), (answer.body as Backup).name));
    expect(Buffer.compare(kept, body as Buffer)).toBe(0);
  });

  test('can be the database file of a stopped station', async () => {
    await station.halt();
    const bytes = readFileSync(join(station.dataFolder, 'pickstation.sqlite'));
    expect(bytes[18], 'it is one with a log').toBe(2);
    await station.restart();
    expect((await upload(bytes)).status).toBe(201);
  });

  test.each<[string, Uint8Array, RegExp]>([
    [
      'not a database',
      Buffer.from('not a database at all, but long enough to be looked at'),
      /damaged, or not a database/,
    ],
    ['empty', Buffer.alloc(0), /no body/],
    ['a database of another program', foreign('CREATE TABLE customers (name TEXT)'), /another program/],
    ...['PICK', 'PKST'].map((id): [string, Uint8Array, RegExp] => [
      `a database of a development version (${id})`,
      foreign(`PRAGMA application_id = ${Buffer.from(id).readInt32BE()}; PRAGMA user_version = 1; CREATE TABLE x (y)`),
      /development version.*Choose a newer backup/,
    ]),
    [
      'a database of a newer version',
      foreign(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = 99; CREATE TABLE x (y)`),
      /newer Pickstation.*99/,
    ],
  ])('is refused if it is %s, and leaves no files', async (_, bytes, said) => {
    const answer = await upload(bytes);
    expect(answer).toMatchObject({ status: 400, body: { detail: expect.stringMatching(said) as string } });
    expect(files()).toEqual([]);
  });

  test('is refused with a different content type', async () => {
    expect((await upload(Buffer.from('{}'), 'application/json')).status).toBe(415);
  });
});

/** Returns a database created with this SQL. */
function foreign(sql: string): Buffer {
  const made = mkdtempSync(join(tmpdir(), 'pickstation-foreign-'));
  const db = new Database(join(made, 'x.sqlite'));
  db.exec(sql);
  db.close();
  const bytes = readFileSync(join(made, 'x.sqlite'));
  rmSync(made, { recursive: true });
  return bytes;
}
