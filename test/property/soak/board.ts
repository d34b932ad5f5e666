import type { Duplex } from 'node:stream';
import type { Button, SerialPorts } from '../../../electron/server/ports.ts';
import type { FakeClock } from '../../helpers/fakeClock.ts';
import { startLiveBoard, type LiveBoard } from '../../helpers/boards/liveBoard.ts';
import { deviceIdOf, FlashChip } from '../../helpers/boards/microPythonBoard.ts';
import { openStreams } from '../../helpers/devices/serialMachine.ts';
import type { Random } from '../model/random.ts';
import type { Press } from './floor.ts';
import type { ShopHardware } from './hardware.ts';

const PORT = '/dev/ttyACM0';
const CHIP = 'soak';
const REFRESH_MS = 300;
/** Fraction of chunks lost on the cable, in both directions. */
const LOSS = 0.05;
const MAX_VISITS = 4;
const NEXT_VISIT_MS = 40_000;

/** Creates a board that runs our firmware in real MicroPython on a USB cable, together with its worker. */
export async function createBoard(parts: {
  clock: FakeClock;
  random: Random;
}): Promise<ShopHardware & { presses: ReadonlyMap<string, readonly Press[]>; serial: SerialPorts }> {
  const { clock, random } = parts;
  const deviceId = deviceIdOf(CHIP);
  const made: Press[] = [];
  const flash = new FlashChip();
  let near: Duplex | undefined;
  let far: Duplex | undefined;
  let board: Duplex | undefined;
  let live: LiveBoard | undefined;
  let isConnected = true;
  let isLossy = false;
  let booting = 0;
  let bootedMs = 0;

  function pass(to: Duplex | undefined, piece: Uint8Array): void {
    if (to?.destroyed === false && !(isLossy && random.chance(LOSS))) to.write(piece);
  }

  async function boot(): Promise<void> {
    booting += 1;
    const held = look().held;
    if (held > 0) for (const press of made.slice(-held)) press.latestMs = clock.now();
    live?.stop();
    bootedMs = clock.monotonic();
    live = await startLiveBoard({
      uniqueId: CHIP,
      config: { transport: 'usb' },
      flash,
      refreshMs: REFRESH_MS,
      clock,
      dial() {
        const [socket, cable] = openStreams();
        board = cable;
        cable.on('data', (piece: Uint8Array) => pass(far, piece));
        return Promise.resolve(socket);
      },
    });
    booting -= 1;
  }

  function look(): { token: number; count: number | undefined; isActive: boolean; held: number } {
    const [seen = ''] = live?.board.run(`print(look(${Math.floor(clock.monotonic() - bootedMs)}))`) ?? [];
    const [token = 0, count = -1, lit = 0, held = 0] = seen.split(' ').map(Number);
    return { token, count: count < 0 ? undefined : count, isActive: lit === 1, held };
  }

  function press(button: Button, hold: Press['hold']): void {
    const { token, count, isActive } = look();
    const counter = live?.work((it) => it.press(button, hold)) ?? 0;
    if (counter > 0) made.push({ button, hold, token, count, isActive, atMs: clock.now() });
  }

  function visit(visits: number): void {
    const { isActive, count } = look();
    if (!isActive || booting > 0) {
      if (visits < MAX_VISITS) clock.setTimer(NEXT_VISIT_MS, () => visit(visits + 1));
      return;
    }
    if (count !== undefined) for (let more = random.below(3); more > 0; more -= 1) press('plus', 'short');
    press('front', random.chance(0.1) ? 'long' : 'short');
  }

  await boot();
  return {
    name: 'the board',
    link: { path: PORT },
    deviceIds: [deviceId],
    perMinute: 1,
    presses: new Map([[deviceId, made]]),
    serial: {
      list: () => Promise.resolve([]),
      async open() {
        if (!isConnected) throw new Error(`No such file or directory, cannot open ${PORT}`);
        const [first, second] = openStreams();
        near = first;
        far = second;
        second.on('data', (piece: Uint8Array) => pass(second === far ? board : undefined, piece));
        return first;
      },
      reset: () => Promise.resolve(),
    },
    connect(next) {
      isConnected = next;
      if (next) return;
      far = undefined;
      near?.destroy();
    },
    sendWorker: (_deviceId, delayMs) => void clock.setTimer(delayMs, () => visit(1)),
    haveAccident() {
      // The power fails during a press.
      press('front', random.one(['short', 'long']));
      return boot();
    },
    setLoss: (next) => void (isLossy = next),
    restless() {
      const { token, held } = look();
      return token === 0 && held === 0 ? [] : [`${deviceId} shows ${token} and holds ${held}`];
    },
    idle: () => booting === 0,
    stop() {
      live?.stop();
      return Promise.resolve();
    },
  };
}
