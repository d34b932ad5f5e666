import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import type { Clock, Timer } from '../../../electron/server/ports.ts';
import { systemClock } from '../../../electron/server/systemPorts.ts';
import { MicroPythonBoard, type BoardLink, type BoardOptions } from './microPythonBoard.ts';

/** Connects to the station. The promise resolves when bytes can be sent. */
export type Dial = () => Promise<Duplex>;

export function dialTcp(host: string, port: number, ca?: string): Dial {
  return () =>
    new Promise((resolve, reject) => {
      const socket =
        ca === undefined ? connect({ host, port }) : connectTls({ host, port, ca, servername: 'localhost' });
      socket.once('error', reject);
      socket.once(ca === undefined ? 'connect' : 'secureConnect', () => resolve(socket));
    });
}

/** A board that runs by itself. It uses real time unless a clock is passed. */
export type LiveBoard = {
  readonly board: MicroPythonBoard;
  /** Moves the board out of the station's reach, or back into it. */
  move(isReachable: boolean): void;
  /** Runs `work` on the board, then the steps that result from it. */
  work<Answer>(work: (board: MicroPythonBoard) => Answer): Answer;
  /** Resolves when the board has drawn its first picture. */
  ready: Promise<void>;
  /** Cuts the board's power. */
  stop(): void;
};

export async function startLiveBoard(
  options: Omit<BoardOptions, 'link' | 'now'> & { dial: Dial; clock?: Clock },
): Promise<LiveBoard> {
  let isOff = false;
  let timer: Timer | undefined;
  const { clock = systemClock() } = options;
  const wire = wireOf(options.dial, () => step());
  /** Boots the board with a clock that starts at zero, as a chip's does. */
  function boot(): Promise<MicroPythonBoard> {
    const bootedMs = clock.monotonic();
    return MicroPythonBoard.boot({ ...options, link: wire, now: () => Math.floor(clock.monotonic() - bootedMs) });
  }
  let board = await boot();
  let isBooting = false;
  const { promise: ready, resolve } = Promise.withResolvers<void>();

  function step(): void {
    if (isOff || isBooting) return;
    timer?.cancel();
    const wait = board.step();
    if (board.isRestarting()) return restart();
    if (board.ask('is_ready') === true) resolve();
    const busyMs = board.busyMs();
    const next = busyMs === undefined ? wait : Math.min(busyMs, wait < 0 ? Infinity : Math.max(wait, busyMs));
    timer = clock.setTimer(Math.max(1, next < 0 ? 1_000 : Math.min(next, 1_000)), step);
  }

  function restart(): void {
    isBooting = true;
    wire.stop();
    void boot().then((again) => {
      board = again;
      isBooting = false;
      step();
    });
  }

  step();
  return {
    get board() {
      return board;
    },
    ready,
    move(isReachable) {
      wire.move(isReachable);
      step();
    },
    work(work) {
      const answer = work(board);
      step();
      return answer;
    },
    stop() {
      isOff = true;
      timer?.cancel();
      wire.stop();
    },
  };
}

function wireOf(dial: Dial, changed: () => void): BoardLink & { move(isReachable: boolean): void } {
  let stream: Duplex | undefined;
  let attempt = 0;
  let isFailed = false;
  let isAway = false;
  let came: Uint8Array[] = [];

  function lose(mine: number): void {
    if (mine !== attempt) return;
    isFailed = true;
    changed();
  }

  return {
    start() {
      attempt += 1;
      const mine = attempt;
      isFailed = isAway;
      came = [];
      if (isAway) return;
      dial().then(
        (opened) => {
          opened.on('error', () => undefined);
          if (mine !== attempt) return void opened.destroy();
          stream = opened;
          opened.on('data', (chunk: Uint8Array) => {
            if (mine !== attempt || isAway) return;
            came.push(chunk);
            changed();
          });
          opened.once('close', () => lose(mine));
          changed();
        },
        () => lose(mine),
      );
    },
    isReady: () => (isFailed ? undefined : stream !== undefined),
    read(most) {
      if (isFailed) return undefined;
      const [first] = came;
      if (first === undefined) return new Uint8Array();
      if (first.length <= most) came.shift();
      else came[0] = first.subarray(most);
      return first.subarray(0, most);
    },
    write: (data) => void (isAway ? undefined : stream?.write(data)),
    stop() {
      attempt += 1;
      stream?.destroy();
      stream = undefined;
    },
    move(isReachable) {
      isAway = !isReachable;
      if (isAway) isFailed = true;
    },
  };
}
