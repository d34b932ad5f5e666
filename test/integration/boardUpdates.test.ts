import { expect, onTestFinished, test } from 'vitest';
import type { ApiUser } from '#shared/api/access.ts';
import type { BoardJob, BoardUpdate } from '#shared/api/board.ts';
import type { HistoryEntry } from '#shared/api/history.ts';
import type { Firmware } from '../../electron/server/ports.ts';
import { dialTcp, startLiveBoard, type LiveBoard } from '../helpers/liveBoard.ts';
import { FlashChip } from '../helpers/microPythonBoard.ts';
import { newFirmware, silentFirmware, brokenFirmware } from '../helpers/newFirmware.ts';
import { startTestStation, type TestStation } from '../helpers/startTestStation.ts';

/** Real time that a job may take. */
const PATIENCE_MS = 60_000;

type Rig = {
  station: TestStation;
  plug(uniqueId: string): Promise<LiveBoard & { flash: FlashChip; serial: string }>;
  /** Lets both sides work until this is so. */
  until(what: string, isSo: () => Promise<boolean> | boolean, stepMs?: number): Promise<void>;
  job(id: string): Promise<BoardJob>;
  ended(job: BoardJob | undefined): Promise<BoardJob>;
};

/** A station with this firmware, and boards by WebSocket, all on the station's clock. */
async function start(firmware: Firmware): Promise<Rig> {
  const station = await startTestStation({ readFirmware: () => [...firmware.files] });
  onTestFinished(() => station.stop());
  const { api_key: key } = await station.post<ApiUser & { api_key: string }>('/api/api-users/', {
    name: 'boards',
    scope: 'turbo',
  });
  const { host, hostname, port } = new URL(station.url);
  const until: Rig['until'] = async (what, isSo, stepMs = 20) => {
    const giveUpAt = performance.now() + PATIENCE_MS;
    while (!(await isSo())) {
      if (performance.now() > giveUpAt) throw new Error(`It took too long: ${what}`);
      await station.clock.advance(stepMs);
    }
  };
  const job = (id: string): Promise<BoardJob> => station.get<BoardJob>(`/api/boards/jobs/${id}/`);
  return {
    station,
    until,
    job,
    async ended(begun) {
      const { id = '' } = begun ?? {};
      await until(`job ${id}`, async () => (await job(id)).state !== 'running', 500);
      return job(id);
    },
    async plug(uniqueId) {
      const flash = new FlashChip();
      const live = await startLiveBoard({
        uniqueId,
        config: { transport: 'wifi', host, path: '/turbo/', user: 'boards', key, name: uniqueId },
        flash,
        refreshMs: 20,
        dial: dialTcp(hostname, Number(port)),
        clock: station.clock,
      });
      onTestFinished(() => live.stop());
      const serial = `board-${live.board.deviceId}`;
      await until(`${uniqueId} to be online`, async () => {
        const turbos = await station.get<{ serial_number: string; status: string }[]>('/api/turbo/');
        return turbos.some(({ serial_number, status }) => serial_number === serial && status === 'online');
      });
      return Object.assign(live, { flash, serial });
    },
  };
}

test('boards are listed and updated one after the other over their WebSockets, and presses come once', async () => {
  const firmware = newFirmware();
  const { station, plug, until, job, ended } = await start(firmware);
  const boards = [await plug('one'), await plug('two')];
  const [one, two] = boards;
  if (one === undefined || two === undefined) throw new Error('unreachable');
  expect(await station.get<BoardUpdate[]>('/api/boards/updates/')).toEqual([
    { turbo: one.serial, name: 'one', runs: 'unknown', update: firmware.version },
    { turbo: two.serial, name: 'two', runs: 'unknown', update: firmware.version },
  ]);
  const path = `/api/device/${one.board.deviceId}/`;
  await station.post(path, { line1: 'before', nonce: 'before', seconds: 0 });
  await until('the light', () => one.board.led.some((part) => part > 0));
  const jobs = await station.post<BoardJob[]>('/api/boards/updates/', {});
  expect(jobs).toMatchObject([
    { kind: 'update', turbo: one.serial, profile: null, state: 'running' },
    { kind: 'update', turbo: two.serial, state: 'running', step: 'queued' },
  ]);
  expect(await station.request('POST', '/api/boards/updates/', {})).toMatchObject({ status: 409 });
  const [first, second] = jobs;
  await until('the job to wait', async () => (await job(first?.id ?? '')).step === 'in_use');
  expect(one.flash.updates().size).toBe(0);
  expect(one.work((board) => board.press('front'))).toBeGreaterThan(0);
  await until('half of it', async () => (await job(first?.id ?? '')).progress > 0.4);
  await station.post(path, { line1: 'during', nonce: 'during', seconds: 0 });
  await until('the light', () => one.board.led.some((part) => part > 0));
  expect(one.work((board) => board.press('front'))).toBeGreaterThan(0);
  expect(await ended(first)).toMatchObject({ state: 'done', step: 'done', progress: 1, problem: null });
  expect(one.board.ask('running')).toBe('a');
  expect(await ended(second)).toMatchObject({ state: 'done', problem: null });
  expect(two.board.ask('running')).toBe('a');
  expect(await station.get('/api/boards/updates/')).toEqual([]);
  const pressed = await station.get<HistoryEntry[]>('/api/history/?kind=acknowledged');
  expect(pressed.map(({ nonce }) => nonce).toSorted()).toEqual(['before', 'during']);
  expect(station.rows(`SELECT subject FROM audit WHERE action = 'board.updated' ORDER BY id`)).toEqual([
    { subject: one.serial },
    { subject: two.serial },
  ]);
  // It works as before.
  await station.post(path, { line1: 'after', nonce: 'after', seconds: 0 });
  await until('the light', () => one.board.led.some((part) => part > 0));
  expect(await station.request('POST', '/api/boards/updates/', { turbos: [one.serial] })).toMatchObject({
    status: 404,
    body: { detail: `There is no update for ${one.serial}: it is offline, or has it already.` },
  });
});

test.each([
  ['raises when it is imported', brokenFirmware],
  ['never says hello', silentFirmware],
])(
  'firmware that %s: the job says what the board runs again, and the next board is left alone',
  async (_what, broken) => {
    const firmware = broken();
    const { station, plug, ended } = await start(firmware);
    const one = await plug('one');
    const two = await plug('two');
    const [first, second] = await station.post<BoardJob[]>('/api/boards/updates/', {
      turbos: [one.serial, two.serial],
    });
    expect(await ended(first)).toMatchObject({
      state: 'failed',
      problem: `The new firmware (${firmware.version}) did not come online, and the board went back. It runs unknown again.`,
    });
    expect(await ended(second)).toMatchObject({
      state: 'cancelled',
      problem: 'Not begun, because the update of one failed. The board runs what it ran before.',
    });
    expect([one.board.ask('running'), two.board.ask('running'), two.flash.updates().size]).toEqual(['', '', 0]);
  },
);

test('a board that goes away comes back to its update; a queued update and a running one can be cancelled', async () => {
  const { station, plug, until, job, ended } = await start(newFirmware());
  const one = await plug('one');
  const two = await plug('two');
  const [first, second] = await station.post<BoardJob[]>('/api/boards/updates/', {});
  expect((await station.request('DELETE', `/api/boards/jobs/${second?.id}/`)).status).toBe(204);
  expect(await job(second?.id ?? '')).toMatchObject({ state: 'cancelled', problem: 'Cancelled before it began.' });
  await until('half of it', async () => (await job(first?.id ?? '')).progress > 0.4);
  one.move(false);
  await until('the loss', async () => (await job(first?.id ?? '')).step === 'connecting');
  one.move(true);
  expect(await ended(first)).toMatchObject({ state: 'done', problem: null });
  expect(two.flash.updates().size).toBe(0);
  const [third] = await station.post<BoardJob[]>('/api/boards/updates/', {});
  await until('a part of it', async () => (await job(third?.id ?? '')).progress > 0.2);
  await station.request('DELETE', `/api/boards/jobs/${third?.id}/`);
  expect(await ended(third)).toMatchObject({
    state: 'cancelled',
    problem: 'Cancelled. The board runs what it ran before.',
  });
  await until('its flash to be clean', () => two.flash.updates().size === 0);
  expect(await job(second?.id ?? '')).toMatchObject({ problem: 'Cancelled before it began.' });
  expect(await station.get<BoardUpdate[]>('/api/boards/updates/')).toHaveLength(1);
  two.stop();
  await until('it to be offline', async () => (await station.get<BoardUpdate[]>('/api/boards/updates/')).length === 0);
});
