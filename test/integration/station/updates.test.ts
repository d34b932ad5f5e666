import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { UpdateStatus } from '#shared/api/updates.ts';
import { VERSION } from '#shared/api/version.ts';
import { StationError } from '../../../electron/server/errors.ts';
import { type FakeUpdater, fakeUpdater } from '../../helpers/fakeUpdater.ts';
import { startReceiver } from '../../helpers/servers/receiver.ts';
import {
  START_MS,
  startTestStation,
  type TestStation,
  type TestStationOptions,
} from '../../helpers/startTestStation.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Time in milliseconds until a device shows its content. */
const SHOWN_MS = 5_000;
const DEVICE = '51D000:000001';
const OTHER = '51D000:000002';
/** An address where nothing answers. */
const DEAD_RECEIVER = 'http://127.0.0.1:9/';

let updater: FakeUpdater;
let station: TestStation;

beforeEach(() => {
  updater = fakeUpdater();
});

async function start(options: TestStationOptions = {}): Promise<void> {
  station = await startTestStation({ simulate: 1, refreshMs: 0, updater, ...options });
  onTestFinished(() => station.stop());
}

const status = (): Promise<UpdateStatus> => station.get<UpdateStatus>('/api/updates/');

async function settings(change: object): Promise<void> {
  await station.patch('/api/settings/', change);
}

const install = (insist = false) => station.request('POST', '/api/updates/install/', { insist });

test('warns if no list was signed in the last 180 days, even after a restart, until a newer list arrives', async () => {
  updater.found = undefined;
  await start();
  await station.clock.advance(HOUR_MS);
  await settings({ updates: 'notify' });
  // The feed has its old list again and, for a while, an even older one.
  updater.signedAt = START_MS - 30 * DAY_MS;
  await station.halt();
  station.clock.jump(179 * DAY_MS);
  await station.restart();
  await station.clock.advance(HOUR_MS);
  expect((await status()).notice).toBeNull();
  await station.clock.advance(DAY_MS);
  expect((await status()).notice).toMatch(/signed in the last 180 days.*the newest is from 2026-11-20/);
  await settings({ updates: 'off' });
  expect((await status()).notice).toBeNull();
  await settings({ updates: 'notify' });
  updater.signedAt = station.clock.now() - DAY_MS;
  await station.request('POST', '/api/updates/check/');
  expect((await status()).notice).toBeNull();
});

test('refuses a list that is older than an earlier one, even after a restart, and accepts a newer list', async () => {
  updater.found = '9.0.1';
  updater.signedAt = START_MS;
  await start();
  await settings({ updates: 'notify' });
  await station.post('/api/updates/check/');
  // The feed offers the faulty version again, with a valid signature.
  updater.found = '9.0.0';
  updater.signedAt = START_MS - 40 * DAY_MS;
  for (let round = 0; round < 2; round += 1) {
    expect(await station.post('/api/updates/check/')).toMatchObject({
      state: 'none',
      found: null,
      problem: expect.stringMatching(
        /signed on 2026-10-11, although it sent one of 2026-11-20 before.*nothing was downloaded/,
      ) as string,
    });
    expect((await install(true)).status).toBe(409);
    await station.restart();
  }
  await settings({ updates: 'auto' });
  await station.clock.advance(30 * HOUR_MS);
  expect(updater.asked).not.toContain('download');
  updater.signedAt = START_MS + 1;
  expect(await station.post('/api/updates/check/')).toMatchObject({ found: '9.0.0', problem: null });
});

test('accepts an older list for a different system, for example after the data was moved there', async () => {
  await start();
  await settings({ updates: 'notify' });
  await station.post('/api/updates/check/');
  updater.list = 'latest-mac';
  updater.signedAt = START_MS - DAY_MS;
  expect(await station.post('/api/updates/check/')).toMatchObject({ found: '9.0.0', problem: null });
});

test('refuses a list signed in the future, and does not store its date', async () => {
  updater.signedAt = START_MS + 400 * DAY_MS;
  await start();
  await settings({ updates: 'notify' });
  expect(await station.post('/api/updates/check/')).toMatchObject({
    found: null,
    problem: expect.stringMatching(/signed on 2027-12-25, but the clock of this machine says 2026-11-20/) as string,
  });
  // A small difference between clocks is allowed.
  updater.signedAt = START_MS + DAY_MS;
  expect(await station.post('/api/updates/check/')).toMatchObject({ found: '9.0.0', problem: null });
});

test('reports immediately that a list is old, even if it is the first list', async () => {
  updater.found = undefined;
  updater.signedAt = START_MS - 200 * DAY_MS;
  await start();
  await settings({ updates: 'notify' });
  expect((await status()).notice).toBeNull();
  await station.post('/api/updates/check/');
  expect((await status()).notice).toContain('the newest is from 2026-05-04');
});

test('counts the days without a list from the first check, or from when a clock that was ahead was corrected', async () => {
  const fault = (): void => void (updater.faults.check = new StationError('conflict', 'No network.'));
  await start();
  await settings({ updates: 'notify' });
  station.clock.jump(4_000 * DAY_MS);
  fault();
  await station.post('/api/updates/check/');
  station.clock.jump(-4_000 * DAY_MS);
  fault();
  await station.post('/api/updates/check/');
  station.clock.jump(179 * DAY_MS);
  expect((await status()).notice).toBeNull();
  station.clock.jump(2 * DAY_MS);
  expect((await status()).notice).toMatch(/has looked since 2026-11-20, and found none\. Somebody may be/);
});

test('checks and downloads ten minutes after startup, and installs once nothing has changed for half an hour', async () => {
  await start();
  expect(await status()).toEqual({
    version: VERSION,
    can: 'install',
    reason: '',
    mode: 'auto',
    policy: null,
    state: 'none',
    found: null,
    percent: null,
    checked_at: null,
    problem: null,
    notice: null,
    failed: null,
  });
  await station.clock.advance(10 * MINUTE_MS - 1);
  expect(updater.asked).toEqual([]);
  await station.clock.advance(1);
  expect(updater.asked).toEqual(['check', 'download']);
  expect(await status()).toMatchObject({
    state: 'ready',
    found: '9.0.0',
    checked_at: new Date(START_MS + 10 * MINUTE_MS).toISOString(),
  });
  await station.post(`/api/device/${DEVICE}/`, { line1: 'M8 nut', nonce: 'n8', seconds: 0 });
  await station.clock.advance(SHOWN_MS);
  await station.press(DEVICE);
  await station.clock.advance(29 * MINUTE_MS);
  expect(updater.asked).not.toContain('install');
  await station.clock.advance(6 * MINUTE_MS);
  expect(updater.asked).toEqual(['check', 'download', 'install']);
  expect((await status()).state).toBe('installing');
  const [entry] = await station.get<{ action: string; subject: string; by: string }[]>('/api/audit/?limit=1');
  expect(entry).toMatchObject({ action: 'update.installed', subject: '9.0.0', by: '' });
});

test('never installs automatically while a device is lit or a callback is undelivered', async () => {
  await start();
  await station.post(`/api/device/${DEVICE}/`, { line1: 'M8 nut', nonce: 'n8', seconds: 0 });
  await station.clock.advance(5 * HOUR_MS);
  expect(updater.asked).toEqual(['check', 'download']);
  await settings({ callback_url: DEAD_RECEIVER });
  await station.clock.advance(SHOWN_MS);
  await station.press(DEVICE);
  await station.clock.advance(2 * HOUR_MS);
  expect(updater.asked).toEqual(['check', 'download']);
  const receiver = await startReceiver();
  onTestFinished(() => receiver.stop());
  await settings({ callback_url: receiver.url });
  await station.clock.advance(30 * HOUR_MS);
  expect(updater.asked).toEqual(['check', 'download', 'install']);
});

test('lists lit devices and undelivered callbacks, and installs if the user insists', async () => {
  await start({ simulate: 2 });
  await settings({ updates: 'notify', callback_url: DEAD_RECEIVER });
  await station.post(`/api/device/${DEVICE}/`, { line1: 'M8 nut', nonce: 'n8', seconds: 0 });
  await station.clock.advance(SHOWN_MS);
  await station.press(DEVICE);
  await station.post(`/api/device/${OTHER}/`, { line1: 'M6 nut', seconds: 0 });
  const nothing = await install();
  expect(nothing.body).toMatchObject({ status: 409, detail: expect.stringContaining('Check for one first') });
  expect(JSON.stringify(nothing.body)).not.toContain('/insist');
  expect(await station.post('/api/updates/check/')).toMatchObject({ state: 'available', found: '9.0.0' });
  const refused = await install();
  expect(refused.body).toMatchObject({ status: 409, code: 'conflict', errors: [{ path: '/insist' }] });
  expect(JSON.stringify(refused.body)).toContain('1 device has a command and 1 callback is still to be sent. ');
  expect(updater.asked).toEqual(['check']);
  expect((await install(true)).status).toBe(202);
  await station.clock.advance(0);
  expect(updater.asked).toEqual(['check', 'download', 'install']);
});

test('does not install if a device was lit during the download, unless the user insists', async () => {
  let arrive: () => void = () => undefined;
  updater.slowly = new Promise((done) => (arrive = done));
  await start();
  await settings({ updates: 'notify' });
  await station.post('/api/updates/check/');
  expect((await install()).body).toMatchObject({ state: 'downloading', percent: 40 });
  await station.post(`/api/device/${DEVICE}/`, { line1: 'M8 nut', nonce: 'n8', seconds: 0 });
  arrive();
  await expect
    .poll(status)
    .toMatchObject({ state: 'ready', problem: expect.stringContaining('1 device has a command') });
  expect(updater.asked).toEqual(['check', 'download']);
});

test('notify checks daily without downloading, off does not check, and a person can check in both modes', async () => {
  await start();
  await settings({ updates: 'notify' });
  await station.clock.advance(11 * MINUTE_MS);
  expect(await status()).toMatchObject({ mode: 'notify', state: 'available' });
  await station.clock.advance(26 * HOUR_MS);
  expect(updater.asked).toEqual(['check', 'check']);
  await settings({ updates: 'off' });
  await station.clock.advance(26 * HOUR_MS);
  expect(updater.asked).toEqual(['check', 'check']);
  await station.post('/api/updates/check/');
  expect(updater.asked).toEqual(['check', 'check', 'check']);
  // When updates are turned on again, too much time has passed since the last check.
  await settings({ updates: 'notify' });
  await station.clock.advance(MINUTE_MS);
  expect(updater.asked).toHaveLength(4);
});

test('auto downloads versions found when a person checks, and versions found earlier', async () => {
  await start();
  expect(await station.post('/api/updates/check/')).toMatchObject({ found: '9.0.0' });
  await station.clock.advance(0);
  expect(await status()).toMatchObject({ state: 'ready' });
  await settings({ updates: 'notify' });
  await station.restart();
  await station.post('/api/updates/check/');
  expect(await status()).toMatchObject({ state: 'available' });
  await settings({ updates: 'auto' });
  await station.clock.advance(36 * MINUTE_MS);
  expect(updater.asked).toEqual(['check', 'download', 'check', 'download', 'install']);
});

test('a policy on the machine overrides the setting', async () => {
  updater = fakeUpdater({ policy: 'off' });
  await start();
  await station.clock.advance(48 * HOUR_MS);
  expect(updater.asked).toEqual([]);
  expect(await status()).toMatchObject({ mode: 'off', policy: 'off' });
});

test('a program that cannot check never requests releases, and says why', async () => {
  updater = fakeUpdater({ cannotCheck: 'The policy for updates cannot be read.' });
  await start();
  await station.clock.advance(48 * HOUR_MS);
  await settings({ updates: 'notify' });
  await settings({ updates: 'auto' });
  await station.clock.advance(48 * HOUR_MS);
  const refused = { status: 409, body: { detail: 'The policy for updates cannot be read.' } };
  expect(await station.request('POST', '/api/updates/check/')).toMatchObject(refused);
  expect(await install(true)).toMatchObject(refused);
  expect(updater.asked).toEqual([]);
  expect(await status()).toMatchObject({ can: 'nothing', reason: 'The policy for updates cannot be read.' });
});

test('retries within an hour after a failure, and reports it', async () => {
  updater.faults.check = new StationError('conflict', 'The releases could not be reached (no network).');
  await start();
  await station.clock.advance(10 * MINUTE_MS);
  expect(await status()).toMatchObject({ state: 'none', problem: 'The releases could not be reached (no network).' });
  updater.faults.download = new StationError('conflict', 'Version 9.0.0 is not what was signed.');
  await station.clock.advance(HOUR_MS);
  expect(await status()).toMatchObject({ state: 'available', problem: 'Version 9.0.0 is not what was signed.' });
  await station.clock.advance(HOUR_MS);
  expect(await status()).toMatchObject({ state: 'ready', problem: null });
  updater.faults.install = new StationError('conflict', 'There is no room for it.');
  await station.clock.advance(HOUR_MS);
  expect(updater.asked.filter((each) => each === 'install').length).toBeGreaterThan(1);
});

test('a version that failed to become ready here is reported and not installed automatically, but a newer version is', async () => {
  updater.back = { version: '9.0.0', at: START_MS, problem: 'It ended before it was ready.' };
  await start();
  await station.clock.advance(48 * HOUR_MS);
  expect(updater.asked).not.toContain('download');
  expect((await status()).failed).toEqual({
    version: '9.0.0',
    at: new Date(START_MS).toISOString(),
    problem: 'It ended before it was ready.',
  });
  expect(updater.asked).toEqual(['check', 'check']);
  updater.found = '9.0.1';
  await station.clock.advance(48 * HOUR_MS);
  expect(updater.asked).toEqual(['check', 'check', 'check', 'download', 'install']);
});

test('reinstalls a version that failed to start on this machine only when a person requests it', async () => {
  updater.back = { version: '9.0.0', at: START_MS, problem: 'It ended before it was ready.' };
  await start();
  await station.post('/api/updates/check/');
  await station.clock.advance(0);
  expect(updater.asked).toEqual(['check']);
  expect((await install()).status).toBe(202);
  await station.clock.advance(0);
  expect(updater.asked).toEqual(['check', 'download', 'install']);
});

test('says why it cannot install: no updater, or installed as a system package', async () => {
  updater = fakeUpdater({ cannotInstall: 'It was installed as a package.' });
  await start();
  await station.clock.advance(HOUR_MS);
  expect(updater.asked).toEqual(['check']);
  expect(await status()).toMatchObject({ can: 'check', reason: 'It was installed as a package.', state: 'available' });
  expect((await install()).status).toBe(409);

  await using headless = await startTestStation();
  expect(await headless.get('/api/updates/')).toMatchObject({
    can: 'nothing',
    reason: 'This station is updated where it was installed: only the desktop program updates itself.',
  });
  expect((await headless.request('POST', '/api/updates/check/')).status).toBe(409);
  expect((await headless.request('POST', '/api/updates/install/', {})).status).toBe(409);
});

test('installs only once if a user insists twice during one download', async () => {
  let arrive: () => void = () => undefined;
  updater.slowly = new Promise((done) => (arrive = done));
  await start();
  await settings({ updates: 'notify' });
  await station.post('/api/updates/check/');
  expect((await install(true)).status).toBe(202);
  expect((await install(true)).status).toBe(202);
  arrive();
  await expect.poll(status).toMatchObject({ state: 'installing' });
  await station.clock.advance(0);
  expect(updater.asked).toEqual(['check', 'download', 'install']);
});
