import { expect, test } from 'vitest';
import type { Board, BoardJob } from '#shared/api/board.ts';
import type { TurboLink } from '#shared/api/turbo.ts';
import type { SerialPorts } from '../../../electron/server/ports.ts';
import { systemPorts } from '../../../electron/server/systemPorts.ts';
import { startTestStation } from '../../helpers/startTestStation.ts';
import { sealFirmware } from '../../../electron/server/turbo/boards/firmware.ts';
import { DEVICE, PORT, SERIAL, startBoardRig } from './boardRig.ts';

test('a board is listed, written, verified and restarted, and becomes a device with the given label', async () => {
  const { station, board, job } = await startBoardRig();
  expect(await station.get<Board[]>('/api/boards/')).toEqual([
    { port: PORT, name: 'MicroPython', serial_number: 'X1', profiles: ['badger2040w', 'badger2040', 'generic'] },
  ]);
  expect(await job()).toMatchObject({
    state: 'done',
    step: 'done',
    progress: 1,
    problem: null,
    deviceid: DEVICE,
    turbo: SERIAL,
  });
  for (const { path, bytes } of sealFirmware(systemPorts('silent', {}).readFirmware()).files) {
    expect(Buffer.from(board.read(path) ?? []).equals(bytes), path).toBe(true);
  }
  expect(JSON.parse(Buffer.from(board.read('config.json') ?? []).toString())).toEqual({
    profile: 'generic',
    name: 'A-1-1',
    transport: 'usb',
    time: expect.closeTo(station.clock.now() / 1_000, -2) as number,
  });
  expect(board.resets()).toBe(1);
  expect(await station.device(DEVICE)).toMatchObject({ location: 'A-1-1', online: true, turbo: SERIAL });
  expect(station.rows(`SELECT device_id FROM commands WHERE target = 'identify'`)).toEqual([{ device_id: DEVICE }]);
  expect(await station.get<TurboLink[]>('/api/turbo/links/')).toMatchObject([
    { path: PORT, step: 'online', turbo: SERIAL },
  ]);
  // The board is no longer listed, because its turbo is connected.
  expect(await station.get<Board[]>('/api/boards/')).toEqual([]);
  expect(await station.request('POST', '/api/boards/', { port: PORT, profile: 'generic' })).toMatchObject({
    status: 409,
  });
});

test("installing a board with another device's label causes a warning", async () => {
  const { station, job } = await startBoardRig({}, { simulate: 1 });
  await station.post('/api/device/51D000:000001/', { locationoverride: 'a-1-1' });
  const warnings = [expect.stringContaining('51D000:000001 has the label "A-1-1" too.')];
  expect(await job()).toMatchObject({ state: 'done', warnings });
});

test('a new installation clears the record of an earlier update, so that the new firmware starts', async () => {
  const { board, job } = await startBoardRig({ files: { 'memory/boot0': 'says that a is to start' } });
  expect(board.read('memory/boot0')).toBeDefined();
  expect(await job()).toMatchObject({ state: 'done' });
  expect(board.read('memory/boot0')).toBeUndefined();
});

test.each([
  ['an RP2040', { platform: 'rp2', machine: 'Raspberry Pi Pico W with RP2040' }, '4005b000 40000000'],
  ['an RP2350', { platform: 'rp2', machine: 'Raspberry Pi Pico 2 W with RP2350' }, '400db000 40000000'],
  ['an ESP32', { platform: 'esp32', machine: 'Generic ESP32S3 module with ESP32S3' }, 'waits 3600000 ms'],
])('a running watchdog of %s does not interrupt the installation', async (_chip, habits, done) => {
  const { board, job } = await startBoardRig(habits);
  expect(await job()).toMatchObject({ state: 'done' });
  expect(board.disarmed()).toEqual([done]);
});

test('disarms the watchdog before any other request to the board', async () => {
  const { board, job } = await startBoardRig({
    platform: 'rp2',
    machine: 'RP2040',
    hangsAt: 'from binascii import hexlify',
  });
  expect(await job()).toMatchObject({ state: 'failed' });
  expect(board.disarmed()).toEqual(['4005b000 40000000']);
});

test('main.py is written last, so that a board that loses power earlier does not start incomplete firmware', async () => {
  const { board, job } = await startBoardRig({ hangsAt: 'os.rename("core/session.py.new"' });
  expect(await job()).toMatchObject({ state: 'failed', problem: expect.stringMatching(/stopped answering/) as string });
  expect(board.read('core/app.py')).toBeDefined();
  expect(board.read('main.py')).toBeUndefined();
});

test('a file damaged on the board is detected before the firmware starts', async () => {
  const { board, job } = await startBoardRig({ damages: { at: 'check("main.py', path: 'core/app.py.new' } });
  expect(await job()).toMatchObject({ state: 'done' });
  const damaged = await startBoardRig({ damages: { at: 'check("boards', path: 'core/app.py.new' } });
  expect(await damaged.job()).toMatchObject({
    state: 'failed',
    problem: 'core/app.py is not on the board as it was sent. Its flash may be worn out; try again.',
  });
  expect([board.resets(), damaged.board.resets()]).toEqual([1, 0]);
});

test.each([
  ['no MicroPython answers', { isSilent: true }, {}, /^No MicroPython answers on \/dev\/ttyACM0\./],
  [
    "the board's flash is full",
    { freeBlocks: 2 },
    {},
    /^The flash of the board is full: \d+ bytes are needed, and 8192 are free\./,
  ],
  [
    'the board has a different chip',
    {},
    { profile: 'badger2040' },
    /^This profile is for a board with an RP2040, and the board says it is "a board"/,
  ],
  ["the board's cable is pulled", { pulledAfter: 20_000 }, {}, /^The board stopped answering\.|unplugged|closed/],
] as const)('if %s, the job reports it and nothing else changes', async (_what, habits, body, sentence) => {
  const { station, board, job } = await startBoardRig(habits);
  expect(await job(body)).toMatchObject({ state: 'failed', problem: expect.stringMatching(sentence) as string });
  expect(board.resets()).toBe(0);
  expect(board.read('main.py')).toBeUndefined();
  expect(await station.get<TurboLink[]>('/api/turbo/links/')).toEqual([]);
  expect(await station.get<string[]>('/api/device/')).toEqual([]);
});

test('after a canceled job, the board has no firmware that starts, and can be installed again', async () => {
  const { station, board, job } = await startBoardRig({
    hangsAt: 'open("core/device.py.new',
    files: { 'main.py': 'print(1)' },
  });
  const { id } = await station.post<BoardJob>('/api/boards/', { port: PORT, profile: 'generic' });
  const hung = await station.get<BoardJob>(`/api/boards/jobs/${id}/`);
  expect(hung).toMatchObject({ state: 'running', step: 'writing' });
  expect(hung.progress).toBeGreaterThan(0.1);
  expect((await station.request('DELETE', `/api/boards/jobs/${id}/`)).status).toBe(204);
  await station.clock.advance(100);
  expect(await station.get<BoardJob>(`/api/boards/jobs/${id}/`)).toMatchObject({
    state: 'cancelled',
    problem: 'Cancelled. The board has no firmware that starts.',
  });
  expect(board.read('main.py')).toBeUndefined();
  expect(await job()).toMatchObject({ state: 'done' });
});

test('if another program uses the port, the job fails with a clear message', async () => {
  const { station } = await startBoardRig();
  const serial: SerialPorts = {
    list: () => Promise.resolve([]),
    open: () => Promise.reject(new Error('Error: Resource temporarily unavailable Cannot lock port')),
    reset: () => Promise.resolve(),
  };
  await using busy = await startTestStation({ serial });
  const { id } = await busy.post<BoardJob>('/api/boards/', { port: PORT, profile: 'generic' });
  await busy.clock.advance(100);
  expect(await busy.get<BoardJob>(`/api/boards/jobs/${id}/`)).toMatchObject({
    state: 'failed',
    problem: `${PORT} cannot be opened: Resource temporarily unavailable Cannot lock port. Close other programs that use the board, such as an editor.`,
  });
  expect((await station.request('GET', '/api/boards/jobs/7/')).status).toBe(404);
});
