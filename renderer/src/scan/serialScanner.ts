import type { Remembered } from '../remembered.ts';
import type { ScannerPort, BrowserPorts } from './browserDevices.ts';
import { createState, isNoChoice, reasonOf, type ScannerLink } from './scannerLink.ts';
import { nextPause, nextText, NO_TEXT, SILENCE_MS } from './serialText.ts';

const KEY = 'pickstation.scanner.serial';
/** Baud rate to which RS-232 scanners are usually set. USB scanners ignore it. */
const BAUD_RATE = 9_600;

type Parts = {
  /** Undefined if the browser has no Web Serial. */
  serial: BrowserPorts | undefined;
  isSecure: boolean;
  storage: Remembered;
  setTimer(delayMs: number, run: () => void): () => void;
  scan(code: string): void;
};

/** Creates a link to a scanner at a serial port. Most USB scanners can emulate a serial port. */
export function createSerialScanner({ serial, isSecure, storage, setTimer, scan }: Parts): ScannerLink {
  const state = createState({ kind: serial === undefined ? (isSecure ? 'missing' : 'insecure') : 'off' });
  let open: { port: ScannerPort; close(): Promise<void> } | undefined;

  async function use(port: ScannerPort): Promise<void> {
    if (open !== undefined) return;
    state.set({ kind: 'connecting' });
    try {
      await port.open({ baudRate: BAUD_RATE });
    } catch (error) {
      state.set({ kind: 'failed', reason: reasonOf(error) });
      return;
    }
    storage.set(KEY, identity(port));
    const reading = read(port, { scan, setTimer });
    const mine = { port, close: reading.stop };
    open = mine;
    state.set({ kind: 'on' });
    // Reading ends when the scanner is unplugged, or when the port is closed here.
    void reading.ended.then(() => {
      if (open !== mine) return;
      open = undefined;
      state.set({ kind: 'lost' });
      void port.close().catch(() => undefined);
    });
  }

  async function useRemembered(): Promise<void> {
    const remembered = storage.get(KEY);
    if (serial === undefined || remembered === null) return;
    const ports = await serial.getPorts();
    const port = ports.find((each) => identity(each) === remembered);
    if (port !== undefined) await use(port);
  }

  return {
    state: state.get,
    subscribe: state.subscribe,
    async connect() {
      if (serial === undefined || open !== undefined) return;
      try {
        await use(await serial.requestPort());
      } catch (error) {
        if (!isNoChoice(error)) state.set({ kind: 'failed', reason: reasonOf(error) });
      }
    },
    async disconnect() {
      storage.set(KEY, null);
      const mine = open;
      open = undefined;
      await mine?.close();
      state.set({ kind: 'off' });
    },
    start() {
      const plugged = (): void => void useRemembered().catch(() => undefined);
      serial?.addEventListener('connect', plugged);
      plugged();
    },
  };
}

function identity(port: ScannerPort): string {
  const { usbVendorId = 0, usbProductId = 0 } = port.getInfo();
  return `${usbVendorId}:${usbProductId}`;
}

/** Reads codes until the port ends (`ended` resolves). `stop` closes the port. */
function read(port: ScannerPort, { scan, setTimer }: Pick<Parts, 'scan' | 'setTimer'>) {
  const decoder = new TextDecoder();
  let text = NO_TEXT;
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  let cancel: (() => void) | undefined;
  let isOver = false;

  function take(step: { state: typeof text; codes: string[] }): void {
    text = step.state;
    for (const code of step.codes) scan(code);
  }

  async function readAll(): Promise<void> {
    // After a parity error or an overflow, the port offers a new stream.
    while (!isOver && port.readable !== null) {
      reader = port.readable.getReader();
      try {
        for (;;) {
          const next = await reader.read();
          isOver ||= next.done;
          if (next.done) break;
          cancel?.();
          take(nextText(text, decoder.decode(next.value, { stream: true })));
          cancel = setTimer(SILENCE_MS, () => take(nextPause(text)));
        }
      } catch {
        // Discard the partial code received before the error.
        text = { ...text, rest: '' };
      } finally {
        cancel?.();
        reader.releaseLock();
      }
    }
  }

  const ended = readAll();
  return {
    ended,
    async stop(): Promise<void> {
      isOver = true;
      await reader?.cancel().catch(() => undefined);
      await ended;
      await port.close();
    },
  };
}
