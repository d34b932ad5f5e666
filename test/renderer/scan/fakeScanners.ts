import type {
  HidDevices,
  ScannerDevice,
  ScannerPort,
  BrowserPorts,
} from '../../../renderer/src/scan/browserDevices.ts';
import type { Remembered } from '../../../renderer/src/remembered.ts';

export function memory(): Remembered {
  const kept = new Map<string, string>();
  return {
    get: (key) => kept.get(key) ?? null,
    set: (key, value) => void (value === null ? kept.delete(key) : kept.set(key, value)),
  };
}

/**
 * A serial port that behaves as in Chromium. It can be opened once; unplugging it makes its stream fail and sets
 * `readable` to null.
 */
export class FakePort implements ScannerPort {
  readable: ReadableStream<Uint8Array> | null = null;
  refuses = '';
  opened = 0;
  #sink: ReadableStreamDefaultController<Uint8Array> | undefined;
  readonly #id: number;

  constructor(id = 0x0c2e) {
    this.#id = id;
  }

  open({ baudRate }: { baudRate: number }): Promise<void> {
    if (this.refuses !== '') return Promise.reject(new DOMException(this.refuses, 'NetworkError'));
    if (this.readable !== null || baudRate !== 9_600) {
      return Promise.reject(new DOMException('The port is already open.', 'InvalidStateError'));
    }
    this.opened += 1;
    this.#flow();
    return Promise.resolve();
  }

  close(): Promise<void> {
    if (this.readable?.locked === true) return Promise.reject(new TypeError('Cannot close a locked stream.'));
    this.readable = null;
    return Promise.resolve();
  }

  getInfo(): { usbVendorId: number } {
    return { usbVendorId: this.#id };
  }

  /** Sends data from the scanner. Each part arrives as a separate read. */
  async sends(...parts: string[]): Promise<void> {
    for (const part of parts) {
      this.#sink?.enqueue(new TextEncoder().encode(part));
      await settled();
    }
  }

  async isPulledOut(): Promise<void> {
    this.readable = null;
    this.#sink?.error(new DOMException('The device has been lost.', 'NetworkError'));
    await settled();
  }

  /** Simulates noise on the line: the stream fails, and the port gets a new one. */
  async errs(): Promise<void> {
    const old = this.#sink;
    this.#flow();
    old?.error(new DOMException('Framing error', 'FramingError'));
    await settled();
  }

  #flow(): void {
    this.readable = new ReadableStream({ start: (sink) => void (this.#sink = sink) });
  }
}

export class FakeSerial extends EventTarget implements BrowserPorts {
  allowed: FakePort[] = [];
  chosen: FakePort | undefined;

  requestPort(): Promise<FakePort> {
    if (this.chosen === undefined) return Promise.reject(new DOMException('No port selected.', 'NotFoundError'));
    this.allowed.push(this.chosen);
    return Promise.resolve(this.chosen);
  }

  getPorts(): Promise<FakePort[]> {
    return Promise.resolve([...this.allowed]);
  }
}

/** A scanner in HID POS mode. Its reports are like those of Honeywell and Zebra: 63 bytes after the report id. */
export class FakeHidScanner extends EventTarget implements ScannerDevice {
  opened = false;
  refuses = '';
  readonly productName = 'Scanner';
  readonly features: [number, number[]][] = [];
  readonly vendorId: number;
  readonly collections: readonly { usagePage: number; usage: number }[];

  constructor(vendorId = 0x05e0, usage = 2) {
    super();
    this.vendorId = vendorId;
    this.collections = [{ usagePage: 0x8c, usage }];
  }

  open(): Promise<void> {
    if (this.refuses !== '') return Promise.reject(new DOMException(this.refuses, 'NotAllowedError'));
    this.opened = true;
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.opened = false;
    return Promise.resolve();
  }

  sendFeatureReport(id: number, bytes: BufferSource): Promise<void> {
    this.features.push([id, [...new Uint8Array(bytes as ArrayBuffer)]]);
    return Promise.resolve();
  }

  sends(symbology: string, text: string): void {
    for (const report of hidReports(symbology, text)) this.reports(2, report);
  }

  reports(reportId: number, data: DataView): void {
    if (this.opened) this.dispatchEvent(Object.assign(new Event('inputreport'), { reportId, data }));
  }
}

/** Splits a code into reports of up to 56 characters. `extra` is the number of bytes before the symbology. */
export function hidReports(symbology: string, text: string, extra = 0): DataView[] {
  const bytes = [...new TextEncoder().encode(text)];
  const count = Math.max(1, Math.ceil(bytes.length / 56));
  return Array.from({ length: count }, (_, index) => {
    const part = bytes.slice(index * 56, (index + 1) * 56);
    const report = new Uint8Array(63);
    report[0] = part.length;
    report.set(new TextEncoder().encode(symbology), 1 + extra);
    report.set(part.slice(0, 58 - extra), 4 + extra);
    report[62] = index < count - 1 ? 1 : 0;
    return new DataView(report.buffer);
  });
}

export class FakeHid extends EventTarget implements HidDevices {
  allowed: FakeHidScanner[] = [];
  chosen: FakeHidScanner[] = [];
  filters: unknown;

  requestDevice({ filters }: { filters: unknown }): Promise<FakeHidScanner[]> {
    this.filters = filters;
    this.allowed.push(...this.chosen);
    return Promise.resolve(this.chosen);
  }

  getDevices(): Promise<FakeHidScanner[]> {
    return Promise.resolve([...this.allowed]);
  }

  pulls(device: FakeHidScanner): void {
    device.opened = false;
    this.dispatchEvent(Object.assign(new Event('disconnect'), { device }));
  }
}

/** Lets all pending promises and streams run. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}
