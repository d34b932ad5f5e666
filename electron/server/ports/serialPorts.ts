import type { Duplex } from 'node:stream';

/** A serial port of the system. Unknown texts are empty. */
export type SerialPortInfo = {
  /** `COM3`, `/dev/ttyUSB0`. Can change when the adapter is unplugged and plugged in again. */
  path: string;
  /** USB vendor id in four lowercase hexadecimal digits. */
  vendorId: string;
  productId: string;
  serialNumber: string;
  manufacturer: string;
  /** The physical port of the machine. */
  locationId: string;
};

export type SerialLine = { path: string; baudRate: number; flowControl: boolean };

export type SerialPorts = {
  /** Never rejects. */
  list(): Promise<SerialPortInfo[]>;
  /** Rejects with the system's reason. The stream is ended by `destroy`, or when the port is unplugged. */
  open(line: SerialLine): Promise<Duplex>;
  /** Resets the board at an open port, if its control lines are wired to reset. Rejects if they cannot be set. */
  reset(stream: Duplex): Promise<void>;
};
