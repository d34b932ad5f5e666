import { expect, test } from 'vitest';
import type { BoardJob, BoardUpdate } from '#shared/api/board.ts';
import type { HistoryEntry } from '#shared/api/history.ts';
import { newFirmware, silentFirmware, brokenFirmware } from '../../helpers/boards/newFirmware.ts';
import { hashOfAll, isReplaced, sha256 } from '../../../electron/server/turbo/boards/firmware.ts';
import { startUpdateRig as start, type Between } from './boardUpdateRig.ts';
import type { Firmware } from '../../../electron/server/ports.ts';
import type { ApiUser } from '#shared/api/access.ts';

test.each(['wifi', 'tcp', 'usb'] as const)(
  'updates boards one at a time over %s, and receives each press once',
  async (way) => {
    const firmware = newFirmware();
    const { station, plug, until, job, ended } = await start(firmware, way);
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
    expect((await station.get<BoardJob[]>('/api/boards/jobs/')).map(({ id }) => id)).toEqual(jobs.map(({ id }) => id));
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
    expect(await station.get('/api/boards/jobs/')).toMatchObject([
      { id: first?.id, state: 'done', turbo: one.serial },
      { id: second?.id, state: 'done', turbo: two.serial },
    ]);
    const pressed = await station.get<HistoryEntry[]>('/api/history/?kind=acknowledged');
    expect(pressed.map(({ nonce }) => nonce).toSorted()).toEqual(['before', 'during']);
    expect(station.rows(`SELECT subject FROM audit WHERE action = 'board.updated' ORDER BY id`)).toEqual([
      { subject: one.serial },
      { subject: two.serial },
    ]);
    // After the update, the board works as before.
    await station.post(path, { line1: 'after', nonce: 'after', seconds: 0 });
    await until('the light', () => one.board.led.some((part) => part > 0));
    expect(await station.request('POST', '/api/boards/updates/', { turbos: [one.serial] })).toMatchObject({
      status: 404,
      body: { detail: `There is no update for ${one.serial}: it is offline, or already has it.` },
    });
  },
);

test.each([
  ['raises an error when imported', brokenFirmware],
  ['never sends a hello', silentFirmware],
])(
  'if firmware %s, the job reports that the board reverted, and the next board is not updated',
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

test('a board that reconnects continues its update, and queued and running updates can be canceled', async () => {
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

/** Returns a function that replaces a file of the new version and adapts its hashes, so that only the signature is wrong. */
function forger(firmware: Firmware): Between {
  const brought = firmware.files
    .filter(({ path }) => isReplaced(path))
    .map((file) => (file.path === 'core/light.py' ? { ...file, bytes: file.bytes.map((byte) => byte ^ 1) } : file));
  const hash = hashOfAll(brought);
  return (message) => {
    if (message.name === 'update' && message.body.step === 'switch')
      return { name: 'update', body: { ...message.body, hash } };
    if (message.name !== 'updatePart' || message.body.path !== 'core/light.py') return message;
    const { at, data } = message.body;
    const bytes = brought.find(({ path }) => path === 'core/light.py')?.bytes ?? data;
    const isLast = message.body.hash !== undefined;
    const body = {
      ...message.body,
      data: bytes.subarray(at, at + data.length),
      ...(isLast && { hash: sha256(bytes) }),
    };
    return { name: 'updatePart', body };
  };
}

test('a file changed in transit fails the job, the board keeps its firmware, and the next board is not updated', async () => {
  const firmware = newFirmware();
  const { station, plug, ended, until } = await start(firmware, 'tcp');
  const one = await plug('one', { between: forger(firmware) });
  const two = await plug('two');
  const [first, second] = await station.post<BoardJob[]>('/api/boards/updates/', { turbos: [one.serial, two.serial] });
  expect(await ended(first)).toMatchObject({
    state: 'failed',
    problem:
      'The board refuses the update, because its signature is wrong: somebody between the station and the board may have changed it. It runs what it ran before.',
  });
  expect(await ended(second)).toMatchObject({ state: 'cancelled' });
  await until('its flash to be clean', () => one.flash.updates().size === 0);
  expect([one.board.ask('running'), two.board.ask('running')]).toEqual(['', '']);
  const path = `/api/device/${one.board.deviceId}/`;
  await station.post(path, { line1: 'after', nonce: 'after', seconds: 0 });
  await until('the light', () => one.board.led.some((part) => part > 0));
  const [alone] = await station.post<BoardJob[]>('/api/boards/updates/', { turbos: [two.serial] });
  expect(await ended(alone)).toMatchObject({ state: 'done' });
});

test('during its grace period, a rotated key still signs updates over WebSocket', async () => {
  const { station, plug, ended } = await start(newFirmware());
  const users = await station.get<ApiUser[]>('/api/api-users/');
  const id = users.find(({ name }) => name === 'boards')?.id;
  await station.post(`/api/api-users/${id}/rotate/`, { grace_seconds: 3_600 });
  const one = await plug('one');
  const [job] = await station.post<BoardJob[]>('/api/boards/updates/', { turbos: [one.serial] });
  expect(await ended(job)).toMatchObject({ state: 'done', problem: null });
});
