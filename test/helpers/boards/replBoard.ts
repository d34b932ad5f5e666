import { Duplex } from 'node:stream';
import { loadMicroPython, type MicroPython } from '@micropython/micropython-webassembly-pyscript/micropython.mjs';

/** Adds what MicroPython has only on a chip: the chip's id, the watchdog, and a reset that the test observes. */
const MACHINE = `
import sys, board_hooks
class machine:
    @staticmethod
    def unique_id(): return b'\\x01\\x02\\x03\\x04\\x05\\x06\\x07\\x08'
    @staticmethod
    def reset(): board_hooks.reset()
    @staticmethod
    def WDT(timeout): board_hooks.waits(timeout)
    class Memory:
        def __setitem__(self, address, value): board_hooks.poke('%x %x' % (address, value))
    mem32 = Memory()
sys.modules['machine'] = machine
class _Stat: pass
import os
_free = board_hooks.free_blocks
if not hasattr(os, 'statvfs') or True:
    os.statvfs = lambda path: (4096, 4096, 300, _free(), _free(), 0, 0, 0, 0, 255)
class _Sys:
    platform, modules = board_hooks.platform() or sys.platform, sys.modules
    class implementation: _machine = board_hooks.machine()
sys.modules['sys'] = _Sys
`;

/** Number of the last received characters to keep: more than the length of any text that is searched for. */
const MAX_HEARD = 100;

/** How the board behaves at the serial port. */
export type ReplHabits = {
  /** Whether the board never answers, as with different firmware or none. */
  isSilent?: boolean;
  /** Number of free flash blocks of 4,096 bytes. Default: 250. */
  freeBlocks?: number;
  /** Number of received bytes after which the cable is unplugged. */
  pulledAfter?: number;
  /** Text after which the board stops answering, once, until the port is opened again. */
  hangsAt?: string;
  /** Damages the file `path` in flash after the text `at` was received. */
  damages?: { at: string; path: string };
  /** Files already on the board. */
  files?: Record<string, string>;
  /** The chip that the board reports, such as `esp32`. */
  platform?: string;
  /** The board's description, in Python `sys.implementation._machine`. */
  machine?: string;
};

/** A board with real MicroPython at its prompt, reached over a stream. */
export type ReplBoard = {
  /** Opens the port again. */
  open(): Duplex;
  /** Returns the contents of a file on the board, or undefined if the file does not exist. */
  read(path: string): Uint8Array | undefined;
  resets(): number;
  /** Lists how the station changed the watchdog: timeouts that it set, and registers that it wrote. */
  disarmed(): string[];
};

export async function startReplBoard(habits: ReplHabits = {}): Promise<ReplBoard> {
  let resets = 0;
  const disarmed: string[] = [];
  let port: Duplex | undefined;
  let said: number[] = [];
  let taken = 0;
  let heard = '';
  let isHung = false;
  let hasHung = false;
  const isAt = (text: string | undefined): boolean => text !== undefined && heard.endsWith(text);
  const python: MicroPython = await loadMicroPython({
    heapsize: 192 * 1_024,
    linebuffer: false,
    stdout: (byte: Uint8Array) => void said.push(...byte),
  });
  python.registerJsModule('board_hooks', {
    reset: () => {
      resets += 1;
    },
    platform: () => habits.platform ?? '',
    machine: () => habits.machine ?? 'a board',
    waits: (timeoutMs: number) => void disarmed.push(`waits ${timeoutMs} ms`),
    poke: (what: string) => void disarmed.push(what),
    free_blocks: () => habits.freeBlocks ?? 250,
  });
  python.runPython(MACHINE);
  for (const [path, text] of Object.entries(habits.files ?? {})) {
    const [folder, name] = path.split('/');
    if (folder !== undefined && name !== undefined) python.runPython(`os.mkdir('${folder}')`);
    python.FS.writeFile(path, text);
  }
  python.replInit();
  said = [];

  function take(chunk: Uint8Array): void {
    for (const byte of chunk) {
      taken += 1;
      if (habits.pulledAfter !== undefined && taken > habits.pulledAfter)
        return void port?.destroy(new Error('unplugged'));
      heard = (heard + String.fromCharCode(byte)).slice(-MAX_HEARD);
      if (isAt(habits.damages?.at)) python.FS.writeFile(habits.damages?.path ?? '', 'damaged');
      if (!hasHung && isAt(habits.hangsAt)) isHung = hasHung = true;
      if (isHung) return;
      python.replProcessChar(byte);
    }
    const answer = Buffer.from(said);
    said = [];
    if (answer.length > 0) port?.push(answer);
  }

  return {
    open() {
      isHung = false;
      port = new Duplex({
        read: () => undefined,
        write(chunk: Uint8Array, _encoding, written) {
          written();
          if (habits.isSilent !== true) queueMicrotask(() => take(chunk));
        },
        destroy: (error, done) => done(error),
      });
      return port;
    },
    read(path) {
      try {
        return python.FS.readFile(path);
      } catch {
        return undefined;
      }
    },
    resets: () => resets,
    disarmed: () => disarmed,
  };
}
