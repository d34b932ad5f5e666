import { Duplex } from 'node:stream';
import { onTestFinished } from 'vitest';
import type { ApiUserSecrets } from '#shared/api/access.ts';
import type { BoardJob } from '#shared/api/board.ts';
import type { Turbo as TurboEntry } from '#shared/api/turbo.ts';
import type { Firmware, SerialPorts } from '../../../electron/server/ports.ts';
import { decodePayload } from '../../../electron/server/turbo/frames/protocol/codec.ts';
import {
  createFrameWriter,
  encodeFrame,
  FLAG_REPLY,
  FrameParser,
} from '../../../electron/server/turbo/frames/protocol/frame.ts';
import type { Message } from '../../../electron/server/turbo/frames/protocol/messages.ts';
import { dialTcp, startLiveBoard, type Dial, type LiveBoard } from '../../helpers/boards/liveBoard.ts';
import { FlashChip, type BoardOptions } from '../../helpers/boards/microPythonBoard.ts';
import { openStreams } from '../../helpers/devices/serialMachine.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

/** Maximum real time of a job in milliseconds. */
const PATIENCE_MS = 120_000;

export type UpdateWay = 'wifi' | 'tcp' | 'usb';

/** Changes a message from the station as a man in the middle would. Works only over TCP. */
export type Between = (message: Message) => Message;

export type UpdateRig = {
  station: TestStation;
  plug(
    uniqueId: string,
    more?: { key?: string; between?: Between },
  ): Promise<LiveBoard & { flash: FlashChip; serial: string }>;
  /** Advances both sides until `isSo` returns true. */
  until(what: string, isSo: () => Promise<boolean> | boolean, stepMs?: number): Promise<void>;
  job(id: string): Promise<BoardJob>;
  ended(job: BoardJob | undefined): Promise<BoardJob>;
};

/** Starts a station with this firmware. Boards connect in the given way and use the station's clock. */
export async function startUpdateRig(firmware: Firmware, way: UpdateWay = 'wifi'): Promise<UpdateRig> {
  const cables = new Map<string, Duplex>();
  const station = await startTestStation({
    readFirmware: () => [...firmware.files],
    turboPort: 0,
    serial: cablePorts(cables),
  });
  onTestFinished(() => station.stop());
  const { api_key: ownKey } = await station.post<ApiUserSecrets>('/api/api-users/', {
    name: 'boards',
    scope: 'turbo',
  });
  const { host, hostname, port } = new URL(station.url);
  const until: UpdateRig['until'] = async (what, isSo, stepMs = 20) => {
    const giveUpAt = performance.now() + PATIENCE_MS;
    while (!(await isSo())) {
      if (performance.now() > giveUpAt) throw new Error(`It took too long: ${what}`);
      await station.clock.advance(stepMs);
    }
  };
  const job = (id: string): Promise<BoardJob> => station.get<BoardJob>(`/api/boards/jobs/${id}/`);

  async function wayOf(uniqueId: string, key: string): Promise<{ config: BoardOptions['config']; dial: Dial }> {
    const sign = { user: 'boards', key, name: uniqueId };
    if (way === 'wifi') {
      return { config: { transport: way, host, path: '/turbo/', ...sign }, dial: dialTcp(hostname, Number(port)) };
    }
    if (way === 'tcp') {
      return { config: { transport: way, ...sign }, dial: dialTcp(hostname, station.started.turboPort() ?? 0) };
    }
    const path = `/dev/${uniqueId}`;
    await station.post('/api/turbo/links/', { path });
    const dial: Dial = () => {
      const [near, far] = openStreams();
      far.once('close', () => near.destroy());
      cables.set(path, near);
      return Promise.resolve(far);
    };
    return { config: { transport: way, name: uniqueId }, dial };
  }

  return {
    station,
    until,
    job,
    async ended(begun) {
      const { id = '' } = begun ?? {};
      await until(`job ${id}`, async () => (await job(id)).state !== 'running', 500);
      return job(id);
    },
    async plug(uniqueId, { key = ownKey, between } = {}) {
      const flash = new FlashChip();
      const { config, dial } = await wayOf(uniqueId, key);
      const live = await startLiveBoard({
        uniqueId,
        config,
        flash,
        refreshMs: 20,
        dial: async () => (between === undefined ? dial() : tapped(await dial(), between)),
        clock: station.clock,
      });
      onTestFinished(() => live.stop());
      const serial = `board-${live.board.deviceId}`;
      await until(`${uniqueId} to be online`, async () => {
        const turbos = await station.get<TurboEntry[]>('/api/turbo/');
        return turbos.some(({ serial_number, status }) => serial_number === serial && status === 'online');
      });
      return Object.assign(live, { flash, serial });
    },
  };
}

function cablePorts(cables: ReadonlyMap<string, Duplex>): SerialPorts {
  return {
    list: () => Promise.resolve([]),
    open({ path }) {
      const cable = cables.get(path);
      return cable === undefined || cable.destroyed
        ? Promise.reject(new Error(`No such file: ${path}`))
        : Promise.resolve(cable);
    },
    reset: () => Promise.resolve(),
  };
}

/** Returns the board's end of a wire on which each frame from the station is decoded, changed and encoded again. */
function tapped(socket: Duplex, between: Between): Duplex {
  const scratch = createFrameWriter();
  const end = new Duplex({
    read: () => undefined,
    write: (chunk: Uint8Array, _encoding, done) => void socket.write(chunk, done),
    destroy(error, done) {
      socket.destroy();
      done(error);
    },
  });
  const parser = new FrameParser({
    frame(type, flags, seq, payload) {
      const message = decodePayload(type, payload);
      if (typeof message === 'string') throw new Error(`A frame ${type} is ${message}`);
      end.push(encodeFrame(scratch, between(message), seq, (flags & FLAG_REPLY) !== 0));
    },
    junk(count) {
      throw new Error(`${count} bytes are no frame`);
    },
  });
  socket.on('data', (chunk: Uint8Array) => parser.push(Uint8Array.from(chunk), 0));
  socket.once('close', () => end.destroy());
  return end;
}
