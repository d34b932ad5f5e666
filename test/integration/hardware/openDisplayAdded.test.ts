import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { TurboLink } from '#shared/api/turbo.ts';
import type { Multicast } from '../../../electron/server/ports.ts';
import { DISPLAY_KEY } from '../../helpers/devices/displayRig.ts';
import { createFakeClock } from '../../helpers/fakeClock.ts';
import { FakeDisplay } from '../../helpers/devices/fakeDisplay.ts';
import { WIFI_PASSWORD, type FakeDisplayOptions } from '../../helpers/devices/fakeDisplayConfig.ts';
import { displayReply } from '../../helpers/devices/multicastDevices.ts';
import { startReceiver } from '../../helpers/servers/receiver.ts';
import { START_MS, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const LINKS = '/api/turbo/links/';
const PICK = { command: 'pick', line1: 'M8 nut', seconds: 0, nonce: 'p1' };

/** Starts a station and a display that is not connected to it. */
async function open(options: FakeDisplayOptions = {}, answers: (port: number) => Buffer[] = () => []) {
  const clock = createFakeClock(START_MS);
  const display = await new FakeDisplay(clock, options).start();
  const multicast: Multicast = {
    async ask(_question, heard) {
      for (const answer of answers(display.port)) heard(answer, '127.0.0.1');
    },
  };
  const station = await startTestStation({ clock, multicast });
  onTestFinished(async () => {
    await station.stop();
    await display.stop();
  });
  return { station, display };
}

/** Polls on each turn of the real event loop, because the sockets are real. */
async function until(station: TestStation, isSo: () => Promise<boolean> | boolean): Promise<void> {
  for (let waits = 0; !(await isSo()); waits++) {
    if (waits > 1_000) throw new Error('It never was.');
    await station.clock.advance(20);
    await new Promise(setImmediate);
  }
}

const linkOf = async (station: TestStation) => (await station.get<TurboLink[]>(LINKS))[0];
const isOnline = (station: TestStation) => async () => (await linkOf(station))?.step === 'online';

test('adds a display by its address, identifies it by its MAC, and recognizes it after a restart', async () => {
  const { station, display } = await open({}, (port) => [
    displayReply({ name: 'Other', port: port - 1, texts: ['mac=ee:ee:ee:ee:ee:ee'] }),
    displayReply({ port, texts: ['mac=a0:b1:c2:d3:e4:f5', 'tls=0'] }),
    displayReply({ name: 'Other', port: port + 1, texts: ['mac=ff:ff:ff:ff:ff:ff'] }),
  ]);
  const link = await station.post<TurboLink>(LINKS, {
    kind: 'opendisplay',
    url: `127.0.0.1:${display.port}`,
    name: 'Shelf',
  });
  expect(link).toMatchObject({
    kind: 'opendisplay',
    url: display.url,
    path: display.url,
    name: 'Shelf',
    key_set: false,
  });
  await until(station, isOnline(station));
  expect(await linkOf(station)).toMatchObject({ turbo: 'OD-A0B1C2D3E4F5', problem: null, problems: [] });
  await station.post('/api/device/A0B1C2:D3E4F5/', PICK);
  const isShown = async () => (await station.device('A0B1C2:D3E4F5')).commands[0]?.state === 'shown';
  await until(station, isShown);
  await station.restart();
  await until(station, isOnline(station));
  await until(station, isShown);
  expect(await station.get('/api/device/')).toEqual(['A0B1C2:D3E4F5']);
  await station.request('DELETE', `${LINKS}${link.id}/`);
  expect(station.rows('SELECT key FROM link_memory')).toEqual([]);
});

test('identifies a display without a MAC by the address with which it was added', async () => {
  const { station, display } = await open();
  await station.post(LINKS, { kind: 'opendisplay', url: display.url });
  await until(station, isOnline(station));
  const known = (await linkOf(station))?.turbo;
  expect(known).toMatch(/^OD-[0-9A-F]{12}$/);
  // The display has a new address, but is still the same display.
  await display.stop();
  const moved = await new FakeDisplay(station.clock, {}).start();
  onTestFinished(() => moved.stop());
  await station.patch(`${LINKS}1/`, { url: moved.url });
  await until(station, isOnline(station));
  expect((await linkOf(station))?.turbo).toBe(known);
});

test('adds an encrypted display with its key, which never appears in an answer, log, callback or file', async () => {
  const { station, display } = await open({ key: DISPLAY_KEY });
  const receiver = await startReceiver();
  onTestFinished(() => receiver.stop());
  await station.patch('/api/settings/', { callback_url: receiver.url });
  const answers: unknown[] = [];
  const spaced = DISPLAY_KEY.toLowerCase().replace(/(..)(?=.)/g, '$1:');
  answers.push(await station.post(LINKS, { kind: 'opendisplay', url: display.url, key: 'F'.repeat(32) }));
  await station.clock.advance(5_000);
  answers.push(await linkOf(station), await station.patch(`${LINKS}1/`, { key: spaced }));
  await until(station, isOnline(station));
  answers.push(await linkOf(station));
  expect(answers.at(-1)).toMatchObject({ key_set: true, problem: null });
  const [deviceId = ''] = await station.get<string[]>('/api/device/');
  await station.post(`/api/device/${deviceId}/`, PICK);
  await until(station, async () => (await station.device(deviceId)).commands[0]?.state === 'shown');
  display.press(0);
  await until(station, () => receiver.payloads().length > 0);
  for (const path of [
    '/api/station/',
    '/api/turbo/',
    '/api/turbo/traffic/',
    '/api/audit/',
    '/api/settings/',
    '/api/diagnostics/',
  ]) {
    answers.push((await station.request('GET', path)).body);
  }
  const told = JSON.stringify([answers, station.logged, receiver.requests]).toUpperCase();
  for (const secret of [DISPLAY_KEY, 'F'.repeat(32), spaced, WIFI_PASSWORD])
    expect(told).not.toContain(secret.toUpperCase());
  expect(station.rows('SELECT key FROM turbo_links')).toEqual([{ key: expect.stringMatching(/^sealed:1:/) as string }]);
  await station.halt();
  const files = readdirSync(station.dataFolder, { recursive: true, encoding: 'utf8' })
    .map((file) => join(station.dataFolder, file))
    .filter((file) => statSync(file).isFile());
  const holders = files.filter((file) =>
    [WIFI_PASSWORD, DISPLAY_KEY].some((secret) => readFileSync(file).includes(secret)),
  );
  expect(holders).toEqual([]);
});

test('a key can be removed, and an invalid address or key is refused', async () => {
  const { station } = await open();
  const refusals: [body: object, path: string][] = [
    [{ kind: 'opendisplay', url: 'http://192.168.1.40' }, '/url'],
    [{ kind: 'opendisplay', url: 'opendisplay://192.168.1.40:99999' }, '/url'],
    [{ kind: 'opendisplay', url: 'opendisplay://u:p@192.168.1.40' }, '/url'],
    [{ kind: 'opendisplay', url: 'opendisplay://192.168.1.40/path' }, '/url'],
    [{ kind: 'opendisplay', url: '192.168.1.40', key: '0'.repeat(32) }, '/key'],
    [{ kind: 'opendisplay', url: '192.168.1.40', key: 'secret' }, '/key'],
    [{ kind: 'opendisplay', url: '192.168.1.40', places: [{ label: 'A', start: 0, count: 1 }] }, '/places'],
    [{ kind: 'wled', url: '192.168.1.40' }, '/url'],
    [{ kind: 'wled', url: 'http://192.168.1.40', key: DISPLAY_KEY }, '/key'],
  ];
  for (const [body, path] of refusals) {
    const answer = await station.request('POST', LINKS, body);
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([400, expect.stringContaining(`"${path}"`)]);
  }
  const added = await station.post<TurboLink>(LINKS, {
    kind: 'opendisplay',
    url: 'OpenDisplay://Shelf-7.local',
    key: DISPLAY_KEY,
  });
  expect(added).toMatchObject({ url: 'opendisplay://shelf-7.local:2447/', key_set: true });
  expect(await station.patch(`${LINKS}${added.id}/`, { name: 'Shelf' })).toMatchObject({ key_set: true });
  expect(await station.patch(`${LINKS}${added.id}/`, { key: null })).toMatchObject({ key_set: false });
  expect((await station.request('POST', LINKS, { kind: 'opendisplay', url: 'shelf-7.local:2447' })).status).toBe(409);
});
