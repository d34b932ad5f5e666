/** The parts of Web Serial that we use; TypeScript's DOM types do not have it. */
export type ScannerPort = {
  readonly readable: ReadableStream<Uint8Array> | null;
  open(options: { baudRate: number }): Promise<void>;
  close(): Promise<void>;
  getInfo(): { usbVendorId?: number; usbProductId?: number };
};

export type BrowserPorts = EventTarget & {
  /** Rejects with NotFoundError if nobody chooses one. */
  requestPort(): Promise<ScannerPort>;
  /** Those that a person allowed before. */
  getPorts(): Promise<ScannerPort[]>;
};

/** The parts of WebHID that we use. */
export type ScannerDevice = EventTarget & {
  readonly opened: boolean;
  readonly productName: string;
  readonly vendorId: number;
  readonly collections: readonly { usagePage?: number; usage?: number }[];
  open(): Promise<void>;
  close(): Promise<void>;
  sendFeatureReport(id: number, bytes: BufferSource): Promise<void>;
};

export type HidDevices = EventTarget & {
  /** Empty if nobody chooses one. */
  requestDevice(options: { filters: { usagePage: number }[] }): Promise<ScannerDevice[]>;
  getDevices(): Promise<ScannerDevice[]>;
};
