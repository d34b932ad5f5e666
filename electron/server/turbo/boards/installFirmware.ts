import { createHash } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type {
  BoardConfig,
  BoardFacts,
  BoardInstaller,
  Clock,
  FirmwareFile,
  InstallWatch,
  SerialPorts,
} from '../../ports.ts';
import { enterRawRepl, type RawRepl } from './rawRepl.ts';

const BAUD = 115_200;
/**
 * Time limit for entering the prompt. Long enough for somebody to replug the board, because our firmware cannot be interrupted while it
 * uses the USB port.
 */
const ENTER_MS = 20_000;
/** Bytes of a file per line, so that a line fits into the memory of the smallest board. */
const PART_BYTES = 512;
/** Bytes of flash to keep free for presses that the board stores until the station has received them. */
const SPARE_BYTES = 32_768;
/**
 * File that is removed first and written last, so that a board that loses power during the installation starts no program instead of parts
 * of two versions.
 */
const LAST = 'main.py';

/** Boot records to remove, because they would start an update instead of the installed files. */
const BOOT_RECORDS = "('memory/boot0', 'memory/boot1')";

/**
 * Program that disables the watchdog of the interrupted firmware, which would restart the board within seconds. An RP2 clears a bit in a
 * register; an ESP32 cannot stop its watchdog, but can extend its timeout.
 */
const DISARM = `
import sys, machine
try:
    if sys.platform == 'rp2':
        machine.mem32[0x400db000 if 'RP2350' in sys.implementation._machine else 0x4005b000] = 1 << 30
    else:
        machine.WDT(timeout=3600000)
except Exception: pass
`;

/** Program that prints what the station needs to know about the board: platform, machine, chip id and free flash. */
const FACTS = `
import sys, os, json, machine
from binascii import hexlify
v = os.statvfs('/')
print(json.dumps([sys.platform, getattr(sys.implementation, '_machine', ''), hexlify(machine.unique_id()).decode(), v[0] * v[3]]))
`;

/** Writes our firmware to boards with MicroPython, over their USB ports. */
export function createBoardInstaller({ ports, clock }: { ports: SerialPorts; clock: Clock }): BoardInstaller {
  return {
    async install(path, prepare, watch) {
      const stream = await open(ports, path);
      const end = (): void => void stream.destroy();
      watch.signal.addEventListener('abort', end);
      try {
        watch.step('connecting', 0);
        const repl = await enterRawRepl(stream, clock, ENTER_MS);
        if (repl === undefined) throw new Error(watch.signal.aborted ? 'Cancelled.' : noMicroPython(path));
        watch.step('checking', 0);
        await repl.run(DISARM);
        const facts = await readFacts(repl);
        const { files, config } = await prepare(facts);
        const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0);
        if (facts.freeBytes < bytes + SPARE_BYTES) {
          throw new Error(
            `The flash of the board is full: ${bytes + SPARE_BYTES} bytes are needed, and ${facts.freeBytes} are free. Remove other programs from it.`,
          );
        }
        await writeAll(repl, [...files, configFile(config, clock.now())], watch);
        watch.step('restarting', 1);
        await repl.leave('import machine\nmachine.reset()\n');
        // Wait until the last write has been sent before the port is closed.
        await new Promise<void>((resolve) => void clock.setTimer(200, resolve));
        return facts;
      } catch (error) {
        if (watch.signal.aborted)
          throw new Error('Cancelled. The board has no firmware that starts.', { cause: error });
        throw error;
      } finally {
        watch.signal.removeEventListener('abort', end);
        end();
      }
    },
  };
}

async function open(ports: SerialPorts, path: string): Promise<Duplex> {
  try {
    const stream = await ports.open({ path, baudRate: BAUD, flowControl: false });
    stream.on('error', () => undefined);
    return stream;
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^Error: /, '') : String(error);
    throw new Error(
      `${path} cannot be opened: ${reason}. Close other programs that use the board, such as an editor.`,
      {
        cause: error,
      },
    );
  }
}

function noMicroPython(path: string): string {
  return `No MicroPython answers on ${path}. Unplug the board and plug it in again; if it never had MicroPython, install that first (docs/boards.md).`;
}

async function readFacts(repl: RawRepl): Promise<BoardFacts> {
  const said: unknown = JSON.parse(await repl.run(FACTS));
  const [platform, machine, uniqueId, freeBytes] = Array.isArray(said) ? (said as unknown[]) : [];
  if (typeof platform !== 'string' || typeof uniqueId !== 'string' || typeof freeBytes !== 'number') {
    throw new Error('This answer does not come from MicroPython.');
  }
  // Computed as in the firmware: six bytes of a hash of the chip's id.
  const digits = createHash('sha256').update(Buffer.from(uniqueId, 'hex')).digest('hex').slice(-12).toUpperCase();
  const deviceId = `${digits.slice(0, 6)}:${digits.slice(6)}`;
  return { platform, machine: String(machine), deviceId, serialNumber: `board-${deviceId}`, freeBytes };
}

/** Creates the board's configuration file. The board uses `timeMs` to check a certificate before it gets the time from the station. */
function configFile(config: BoardConfig, timeMs: number): FirmwareFile {
  const text = JSON.stringify({ ...config, time: Math.floor(timeMs / 1_000) });
  return { path: 'config.json', bytes: Buffer.from(text, 'utf8') };
}

/** Writes every file under a temporary name, verifies all of them, and only then renames them. */
async function writeAll(repl: RawRepl, files: readonly FirmwareFile[], watch: InstallWatch): Promise<void> {
  const total = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  let done = 0;
  await repl.run(`
import os
from binascii import a2b_base64 as d, hexlify
from hashlib import sha256
def folder(n):
    try: os.mkdir(n)
    except OSError: pass
def drop(n):
    try: os.remove(n)
    except OSError: pass
def check(n):
    h = sha256()
    with open(n, 'rb') as f:
        while True:
            b = f.read(256)
            if not b: break
            h.update(b)
    print(hexlify(h.digest()).decode())
drop(${python(LAST)})
for n in ${BOOT_RECORDS}: drop(n)
`);
  for (const path of foldersOf(files)) await repl.run(`folder(${python(path)})`);
  for (const { path, bytes } of files) {
    const draft = python(`${path}.new`);
    await repl.run(`f = open(${draft}, 'wb')`);
    for (let at = 0; at < bytes.length; at += PART_BYTES) {
      const part = bytes.subarray(at, at + PART_BYTES);
      await repl.run(`_ = f.write(d(b'${Buffer.from(part).toString('base64')}'))`);
      done += part.length;
      watch.step('writing', done / total);
    }
    await repl.run('f.close()');
  }
  for (const [index, { path, bytes }] of files.entries()) {
    watch.step('verifying', index / files.length);
    const hash = (await repl.run(`check(${python(`${path}.new`)})`)).trim();
    if (hash !== createHash('sha256').update(bytes).digest('hex')) {
      throw new Error(`${path} is not on the board as it was sent. Its flash may be worn out; try again.`);
    }
  }
  const ordered = files.toSorted((a, b) => Number(a.path === LAST) - Number(b.path === LAST));
  for (const { path } of ordered) {
    await repl.run(`drop(${python(path)})\nos.rename(${python(`${path}.new`)}, ${python(path)})`);
  }
}

/** Returns the folders of the files, each before its subfolders. */
function foldersOf(files: readonly FirmwareFile[]): string[] {
  const folders = files.flatMap(({ path }) => {
    const names = path.split('/').slice(0, -1);
    return names.map((_, index) => names.slice(0, index + 1).join('/'));
  });
  return [...new Set(folders)].toSorted();
}

/** Converts text to a Python literal. Quotes and escapes have the same meaning in JSON. */
function python(text: string): string {
  return JSON.stringify(text);
}
