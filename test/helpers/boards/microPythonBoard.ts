import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startInterpreter, type Interpreter } from './interpreter.ts';

/** Maximum number of times that a firmware version on trial is started. */
const MOST_STARTS = 10;

/** Thrown into the firmware when the power fails, so that none of it continues. */
export class PowerCut extends Error {}

/** The files of a board, which survive a power cut. */
export class FlashChip {
  readonly files = new Map<string, Uint8Array>();
  /** Number of write steps so far. Each written byte is a step, and so is emptying or removing a file. */
  steps = 0;
  writes = 0;
  /** Number of the step before which the power fails. */
  cutAt = Infinity;
  private kept: (name: string, data: Uint8Array) => void = () => undefined;
  /** Makes every write fail. */
  isWornOut = false;
  /** Remaining capacity in bytes. */
  free = 1_000_000;
  /** Called after each write to a file. */
  written: (name: string) => void = () => undefined;

  write(name: string, data: Uint8Array): number {
    if (this.isWornOut) return -28;
    this.step();
    this.free += this.files.get(name)?.length ?? 0;
    this.files.set(name, new Uint8Array());
    return this.append(name, data);
  }

  /** Creates a chip that also keeps the files in a folder on disk. */
  static inFolder(folder: string): FlashChip {
    const flash = new FlashChip();
    mkdirSync(folder, { recursive: true });
    for (const name of readdirSync(folder)) flash.files.set(name, readFileSync(join(folder, name)));
    flash.kept = (name, data) => writeFileSync(join(folder, name), data);
    return flash;
  }

  append(name: string, data: Uint8Array): number {
    if (this.isWornOut || this.free < data.length) return -28;
    this.free -= data.length;
    this.writes += 1;
    const before = this.files.get(name) ?? new Uint8Array();
    const room = Math.min(data.length, Math.max(0, this.cutAt - this.steps));
    const after = new Uint8Array(before.length + room);
    after.set(before);
    after.set(data.subarray(0, room), before.length);
    this.files.set(name, after);
    this.kept(name, after);
    this.steps += room;
    if (room < data.length) throw new PowerCut();
    this.written(name);
    return 0;
  }

  remove(name: string): void {
    this.step();
    this.free += this.files.get(name)?.length ?? 0;
    this.files.delete(name);
  }

  /** Returns the files of the installed firmware updates, by path. */
  updates(): Map<string, Uint8Array> {
    return new Map([...this.files].filter(([name]) => name.includes('/')));
  }

  private step(): void {
    if (this.steps >= this.cutAt) throw new PowerCut();
    this.steps += 1;
  }
}

/** A byte stream to the station. `read` returns up to `most` received bytes, or undefined once the stream is closed. */
export type BoardLink = {
  start(): void;
  isReady(): boolean | undefined;
  read(most: number): Uint8Array | undefined;
  write(data: Uint8Array): void;
  stop(): void;
};

export type BoardOptions = {
  /** The id of the chip. */
  uniqueId: string;
  config: {
    transport: 'usb' | 'tcp' | 'wifi';
    name?: string;
    user?: string;
    key?: string;
    /** CA certificate if the connection is encrypted. */
    ca?: string;
    host?: string;
    path?: string;
  };
  flash: FlashChip;
  link: BoardLink;
  /** Returns the time since the start in milliseconds. */
  now: () => number;
  refreshMs: number;
  buttons?: 1 | 3;
  log?: (text: string) => void;
};

export type LedColors = readonly [red: number, green: number, blue: number];

/** Returns the DeviceID that the firmware derives from the chip's id. */
export function deviceIdOf(uniqueId: string): string {
  const digits = createHash('sha256').update(uniqueId).digest('hex').slice(-12).toUpperCase();
  return `${digits.slice(0, 6)}:${digits.slice(6)}`;
}

/** A board with our firmware in real MicroPython. Its pins, panel, network and flash are in JavaScript. */
export class MicroPythonBoard {
  readonly options: BoardOptions;
  led: LedColors = [0, 0, 0];
  /** History of LED and buzzer changes, for tests. */
  readonly leds: LedColors[] = [];
  readonly tones: number[] = [];
  /** The picture that the panel shows, updated when a refresh has ended. */
  picture: Uint8Array = new Uint8Array();
  refreshes: { isFull: boolean }[] = [];
  /** The pressed buttons as bits: 1 front, 2 plus, 4 minus. */
  down = 0;
  /** Whether a refresh never ends. */
  isPanelBroken = false;
  isReset = false;
  /** Time at which the board restarts, unless the station has answered it by then. */
  private trialEnd = Infinity;
  batteryMv = 3_000;
  rssiDbm = -60;
  private coming: Uint8Array = new Uint8Array();
  private drawnAt = 0;
  private readonly python: Interpreter;
  private readonly stepIn: ReturnType<Interpreter['find']>;
  private readonly pressIn: ReturnType<Interpreter['find']>;

  /** Cached query functions. Each look-up costs memory in the interpreter. */
  private readonly asked = new Map<string, ReturnType<Interpreter['find']>>();

  private constructor(options: BoardOptions, python: Interpreter) {
    this.options = options;
    this.python = python;
    python.run('from virtual import *');
    this.stepIn = python.find('step');
    this.pressIn = python.find('press');
  }

  /** Switches the board on. A version on trial that fails is started again, at most MOST_STARTS times. */
  static async boot(options: BoardOptions, starts = 1): Promise<MicroPythonBoard> {
    let board: MicroPythonBoard | undefined;
    const bytes: Interpreter['bytes'] = (at, size) => python.bytes(at, size);
    const python = await startInterpreter({ wires: wiresOf(options, () => board, bytes) }, options.flash.updates());
    try {
      board = new MicroPythonBoard(options, python);
      python.run(`boot(${pythonOf(options.config)})`);
    } catch (error) {
      // Restart like main.py until the version on trial has used up its starts.
      if (error instanceof PowerCut || options.flash.updates().size === 0 || starts >= MOST_STARTS) throw error;
      return MicroPythonBoard.boot(options, starts + 1);
    }
    board.trialEnd = trialEndOf(board);
    return board;
  }

  /** Returns whether the chip restarts. The caller must then boot the board again. */
  isRestarting(): boolean {
    if (this.options.now() >= this.trialEnd && Number(this.ask('trial_ms')) >= 0) this.isReset = true;
    return this.isReset;
  }

  get deviceId(): string {
    return deviceIdOf(this.options.uniqueId);
  }

  /** Runs due work. Returns the milliseconds until more work is due, or -1 if none is. */
  step(): number {
    return Number(this.stepIn(this.options.now()));
  }

  /** Presses a button. Returns the counter of the report, or 0 if the press is refused. */
  press(button: 'front' | 'plus' | 'minus', hold: 'short' | 'long' = 'short'): number {
    const number = ['front', 'plus', 'minus'].indexOf(button);
    return Number(this.pressIn(number, hold === 'long' ? 1 : 0, this.options.now()));
  }

  /** Calls one of the firmware's query functions, such as `epoch`, `counter`, `token`, `frames` or `is_ready`. */
  ask(name: string): unknown {
    let found = this.asked.get(name);
    if (found === undefined) {
      found = this.python.find(name);
      this.asked.set(name, found);
    }
    return found();
  }

  /** Runs a garbage collection, which the interpreter does only between calls, and returns the number of heap bytes in use. */
  heap(): number {
    this.ask('collect');
    return Number(this.ask('allocated'));
  }

  run(code: string): string[] {
    const before = this.python.printed().length;
    this.python.run(code);
    return this.python.printed().slice(before);
  }

  startPanel(picture: Uint8Array, isFull: boolean): void {
    this.coming = picture;
    this.refreshes.push({ isFull });
    this.drawnAt = this.options.now() + this.options.refreshMs;
  }

  isBusy(): boolean {
    if (this.isPanelBroken || this.options.now() < this.drawnAt) return true;
    this.picture = this.coming;
    return false;
  }

  /** Returns the milliseconds until the panel is ready, or undefined if the panel is idle. */
  busyMs(): number | undefined {
    const left = this.drawnAt - this.options.now();
    return left > 0 ? left : undefined;
  }

  shine(led: LedColors): void {
    this.led = led;
    this.leds.push(led);
  }
}

function wiresOf(
  { flash, link, uniqueId, buttons = 3, log = () => undefined }: BoardOptions,
  board: () => MicroPythonBoard | undefined,
  bytes: (address: number, length: number) => Uint8Array,
): object {
  return {
    flash_size: (name: string) => flash.files.get(name)?.length ?? -1,
    flash_read: (name: string, at: number) => {
      const data = flash.files.get(name) ?? new Uint8Array();
      bytes(at, data.length).set(data);
    },
    flash_write: (name: string, at: number, size: number) => flash.write(name, bytes(at, size).slice()),
    flash_append: (name: string, at: number, size: number) => flash.append(name, bytes(at, size).slice()),
    flash_part(name: string, from: number, at: number, size: number) {
      const data = (flash.files.get(name) ?? new Uint8Array()).subarray(from, from + size);
      bytes(at, data.length).set(data);
      return data.length;
    },
    flash_remove: (name: string) => flash.remove(name),
    flash_list: (folder: string) => [...flash.files.keys()].filter((name) => name.startsWith(folder)).join('|'),
    flash_free: () => flash.free,
    reset() {
      const it = board();
      if (it !== undefined) it.isReset = true;
    },
    link_start: () => link.start(),
    link_ready: () => toNumber(link.isReady()),
    link_read(at: number, size: number) {
      const data = link.read(size);
      if (data === undefined) return -104;
      bytes(at, data.length).set(data);
      return data.length;
    },
    link_write(at: number, size: number) {
      link.write(bytes(at, size).slice());
      return size;
    },
    link_stop: () => link.stop(),
    panel_start: (at: number, size: number, isFull: boolean) => board()?.startPanel(bytes(at, size).slice(), isFull),
    panel_busy: () => board()?.isBusy() ?? false,
    led: (...led: LedColors) => board()?.shine(led),
    tone: (hz: number) => void board()?.tones.push(hz),
    down: () => board()?.down ?? 0,
    battery: () => board()?.batteryMv ?? 3_000,
    rssi: () => board()?.rssiDbm ?? -60,
    buttons: () => buttons,
    random16: () => randomBytes(2).readUInt16LE(),
    unique_id: () => uniqueId,
    log,
  };
}

function trialEndOf(board: MicroPythonBoard): number {
  const trialMs = Number(board.ask('trial_ms'));
  return trialMs < 0 ? Infinity : board.options.now() + trialMs;
}

function toNumber(ready: boolean | undefined): number {
  return ready === undefined ? -111 : Number(ready);
}

function pythonOf(config: object): string {
  return JSON.stringify(config);
}
