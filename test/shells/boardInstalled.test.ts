import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { BoardJob } from '#shared/api/board.ts';
import { systemSerialPorts } from '../../electron/server/network/serialPorts.ts';
import { startLiveBoard, type LiveBoard } from '../helpers/boards/liveBoard.ts';
import { deviceIdOf, FlashChip } from '../helpers/boards/microPythonBoard.ts';
import { startReplBoard } from '../helpers/boards/replBoard.ts';
import { startTestStation } from '../helpers/startTestStation.ts';
import { noTerminals } from '../helpers/devices/turboWires.ts';
import { plugCable } from './cable.ts';
import { folderOnDisk } from './stationProcess.ts';

/** The chip id that a board reports at the MicroPython prompt. */
const CHIP = '\u{1}\u{2}\u{3}\u{4}\u{5}\u{6}\u{7}\u{8}';
const DEVICE = deviceIdOf(CHIP);
const STEP_MS = 20;
const PATIENCE_STEPS = 3_000;

test.skipIf(noTerminals)(
  'a board on a pseudo-terminal is set up, restarted and lit, and its press arrives',
  async () => {
    const folder = folderOnDisk('board');
    const cable = await plugCable([join(folder, 'board'), join(folder, 'station')]);
    const [atBoard, port] = cable.ends;
    const system = systemSerialPorts();
    const prompt = await startReplBoard();
    const far = await system.open({ path: atBoard, baudRate: 115_200, flowControl: false });
    const near = prompt.open();
    far.on('data', (bytes: Buffer) => void (prompt.resets() === 0 && near.write(bytes)));
    near.on('data', (bytes: Buffer) => void far.write(bytes));
    const board = { path: port, vendorId: '2e8a', productId: '0005', serialNumber: 'X1', locationId: '' };
    const list = () => Promise.resolve([{ ...board, manufacturer: 'MicroPython' }]);
    const station = await startTestStation({ serial: { ...system, list } });
    let live: LiveBoard | undefined;
    onTestFinished(async () => {
      live?.stop();
      await station.stop();
      far.destroy();
      await cable.pull();
      rmSync(folder, { recursive: true });
    });
    /** Advances the station's clock together with real time until `isSo` returns true, because the terminal cannot be stopped. */
    async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
      for (let steps = 0; !(await isSo()); steps += 1) {
        if (steps > PATIENCE_STEPS) throw new Error('It does not come so far.');
        await pause(STEP_MS);
        await station.clock.advance(STEP_MS);
      }
    }

    const request = { port, profile: 'generic', name: 'A-1-1' };
    const { id } = await station.post<BoardJob>('/api/boards/', request);
    await until(() => prompt.resets() === 1);
    const config = JSON.parse(Buffer.from(prompt.read('config.json') ?? []).toString()) as { transport: 'usb' };
    live = await startLiveBoard({
      uniqueId: CHIP,
      config,
      flash: new FlashChip(),
      refreshMs: 50,
      dial: () => Promise.resolve(far),
    });
    await until(async () => (await station.get<BoardJob>(`/api/boards/jobs/${id}/`)).state !== 'running');
    expect(await station.get<BoardJob>(`/api/boards/jobs/${id}/`)).toMatchObject({
      state: 'done',
      problem: null,
      deviceid: DEVICE,
    });
    const first = async () => (await station.device(DEVICE)).commands[0];
    await until(async () => (await first())?.state === 'shown');
    expect(await first()).toMatchObject({ line1: 'A-1-1', line2: 'Here I am' });
    expect(live.work((hands) => hands.press('front'))).toBeGreaterThan(0);
    await until(async () => (await first()) === undefined);
    expect(await station.device(DEVICE)).toMatchObject({ location: 'A-1-1', online: true, commands: [] });
  },
);
