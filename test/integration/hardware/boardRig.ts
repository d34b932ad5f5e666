import { createHash } from 'node:crypto';
import { expect, onTestFinished } from 'vitest';
import type { BoardJob } from '#shared/api/board.ts';
import type { SerialPorts } from '../../../electron/server/ports.ts';
import { startReplBoard, type ReplBoard, type ReplHabits } from '../../helpers/boards/replBoard.ts';
import { startSerialMachine } from '../../helpers/devices/serialMachine.ts';
import {
  API_KEY,
  startTestStation,
  type TestStation,
  type TestStationOptions,
} from '../../helpers/startTestStation.ts';
import { tlsRequest } from '../../helpers/servers/tlsRequest.ts';

export const PORT = '/dev/ttyACM0';
const HASH = createHash('sha256').update(Buffer.from('0102030405060708', 'hex')).digest('hex').slice(-12).toUpperCase();
export const DEVICE = `${HASH.slice(0, 6)}:${HASH.slice(6)}`;
export const SERIAL = `board-${DEVICE}`;

export type BoardRig = {
  station: TestStation;
  board: ReplBoard;
  /** Requests the installation of the firmware. */
  ask(body?: object): Promise<{ status: number; body: unknown }>;
  /** Installs the firmware and waits until the job ends. */
  job(body?: object): Promise<BoardJob>;
};

/** Starts a station with a board at its prompt. When the board restarts, a turbo with its serial number answers on the port. */
export async function startBoardRig(habits: ReplHabits = {}, options: TestStationOptions = {}): Promise<BoardRig> {
  const board = await startReplBoard(habits);
  const machine = startSerialMachine();
  machine.plugIn(
    PORT,
    { vendorId: '2e8a', productId: '0005', manufacturer: 'MicroPython' },
    { serialNumber: SERIAL, devices: [DEVICE] },
  );
  let before = 0;
  const serial: SerialPorts = {
    ...machine.ports,
    open: (line) => (board.resets() === before ? Promise.resolve(board.open()) : machine.ports.open(line)),
  };
  const station = await startTestStation({ serial, clock: machine.clock, ...options });
  onTestFinished(() => station.stop());
  const request = (method: string, path: string, body?: object): Promise<{ status: number; body: unknown }> =>
    station.url.startsWith('https:')
      ? tlsRequest(station.url, path, { method, headers: { 'api-key': API_KEY }, body })
      : station.request(method, path, body);
  const ask = (body: object = {}) =>
    request('POST', '/api/boards/', { port: PORT, profile: 'generic', name: 'A-1-1', ...body });
  return {
    station,
    board,
    ask,
    async job(body) {
      // Simulates a person returning the board to its prompt, as every new installation requires.
      before = board.resets();
      const started = await ask(body);
      expect(started).toMatchObject({ status: 202 });
      const { id } = started.body as BoardJob;
      await station.clock.advance(0);
      for (let rounds = 0; rounds < 4_000; rounds += 1) {
        const job = (await request('GET', `/api/boards/jobs/${id}/`)).body as BoardJob;
        if (job.state !== 'running') return job;
        await station.clock.advance(job.step === 'waiting' ? 1_000 : 50);
      }
      throw new Error('The job does not end.');
    },
  };
}
