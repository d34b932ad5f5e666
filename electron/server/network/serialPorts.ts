import { read as readFile } from 'node:fs';
import { Duplex } from 'node:stream';
import { promisify } from 'node:util';
import type { autoDetect } from '@serialport/bindings-cpp';
import type { SerialPortInfo, SerialPorts } from '../ports.ts';

const READ_BYTES = 16 * 1_024;
/** Error codes that mean that there is nothing to read yet. */
const WAIT_CODES = ['EAGAIN', 'EWOULDBLOCK', 'EINTR'];

const read = promisify(readFile);

type Binding = ReturnType<typeof autoDetect>;
type Port = Awaited<ReturnType<Binding['open']>>;

/** Returns access to the serial ports of this machine. */
export function systemSerialPorts(): SerialPorts {
  let loaded: Promise<Binding> | undefined;
  /** Loads the library on demand, because most stations have no serial turbos. */
  const load = (): Promise<Binding> =>
    (loaded ??= import('@serialport/bindings-cpp').then((library) => library.autoDetect()));
  return {
    async list() {
      // If the system cannot list ports (no udevadm on Linux), people can still enter a path.
      const ports = await load()
        .then((binding) => binding.list())
        .catch(() => []);
      return ports.map(infoOf);
    },
    async open({ path, baudRate, flowControl }) {
      // Lock the port: if two programs read it, each gets half of the data.
      const binding = await load();
      return new SerialStream(await binding.open({ path, baudRate, rtscts: flowControl, lock: true }));
    },
    async reset(stream) {
      if (stream instanceof SerialStream) await stream.reset();
    },
  };
}

/** Converts the facts about a port to one form, because systems omit unknown values, and Windows writes ids in upper case. */
export function infoOf(port: Partial<SerialPortInfo> & Pick<SerialPortInfo, 'path'>): SerialPortInfo {
  const { path, vendorId, productId, serialNumber, manufacturer, locationId } = port;
  return {
    path,
    vendorId: vendorId?.toLowerCase() ?? '',
    productId: productId?.toLowerCase() ?? '',
    serialNumber: serialNumber ?? '',
    manufacturer: manufacturer ?? '',
    locationId: locationId ?? '',
  };
}

/** An open port as a stream. Ends on `destroy`, or when the port is unplugged. */
class SerialStream extends Duplex {
  private readonly port: Port;

  constructor(port: Port) {
    super({
      // When the port is lost, end the stream in both directions, because nothing can be written any longer.
      allowHalfOpen: false,
      read() {
        const buffer = Buffer.allocUnsafe(READ_BYTES);
        readPort(port, buffer).then(
          (count) => this.push(count === 0 ? null : buffer.subarray(0, count)),
          // If we close the port, the stream is already destroyed, so this error has no effect.
          () => this.destroy(new Error('unplugged')),
        );
      },
      writev(chunks, written) {
        const bytes = Buffer.concat(chunks.map(({ chunk }) => chunk as Buffer));
        callBack(port.write(bytes), written);
      },
      destroy(error, done) {
        callBack(closePort(port), () => done(error));
      },
    });
    this.port = port;
  }

  /** Resets the board by toggling the control lines that most boards use for this. */
  async reset(): Promise<void> {
    await this.port.set({ dtr: false, rts: true });
    await this.port.set({ dtr: false, rts: false });
    await this.port.set({ dtr: true, rts: false });
  }
}

/**
 * Reads from a port, and returns the number of bytes read, or 0 if the line was hung up. Replaces the library's own reading, which loops
 * endlessly at full CPU load when an unplugged port returns nothing.
 */
async function readPort(port: Port, buffer: Buffer): Promise<number> {
  if (!('poller' in port) || port.fd === null) return (await port.read(buffer, 0, buffer.length)).bytesRead;
  const { fd, poller } = port;
  for (;;) {
    try {
      return (await read(fd, buffer, 0, buffer.length, null)).bytesRead;
    } catch (error) {
      // If the port is closed, rethrow, because a closed port has no poller to wait for.
      const isEmpty = error instanceof Error && 'code' in error && WAIT_CODES.includes(String(error.code));
      if (!isEmpty || !port.isOpen) throw error;
      await new Promise<void>((resolve, reject) => {
        poller.once('readable', (failure: Error | null) => (failure === null ? resolve() : reject(failure)));
      });
    }
  }
}

async function closePort(port: Port): Promise<void> {
  if (port.isOpen) await port.close();
}

/** Calls `done` with the outcome of a promise. */
function callBack(promise: Promise<void>, done: (error?: Error) => void): void {
  void (async () => {
    try {
      await promise;
    } catch (error) {
      return done(error instanceof Error ? error : new Error(String(error)));
    }
    done();
  })();
}
